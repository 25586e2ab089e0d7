/** One value of a record in full, as the record page shows it. */

import { messagesFor } from '../../messages/messages.ts'
import type { FieldValue } from '../../protocol/record-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor, withoutPadding } from '../format.ts'
import type { DrawnValue, ValueContext, WrittenValue } from '../definition/kind.ts'
import { kindOf } from '../definition/kinds.ts'
import { json } from '../definition/kinds/json.ts'
import { INLINE } from './inline.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'

/** Characters or bytes of a value that its page shows at first. */
export const PREVIEW = 20_000
/** Most characters or bytes of a value that somebody asks for: it has to be sent, and drawn. */
export const VALUE_MAX = 4_000_000
/** Most bytes of a value that can be downloaded: it is read into memory. */
export const BYTES_MAX = 16 * 1024 * 1024
/** Longest text that a kind draws; a longer one is shown as text. JSON has bounds of its own. */
const KIND_MAX = 10_000
/** Bytes that are shown, and how many of them on a line. */
const BYTES = { shown: 128, line: 16 }

/**
 * The value as its column shows it, in the reader's format. `length` is that of the whole value, in
 * characters or bytes, if only its beginning was read.
 */
export function drawValue(
  column: ColumnDefinition,
  stored: Value,
  reader: Reader,
  length?: number,
): DrawnValue {
  const value = withoutPadding(column, stored)
  if (value === null) return { value: { is: 'null' } }
  if (value instanceof Uint8Array) return { value: bytesValue(value, reader, length) }
  const text = String(value)
  if (length !== undefined && length > text.length)
    return { value: longValue(text, length, reader) }
  if (text === '') return { value: { is: 'empty' } }
  const kind = kindOf(column)
  if (text.length > KIND_MAX && kind !== json) return { value: textValue(text, reader) }
  const context = contextOf(column, reader)
  if (kind.value) return kind.value(value, context)
  return { value: kind.cell ? cellValue(column, value, context) : context.text(text) }
}

const contextOf = (column: ColumnDefinition, reader: Reader): ValueContext => ({
  column,
  reader,
  copy: messagesFor(reader.language),
  cell: (value) => formatterFor(reader).cell(column, value),
  text: (text) => textValue(text, reader),
  code: (code, text) => codeValue(code, text, reader),
})

/** The same as the cell, except that text which a cell would cut is shown whole. */
function cellValue(
  { kind, ownKind }: ColumnDefinition,
  value: WrittenValue,
  context: ValueContext,
): FieldValue {
  const cell = context.cell(value)
  const [text, more] = Array.isArray(cell) ? cell : [cell, undefined]
  if (typeof text !== 'string' || typeof more === 'number') return context.text(String(value))
  if (!ownKind) return { is: 'text', text }
  return { is: 'own', kind, text, ...(more !== undefined && { more }) }
}

function textValue(text: string, reader: Reader): FieldValue {
  const isShort = text.length <= INLINE.length && text.split('\n').length <= INLINE.lines
  return isShort ? { is: 'text', text } : longValue(text, text.length, reader)
}

/** `length` is that of the whole value; `text` may be only its beginning. */
function longValue(text: string, length: number, reader: Reader): FieldValue {
  const write = (count: number) => formatterFor(reader).number(count)
  const whole = { is: 'long', text, length: write(length), isCode: false } as const
  const cut = text.slice(0, VALUE_MAX).replace(/[\uD800-\uDBFF]$/, '')
  return cut.length === length ? whole : { ...whole, text: cut, shown: write(cut.length) }
}

/** Code of one line needs no block; if the code is too long, the stored text is shown. */
function codeValue(code: string, text: string, reader: Reader): FieldValue {
  if (code.length > VALUE_MAX) return textValue(text, reader)
  if (!code.includes('\n')) return textValue(code, reader)
  const length = formatterFor(reader).number(text.length)
  return { is: 'long', text: code, length, isCode: true }
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
