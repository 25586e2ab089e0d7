/** A field for a day or a moment: typed as it is stored, to the last digit, or chosen from a calendar. */

import { type ComponentProps, useRef } from 'react'
import { CalendarPopup } from '../moments/calendar-popup.tsx'
import { type MomentOptions, storedMoment, withMoment } from './stored-moment.ts'

type MomentFieldProps = Omit<ComponentProps<'input'>, 'id'> &
  MomentOptions & {
    id: string
    /** Names the calendar. */
    label: string
    text: string | null
    change(text: string | null): void
  }

export function MomentField({
  label,
  text,
  hasTime,
  isOwnClock,
  change,
  ...input
}: MomentFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <CalendarPopup
      {...{ label, hasTime }}
      id={input.id}
      isLabelled={input['aria-label'] === undefined}
      moment={storedMoment(text)}
      choose={(moment) => change(moment && withMoment(text, moment, { hasTime, isOwnClock }))}
      returnTo={field}
    >
      {(onKeyDown) => <input {...input} ref={field} onKeyDown={onKeyDown} />}
    </CalendarPopup>
  )
}
