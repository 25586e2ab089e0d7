/** A date range: two fields and a calendar; sent as soon as there are two dates. */

import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { formatDate } from '../../protocol/date-format.ts'
import type { FilterControl } from '../../protocol/filters.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import { CalendarButton } from './calendar-button.tsx'
import { CalendarPopup } from './calendar-popup.tsx'
import type { ControlProps } from './control.ts'
import type { Day } from './days.ts'
import { parseDay } from './date-format.ts'
import { type DateText, dayRange, presetIn, rangeIn, sentRange } from './date-range.ts'
import { EXAMPLE, placeholderOf } from './day-filter.tsx'
import { FieldNote } from './field-note.tsx'
import { useDraft } from './use-draft.ts'
import { useLeft } from './use-left.ts'
import { useNewest } from './use-newest.ts'

type DateControl = Extract<FilterControl, { type: 'date' }>

export function DateFilter({
  offer,
  control,
  value,
  change,
  param,
  ask,
}: ControlProps<DateControl>) {
  const { filters } = useMessages()
  const { locale } = usePage()
  const { format } = control
  const { draft, isUnsent, edit, settle } = useDraft(value, (): DateText => {
    const range = rangeIn(value, format)
    return range ? textOf(sentRange(range, format)) : NOTHING
  })
  const [isOpen, setOpen] = useState(false)
  const newest = useNewest(offer.key, ask, isOpen)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const preset = presetIn(value)
  const days = {
    from: parseDay(draft.from, format, locale),
    to: parseDay(draft.to, format, locale),
  }
  const wrong = BOUNDS.find((bound) => !isBlank(draft[bound]) && days[bound] === null)
  const isHalf = isBlank(draft.from) !== isBlank(draft.to)
  const { hasLeft, leave, onBlur } = useLeft(wrong !== undefined || isHalf)
  const note = !hasLeft
    ? ''
    : wrong
      ? filters.wrongDate(draft[wrong].trim(), formatDate(EXAMPLE, format))
      : value && !preset
        ? filters.secondDateStays
        : filters.secondDate
  /** Sends two dates; two empty fields remove the filter; one date alone waits for the other. */
  const send = (text: DateText = draft, isFlagged = isUnsent) => {
    if (!isFlagged) return
    const [first, last] = [parseDay(text.from, format, locale), parseDay(text.to, format, locale)]
    if (first && last) {
      const range = sentRange(dayRange(first, last), format)
      edit(textOf(range))
      settle()
      if (JSON.stringify(range) !== JSON.stringify(value)) change(range)
    } else if (isBlank(text.from) && isBlank(text.to) && value && !preset) {
      settle()
      change(null)
    }
  }
  /** The first of two days, while the calendar waits for the other. */
  const begun = useRef<Day | null>(null)
  const close = () => {
    setOpen(false)
    begun.current = null
    button.current?.focus()
  }
  /** Closes the calendar without a choice; a first day is kept where there was none. */
  const dismiss = (returnsFocus: boolean) => {
    if (begun.current !== null && !value && isBlank(draft.from) && isBlank(draft.to))
      edit({ from: formatDate(begun.current, format), to: '' })
    leave()
    if (returnsFocus) return close()
    setOpen(false)
    begun.current = null
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      send()
      if (wrong || isHalf) leave()
    } else if (event.key === 'ArrowDown' && event.altKey) {
      event.preventDefault()
      setOpen(true)
    }
  }
  const field = (bound: keyof DateText) => ({
    className: 'in',
    autoComplete: 'off',
    name: param(bound === 'from' ? 'minDate' : 'maxDate'),
    'aria-label': filters[bound],
    placeholder: preset ? '' : placeholderOf(format, filters.letters),
    value: draft[bound],
    'aria-invalid': (!isBlank(draft[bound]) && days[bound] === null) || undefined,
    'aria-describedby': `${id}-note`,
    onChange: ({ target }: { target: { value: string } }) =>
      edit({ ...draft, [bound]: target.value }),
    onBlur: () => {
      send()
      if (wrong) leave()
    },
    onKeyDown,
  })
  return (
    <div className="dates" onBlur={onBlur} onFocus={newest.wish} onPointerEnter={newest.wish}>
      <div className="pair cal">
        <input {...field('from')} />
        <span className="to" aria-hidden="true">
          –
        </span>
        <input {...field('to')} />
        <CalendarButton
          ref={button}
          popup={isOpen ? id : undefined}
          isOn={preset !== null}
          toggle={() => (isOpen ? dismiss(true) : setOpen(true))}
        />
      </div>
      <FieldNote id={`${id}-note`} isWrong={wrong !== undefined}>
        {note}
      </FieldNote>
      {preset && <p className="hint">{filters.inZone(filters.presets[preset], control.zone)}</p>}
      {isOpen && (
        <CalendarPopup
          id={id}
          label={offer.label}
          control={control}
          days={days}
          newest={newest.day}
          isReady={newest.isSettled}
          preset={preset}
          begin={(first) => (begun.current = first)}
          choose={(first, last) => {
            const range = textOf(sentRange(dayRange(first, last), format))
            edit(range)
            send(range, true)
            close()
          }}
          choosePreset={(name) => {
            edit(NOTHING)
            settle()
            change({ preset: name })
            close()
          }}
          clear={() => {
            edit(NOTHING)
            settle()
            if (value) change(null)
            close()
          }}
          close={dismiss}
        />
      )}
    </div>
  )
}

const BOUNDS = ['from', 'to'] as const

const isBlank = (text: string): boolean => text.trim() === ''

const NOTHING: DateText = { from: '', to: '' }

const textOf = (range: { minDate: string; maxDate: string }): DateText => ({
  from: range.minDate,
  to: range.maxDate,
})
