/** Days and moments as they are stored: what a calendar changes of one, and what of it stays as it was. */

import { DEFAULT_MINUTES, type Moment, two } from '../moments/moment.ts'

const STORED =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:(?<sign>[ T])(?<hour>\d{1,2}):(?<minute>\d{2})(?<rest>.*))?$/

/** The day and the minutes of a text; `null` if it is none that a calendar can show. */
export function storedMoment(text: string | null): Moment | null {
  const { day, hour, minute } = STORED.exec(text?.trim() ?? '')?.groups ?? {}
  if (day === undefined) return null
  const minutes = hour === undefined ? DEFAULT_MINUTES : Number(hour) * 60 + Number(minute)
  return { day, minutes }
}

/**
 * The text with another day or time. Seconds, their fractions and the zone stay, but an offset where a time without one is
 * the reader's own: it tells which of two equal times of that day it was.
 */
export function withMoment(
  text: string | null,
  { day, minutes }: Moment,
  { hasTime, isOwnClock = false }: MomentOptions,
): string {
  if (!hasTime) return day
  const { sign = ' ', rest = ':00' } = STORED.exec(text?.trim() ?? '')?.groups ?? {}
  const before = storedMoment(text)
  const isSame = before?.day === day && before.minutes === minutes
  const kept = isOwnClock && !isSame ? rest.replace(OFFSET, '') : rest
  return `${day}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}${kept}`
}

const OFFSET = /\s?(?:Z|UTC|[+-]\d{2}(?::?\d{2})?)$/i

export type MomentOptions = {
  readonly hasTime: boolean
  /** Whether a time without an offset is the reader's own. Default: it is as it is stored. */
  readonly isOwnClock?: boolean | undefined
}
