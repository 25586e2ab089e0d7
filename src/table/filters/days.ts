/** Days in a time zone: when one begins, which day a moment falls on, and which days a preset means. */

import { DATE_PICKER } from '../../protocol/constants.ts'
import type { DatePreset } from '../../protocol/filters.ts'
import { memoize } from '../../server/memoize.ts'

const DAY_MS = 86_400_000

/** Milliseconds of an ISO day's beginning in UTC. */
const utcOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** The day that lies so many days later. */
export const addDays = (day: string, days: number): string => isoDay(utcOf(day) + days * DAY_MS)

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const clockOf = memoize(
  600,
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
)

/** What a clock in the zone shows, as milliseconds of the same reading in UTC. */
export function clockAt(ms: number, timeZone = 'UTC'): number {
  if (timeZone === 'UTC') return ms
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name))
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year')
  const shown = new Date(
    Date.UTC(2000, part('month') - 1, part('day'), part('hour'), part('minute'), part('second')),
  )
  return shown.setUTCFullYear(year, part('month') - 1, part('day'))
}

/** The day that it is in a zone. */
export const dayAt = (ms: number, timeZone = 'UTC'): string => isoDay(clockAt(ms, timeZone))

/**
 * The first moment of a day in a zone, as milliseconds. Where the clock skips midnight, the day begins
 * at the first moment that it shows of it; where it shows midnight twice, at the first of the two.
 */
export const startOfDay = (day: string, timeZone?: string): number =>
  momentOf(day, '00:00', timeZone)

/** The first moment at which a clock in the zone shows this time of a day, or a later one. */
export const momentOf = (day: string, time: string, timeZone = 'UTC'): number => {
  const wanted = Date.parse(`${day}T${time}Z`)
  return timeZone === 'UTC' ? wanted : momentIn(`${wanted} ${timeZone}`)
}

const momentIn = memoize(1000, (name: string): number => {
  const [shown, timeZone = ''] = name.split(' ')
  const wanted = Number(shown)
  // No zone is a whole day and a quarter from UTC; the moment lies somewhere between the two.
  let [before, after] = [wanted - 1.25 * DAY_MS, wanted + 1.25 * DAY_MS]
  // Clocks that go back show a time twice, by the offset before the change and by the one after it.
  const moments = [before, after]
    .map((ms) => wanted - (clockAt(ms, timeZone) - ms))
    .filter((ms) => clockAt(ms, timeZone) === wanted)
  if (moments.length > 0) return Math.min(...moments)
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000
    if (clockAt(middle, timeZone) >= wanted) after = middle
    else before = middle
  }
  return after
})

/** The first and the last day that a preset means. */
export function presetDays(preset: DatePreset, today: string): readonly [string, string] {
  const [year = '', month = ''] = today.split('-')
  const first = `${year}-${month}-01`
  switch (preset) {
    case 'today':
      return [today, today]
    case 'yesterday':
      return [addDays(today, -1), addDays(today, -1)]
    case 'thisWeek':
      return weekOf(today)
    case 'lastWeek':
      return weekOf(addDays(today, -7))
    case 'last7days':
      return [addDays(today, -6), today]
    case 'last30days':
      return [addDays(today, -29), today]
    case 'thisMonth':
      return [first, addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1)]
    case 'lastMonth':
      return [`${addDays(first, -1).slice(0, 7)}-01`, addDays(first, -1)]
    case 'thisYear':
      return [`${year}-01-01`, `${year}-12-31`]
    case 'lastYear': {
      const last = String(Number(year) - 1).padStart(4, '0')
      return [`${last}-01-01`, `${last}-12-31`]
    }
  }
}

/** The whole week of a day. */
function weekOf(day: string): readonly [string, string] {
  const since = (new Date(utcOf(day)).getUTCDay() - DATE_PICKER.weekStart + 7) % 7
  const first = addDays(day, -since)
  return [first, addDays(first, 6)]
}
