/** A range of days: both count, in the zone in which the column is shown. */

import { messagesFor } from '../../messages/messages.ts'
import { DATE_PICKER } from '../../protocol/constants.ts'
import { formatDate, parseDate } from '../../protocol/date-format.ts'
import { DATE_PRESETS, type DateRange } from '../../protocol/filters.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Column } from '../source/schema.ts'
import { addDays, dayAt, presetDays, startOfDay } from './days.ts'
import { badFilter, type Clock, type Form, isUnset } from './filter.ts'

/** Days are texts in `format`, which the server sets. Default: `Y-m-d`. */
export function dateRange(key: string, column: Column, format: string = DATE_PICKER.format): Form {
  const dayOf = (given: unknown): string => {
    const day = typeof given === 'string' ? parseDate(given, format) : undefined
    if (day === undefined) throw badFilter(key, ({ filter }) => filter.noDate(format))
    return day
  }
  return {
    parts: ['minDate', 'maxDate', 'preset'],
    parse({ minDate, maxDate, preset }) {
      if (!isUnset(preset)) {
        const known = DATE_PRESETS.find((name) => name === preset)
        if (known === undefined || !isUnset(minDate) || !isUnset(maxDate))
          throw badFilter(key, ({ filter }) => filter.badForm)
        return {
          value: { preset: known },
          predicate: (clock) =>
            within(column, presetDays(known, dayAt(clock.now, zoneOf(column, clock))), clock),
          words: ({ reader }) => messagesFor(reader.language).chip.preset[known],
        }
      }
      if (isUnset(minDate) && isUnset(maxDate)) return undefined
      if (isUnset(minDate) || isUnset(maxDate)) throw badFilter(key, ({ filter }) => filter.oneDate)
      const [a, b] = [dayOf(minDate), dayOf(maxDate)]
      const [first, last] = a <= b ? [a, b] : [b, a]
      const [from, to] = [formatDate(first, format), formatDate(last, format)]
      const value: DateRange = { minDate: from, maxDate: to }
      return {
        value,
        predicate: (clock) => within(column, [first, last], clock),
        words: ({ reader }) =>
          from === to ? from : messagesFor(reader.language).chip.range(from, to),
      }
    },
  }
}

/** Texts of a sample that are moments in UTC, as the cells that are shown in the reader's zone are. */
const IN_UTC = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d.*(?:Z|\+00(?::?00)?)$/

/** How the column writes moments, where it holds moments: not days, nor times without a zone. */
export function momentsOf({
  type,
  zoned,
  sample = [],
}: Column): { between: string; end: string } | undefined {
  if (type !== 'datetime') return undefined
  if (zoned) return { between: 'T', end: 'Z' }
  const found = sample.flatMap((value) => IN_UTC.exec(String(value)) ?? [])
  const texts = sample.filter((value) => value !== null)
  const isAll = texts.length > 0 && texts.every((value) => IN_UTC.test(String(value)))
  // Such a column holds texts, which are compared as texts: what follows the minute does not count.
  return isAll ? { between: found[1] ?? 'T', end: '' } : undefined
}

/** The zone whose days the column is asked for; only moments have one. */
const zoneOf = (column: Column, { timeZone }: Clock): string | undefined =>
  momentsOf(column) && timeZone

/** Bounded conditions, so that an index serves them. */
function within(column: Column, [first, last]: readonly [string, string], clock: Clock): Predicate {
  const { name, type } = column
  if (type === 'date')
    return and([
      { op: 'gte', column: name, value: first },
      { op: 'lte', column: name, value: last },
    ])
  const next = addDays(last, 1)
  const moments = momentsOf(column)
  const from = moments ? momentText(startOfDay(first, clock.timeZone), moments) : first
  const to = moments ? momentText(startOfDay(next, clock.timeZone), moments) : next
  return and([
    ...(isWritable(from) ? [{ op: 'gte' as const, column: name, value: from }] : []),
    ...(isWritable(to) ? [{ op: 'lt' as const, column: name, value: to }] : []),
  ])
}

const and = (all: Predicate[]): Predicate => ({ op: 'and', all })

/** Beyond the years of four digits there is nothing to leave out. */
const isWritable = (text: string): boolean => /^(?!0000)\d{4}-/.test(text)

/** To the minute, or to the second where the zone's offset has seconds. */
function momentText(ms: number, { between, end }: { between: string; end: string }): string {
  const text = new Date(ms).toISOString().replace(/(:00)?\.\d+Z$/, '')
  return text.replace('T', between) + end
}
