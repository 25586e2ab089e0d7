/** One month as a grid of days, by pointer and by keyboard. */

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { DayRange } from './date-range.ts'
import {
  addDays,
  addMonths,
  dateOf,
  type Day,
  type Month,
  monthOf,
  partsOf,
  sameDayIn,
  startOfWeek,
  weeksOf,
} from './days.ts'

type MonthPaneProps = {
  month: Month
  show(month: Month): void
  /** First day of the week, 0 for Sunday. */
  weekStart: number
  range: DayRange | null
  today: Day
  earliest: Day | undefined
  latest: Day | undefined
  pick(day: Day): void
  /** The pointer or the focus is on the day. */
  aim(day: Day): void
  /** It takes the focus when the calendar opens. */
  isFirst: boolean
}

export function MonthPane(props: MonthPaneProps) {
  const { month, show } = props
  const { filters } = useMessages()
  const names = useNames()
  const [isPicking, setPicking] = useState(false)
  const title = names.month(month)
  return (
    <div className="month">
      <header>
        <button
          type="button"
          className="btn icon"
          aria-label={filters.previousMonth}
          onClick={() => show(addMonths(month, isPicking ? -12 : -1))}
        >
          <Icon name="previous" flip />
        </button>
        <p className="mname" aria-live="polite">
          <button
            type="button"
            className="pickmonth"
            aria-expanded={isPicking}
            onClick={() => setPicking(!isPicking)}
          >
            {title}
            <Icon name="open" />
          </button>
        </p>
        <button
          type="button"
          className="btn icon"
          aria-label={filters.nextMonth}
          onClick={() => show(addMonths(month, isPicking ? 12 : 1))}
        >
          <Icon name="next" flip />
        </button>
      </header>
      {isPicking ? (
        <MonthChoice
          month={month}
          choose={(chosen) => {
            show(chosen)
            setPicking(false)
          }}
        />
      ) : (
        <DayGrid {...props} title={title} />
      )}
    </div>
  )
}

/** Names of days and months in the reader's language. */
function useNames() {
  const { locale } = usePage()
  return useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) => {
      const formatter = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
      return (day: Day) => formatter.format(dateOf(day))
    }
    const month = format({ month: 'long', year: 'numeric' })
    return {
      month: (of: Month) => month(`${of}-01`),
      monthName: format({ month: 'short' }),
      day: format({ dateStyle: 'full' }),
      weekday: format({ weekday: 'long' }),
      shortWeekday: (day: Day) => format({ weekday: 'short' })(day).slice(0, 2),
    }
  }, [locale])
}

function MonthChoice({ month, choose }: { month: Month; choose(month: Month): void }) {
  const names = useNames()
  const months = Array.from({ length: 12 }, (_, at) => `${month.slice(0, 4)}-${two(at + 1)}`)
  return (
    <div className="twelve" role="group" aria-label={month.slice(0, 4)}>
      {months.map((one) => (
        <button key={one} type="button" aria-pressed={one === month} onClick={() => choose(one)}>
          {names.monthName(`${one}-01`)}
        </button>
      ))}
    </div>
  )
}

const two = (value: number): string => String(value).padStart(2, '0')

function DayGrid({ title, ...props }: MonthPaneProps & { title: string }) {
  const { month, weekStart, range, today, earliest, latest, pick, aim, isFirst } = props
  const names = useNames()
  const { grid, at, moveTo } = useGridFocus(props)
  const onKeyDown = (event: KeyboardEvent, day: Day) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const to = moved(day, event, weekStart, isRtl)
    if (to === null) return
    event.preventDefault()
    moveTo(within(to, earliest, latest))
  }
  const week = weeksOf(month, weekStart)[1] ?? []
  return (
    <table ref={grid} role="grid" aria-label={title}>
      <thead>
        <tr>
          {week.map(
            (day) =>
              day && (
                <th key={day} scope="col" abbr={names.weekday(day)}>
                  {names.shortWeekday(day)}
                </th>
              ),
          )}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month, weekStart).map((days, row) => (
          <tr key={row}>
            {days.map((day, column) =>
              day === null ? (
                <td key={column} />
              ) : (
                <td
                  key={day}
                  className={classOf(day, range, today)}
                  aria-selected={isIn(day, range)}
                >
                  <button
                    type="button"
                    data-day={day}
                    data-first={(isFirst && day === at) || undefined}
                    tabIndex={day === at ? 0 : -1}
                    disabled={within(day, earliest, latest) !== day}
                    aria-label={names.day(day)}
                    aria-current={day === today ? 'date' : undefined}
                    onClick={() => pick(day)}
                    onPointerEnter={() => aim(day)}
                    onFocus={() => aim(day)}
                    onKeyDown={(event) => onKeyDown(event, day)}
                  >
                    {partsOf(day).day}
                  </button>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One day of the grid can be reached by Tab; it moves with the arrow keys, also into other months. */
function useGridFocus({ month, show, range, today, isFirst, earliest, latest }: MonthPaneProps) {
  const grid = useRef<HTMLTableElement>(null)
  const [moved, setMoved] = useState<Day | null>(null)
  const wanted = useRef<Day | null>(null)
  const inMonth = (day: Day | null | undefined) => (day && monthOf(day) === month ? day : null)
  const at =
    inMonth(moved) ??
    inMonth(isFirst ? range?.first : range?.last) ??
    inMonth(today) ??
    within(`${month}-01`, earliest, latest)
  const focus = (day: Day) =>
    grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
  useEffect(() => {
    if (wanted.current === null || monthOf(wanted.current) !== month) return
    focus(wanted.current)
    wanted.current = null
  })
  // Once, when the calendar opens.
  useEffect(() => {
    if (isFirst) grid.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [isFirst])
  const moveTo = (day: Day) => {
    setMoved(day)
    wanted.current = day
    if (monthOf(day) !== month) show(monthOf(day))
  }
  return { grid, at, moveTo }
}

/** The day that a key leads to; `null` for other keys. */
function moved(day: Day, event: KeyboardEvent, weekStart: number, isRtl: boolean): Day | null {
  const side = isRtl ? -1 : 1
  const first = startOfWeek(day, weekStart)
  const months = (count: number) => sameDayIn(addMonths(monthOf(day), count), day)
  switch (event.key) {
    case 'ArrowLeft':
      return addDays(day, -side)
    case 'ArrowRight':
      return addDays(day, side)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return first
    case 'End':
      return addDays(first, 6)
    case 'PageUp':
      return months(event.shiftKey ? -12 : -1)
    case 'PageDown':
      return months(event.shiftKey ? 12 : 1)
    default:
      return null
  }
}

const within = (day: Day, earliest: Day | undefined, latest: Day | undefined): Day =>
  earliest !== undefined && day < earliest
    ? earliest
    : latest !== undefined && day > latest
      ? latest
      : day

const isIn = (day: Day, range: DayRange | null): boolean =>
  range !== null && day >= range.first && day <= range.last

function classOf(day: Day, range: DayRange | null, today: Day): string | undefined {
  const classes = [
    day === today && 'today',
    isIn(day, range) && 'in-range',
    day === range?.first && 'from',
    day === range?.last && 'until',
  ]
  return classes.filter(Boolean).join(' ') || undefined
}
