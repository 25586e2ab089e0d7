/** Calendar arithmetic on ISO dates, without a time zone. */

const DAY_MS = 86_400_000

/** Days since 1970-01-01. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

/** `YYYY-MM-DD` of a day number. */
export function isoDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** `YYYY-MM-DD HH:MM:SS` of a day number and the seconds since its midnight. */
export function isoTimestamp(day: number, seconds: number): string {
  return timestamp(day * DAY_MS + seconds * 1000)
}

/** The timestamp so many seconds after another one. */
export function secondsAfter(at: string, seconds: number): string {
  return timestamp(Date.parse(`${at.replace(' ', 'T')}Z`) + seconds * 1000)
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
