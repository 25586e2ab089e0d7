/** Dates with times: with a zone, in the reader's zone; without one, as stored. */

import { type FieldValue, MOMENT_FORMAT } from '../../../protocol/record-view.ts'
import type { Value } from '../../source/value.ts'
import { type ColumnFacts, setOf } from '../column-facts.ts'
import { defineKind, type WrittenValue } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'
import { formatCalendar, type MomentFormats } from './date.ts'

function formatsIn(locale: string, timeZone: string): MomentFormats {
  const { second, ...toTheMinute } = { ...MOMENT_FORMAT, timeZone }
  return {
    format: new Intl.DateTimeFormat(locale, toTheMinute),
    exact: new Intl.DateTimeFormat(locale, { ...toTheMinute, second }),
  }
}

function formatsOf(locale: string, timeZone: string | undefined): MomentFormats {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return {
    format: new Intl.DateTimeFormat(locale, format),
    exact: new Intl.DateTimeFormat(locale, { ...format, timeStyle: 'medium' }),
    local: timeZone === undefined ? undefined : formatsIn(locale, timeZone),
  }
}

const toSeconds = ({ exact }: MomentFormats): MomentFormats => ({ format: exact, exact })

const SECONDS_NOT_ZERO = /[T ]\d\d:\d\d:(?!00)\d\d/

/** Whether a value has seconds that are not zero, so that all of its column are shown with them. */
export const hasSeconds = (value: WrittenValue): boolean => SECONDS_NOT_ZERO.test(written(value))

const ABSOLUTE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)$/i

const HAS_FRACTION = /\.\d*[1-9]/
const UTC = /(?:Z|[+-]00(?::?00)?)$/i

function isoOf([, date, time, second = ':00', fraction = '', zone = 'Z']: RegExpExecArray): string {
  const offset = /^[+-]\d\d$/.test(zone)
    ? `${zone}:00`
    : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  return `${date}T${time}${second}${fraction.slice(0, 4)}${offset.toUpperCase()}`
}

/** Seconds and milliseconds since 1970 of the years from 1998 to 2100. */
const SECONDS = [883_612_800, 4_102_444_800] as const
const MILLISECONDS = [SECONDS[0] * 1000, SECONDS[1] * 1000] as const

const isBetween = (number: number, [least, most]: readonly [number, number]): boolean =>
  number >= least && number < most

/** The moment that a whole number counts to from 1970, as ISO 8601; `undefined` if it is none. */
export function counted(value: WrittenValue): string | undefined {
  if (typeof value === 'string' && !/^\d{9,13}$/.test(value)) return undefined
  const number = Number(value)
  if (isBetween(number, SECONDS)) return new Date(number * 1000).toISOString()
  return isBetween(number, MILLISECONDS) ? new Date(number).toISOString() : undefined
}

/** Milliseconds of what a column’s whole numbers count from 1970, as a sample of them tells. */
export const unitOf = (sample: readonly Value[]): number =>
  sample.some((value) => isBetween(Number(value), MILLISECONDS)) ? 1 : 1000

/** The moment as a text, whole seconds without a fraction. */
const written = (value: WrittenValue): string =>
  counted(value)?.replace('.000Z', 'Z') ?? String(value)

const TIME_NAMES = setOf('at on time date unix timestamp ts datetime epoch ms')
const TIMES = setOf(`
  created updated modified deleted activity seen login visit visited access accessed expires expiry
`)

/** Whether its whole numbers count from 1970, by name and by value; 0 stands for never. */
export function holdsMoments({ column, words, last, sample }: ColumnFacts): boolean {
  if (column.type !== 'integer') return false
  const isCalled = TIME_NAMES.has(last) || words.some((word) => TIMES.has(word))
  const values = sample.filter((text) => text !== '0')
  if (sample.length === 0) return last === 'unix' || last === 'epoch'
  return isCalled && values.length > 0 && values.every((text) => counted(text) !== undefined)
}

export const datetime = defineKind({
  name: 'datetime',
  filter: 'date',
  infer: [{ types: ['integer'], when: [holdsMoments] }],
  order: 'date',
  defaultFor: ['datetime'],
  cell({ locale, timeZone, cut }) {
    const formats = formatsOf(locale, timeZone)
    const alone = memoizeCells((value) => formatCalendar(written(value), formats, cut))
    const withSeconds = { ...toSeconds(formats), local: formats.local && toSeconds(formats.local) }
    const exact = memoizeCells((value) => formatCalendar(written(value), withSeconds, cut))
    return (value, column) => (column.hasSeconds ? exact : alone)(value, column)
  },
  /**
   * Shows a time with a zone in the reader's zone, a naive one as stored, and notes the stored text
   * where that tells more.
   */
  value(value, { reader, copy, cell, text: textValue }) {
    const text = written(value)
    const parts = ABSOLUTE.exec(text)
    const moment = parts && new Date(isoOf(parts))
    if (moment && !Number.isNaN(moment.getTime())) {
      const iso = moment.toISOString()
      const timeZone = reader.timeZone ?? 'UTC'
      const format = new Intl.DateTimeFormat(reader.locale, { ...MOMENT_FORMAT, timeZone })
      const drawn: FieldValue = { is: 'moment', iso, text: format.format(moment) }
      const isTold = !HAS_FRACTION.test(text) && UTC.test(text)
      return { value: drawn, ...(!isTold && { note: copy.row.storedAs(text) }) }
    }
    const shown = cell(text)
    if (typeof shown !== 'string' || shown === text) return { value: textValue(text) }
    return {
      value: { is: 'text', text: shown },
      isZoneless: true,
      ...(HAS_FRACTION.test(text) && { note: copy.row.storedAs(text) }),
    }
  },
  endings: ['on', 'at', 'unix'],
})
