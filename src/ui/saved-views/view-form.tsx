/** The dialog that saves what a list shows as a view, or changes what is said of one. */

import { type FormEvent, useId, useState } from 'react'
import {
  type SavedView,
  VIEW_NAME_MAX,
  type ViewOutcome,
  type ViewSettings,
} from '../../protocol/saved-views.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { FactList } from '../parts/fact-list.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useViewWords } from './use-saved-views.ts'

type Props = {
  list: TableView
  /** The view that is changed; absent for a new one. */
  before?: SavedView
  /** Whether the person decides for everyone. */
  mayDecide: boolean
  /** Name of the view that the table opens with now. */
  opensWith: string | undefined
  send(settings: ViewSettings): Promise<ViewOutcome>
  onSaved(id: string, name: string): void
  onClose(): void
}

const NEW: ViewSettings = { name: '', isShared: false, isDefault: false, isTab: false }

export function ViewForm({ list, before, mayDecide, opensWith, send, onSaved, onClose }: Props) {
  const words = useViewWords()
  const { failures } = useMessages()
  const [settings, set] = useState<ViewSettings>(before ?? NEW)
  const [refused, setRefused] = useState<Exclude<ViewOutcome, { id: string }> | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    setBusy(true)
    const { name, isShared, isDefault, isTab } = settings
    const outcome = await send({ name, isShared, isDefault, isTab }).finally(() => setBusy(false))
    if ('id' in outcome) return onSaved(outcome.id, settings.name.trim())
    setRefused(outcome)
    if (outcome.isName) form.querySelector<HTMLElement>('[name=name]')?.focus()
  }
  return (
    <Modal
      title={before ? words.changeTitle : words.saveTitle}
      className="dialog view-form"
      onClose={onClose}
    >
      <form
        className="contents"
        noValidate
        // The page's failure display says what went wrong.
        onSubmit={(event) => void submit(event).catch(() => undefined)}
      >
        <div className="body">
          <Field
            label={words.name}
            name="name"
            value={settings.name}
            maxLength={VIEW_NAME_MAX}
            autoComplete="off"
            data-first
            error={refused?.isName ? refused.refused : undefined}
            onChange={({ target }) => set({ ...settings, name: target.value })}
          />
          <ForWhom {...{ list, settings, set, before, mayDecide }} />
          <Choices {...{ list, settings, set, opensWith, mayDecide }} />
          {!before && <Facts list={list} />}
          {refused && !refused.isName && (
            <p className="err" role="alert">
              <Icon name="warning" />
              {refused.refused}
            </p>
          )}
        </div>
        <div className="acts">
          <button type="button" className="btn" onClick={onClose}>
            {failures.cancel}
          </button>
          <button type="submit" className="btn main" aria-busy={isBusy || undefined}>
            {before ? words.save : words.saveView}
          </button>
        </div>
      </form>
    </Modal>
  )
}

type PartProps = Pick<Props, 'list' | 'mayDecide'> & {
  settings: ViewSettings
  set(settings: ViewSettings): void
}

function ForWhom({ list, settings, set, before }: PartProps & { before: SavedView | undefined }) {
  const words = useViewWords()
  const id = useId()
  const choice = (isShared: boolean, label: string, text: string) => (
    <label>
      <input
        type="radio"
        name={id}
        checked={settings.isShared === isShared}
        aria-describedby={`${id}-${isShared}`}
        onChange={() => set({ ...settings, isShared, isTab: false, isDefault: false })}
      />
      <span>
        <b>{label}</b>
        <small id={`${id}-${isShared}`}>{text}</small>
      </span>
    </label>
  )
  // What somebody else has saved for everyone stays everyone's.
  if (before?.by !== undefined) return null
  return (
    <fieldset className="role-choice">
      <legend>{words.forWhom}</legend>
      {choice(false, words.me, words.meText)}
      {choice(true, words.everyone(list.label), words.everyoneText)}
    </fieldset>
  )
}

/** What concerns everyone is only for administrators to say. */
function Choices({
  list,
  settings,
  set,
  opensWith,
  mayDecide,
}: PartProps & Pick<Props, 'opensWith'>) {
  const words = useViewWords()
  const { isShared, isDefault, isTab } = settings
  if (isShared && !mayDecide) return null
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={isDefault}
          onChange={() => set({ ...settings, isDefault: !isDefault })}
        />
        <span>
          {words.opensWith(list.label)}
          <small>{isShared ? words.forEveryone : words.forMe(opensWith)}</small>
        </span>
      </label>
      {isShared && (
        <label className="check">
          <input
            type="checkbox"
            checked={isTab}
            onChange={() => set({ ...settings, isTab: !isTab })}
          />
          <span>{words.asTab}</span>
        </label>
      )}
    </>
  )
}

/** What the view will hold. */
function Facts({ list }: { list: TableView }) {
  const words = useViewWords()
  const { filters, search, sortText, columns, allColumns, page } = list
  const chips = filters.chips.map(({ label, value }) => `${label} ${value}`)
  const facts = [
    { label: words.filters, value: chips.length > 0 ? chips.join('; ') : words.none },
    ...(search === '' ? [] : [{ label: words.search, value: search }]),
    { label: words.order, value: sortText || words.none },
    { label: words.columns, value: words.of(String(columns.length), String(allColumns.length)) },
    { label: words.rows, value: words.aPage(String(page.size)) },
  ]
  return <FactList facts={facts} label={words.holds} />
}
