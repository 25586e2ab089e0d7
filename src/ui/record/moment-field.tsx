/** A field for a day or a moment: typed as it is stored, to the last digit, or chosen from a calendar. */

import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react'
import { CalendarButton } from '../filters/calendar-button.tsx'
import { LoadedPopup } from '../filters/popup.tsx'
import { loadOnce } from '../load-once.ts'
import { storedMoment, withMoment } from './stored-moment.ts'

const picker = loadOnce(() => import('../moments/date-time-picker.tsx'))

type MomentFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  id: string
  /** Names the calendar. */
  label: string
  text: string | null
  hasTime: boolean
  change(text: string | null): void
}

export function MomentField({ label, text, hasTime, change, ...input }: MomentFieldProps) {
  const { id } = input
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const close = () => {
    setOpen(false)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || !event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    setOpen(true)
  }
  return (
    <span className="dates moment">
      <span className="pair cal">
        <input {...input} ref={field} onKeyDown={onKeyDown} />
        <CalendarButton
          popup={isOpen ? `${id}-calendar` : undefined}
          {...(input['aria-label'] === undefined && { describedBy: `${id}-label` })}
          toggle={() => (isOpen ? close() : setOpen(true))}
        />
      </span>
      {isOpen && (
        <LoadedPopup
          id={`${id}-calendar`}
          label={label}
          part={picker}
          close={(returnsFocus) => (returnsFocus ? close() : setOpen(false))}
        >
          {({ DateTimePicker }) => (
            <DateTimePicker
              moment={storedMoment(text)}
              hasTime={hasTime}
              choose={(moment) => {
                change(withMoment(text, moment, hasTime))
                // A day is all there is to choose; a moment has its time yet.
                if (!hasTime) close()
              }}
              clear={() => {
                change(null)
                close()
              }}
              close={close}
            />
          )}
        </LoadedPopup>
      )}
    </span>
  )
}
