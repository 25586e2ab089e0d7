/** One change in the history: who, when, how, what, and how to take it back. */

import type { EntryView, FieldChange } from '../../protocol/history-view.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { initials } from '../shell/rail-items.ts'
import { LocalTime } from './local-time.tsx'

type Props = { entry: EntryView; undo(entry: EntryView): void; erase(entry: EntryView): void }

export function EntryItem({ entry, undo, erase }: Props) {
  const { changed } = useMessages()
  const { who, behalf, door, what, fields, link, notes, isUndone } = entry
  return (
    <li className="entry" data-entry={entry.id}>
      <LocalTime iso={entry.iso} text={entry.time} />
      <span className="by">
        <span className="who" aria-hidden="true">
          {initials(who).toUpperCase()}
        </span>
        <span>
          <Shown text={who} />
          {behalf !== null && <small>{changed.behalf(behalf)}</small>}
        </span>
      </span>
      <span className="door">{door}</span>
      <div className={isUndone ? 'what undone' : 'what'}>
        <p>
          <Sentence entry={entry} />
        </p>
        {!isOneField(entry) && <FieldChanges fields={fields} />}
        {((link && !isNamed(entry)) || notes.length > 0 || entry.erase) && (
          <p className="hint">
            {link && !isNamed(entry) && <a href={link.href}>{link.label}</a>} {notes.join(' ')}{' '}
            {entry.erase && (
              <button type="button" className="plain needs-script" onClick={() => erase(entry)}>
                {entry.erase.button}
              </button>
            )}
          </p>
        )}
      </div>
      <div className="do">
        {entry.undo.may ? (
          <button
            type="button"
            className="btn line needs-script"
            aria-label={changed.undoOf(what)}
            onClick={() => undo(entry)}
          >
            <Icon name="undo" flip />
            {changed.undo}
          </button>
        ) : (
          <span className="hint">{entry.undo.why}</span>
        )}
      </div>
    </li>
  )
}

/** Whether the sentence names the row, by a link to it. */
const isNamed = ({ said, link }: EntryView): boolean => link !== null && said?.length === 2

/** Whether one field was changed, which the sentence tells. */
const isOneField = ({ said, fields: [only, ...others] }: EntryView): boolean =>
  said !== undefined && only !== undefined && others.length === 0 && !only.isUntold

/** What was done, in one sentence: the row's name is the link to it, and a single field ends it. */
function Sentence({ entry }: { entry: EntryView }) {
  const { what, said: [lead = what, tail = ''] = [], link, fields } = entry
  const [only] = fields
  return (
    <>
      <Shown text={lead} />
      {link && isNamed(entry) && (
        <a href={link.href}>
          <Shown text={link.label} />
        </a>
      )}
      {tail}
      {only && isOneField(entry) && (
        <>
          : {only.label} <WasIs {...only} />
        </>
      )}
    </>
  )
}

type FieldsProps = { fields: readonly FieldChange[]; restore?: (field: FieldChange) => void }

export function FieldChanges({ fields, restore }: FieldsProps) {
  const { changed } = useMessages()
  if (fields.length === 0) return null
  return (
    <dl className="was-is">
      {fields.map((field) => (
        <div key={field.column}>
          <dt>
            <Shown text={field.label} />
          </dt>
          <dd>
            {field.isUntold ? <span className="hint">{changed.untold}</span> : <WasIs {...field} />}
          </dd>
          {restore && !field.isUntold && (
            <dd className="do">
              <button
                type="button"
                className="plain needs-script"
                aria-label={changed.restoreOf(field.label, field.before ?? changed.nothing)}
                onClick={() => restore(field)}
              >
                {changed.restore}
              </button>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

function WasIs({ before, after, isMixed }: FieldChange) {
  const { changed } = useMessages()
  return (
    <>
      {!isMixed && (
        <del>
          <ValueText text={before} />
        </del>
      )}{' '}
      <span className="arrow" aria-hidden="true">
        →
      </span>
      <span className="sr">{changed.becomes}</span>{' '}
      <ins>
        <ValueText text={after} />
      </ins>
    </>
  )
}

/** NULL and an empty text look different. */
function ValueText({ text }: { text: string | null }) {
  const { changed, cell } = useMessages()
  if (text === null)
    return (
      <span className="null">
        –<span className="sr"> {changed.nothing}</span>
      </span>
    )
  return text === '' ? <span className="null">{cell.empty}</span> : <Shown text={text} />
}
