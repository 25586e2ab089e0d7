/** Filters by a range of days, from a day on, or up to a day, in the zone that the column is shown in. */

import { messagesFor } from '../../messages/messages.ts'
import { DATE_PICKER } from '../../protocol/constants.ts'
import { formatDate, parseDate } from '../../protocol/date-format.ts'
import { DATE_PRESETS, type DateRange } from '../../protocol/filters.ts'
import type { Reader } from '../../server/http/locale.ts'
import { shownDay } from '../definition/kinds/date.ts'
import { unitOf } from '../definition/kinds/datetime.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Column } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { addDays, dayAt, momentOf, presetDays, startOfDay } from './days.ts'
import { badFilter, type Clock, type Form, isUnset } from './filter.ts'

/** How the days of a column are written and counted. */
export type DayOptions = {
  /** Which the server sets. Default: `Y-m-d`. */
  readonly format?: string | undefined
  /** In which zone it is today, where the column has none. Default: the reader's. */
  readonly timeZone?: string | undefined
}

export function dateRange(key: string, column: Column, options: DayOptions = {}): Form {
  const dayOf = dayReader(key, options)
  return {
    parts: ['minDate', 'maxDate', 'preset'],
    parse({ minDate, maxDate, preset }) {
      if (!isUnset(preset)) {
        const known = DATE_PRESETS.find((name) => name === preset)
        if (known === undefined || !isUnset(minDate) || !isUnset(maxDate))
          throw badFilter(key, ({ filter }) => filter.badForm)
        return {
          value: { preset: known },
          predicate(clock) {
            const today = dayAt(clock.now, todayZone(column, clock.timeZone, options))
            return within(column, presetDays(known, today), clock)
          },
          words({ reader }) {
            const { chip } = messagesFor(reader.language)
            return chip.inZone(chip.preset[known], todayZone(column, reader.timeZone, options))
          },
        }
      }
      if (isUnset(minDate) && isUnset(maxDate)) return undefined
      if (isUnset(minDate) || isUnset(maxDate)) throw badFilter(key, ({ filter }) => filter.oneDate)
      const [a, b] = [dayOf(minDate), dayOf(maxDate)]
      const [first, last] = a <= b ? [a, b] : [b, a]
      const [from, to] = [written(first, options), written(last, options)]
      const value: DateRange = { minDate: from, maxDate: to }
      return {
        value,
        predicate: (clock) => within(column, [first, last], clock),
        words({ reader }) {
          const [one, other] = [shown(first, options, reader), shown(last, options, reader)]
          return from === to ? one : messagesFor(reader.language).chip.range(one, other)
        },
      }
    },
  }
}

/** Days from one on, or up to one. */
export function dayBound(key: string, column: Column, options: DayOptions = {}): Form {
  const dayOf = dayReader(key, options)
  return {
    parts: ['since', 'until'],
    parse({ since, until }) {
      if (isUnset(since) && isUnset(until)) return undefined
      if (!isUnset(since) && !isUnset(until)) throw badFilter(key, ({ filter }) => filter.badForm)
      const isSince = isUnset(until)
      const day = dayOf(isSince ? since : until)
      const text = written(day, options)
      return {
        value: isSince ? { since: text } : { until: text },
        predicate: (clock) => within(column, isSince ? [day, null] : [null, day], clock),
        words({ reader }) {
          const { chip } = messagesFor(reader.language)
          const text = shown(day, options, reader)
          return isSince ? chip.since(text) : chip.until(text)
        },
      }
    },
  }
}

const formatOf = ({ format = DATE_PICKER.format }: DayOptions): string => format

const written = (day: string, options: DayOptions): string => formatDate(day, formatOf(options))

/** As cells show it, unless the format was declared. */
const shown = (day: string, options: DayOptions, reader: Reader): string =>
  options.format === undefined ? shownDay(day, reader.locale) : written(day, options)

const dayReader =
  (key: string, options: DayOptions) =>
  (given: unknown): string => {
    const day = typeof given === 'string' ? parseDate(given, formatOf(options)) : undefined
    if (day === undefined) throw badFilter(key, ({ filter }) => filter.noDate(formatOf(options)))
    return day
  }

/** The zone in which it is today: moments are those of the reader, other days may be declared. */
export const todayZone = (
  column: Column,
  reader: string | undefined,
  { timeZone }: DayOptions,
): string => (momentsOf(column) ? undefined : timeZone) ?? reader ?? 'UTC'

