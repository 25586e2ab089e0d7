/** The button that opens the calendar of a field. */

import type { Ref } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

type CalendarButtonProps = {
  ref?: Ref<HTMLButtonElement>
  /** Id of the calendar while it is open. */
  popup: string | undefined
  /** Id of the field's label, where no group around it is named by it. */
  describedBy?: string
  /** Whether the chosen dates are not written in the field. */
  isOn?: boolean
  toggle(): void
}

export function CalendarButton({
  ref,
  popup,
  describedBy,
  isOn = false,
  toggle,
}: CalendarButtonProps) {
  const { filters } = useMessages()
  const isOpen = popup !== undefined
  return (
    <button
      ref={ref}
      type="button"
      className={isOpen || isOn ? 'btn icon on needs-script' : 'btn icon needs-script'}
      aria-label={filters.openCalendar}
      aria-describedby={describedBy}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-controls={popup}
      onClick={toggle}
    >
      <Icon name="calendar" />
    </button>
  )
}
