/** What the calendar of a moment holds: a month, and the time below it. */

import { useState } from 'react'
import { DATE_PICKER } from '../../protocol/constants.ts'
import { monthOf, todayIn } from '../filters/days.ts'
import { MonthPane } from '../filters/month-pane.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { DEFAULT_MINUTES, type Moment } from './moment.ts'
import { TimeFields } from './time-fields.tsx'

export type DateTimePickerProps = {
  moment: Moment | null
  /** Whether it has a time. Default: it has. */
  hasTime?: boolean
  choose(moment: Moment): void
  clear(): void
  close(): void
}

export function DateTimePicker({
  moment,
  hasTime = true,
  choose,
  clear,
  close,
}: DateTimePickerProps) {
  const { filters } = useMessages()
  const [today] = useState(() => todayIn(undefined, new Date()))
  const [month, setMonth] = useState(() => monthOf(moment?.day ?? today))
  // A time that is set before the day waits for it.
  const [waiting, setWaiting] = useState(DEFAULT_MINUTES)
  const minutes = moment?.minutes ?? waiting
  return (
    <>
      <div className="months">
        <MonthPane
          month={month}
          show={setMonth}
          weekStart={DATE_PICKER.weekStart}
          range={moment && { first: moment.day, last: moment.day }}
          today={today}
          earliest={undefined}
          latest={undefined}
          pick={(day) => choose({ day, minutes })}
          aim={() => undefined}
          isFirst
        />
      </div>
      {hasTime && (
        <TimeFields
          minutes={minutes}
          change={(changed) => {
            setWaiting(changed)
            if (moment) choose({ day: moment.day, minutes: changed })
          }}
        />
      )}
      <footer>
        <button type="button" className="btn" onClick={clear}>
          {filters.clear}
        </button>
        <span className="sp" />
        <button type="button" className="btn main" onClick={close}>
          {filters.closePanel}
        </button>
      </footer>
    </>
  )
}