/** Texts of a sample that are moments in UTC, as the cells that are shown in the reader's zone are. */
const IN_UTC = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d.*(?:Z|\+00(?::?00)?)$/

/** Writes a moment, milliseconds since 1970, as the values of a column. */
type Writer = (ms: number) => Value

/** How the column writes moments, where it holds moments: not days, nor times without a zone. */
function momentsOf({ type, zoned, sample = [] }: Column): Writer | undefined {
  if (type === 'integer') {
    const unit = unitOf(sample)
    return (ms) => ms / unit
  }
  if (type !== 'datetime') return undefined
  if (zoned) return (ms) => momentText(ms, { between: 'T', end: 'Z' })
  const found = sample.flatMap((value) => IN_UTC.exec(String(value)) ?? [])
  const texts = sample.filter((value) => value !== null)
  const isAll = texts.length > 0 && texts.every((value) => IN_UTC.test(String(value)))
  // Such a column holds texts, which are compared as texts: what follows the minute does not count.
  const between = found[1] ?? 'T'
  return isAll ? (ms) => momentText(ms, { between, end: '' }) : undefined
}

/** Conditions that an index serves; `null` leaves a side open. */
function within(
  column: Column,
  [first, last]: readonly [string | null, string | null],
  clock: Clock,
): Predicate {
  const { name, type } = column
  if (type === 'date')
    return and([
      ...(first === null ? [] : [{ op: 'gte' as const, column: name, value: first }]),
      ...(last === null ? [] : [{ op: 'lte' as const, column: name, value: last }]),
    ])
  const moment = momentsOf(column)
  const beginning = (day: string): Value =>
    moment && isWritable(day) ? moment(startOfDay(day, clock.timeZone)) : day
  const from = first === null ? null : beginning(first)
  const to = last === null ? null : beginning(addDays(last, 1))
  const bounds: Predicate[] = [
    ...(isWritable(from) ? [{ op: 'gte' as const, column: name, value: from }] : []),
    ...(isWritable(to) ? [{ op: 'lt' as const, column: name, value: to }] : []),
  ]
  // Where neither side leaves out anything, nothing is still in no range.
  if (bounds.length === 0) return { op: 'not', of: { op: 'null', column: name } }
  // A count of 0 stands for never.
  const never: Predicate = { op: 'eq', column: name, value: 0 }
  return and(type === 'integer' ? [...bounds, { op: 'not', of: never }] : bounds)
}

/** Rows whose day or moment is shown as this one: a whole day, or the minute or second that is named. */
export function momentCondition(
  column: Column,
  { day, time }: { readonly day: string; readonly time?: string },
  clock: Clock,
): Predicate[] {
  const { name, type } = column
  const moment = momentsOf(column)
  if (time === undefined && type !== 'integer') return [within(column, [day, day], clock)]
  if (type === 'date') return []
  if (!moment)
    return [' ', 'T'].map((sign) => ({ op: 'starts', column: name, text: `${day}${sign}${time}` }))
  const from = momentOf(day, time ?? '00:00', clock.timeZone)
  const to =
    time === undefined
      ? startOfDay(addDays(day, 1), clock.timeZone)
      : from + (time.length > HOURS_AND_MINUTES ? 1000 : 60_000)
  const between = (from: Value, to: Value) =>
    and([
      { op: 'gte', column: name, value: from },
      { op: 'lt', column: name, value: to },
    ])
  if (type !== 'integer') return [between(moment(from), moment(to))]
  // Seconds or milliseconds since 1970: the days that people ask for cannot be taken for both.
  return [between(from / 1000, to / 1000), between(from, to)]
}

const HOURS_AND_MINUTES = 5

const and = (all: Predicate[]): Predicate => ({ op: 'and', all })

/** Beyond the years of four digits there is nothing to leave out. */
const isWritable = (bound: Value): boolean =>
  typeof bound === 'string' ? /^(?!0000)\d{4}-/.test(bound) : bound !== null

/** To the minute, or to the second where the zone's offset has seconds. */
function momentText(ms: number, { between, end }: { between: string; end: string }): string {
  const text = new Date(ms).toISOString().replace(/(:00)?\.\d+Z$/, '')
  return text.replace('T', between) + end
}
