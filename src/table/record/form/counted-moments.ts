/** Counts of time in forms: where a row holds 1709645400, its field shows that moment, and what is typed there is meant so. */

import { isDay } from '../../../protocol/date-format.ts'
import { isCount } from '../../definition/counted-time.ts'
import { counted } from '../../definition/kinds/datetime.ts'
import { clockAt, momentOf } from '../../filters/days.ts'
import type { Value } from '../../source/value.ts'
import type { ReadText } from './read-text.ts'

/** Where a moment is written and read. */
type Zone = string | undefined

const MINUTE_MS = 60_000

/** As a clock in the zone shows it; with the offset only while it shows that time twice. `undefined` for other numbers. */
export function countText(value: Value, zone: Zone): string | undefined {
  if (value === null || value instanceof Uint8Array) return undefined
  const iso = counted(value)
  if (iso === undefined) return undefined
  const [ms, fraction = ''] = [Date.parse(iso), /(?!\.000)\.\d+/.exec(iso)?.[0]]
  const whole = Math.floor(ms / 1000) * 1000
  const shown = clockAt(whole, zone)
  const [day = '', time = ''] = new Date(shown).toISOString().slice(0, 19).split('T')
  const offset = momentOf(day, time, zone) === whole ? '' : offsetText(shown - whole)
  return `${day} ${time}${fraction}${offset}`
}

function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS
  const two = (number: number) => String(number).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const TYPED =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[ T](?<hour>\d\d?):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.(?<fraction>\d{1,9}))?)?\s?(?:(?<utc>Z|UTC)|(?<sign>[+-])(?<hours>\d\d)(?::?(?<minutes>[0-5]\d))?)?)?$/i

/** The count of the moment that a text means, in units of so many milliseconds. */
export function readCount(text: string, unit: number, zone: Zone): ReadText {
  const {
    day = '',
    hour = '0',
    minute = '00',
    second = '00',
    ...rest
  } = TYPED.exec(text.trim())?.groups ?? {}
  if (!isDay(day) || Number(hour) > 23) return { problem: 'moment' }
  const time = `${hour.padStart(2, '0')}:${minute}:${second}`
  const whole = rest['utc'] || rest['sign'] ? withOffset(day, time, rest) : local(day, time, zone)
  if (whole === undefined) return { problem: 'moment' }
  const fraction = (rest['fraction'] ?? '').replace(/0+$/, '').padEnd(3, '0')
  const ms = whole + Number(fraction.slice(0, 3))
  if (fraction.length > 3 || ms % unit !== 0) return { problem: 'digits' }
  const value = ms / unit
  // A number that is shown as another moment, or as a number, is not what was meant.
  return isCount(value) && Date.parse(counted(value) ?? '') === ms
    ? { value }
    : { problem: 'countedYears' }
}

function withOffset(
  day: string,
  time: string,
  { sign, hours = '0', minutes = '0' }: { readonly [group: string]: string | undefined },
): number {
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  return Date.parse(`${day}T${time}Z`) - (sign === '-' ? -offset : offset)
}

/** `undefined` for a time that clocks of the zone skip. */
function local(day: string, time: string, zone: Zone): number | undefined {
  const ms = momentOf(day, time, zone)
  return clockAt(ms, zone) === Date.parse(`${day}T${time}Z`) ? ms : undefined
}
