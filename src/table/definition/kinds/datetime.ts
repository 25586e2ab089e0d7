/** Dates with times: with a zone, in the reader's zone; without one, as stored. */

import { type FieldValue, MOMENT_FORMAT } from '../../../protocol/record-view.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { memoize } from '../../../server/memoize.ts'
import type { Value } from '../../source/value.ts'
import { type ColumnFacts, setOf } from '../column-facts.ts'
import { type CellWriter, defineKind, type Formats, type WrittenValue } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'
import { formatCalendar, type MomentFormats } from './date.ts'

/** How the times in one column of a page are written, which the head and the tooltip complete. */
export type ShownMoments = {
  readonly unit: 'minute' | 'second'
  /** Their zone is named once for all of them, in the head. */
  readonly zoneInHead: boolean
}

function formatsIn(locale: string, timeZone: string, isZoneTold = true): MomentFormats {
  const { second, timeZoneName, ...toTheMinute } = { ...MOMENT_FORMAT, timeZone }
  const told = isZoneTold ? { ...toTheMinute, timeZoneName } : toTheMinute
  return {
    format: new Intl.DateTimeFormat(locale, told),
    exact: new Intl.DateTimeFormat(locale, { ...told, second }),
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

/** The formats by which all times of a column are written to the same unit. */
function alike(
  formats: MomentFormats,
  { unit, zoneInHead }: ShownMoments,
  { locale, timeZone }: Pick<Formats, 'locale' | 'timeZone'>,
): MomentFormats {
  const even = ({ format, exact }: MomentFormats) =>
    unit === 'minute' ? { format, exact: format } : { format: exact, exact }
  const { local } = formats
  if (!zoneInHead) return { ...even(formats), local: local && even(local) }
  const bare = timeZone === undefined ? formats : formatsIn(locale, timeZone, false)
  return { ...even(formats), local: even(bare) }
}

const TO_THE_MINUTE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|\+00(?::?00)?)?$/

/**
 * How a page shows these times of one column: to the minute, or with seconds where minutes would tell no more than half
 * of them apart, as in a log; without the zone where all of them have the same.
 */
export function shownMoments(values: readonly Value[]): ShownMoments {
  const minutes = new Set<string>()
  const moments = new Set<string>()
  let zones = 0
  for (const value of values) {
    if (value === null || value instanceof Uint8Array) continue
    const parts = TO_THE_MINUTE.exec(written(value))
    if (!parts) continue
    const [, day, minute, second = '00', zone] = parts
    minutes.add(`${day} ${minute}`)
    moments.add(`${day} ${minute} ${second}`)
    if (zone === undefined) zones = -Infinity
    else zones++
  }
  const isDense = moments.size > 1 && minutes.size * 2 <= moments.size
  return { unit: isDense ? 'second' : 'minute', zoneInHead: zones > 0 }
}

/** What the head calls the reader’s zone, in winter as in summer. */
export const zoneName = ({ timeZone = 'UTC', locale }: Pick<Reader, 'timeZone' | 'locale'>) =>
  timeZone === 'UTC' ? timeZone : zoneNameIn(locale)(timeZone)

const zoneNameIn = memoize(200, (locale: string) =>
  memoize(200, (timeZone: string) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortGeneric' })
    const parts = format.formatToParts(0)
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  }),
)

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
    const writerOf = (moments: ShownMoments): CellWriter => {
      const inList = alike(formats, moments, { locale, timeZone })
      return memoizeCells((value) => {
        const text = formatCalendar(written(value), inList, cut)
        const whole = formatCalendar(written(value), formats, cut)
        return typeof text === 'string' && typeof whole === 'string' && text !== whole
          ? [text, whole]
          : text
      })
    }
    const writers = new Map<string, CellWriter>()
    return (value, column) => {
      const { moments } = column
      if (!moments) return alone(value, column)
      const name = `${moments.unit} ${moments.zoneInHead}`
      const writer = writers.get(name) ?? writerOf(moments)
      writers.set(name, writer)
      return writer(value, column)
    }
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
      // What a count counts to was not stored.
      const stored = counted(value) === undefined ? text : String(value)
      return { value: drawn, ...(!isTold && { note: copy.row.storedAs(stored) }) }
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
