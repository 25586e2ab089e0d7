/** Moments as the picker of spec §9 changes them: a day, and the minutes since its midnight. */

import { DATE_PICKER } from '../../protocol/constants.ts'
import { formatDateTime, parseDateTime } from '../../protocol/date-time-format.ts'
import { parseDay } from '../filters/date-format.ts'
import type { Day } from '../filters/days.ts'

export type Moment = { readonly day: Day; readonly minutes: number }

const HOUR = 60
const HALF = DATE_PICKER.hourCycle * HOUR
const DAY = 2 * HALF

/** Where no time is given. */
export const DEFAULT_MINUTES = DATE_PICKER.defaultHour * HOUR + DATE_PICKER.defaultMinute

export function textOf({ day, minutes }: Moment, format: string): string {
  const time = [Math.floor(minutes / HOUR), minutes % HOUR].map(two).join(':')
  return formatDateTime(`${day}T${time}`, format)
}

/**
 * The moment that a person has typed, more freely than the server reads it: without leading zeros, with
 * other signs, by either clock, or without a time; `null` for any other text.
 */
export function momentIn(text: string, format: string): Moment | null {
  const iso = parseDateTime(text, format)
  if (iso !== undefined) {
    const [day = '', time = ''] = iso.split('T')
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    return { day, minutes: hour * HOUR + minute }
  }
  const { date = '', time } = DATE_AND_TIME.exec(text.trim())?.groups ?? {}
  const day = parseDay(date, format)
  const minutes = time === undefined ? DEFAULT_MINUTES : timeIn(time)
  return day === null || minutes === null ? null : { day, minutes }
}

const DATE_AND_TIME = /^(?<date>\d+[./-]\d+[./-]\d+)(?:[\sT,]+(?<time>\d.*))?$/

/** Minutes of a time such as `14:30`, `2.30 pm` or `9`. */
function timeIn(text: string): number | null {
  const [, hour, minute = '0', half] = /^(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?$/i.exec(text) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return null
  const ofDay = Number(hour) * HOUR + Number(minute)
  if (half === undefined) return ofDay
  if (Number(hour) < 1 || Number(hour) > 12) return null
  return withHalf(ofDay, half.toLowerCase() === 'pm')
}

/** Hours step by 1 and minutes by 5 (spec §9), over noon and around midnight. */
export const steppedHour = (minutes: number, direction: 1 | -1): number =>
  (minutes + direction * DATE_PICKER.hourStep * HOUR + DAY) % DAY

/** To the next multiple of the step. */
export function steppedMinute(minutes: number, direction: 1 | -1): number {
  const step = DATE_PICKER.minuteStep
  const steps = direction === 1 ? Math.floor(minutes / step) + 1 : Math.ceil(minutes / step) - 1
  return (steps * step + DAY) % DAY
}

/** The hour on the clock, 1 to 12. */
export const hourOf = (minutes: number): number => ((Math.floor(minutes / HOUR) + 11) % 12) + 1

export const minuteOf = (minutes: number): number => minutes % HOUR

export const isAfternoon = (minutes: number): boolean => minutes >= HALF

export const withHalf = (minutes: number, isPm: boolean): number =>
  (minutes % HALF) + (isPm ? HALF : 0)

/** An hour as it is typed: 1 to 12 stays in its half of the day, 0 and 13 to 23 are of the long clock. */
export function withHour(minutes: number, text: string): number | null {
  if (!/^\d{1,2}$/.test(text) || Number(text) > 23) return null
  const hour = Number(text)
  const ofDay = hour * HOUR + minuteOf(minutes)
  return hour >= 1 && hour <= 12 ? withHalf(ofDay, isAfternoon(minutes)) : ofDay
}

export function withMinute(minutes: number, text: string): number | null {
  if (!/^\d{1,2}$/.test(text) || Number(text) >= HOUR) return null
  return minutes - minuteOf(minutes) + Number(text)
}

export const two = (value: number): string => String(value).padStart(2, '0')
