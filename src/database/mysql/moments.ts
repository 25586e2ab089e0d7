/** Converts dates and times to MySQL's form, and rejects invalid ones before the server does. */

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/
const TIME = /^(-?)(\d{1,3}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/

/** Most digits of fractional seconds. */
const DIGITS = 6
const MOST_HOURS = 838

/** A date, or a moment to compare dates with; `null` for anything else. */
export function dateOf(text: string): string | null {
  return isDate(text) ? text : momentOf(text, { zoned: false, digits: DIGITS }, false)
}

/** Zero means unknown: MySQL stores `0000-00-00` and `2024-02-00`. */
function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined) return false
  if (Number(day) === 0 || Number(month) === 0) return Number(month) <= 12 && Number(day) <= 31
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate()
  return Number(month) <= 12 && Number(day) <= days
}

/**
 * A moment in the server's form, in UTC if the column has a time zone. With `isExact`, `null` for more
 * digits of a second than the column has, which the server would drop.
 */
export function momentOf(
  text: string,
  { zoned, digits }: { readonly zoned: boolean; readonly digits: number },
  isExact: boolean,
): string | null {
  const [, date, hour = '00', minute = '00', second = '00', fraction, offset] =
    MOMENT.exec(text) ?? []
  if (date === undefined || !isDate(date) || !isClock(Number(hour), minute, second)) return null
  if (Number(hour) > 23 || (offset !== undefined && !zoned)) return null
  const places = fractionOf(fraction, digits, isExact)
  if (places === null) return null
  const minutes = minutesOf(offset)
  if (minutes === 0) return `${date} ${hour}:${minute}:${second}${places}`
  const utc = Date.parse(`${date}T${hour}:${minute}:${second}Z`) - minutes * 60_000
  return Number.isNaN(utc) ? null : `${inUtc(utc)}${places}`
}

const inUtc = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** How many minutes this offset is ahead of UTC. */
function minutesOf(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z') return 0
  const [hours, minutes] = [offset.slice(1, 3), offset.slice(3).replace(':', '')]
  return (offset.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** A time of day, or a positive or negative interval of up to 838 hours. */
export function timeOf(text: string, digits: number, isExact: boolean): string | null {
  const [, sign, hour, minute = '', second = '00', fraction] = TIME.exec(text) ?? []
  if (hour === undefined || !isClock(Number(hour), minute, second)) return null
  const places = fractionOf(fraction, digits, isExact)
  return places === null ? null : `${sign}${hour.padStart(2, '0')}:${minute}:${second}${places}`
}

const isClock = (hour: number, minute: string, second: string): boolean =>
  hour <= MOST_HOURS && Number(minute) < 60 && Number(second) < 60

function fractionOf(fraction = '', digits: number, isExact: boolean): string | null {
  const significant = fraction.replace(/0+$/, '')
  if (isExact && significant.length > digits) return null
  return significant === '' ? '' : `.${significant.slice(0, DIGITS)}`
}
