/** A filter from a day on, or up to one; sent by Enter, or when the field is left. */

import { useId } from 'react'
import { formatDate } from '../../protocol/date-format.ts'
import type { FilterControl } from '../../protocol/filters.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'
import { parseDay } from './date-format.ts'
import { FieldNote } from './field-note.tsx'
import { dayBound } from './modes.ts'
import { useDraft } from './use-draft.ts'
import { useLeft } from './use-left.ts'

type DayFilterProps = ControlProps<Extract<FilterControl, { type: 'date' }>> & {
  mode: 'since' | 'until'
}

export function DayFilter({ offer, control, value, change, param, mode }: DayFilterProps) {
  const { filters } = useMessages()
  const { locale } = usePage()
  const { format } = control
  const applied =
    value && 'since' in value ? value.since : value && 'until' in value ? value.until : ''
  const { draft, isUnsent, edit, settle } = useDraft(applied, () => applied)
  const id = useId()
  const isBlank = draft.trim() === ''
  const day = parseDay(draft, format, locale)
  const isWrong = !isBlank && day === null
  const { hasLeft, leave, onBlur } = useLeft(isWrong)
  const send = () => {
    if (!isUnsent || isWrong) return
    settle()
    const text = day === null ? '' : formatDate(day, format)
    if (text !== applied) change(dayBound(mode, text || undefined))
  }
  return (
    <div className="dates" onBlur={onBlur}>
      <input
        className="in"
        autoComplete="off"
        name={param(mode)}
        aria-label={`${offer.label} ${filters.modes[mode]}`}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-note`}
        placeholder={placeholderOf(format, filters.letters)}
        value={draft}
        onChange={({ target }) => edit(target.value)}
        onBlur={() => {
          send()
          if (isWrong) leave()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          send()
          if (isWrong) leave()
        }}
      />
      <FieldNote id={`${id}-note`} isWrong={isWrong}>
        {hasLeft && isWrong ? filters.wrongDate(draft.trim(), formatDate(EXAMPLE, format)) : ''}
      </FieldNote>
    </div>
  )
}

/** Tells the day from the month in every format. */
export const EXAMPLE = '2026-01-31'

/** How a day is written, in the letters of the reader's language. */
export const placeholderOf = (
  format: string,
  letters: { Y: string; m: string; d: string },
): string => format.replace('Y', letters.Y).replace('m', letters.m).replace('d', letters.d)
