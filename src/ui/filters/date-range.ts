/** The date range of spec §5: two days, sent only when both are chosen; presets stay relative. */

import type { DatePreset, DateRange } from '../../protocol/filters.ts'
import { formatDate } from '../../protocol/date-format.ts'
import type { AnyValue } from './control.ts'
import { type Day, addDays, addMonths, lastDayOf, monthOf, startOfWeek } from './days.ts'
import { parseDay } from './date-format.ts'

/** The two fields as they are shown. */
export type DateText = { readonly from: string; readonly to: string }

export type DayRange = { readonly first: Day; readonly last: Day }

/** Two days in their order; the same day twice is a range of one day. */
export const dayRange = (one: Day, other: Day): DayRange =>
  one <= other ? { first: one, last: other } : { first: other, last: one }

/** What is sent: both days in the server's format. */
export const sentRange = (
  { first, last }: DayRange,
  format: string,
): Extract<DateRange, { minDate: string }> => ({
  minDate: formatDate(first, format),
  maxDate: formatDate(last, format),
})

/** The days of a value of `filterComponents`; `null` for a preset, and for none. */
export function rangeIn(value: AnyValue | undefined, format: string): DayRange | null {
  if (!value || !('minDate' in value)) return null
  const first = parseDay(value.minDate, format)
  const last = parseDay(value.maxDate, format)
  return first && last ? { first, last } : null
}

export const presetIn = (value: AnyValue | undefined): DatePreset | null =>
  value && 'preset' in value ? value.preset : null

/** The days that a preset means today. */
export function presetDays(preset: DatePreset, today: Day, weekStart: number): DayRange {
  const week = (day: Day) => {
    const first = startOfWeek(day, weekStart)
    return [first, addDays(first, 6)] as const
  }
  const month = monthOf(today)
  const year = today.slice(0, 4)
  const before = String(Number(year) - 1).padStart(4, '0')
  const lastMonth = addMonths(month, -1)
  const days: { readonly [name in DatePreset]: readonly [first: Day, last: Day] } = {
    today: [today, today],
    yesterday: [addDays(today, -1), addDays(today, -1)],
    thisWeek: week(today),
    lastWeek: week(addDays(today, -7)),
    last7days: [addDays(today, -6), today],
    last30days: [addDays(today, -29), today],
    thisMonth: [`${month}-01`, lastDayOf(month)],
    lastMonth: [`${lastMonth}-01`, lastDayOf(lastMonth)],
    thisYear: [`${year}-01-01`, `${year}-12-31`],
    lastYear: [`${before}-01-01`, `${before}-12-31`],
  }
  const [first, last] = days[preset]
  return { first, last }
}
