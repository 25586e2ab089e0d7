/** Days of the calendar, in the reader's language. */

import type { Cell } from '../../../protocol/table-view.ts'
import { memoize } from '../../../server/memoize.ts'
import { defineKind, type Formats, type WrittenValue } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'

/** Formats of dates and times, to the minute and to the second. */
export type MomentFormats = {
  readonly format: Intl.DateTimeFormat
  readonly exact: Intl.DateTimeFormat
  /** The same in the reader's zone, which they name. */
  readonly local?: MomentFormats | undefined
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|\+00(?::?00)?)?)?$/

/** An hour of one digit, which gets a zero: times of a column stand under one another. */
const SHORT_HOUR = /(?<![\d:+\-−])\d(?=:\d\d)/

/**
 * Formats an ISO date or time, with seconds only if they are not zero. Values without a zone are
 * shown as stored; values with one in the reader's zone, else in UTC, and the zone is named. Any
 * other text stays as it is.
 */
export function formatCalendar(
  value: WrittenValue,
  { format, exact, local }: MomentFormats,
  cut: Formats['cut'],
): Cell {
  const parts = ISO.exec(String(value))?.slice(1)
  if (!parts) return cut(String(value))
  const isZoned = parts[6] !== undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0))
  const moment = new Date(Date.UTC(2000, month - 1, day, hour, minute, second))
  moment.setUTCFullYear(year, month - 1, day)
  const isReal =
    moment.getUTCMonth() === month - 1 &&
    moment.getUTCDate() === day &&
    moment.getUTCHours() === hour &&
    moment.getUTCMinutes() === minute
  if (!isReal) return String(value)
  const inZone = isZoned && local ? local : { format, exact }
  const text = (second === 0 ? inZone.format : inZone.exact).format(moment)
  return text.replace(SHORT_HOUR, '0$&') + (isZoned && !local ? ' UTC' : '')
}

const daysIn = memoize(200, (locale: string): MomentFormats => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return { format, exact: format }
})

/** An ISO day as cells show it. */
export const shownDay = (day: string, locale: string): string =>
  String(formatCalendar(day, daysIn(locale), (text) => text))

export const date = defineKind({
  name: 'date',
  filter: 'date',
  defaultFor: ['date'],
  cell({ locale, cut }) {
    return memoizeCells((value) => formatCalendar(value, daysIn(locale), cut))
  },
  endings: ['on', 'at'],
})
