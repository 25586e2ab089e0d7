/** Values as people read them, in the reader's language: what a cell holds. */

import { type Messages, messagesFor } from '../messages/messages.ts'
import type { Cell, Tone } from '../protocol/table-view.ts'
import type { Reader } from '../server/http/locale.ts'
import { MOMENT_FORMAT } from '../protocol/record-view.ts'
import { remember } from '../server/remember.ts'
import { humanize, wordsOf } from './definition/humanize.ts'
import type { ColumnDefinition } from './definition/table-definition.ts'
import type { Value } from './source/value.ts'

/** Text beyond this length is cut in a listing, characters. */
export const TEXT_MAX = 160

/** By whole words of the status: “Template” is not late. */
const TONES: readonly [Tone, RegExp][] = [
  ['new', /^(new|open|created|draft|queued|submitted|todo|scheduled|planned|received)$/],
  [
    'warn',
    /\b(review|reviewing|pending|progress|waiting|hold|warning|trial|partial|partially|processing|assigned|unassigned)\b/,
  ],
  [
    'ok',
    /^(ok|active|approved|verified|done|paid|complete|completed|resolved|success|succeeded|passed|shipped|delivered|published|enabled)$/,
  ],
  [
    'bad',
    /\b(disputed?|fail|failed|failure|reject|rejected|rejection|errors?|overdue|cancel|cancell?ed|cancellation|blocked|refused|refund|refunded|urgent|expired)\b|\blate$/,
  ],
]

export type Formatter = {
  readonly locale: string
  /** `length` is the value's own where only its beginning was read, characters or bytes. */
  cell(column: ColumnDefinition, value: Value, length?: number): Cell
  /** A number as text: exact, with every digit it has. */
  number(value: number | bigint | string, options?: Intl.NumberFormatOptions): string
}

/** Readers differ in few things; a zone is one of hundreds. */
const FORMATTERS_MAX = 200

/** How values are written for a reader; each way is made once. */
export const formatterFor = ({ locale, language, timeZone = '' }: Reader): Formatter =>
  formatterBy([locale, language, timeZone].join(' '))

const formatterBy = remember(FORMATTERS_MAX, (name: string): Formatter => {
  const [locale = '', language = '', timeZone = ''] = name.split(' ')
  return createFormatter(locale, messagesFor(language).cell, timeZone || undefined)
})

function createFormatter(
  locale: string,
  copy: Messages['cell'],
  timeZone: string | undefined,
): Formatter {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
  const plainWith = remember(PLACES_MAX + 1, (places: number) =>
    places === 0 ? plain : new Intl.NumberFormat(locale, { minimumFractionDigits: places }),
  )
  const money = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 20,
  })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const exactMoment = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  })
  const local = timeZone === undefined ? undefined : localMoments(locale, timeZone)
  const formatBy = remember(50, (options: string) => {
    const format = new Intl.NumberFormat(locale, JSON.parse(options) as Intl.NumberFormatOptions)
    return remember(WRITTEN_MAX, (value: number | bigint | string) =>
      format.format(value as number),
    )
  })
  const number: Formatter['number'] = (value, options = { maximumFractionDigits: 20 }) =>
    formatBy(JSON.stringify(options))(value)

  const kinds: {
    readonly [kind: string]: (value: NonNullable<Value>, column: ColumnDefinition) => Cell
  } = {
    key: (value) => String(value),
    number: written((value) => numeric(value, plainWith(placesOf(value)))),
    money: written((value) => numeric(value, isWhole(value) ? plain : money)),
    date: written((value) => calendar(value, { format: date, exact: date })),
    datetime: written((value) => calendar(value, { format: moment, exact: exactMoment, local })),
    boolean: (value) => truth(value, copy),
    status: written((value) =>
      value === '' ? '' : [statusText(String(value)), toneOf(String(value))],
    ),
    binary: (value) => copy.bytes(plain.format(String(value).length)),
  }
  return {
    locale,
    number,
    cell(column, value, length) {
      if (value === null) return null
      if (value instanceof Uint8Array) return copy.bytes(plain.format(length ?? value.byteLength))
      if (length !== undefined) return cut(String(value), length)
      return kinds[column.kind]?.(value, column) ?? cut(String(value))
    },
  }
}

