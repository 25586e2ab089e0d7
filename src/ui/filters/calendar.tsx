/**
 * The calendar of a date range: presets, and two months, each of which follows its own field, so that
 * a range may span years.
 */

import { useEffect, useRef, useState } from 'react'
import { DATE_PRESETS, type DatePreset, type FilterControl } from '../../protocol/filters.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import { type DayRange, dayRange, presetDays } from './date-range.ts'
import { addMonths, type Day, daysBetween, type Month, monthOf, todayIn } from './days.ts'
import { MonthPane } from './month-pane.tsx'
import { isSheet } from './popup.tsx'

export type CalendarProps = {
  control: Extract<FilterControl, { type: 'date' }>
  /** The dates in the fields. */
  days: { readonly from: Day | null; readonly to: Day | null }
  preset: DatePreset | null
  /** The newest day of the rows, where it opens while no day is chosen; `null`: at today. */
  newest: Day | null
  /** One date is chosen. */
  begin(first: Day): void
  /** Both dates are chosen. */
  choose(first: Day, last: Day): void
  choosePreset(preset: DatePreset): void
  clear(): void
}

export function Calendar({
  control,
  days,
  preset,
  newest,
  begin,
  choose,
  choosePreset,
  clear,
}: CalendarProps) {
  const { filters } = useMessages()
  const { locale } = usePage()
  const [today] = useState(() => todayIn(control.zone, new Date()))
  const meant = preset ? presetDays(preset, today, control.weekStart) : null
  const from = meant?.first ?? days.from
  const to = meant?.last ?? days.to
  const foot = useRef<HTMLElement>(null)
  // In a sheet it would open with its end under the sheet's foot.
  useEffect(() => {
    if (isSheet()) foot.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const [start, setStart] = useState<Day | null>(null)
  const [aimed, setAimed] = useState<Day | null>(null)
  const months = useMonths(from, to, shownFirst(newest ?? control.latest ?? today, control))
  const shown = shownRange({ from, to, start, aimed })
  const pick = (day: Day) => {
    if (start === null) {
      setStart(day)
      setAimed(day)
      begin(day)
    } else choose(start, day)
  }
  const pane = (which: 'left' | 'right') => ({
    month: months[which],
    show: (month: Month) => months.show(which, month),
    ...{ weekStart: control.weekStart, range: shown, today, pick },
    earliest: control.earliest,
    latest: control.latest,
    aim: (day: Day) => start !== null && setAimed(day),
    isFirst: which === 'left',
  })
  const count = shown ? daysBetween(shown.first, shown.last) : 0
  const text = { count, text: count.toLocaleString(locale) }
  return (
    <>
      <div className="presets" role="group" aria-label={filters.presetsTitle}>
        {DATE_PRESETS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={preset === name}
            onClick={() => choosePreset(name)}
          >
            {filters.presets[name]}
          </button>
        ))}
      </div>
      <div className="months">
        <MonthPane {...pane('left')} />
        <MonthPane {...pane('right')} />
      </div>
      <footer ref={foot}>
        <span role="status">
          {start === null ? count > 0 && filters.days(text) : filters.chooseEnd}
        </span>
        <span className="hint">{filters.todayIn(control.zone)}</span>
        <span className="sp" />
        <button type="button" className="btn" onClick={clear}>
          {filters.clear}
        </button>
      </footer>
    </>
  )
}

/** A day within the filter's own bounds. */
const shownFirst = (day: Day, { earliest, latest }: CalendarProps['control']): Day =>
  latest !== undefined && day > latest
    ? latest
    : earliest !== undefined && day < earliest
      ? earliest
      : day

type Shown = { from: Day | null; to: Day | null; start: Day | null; aimed: Day | null }

/** While one date is chosen, the range up to the day under the pointer or the focus. */
function shownRange({ from, to, start, aimed }: Shown): DayRange | null {
  if (start !== null) return dayRange(start, aimed ?? start)
  if (from && to) return dayRange(from, to)
  const one = from ?? to
  return one ? dayRange(one, one) : null
}

/** The month of each pane: that of its field, unless the person has turned it since. */
function useMonths(from: Day | null, to: Day | null, otherwise: Day) {
  const of = `${from} ${to}`
  const fresh = () => {
    const left = monthOf(from ?? to ?? otherwise)
    const right = to ? monthOf(to) : addMonths(left, 1)
    // A range within one month shows the next one beside it.
    return { of, left, right: right === left ? addMonths(left, 1) : right }
  }
  const [kept, keep] = useState(fresh)
  const current = kept.of === of ? kept : fresh()
  if (current !== kept) keep(current)
  return {
    ...current,
    show: (which: 'left' | 'right', month: Month) => keep({ ...current, [which]: month }),
  }
}
