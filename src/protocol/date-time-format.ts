/** Days with a time as texts in a format of the server's, such as `Y-m-d H:i` (spec §9). */

import { DATE_PICKER } from './constants.ts'
import { isDay } from './date-format.ts'

/** The format of moments where none is given. */
export const DATE_TIME_FORMAT = `${DATE_PICKER.format} H:i`

/**
 * Letters of a format: the year, the month and the day; the hour as 00–23 (`H`), 1–12 (`h`) or 01–12
 * (`G`), the last two with `K`, which is AM or PM; and the minute.
 */
const LETTERS: { readonly [letter: string]: string } = {
  Y: String.raw`(?<Y>\d{4})`,
  m: String.raw`(?<m>\d{2})`,
  d: String.raw`(?<d>\d{2})`,
  H: String.raw`(?<H>\d{2})`,
  h: String.raw`(?<h>\d{1,2})`,
  G: String.raw`(?<h>\d{2})`,
  i: String.raw`(?<i>\d{2})`,
  K: '(?<K>[AaPp][Mm])',
}

const NOON = 12

/** Whether a format names the day, the hour and the minute, each once. */
export function isDateTimeFormat(format: string): boolean {
  const letters = format.replace(/[^\p{L}\p{N}]/gu, '')
  const hours = letters.replace(/[Ymdi]/g, '')
  return (
    [...'Ymdi'].every((letter) => letters.split(letter).length === 2) &&
    ['H', 'hK', 'Kh', 'GK', 'KG'].includes(hours)
  )
}

/**
 * The moment of a clock on the wall as ISO text without a zone (`2024-03-05T14:30`); `undefined` for
 * what is no moment in this format.
 *
 * @example
 * ```ts
 * parseDateTime('2024-03-05 14:30') // '2024-03-05T14:30'
 * parseDateTime('05.03.2024, 2:30 PM', 'd.m.Y, h:i K') // '2024-03-05T14:30'
 * ```
 */
export function parseDateTime(text: string, format: string = DATE_TIME_FORMAT): string | undefined {
  const pattern = [...checked(format)]
    .map((letter) => LETTERS[letter] ?? letter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('')
  const found = new RegExp(`^${pattern}$`).exec(text.trim())?.groups ?? {}
  const { Y = '', m = '', d = '', i = '' } = found
  const day = `${Y}-${m}-${d}`
  const hour = hourIn(found)
  if (!isDay(day) || hour === undefined || Number(i) > 59) return undefined
  return `${day}T${two(hour)}:${i}`
}

/** A moment (`2024-03-05T14:30`) in a format. */
export function formatDateTime(iso: string, format: string = DATE_TIME_FORMAT): string {
  const [, Y = '', m = '', d = '', H = '', i = ''] = iso.split(/^(\d+)-(\d+)-(\d+)T(\d+):(\d+)$/)
  const hour = Number(H) % NOON || NOON
  const K = Number(H) < NOON ? 'AM' : 'PM'
  const parts: { readonly [letter: string]: string } = {
    ...{ Y, m, d, H, i, K },
    ...{ h: String(hour), G: two(hour) },
  }
  return [...checked(format)].map((letter) => parts[letter] ?? letter).join('')
}

/** The hour from 0 to 23, of either clock. */
function hourIn({ H, h, K }: { readonly [letter: string]: string | undefined }) {
  if (H !== undefined) return Number(H) > 23 ? undefined : Number(H)
  const hour = Number(h)
  if (!(hour >= 1 && hour <= NOON)) return undefined
  return (hour % NOON) + (K?.toUpperCase() === 'PM' ? NOON : 0)
}

function checked(format: string): string {
  if (isDateTimeFormat(format)) return format
  throw new RangeError(
    `A format of moments has the letters Y, m, d, i and H once each, or h and K instead of H: [${format}].`,
  )
}

const two = (value: number): string => String(value).padStart(2, '0')
