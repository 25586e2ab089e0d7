/** Days of the calendar, in the reader's language. */

import type { Cell } from '../../../protocol/table-view.ts'
import { defineKind, type Formats, type WrittenValue } from '../kind.ts'
import { written } from '../written.ts'

/** How dates and times are written, to the minute and to the second. */
export type Moments = {
  readonly format: Intl.DateTimeFormat
  readonly exact: Intl.DateTimeFormat
  /** In the reader's zone, which it names. */
  readonly local?: Moments | undefined
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|\+00(?::?00)?)?)?$/

/**
 * Dates and times without a zone are written as they are, with seconds only where there are some;
 * moments on the world's clock in the reader's zone, else in UTC, and either is named. What is not
 * ISO stays as it stands.
 */
export function calendar(
  value: WrittenValue,
  { format, exact, local }: Moments,
  cut: Formats['cut'],
): Cell {
  const parts = ISO.exec(String(value))?.slice(1)
  if (!parts) return cut(String(value))
  const isZoned = parts[6] !== undefined
  const [year, month, day, hour, minute, second] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number]
  const moment = new Date(Date.UTC(2000, month - 1, day, hour, minute, second))
  moment.setUTCFullYear(year, month - 1, day)
  const isReal =
    moment.getUTCMonth() === month - 1 &&
    moment.getUTCDate() === day &&
    moment.getUTCHours() === hour &&
    moment.getUTCMinutes() === minute
  if (!isReal) return String(value)
  if (isZoned && local) return (second === 0 ? local.format : local.exact).format(moment)
  return (second === 0 ? format : exact).format(moment) + (isZoned ? ' UTC' : '')
}

export const date = defineKind({
  name: 'date',
  defaultFor: ['date'],
  cell({ locale, cut }) {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    return written((value) => calendar(value, { format, exact: format }, cut))
  },
  endings: ['on', 'at'],
})
