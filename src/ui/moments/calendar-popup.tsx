/** The calendar beside a field for a day or a moment: its button, its key, and its popup. */

import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { CalendarButton } from '../filters/calendar-button.tsx'
import { LoadedPopup } from '../filters/popup.tsx'
import { loadOnce } from '../load-once.ts'
import type { Moment } from './moment.ts'

const picker = loadOnce(() => import('./date-time-picker.tsx'))

type Props = {
  /** Of the field. */
  id: string
  label: string
  /** Whether a label of the id `<id>-label` names the field. */
  isLabelled: boolean
  moment: Moment | null
  /** Default: it has. */
  hasTime?: boolean
  /** `null` for none. */
  choose(moment: Moment | null): void
  /** Where the focus goes once it is closed. Default: to the button. */
  returnTo?: RefObject<HTMLElement | null>
  /** The field, with what listens to the key that opens the calendar. */
  children(onKeyDown: (event: KeyboardEvent) => void): ReactNode
}

export function CalendarPopup({
  id,
  label,
  isLabelled,
  moment,
  hasTime = true,
  choose,
  returnTo,
  children,
}: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    ;(returnTo ?? button).current?.focus()
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
        {children(onKeyDown)}
        <CalendarButton
          ref={button}
          popup={isOpen ? `${id}-calendar` : undefined}
          {...(isLabelled && { describedBy: `${id}-label` })}
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
              moment={moment}
              hasTime={hasTime}
              choose={(chosen) => {
                choose(chosen)
                // A day is all there is to choose; a moment has its time yet.
                if (!hasTime) close()
              }}
              clear={() => {
                choose(null)
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
