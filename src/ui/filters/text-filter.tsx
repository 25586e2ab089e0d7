/** A text that rows hold, and a list of values that was typed or pasted. */

import { useId } from 'react'
import { encodeText, ONE_OF_MAX, readList } from '../../protocol/filters.ts'
import { readNumberList, readTyped, writeTyped } from '../../protocol/typed-numbers.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'
import { FieldNote } from './field-note.tsx'
import { type Mode, oneOf, textFilter, valuesOf } from './modes.ts'
import { wrongNumber } from './number-range.ts'
import { decodeText } from './use-choices.ts'
import { useDraft } from './use-draft.ts'
import { useLeft } from './use-left.ts'

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
export function ListField({ offer, control, value, change, param, mode, modeLabel }: Props) {
  const { filters } = useMessages()
  const { locale } = usePage()
  const applied = valuesOf(value)
  const signs = control.type === 'number' ? { ...control, locale } : null
  const { draft, isUnsent, edit, settle } = useDraft(applied, () =>
    applied
      .map((one) => decodeText(one ?? ''))
      .map((text) => (signs ? writeTyped(text, signs) : text))
      .join('\n'),
  )
  const id = useId()
  const texts = signs ? readNumberList(draft, signs) : readList(draft)
  const read = signs ? texts.map((text) => readTyped(text, signs)) : texts
  const isWrong = read.includes(undefined)
  const values = read.map((one) => encodeText(String(one)))
  const { hasLeft, leave } = useLeft(isWrong)
  const send = () => {
    if (isWrong) leave()
    if (!isUnsent || isWrong || values.length > ONE_OF_MAX) return
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
        aria-invalid={isWrong || values.length > ONE_OF_MAX || undefined}
        aria-describedby={signs ? id : undefined}
        value={draft}
        onChange={({ target }) => edit(target.value)}
        onBlur={send}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          send()
        }}
      />
      {signs && (
        <FieldNote id={id} isWrong>
          {hasLeft && wrongNumber(texts, signs, filters)}
        </FieldNote>
      )}
      {values.length > ONE_OF_MAX && <p className="err">{filters.tooMany}</p>}
    </>
  )
}
