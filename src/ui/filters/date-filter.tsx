/** A date range: two fields and a calendar; sent as soon as there are two dates. */

import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { FilterControl } from '../../protocol/filters.ts'
import { useMessages } from '../parts/use-messages.ts'
import { CalendarButton } from './calendar-button.tsx'
import { CalendarPopup } from './calendar-popup.tsx'
import type { ControlProps } from './control.ts'
import { parseDay } from './date-format.ts'
import { type DateText, dayRange, presetIn, rangeIn, sentRange } from './date-range.ts'
import { useDraft } from './use-draft.ts'

type DateControl = Extract<FilterControl, { type: 'date' }>

export function DateFilter({ offer, control, value, change, param }: ControlProps<DateControl>) {
  const { filters } = useMessages()
  const { format } = control
  const { draft, isUnsent, edit, settle } = useDraft(value, (): DateText => {
    const range = rangeIn(value, format)
    return range ? textOf(sentRange(range, format)) : NOTHING
  })
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const preset = presetIn(value)
  const days = { from: parseDay(draft.from, format), to: parseDay(draft.to, format) }
  /** Sends two dates; two empty fields remove the filter; one date alone waits for the other. */
  const send = (text: DateText = draft, isFlagged = isUnsent) => {
    if (!isFlagged) return
    const [first, last] = [parseDay(text.from, format), parseDay(text.to, format)]
    if (first && last) {
      const range = sentRange(dayRange(first, last), format)
      edit(textOf(range))
      settle()
      if (JSON.stringify(range) !== JSON.stringify(value)) change(range)
    } else if (text.from.trim() === '' && text.to.trim() === '' && value && !preset) {
      settle()
      change(null)
    }
  }
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      send()
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
    placeholder: preset
      ? ''
      : format
          .replace('Y', filters.letters.Y)
          .replace('m', filters.letters.m)
          .replace('d', filters.letters.d),
    value: draft[bound],
    'aria-invalid': (draft[bound].trim() !== '' && days[bound] === null) || undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      edit({ ...draft, [bound]: target.value }),
    onBlur: () => send(),
    onKeyDown,
  })
  return (
    <div className="dates">
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
          toggle={() => (isOpen ? close() : setOpen(true))}
        />
      </div>
      {preset && <p className="hint">{filters.presets[preset]}</p>}
      {isOpen && (
        <CalendarPopup
          id={id}
          label={offer.label}
          control={control}
          days={days}
          preset={preset}
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
          close={(returnsFocus) => (returnsFocus ? close() : setOpen(false))}
        />
      )}
    </div>
  )
}

const NOTHING: DateText = { from: '', to: '' }

const textOf = (range: { minDate: string; maxDate: string }): DateText => ({
  from: range.minDate,
  to: range.maxDate,
})
