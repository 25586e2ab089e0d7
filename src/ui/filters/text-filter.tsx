/** A text that rows hold, and a list of values that was typed or pasted. */

import { encodeText, ONE_OF_MAX, readList } from '../../protocol/filters.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'
import { type Mode, oneOf, textFilter, valuesOf } from './modes.ts'
import { decodeText } from './use-choices.ts'
import { useDraft } from './use-draft.ts'

type Props = ControlProps & { mode: Mode; modeLabel: string }

/** Sent by Enter, or when the field is left. */
export function TextFilterField({ offer, value, change, param, mode, modeLabel }: Props) {
  const applied = value && 'test' in value ? value.text : ''
  const { draft, isUnsent, edit, settle } = useDraft(applied, () => applied)
  const send = () => {
    if (!isUnsent) return
    settle()
    if (draft !== applied) change(draft === '' ? null : textFilter(mode, draft))
  }
  return (
    <input
      className="in"
      type="search"
      autoComplete="off"
      name={param('text')}
      aria-label={`${offer.label} ${modeLabel}`}
      value={draft}
      onChange={({ target }) => edit(target.value)}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        send()
      }}
    />
  )
}

/** One value a line, or between commas, semicolons or tabs. Sent when the field is left. */
export function ListField({ offer, value, change, param, mode, modeLabel }: Props) {
  const { filters } = useMessages()
  const applied = valuesOf(value)
  const { draft, isUnsent, edit, settle } = useDraft(applied, () =>
    applied.map((one) => decodeText(one ?? '')).join('\n'),
  )
  const values = readList(draft).map(encodeText)
  const send = () => {
    if (!isUnsent || values.length > ONE_OF_MAX) return
    settle()
    if (JSON.stringify(values) !== JSON.stringify(applied))
      change(values.length === 0 ? null : oneOf(mode, values))
  }
  return (
    <>
      <textarea
        className="in"
        rows={3}
        name={param('list')}
        aria-label={`${offer.label} ${modeLabel}`}
        placeholder={filters.pasted}
        aria-invalid={values.length > ONE_OF_MAX || undefined}
        value={draft}
        onChange={({ target }) => edit(target.value)}
        onBlur={send}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          send()
        }}
      />
      {values.length > ONE_OF_MAX && <p className="err">{filters.tooMany}</p>}
    </>
  )
}
