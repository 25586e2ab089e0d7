/** One value of a record, whole: what the record page shows of it. */

import { messagesFor } from '../../messages/messages.ts'
import { type FieldValue, MOMENT_FORMAT } from '../../protocol/record-view.ts'
import type { Tone } from '../../protocol/table-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../format.ts'
import { prettyJson } from './pretty-json.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'

/** Text of more characters or lines than these has a block of its own. */
const INLINE = { length: 1000, lines: 12 }
/** Text of more characters than this is cut, and bytes as well: a page has to be sent, and drawn. */
export const WHOLE_MAX = 4_000_000
/** Bytes that are shown, and how many of them on a line. */
const BYTES = { shown: 128, line: 16 }

/** Kinds whose text may be an address. */
const ADDRESSES: ReadonlySet<string> = new Set(['link', 'image', 'email'])
/** Kinds whose text is written in the reader's format. */
const FORMATTED: ReadonlySet<string> = new Set([
  'key',
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
])

export type DrawnValue = { readonly value: FieldValue; readonly note?: string }

/**
 * The value as its column shows it, in the reader's format. `length` is the value's own where only
 * its beginning was read, characters or bytes.
 */
export function drawValue(
  column: ColumnDefinition,
  value: Value,
  reader: Reader,
  length?: number,
): DrawnValue {
  if (value === null) return { value: { is: 'null' } }
  if (value instanceof Uint8Array) return { value: bytesValue(value, reader, length) }
  const text = String(value)
  if (length !== undefined && length > text.length)
    return { value: longValue(text, length, reader) }
  if (text === '') return { value: { is: 'empty' } }
  const { kind } = column
  if (kind === 'datetime') return datetimeValue(column, text, reader)
  if (kind === 'json') return { value: jsonValue(text, reader) }
  if (kind === 'colour' && text.length <= INLINE.length) return { value: { is: 'colour', text } }
  if (ADDRESSES.has(kind)) return { value: addressValue(text, reader) }
  const cell =
    kind === 'status' || FORMATTED.has(kind) ? formatterFor(reader).cell(column, value) : null
  if (typeof cell === 'string') return { value: { is: 'text', text: cell } }
  if (Array.isArray(cell) && isTone(cell[1]))
    return { value: { is: 'status', text: cell[0], tone: cell[1] } }
  return { value: textValue(text, reader) }
}

const isTone = (more: string | number): more is Tone => typeof more === 'string'

function textValue(text: string, reader: Reader): FieldValue {
  const isShort = text.length <= INLINE.length && text.split('\n').length <= INLINE.lines
  return isShort ? { is: 'text', text } : longValue(text, text.length, reader)
}

/** `length` is that of the whole value, of which `text` may be the beginning only. */
function longValue(text: string, length: number, reader: Reader): FieldValue {
  const write = (count: number) => formatterFor(reader).number(count)
  const whole = { is: 'long', text, length: write(length), isCode: false } as const
  const cut = text.slice(0, WHOLE_MAX).replace(/[\uD800-\uDBFF]$/, '')
  return cut.length === length ? whole : { ...whole, text: cut, shown: write(cut.length) }
}

/** What fits on one line needs no block; what would fill the page with blanks is left as it is. */
function jsonValue(text: string, reader: Reader): FieldValue {
  const pretty = prettyJson(text)
  if (pretty === null || pretty.length > WHOLE_MAX) return textValue(text, reader)
  if (!pretty.includes('\n')) return textValue(pretty, reader)
  const length = formatterFor(reader).number(text.length)
  return { is: 'long', text: pretty, length, isCode: true }
}

/** Only what is safe to open becomes a link: other schemes run script or open programs. */
function addressValue(text: string, reader: Reader): FieldValue {
  const href = hrefOf(text)
  return href === null || text.length > INLINE.length
    ? textValue(text, reader)
    : { is: 'link', text, href }
}

function hrefOf(text: string): string | null {
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(text))
    return text.isWellFormed() ? `mailto:${encodeURIComponent(text).replace('%40', '@')}` : null
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

const ABSOLUTE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)$/i

/** A moment is written in the reader's zone, and the stored text beside it; a naive time as it is. */
function datetimeValue(column: ColumnDefinition, text: string, reader: Reader): DrawnValue {
  const { row } = messagesFor(reader.language)
  const parts = ABSOLUTE.exec(text)
  const moment = parts && new Date(isoOf(parts))
  if (moment && !Number.isNaN(moment.getTime())) {
    const iso = moment.toISOString()
    const format = new Intl.DateTimeFormat(reader.locale, {
      ...MOMENT_FORMAT,
      timeZone: reader.timeZone ?? 'UTC',
    })
    const value: FieldValue = { is: 'moment', iso, text: format.format(moment) }
    return { value, note: row.storedAs(text) }
  }
  const cell = formatterFor(reader).cell(column, text)
  if (typeof cell !== 'string' || cell === text) return { value: textValue(text, reader) }
  const hasMore = /\.\d*[1-9]/.test(text)
  return {
    value: { is: 'text', text: cell },
    note: hasMore ? row.storedNaive(text) : row.naive,
  }
}

function isoOf([, date, time, second = ':00', fraction = '', zone = 'Z']: RegExpExecArray): string {
  const offset = /^[+-]\d\d$/.test(zone)
    ? `${zone}:00`
    : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  return `${date}T${time}${second}${fraction.slice(0, 4)}${offset.toUpperCase()}`
}

function bytesValue(bytes: Uint8Array, reader: Reader, length = bytes.length): FieldValue {
  const first = Buffer.from(bytes.subarray(0, BYTES.shown))
  const lines = Array.from({ length: Math.ceil(first.length / BYTES.line) }, (_, line) =>
    [...first.subarray(line * BYTES.line, (line + 1) * BYTES.line)].map(hex).join(' '),
  )
  const size = messagesFor(reader.language).cell.bytes(formatterFor(reader).number(length))
  return { is: 'bytes', size, first: lines.join('\n'), isAll: length <= BYTES.shown }
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
