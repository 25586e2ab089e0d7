/**
 * CSV (RFC 4180) of values as they are stored: every digit of a number, moments as ISO 8601.
 *
 * Spreadsheets run a cell that begins like a formula, so such a text gets an apostrophe before it. NULL
 * is an empty cell, an empty text is `""`.
 */

import type { Column } from '../source/schema.ts'
import type { Value } from '../source/value.ts'

/** Spreadsheets recognize UTF-8 by it; programs that read CSV skip it. */
export const BYTE_ORDER_MARK = '\uFEFF'

const LINE_END = '\r\n'

/** Writes a value of one column as a cell. */
export type CellWriter = (value: Value) => string

/** One line; a line without any character would be skipped by readers. */
export const csvLine = (cells: readonly string[]): string => {
  const line = cells.join(',')
  return (line === '' ? '""' : line) + LINE_END
}

/** The head of a file. */
export const csvHead = (labels: readonly string[]): string => csvLine(labels.map(textCell))

export function cellWriter({ type, isPadded = false }: Column): CellWriter {
  const ofText =
    type === 'datetime'
      ? (text: string) => textCell(isoOf(text))
      : isPadded
        ? (text: string) => textCell(text.replace(/ +$/, ''))
        : textCell
  return (value) => {
    if (value === null) return ''
    if (typeof value === 'string') return ofText(value)
    if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
    return String(value)
  }
}

/** What spreadsheets take for the beginning of a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
/** Quotes are also for what only some programs take for a separator, and for blanks at the ends. */
const NEEDS_QUOTES = /[",;\r\n\t]|^\s|\s$/

function textCell(text: string): string {
  if (text === '') return '""'
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const MOMENT =
  /^(\d{4,}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?$/

/** A moment as ISO 8601, digit for digit; what is none stays as it is stored. */
function isoOf(text: string): string {
  const [, day, time, zulu = '', hours, minutes = '00'] = MOMENT.exec(text) ?? []
  if (day === undefined || time === undefined) return text
  return `${day}T${time}${zulu}${hours === undefined ? '' : `${hours}:${minutes}`}`
}
