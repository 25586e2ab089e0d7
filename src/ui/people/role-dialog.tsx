/** Asks for another role of a person. */

import { useState } from 'react'
import type { PersonView, RoleView } from '../../protocol/people-view.ts'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Modal } from '../parts/modal.tsx'
import { RoleChoice } from './role-choice.tsx'
import type { People } from './use-people.ts'
import { say } from '../parts/say.ts'
import { usePeopleWords } from './people-words.ts'

type Props = {
  person: PersonView
  roles: readonly RoleView[]
  change: People['changeRole']
  onClose(): void
}

export function RoleDialog({ person, roles, change, onClose }: Props) {
  const words = usePeopleWords()
  const [chosen, choose] = useState(person.role.name)
  const role = roles.find(({ name }) => name === chosen)
  const isChanged = role && role.name !== person.role.name
  return (
    <Modal title={say(words.roleOf, person.called)} className="dialog" onClose={onClose}>
      <div className="body">
        <RoleChoice roles={roles} chosen={chosen} choose={choose} />
      </div>
      <DialogActions
        confirm={isChanged ? words.changeRole : null}
        decide={async () => {
          if (!role) return
          await change(person, role)
          onClose()
        }}
        onClose={onClose}
      />
    </Modal>
  )
}
