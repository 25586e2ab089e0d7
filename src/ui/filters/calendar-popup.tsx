/** The popup of the button “Open calendar” of a date range; the calendar itself is loaded on first use. */

import { loadOnce } from '../load-once.ts'
import type { CalendarProps } from './calendar.tsx'
import { LoadedPopup, type PopupProps } from './popup.tsx'

const calendar = loadOnce(() => import('./calendar.tsx'))

type Props = CalendarProps &
  Omit<PopupProps, 'children'> & {
    /** Whether it is known where it opens. */
    isReady: boolean
  }

export const CalendarPopup = ({ id, label, close, isReady, ...props }: Props) => (
  <LoadedPopup id={id} label={label} close={close} part={calendar}>
    {({ Calendar }) => isReady && <Calendar {...props} />}
  </LoadedPopup>
)
