/** Asks whom to invite, and makes the link for them. */

import { type FormEvent, useState } from 'react'
import type { InviteErrors, IssuedLinkView, RoleView } from '../../protocol/people-view.ts'
import { Field } from '../parts/field.tsx'
import { Modal } from '../parts/modal.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { RoleChoice } from './role-choice.tsx'
import type { People } from './use-people.ts'
import { usePeopleWords } from './people-words.ts'

type Props = {
  roles: readonly RoleView[]
  invite: People['invite']
  onLink(link: IssuedLinkView): void
  onClose(): void
}

export function InviteDialog({ roles, invite, onLink, onClose }: Props) {
  const words = usePeopleWords()
  const { failures } = useMessages()
  const [errors, setErrors] = useState<InviteErrors>({})
  // Most people who are invited change rows; more than that is given with care.
  const [role, setRole] = useState(roles.find(({ name }) => name === 'editor')?.name ?? '')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const entered = new FormData(form)
    const text = (name: string) => {
      const value = entered.get(name)
      return typeof value === 'string' ? value : ''
    }
    if (isBusy) return
    setBusy(true)
    const result = await invite(text('name'), text('email'), role).finally(() => setBusy(false))
    if ('link' in result) return onLink(result.link)
    setErrors(result.errors)
    const [first] = Object.keys(result.errors)
    form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }
  return (
    <Modal title={words.invite} className="dialog invite" onClose={onClose}>
      <form
        className="contents"
        noValidate
        // The page's failure display says what went wrong.
        onSubmit={(event) => void submit(event).catch(() => undefined)}
      >
        <div className="body">
          <p className="second">{words.inviteLead}</p>
          <div className="pair">
            <Field
              label={words.name}
              name="name"
              maxLength={200}
              autoComplete="off"
              data-first
              error={errors.name}
            />
            <Field
              label={words.email}
              name="email"
              type="email"
              maxLength={254}
              autoComplete="off"
              error={errors.email}
            />
          </div>
          <RoleChoice roles={roles} chosen={role} choose={setRole} />
        </div>
        <div className="acts">
          <button type="button" className="btn" onClick={onClose}>
            {failures.cancel}
          </button>
          <button type="submit" className="btn main" aria-busy={isBusy || undefined}>
            {words.makeLink}
          </button>
        </div>
      </form>
    </Modal>
  )
}