/** Pages repeat values, and writing a date or a number out costs more than reading the row did. */
const written = (write: (value: NonNullable<Value>) => Cell) => remember(WRITTEN_MAX, write)
const WRITTEN_MAX = 5000

/** `format` takes decimal strings with every digit (ECMAScript 2023), though its type says less. */
const numeric = (value: NonNullable<Value>, format: Intl.NumberFormat): Cell =>
  /^-?\d+(\.\d+)?$/.test(String(value)) ? format.format(value as number) : cut(String(value))

/** Most digits after the point that a format writes (ECMA-402). */
const PLACES_MAX = 100

/** Digits after the point of a decimal, which mean something although they are zeros. */
const placesOf = (value: NonNullable<Value>): number =>
  typeof value === 'string' ? Math.min(/\.(\d+)$/.exec(value)?.[1]?.length ?? 0, PLACES_MAX) : 0

const isWhole = (value: NonNullable<Value>) => /^-?\d+$/.test(String(value))

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|\+00(?::?00)?)?)?$/

/**
 * Naive dates and times are shown as they are, in no zone, with their seconds only where there are
 * some; moments on the world's clock in the reader's zone, else in UTC, and either is said. What is
 * not ISO is shown as it stands.
 */
function calendar(value: NonNullable<Value>, { format, exact, local }: Moments): Cell {
  const parts = ISO.exec(String(value))?.slice(1)
  if (!parts) return cut(String(value))
  const isZoned = parts[6] !== undefined
  const [year, month, day, hour, minute, second] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number]
  const moment = new Date(Date.UTC(2000, month - 1, day, hour, minute, second))
  moment.setUTCFullYear(year, month - 1, day)
  const isReal =
    moment.getUTCMonth() === month - 1 &&
    moment.getUTCDate() === day &&
    moment.getUTCHours() === hour &&
    moment.getUTCMinutes() === minute
  if (!isReal) return String(value)
  if (isZoned && local) return (second === 0 ? local.format : local.exact).format(moment)
  return (second === 0 ? format : exact).format(moment) + (isZoned ? ' UTC' : '')
}

/** How dates and times are written, to the minute and to the second. */
type Moments = {
  readonly format: Intl.DateTimeFormat
  readonly exact: Intl.DateTimeFormat
  /** In the reader's zone, which it names. */
  readonly local?: Moments | undefined
}

const localMoments = (locale: string, timeZone: string): Moments => {
  const { second, ...toTheMinute } = { ...MOMENT_FORMAT, timeZone }
  return {
    format: new Intl.DateTimeFormat(locale, toTheMinute),
    exact: new Intl.DateTimeFormat(locale, { ...toTheMinute, second }),
  }
}

function truth(value: NonNullable<Value>, copy: { yes: string; no: string }): Cell {
  if (value === true || value === 1) return copy.yes
  return value === false || value === 0 ? copy.no : cut(String(value))
}

/** `in_review` is a name for machines; “NY” and “Boeing 737” are what people write. */
const statusText = (value: string): string =>
  /^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(value) ? humanize(value) : value

/** The tint of a status, by its words; `idle` where they say nothing. */
export function toneOf(value: string): Tone {
  const words = wordsOf(value).join(' ')
  return TONES.find(([, pattern]) => pattern.test(words))?.[0] ?? 'idle'
}

/** Cut between characters, never inside one. */
function cut(text: string, length = text.length): Cell {
  if (length <= TEXT_MAX) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(TEXT_MAX - 1)) ? TEXT_MAX - 1 : TEXT_MAX
  return [text.slice(0, end), length]
}
