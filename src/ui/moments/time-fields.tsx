/** The time of a moment: hour, minute, and the half of the day, on a clock of 12 hours (spec §9). */

import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useMessages } from '../parts/use-messages.ts'
import {
  hourOf,
  isAfternoon,
  minuteOf,
  steppedHour,
  steppedMinute,
  two,
  withHalf,
  withHour,
  withMinute,
} from './moment.ts'

type TimeFieldsProps = {
  /** Since midnight. */
  minutes: number
  change(minutes: number): void
}

export function TimeFields({ minutes, change }: TimeFieldsProps) {
  const { moment: words } = useMessages()
  return (
    <div className="clock" role="group" aria-label={words.time}>
      <span aria-hidden="true">{words.time}</span>
      <TimeField
        label={words.hour}
        shown={two(hourOf(minutes))}
        least={1}
        most={12}
        step={(direction) => change(steppedHour(minutes, direction))}
        minutes={minutes}
        read={withHour}
        change={change}
      />
      <span aria-hidden="true">:</span>
      <TimeField
        label={words.minute}
        shown={two(minuteOf(minutes))}
        least={0}
        most={59}
        step={(direction) => change(steppedMinute(minutes, direction))}
        minutes={minutes}
        read={withMinute}
        change={change}
      />
      <select
        className="in"
        aria-label={words.half}
        value={isAfternoon(minutes) ? 'pm' : 'am'}
        onChange={({ target }) => change(withHalf(minutes, target.value === 'pm'))}
      >
        <option value="am">{words.am}</option>
        <option value="pm">{words.pm}</option>
      </select>
    </div>
  )
}

type TimeFieldProps = {
  label: string
  shown: string
  least: number
  most: number
  step(direction: 1 | -1): void
  /** The whole time, since midnight. */
  minutes: number
  /** The time with what was typed in this field; `null` if it is no such number. */
  read(minutes: number, text: string): number | null
  change(minutes: number): void
}

/** What is typed in a field, and the time that stood there before its first digit. */
type Typed = { readonly text: string; readonly before: number }

/** A number that is typed, or stepped by the arrow keys. */
function TimeField({ label, shown, least, most, step, minutes, read, change }: TimeFieldProps) {
  // What is typed stands as it is until the field is left.
  const [typed, setTyped] = useState<Typed | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    // What is typed next replaces the number that was stepped to.
    if (typed === null && document.activeElement === input.current) input.current?.select()
  }, [shown, typed])
  const apply = ({ text, before }: Typed) => {
    const time = read(before, text)
    if (time !== null) change(time)
  }
  const leave = () => {
    if (typed?.text === '0') apply(typed)
    setTyped(null)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = { ArrowUp: 1 as const, ArrowDown: -1 as const }[event.key]
    if (direction === undefined && event.key !== 'Enter') return
    // Enter must not submit a form that the picker stands in.
    event.preventDefault()
    if (direction === undefined) return leave()
    setTyped(null)
    step(direction)
  }
  return (
    <input
      ref={input}
      className="in"
      role="spinbutton"
      inputMode="numeric"
      autoComplete="off"
      maxLength={2}
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={Number(shown)}
      aria-valuetext={shown}
      value={typed?.text ?? shown}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ target }) => {
        const next = { text: target.value, before: typed?.before ?? minutes }
        setTyped(next)
        // A lone 0 may become `09`, so it waits until the field is left.
        if (next.text !== '0') apply(next)
      }}
      onBlur={leave}
      onKeyDown={onKeyDown}
    />
  )
}
