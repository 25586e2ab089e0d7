/**
 * CSV (RFC 4180) of values as they are stored: every digit of a number, moments as ISO 8601.
 *
 * Spreadsheets run a cell that begins like a formula, so such a text gets an apostrophe before it. So does
 * what would begin a cell where semicolons, tabs or line breaks end one. NULL is an empty cell, an empty text
 * is `""`; so a file of one column has an empty line for NULL.
 */

import { withoutFormulas } from '../../protocol/formulas.ts'
import type { CellPart, CellWriter, LineFormat } from './lines.ts'
import { withoutPadding } from './schema.ts'

/** Spreadsheets recognize UTF-8 by it; programs that read CSV skip it. */
export const BYTE_ORDER_MARK = '\uFEFF'

const LINE_END = '\r\n'

export const csvFormat: LineFormat = {
  begin: () => '',
  between: ',',
  end: LINE_END,
  cell: cellWriter,
}

/** The head of a file. */
export const csvHead = (labels: readonly string[]): string =>
  labels.map(textCell).join(',') + LINE_END

function cellWriter({ type, isPadded = false }: CellPart): CellWriter {
  const ofText =
    type === 'datetime'
      ? momentCell
      : type === 'date' || type === 'time'
        ? timeCell
        : isPadded
          ? (text: string) => textCell(withoutPadding(text))
          : textCell
  return (value) => {
    if (value === null) return ''
    if (typeof value === 'string') return ofText(value)
    if (typeof value === 'number') return numberCell(value)
    if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
    return String(value)
  }
}

/** What follows the whole number, by hundredths: nothing, `.01` … `.1` … `.99`. */
const DECIMALS = Array.from({ length: 100 }, (_, hundredths) => String(hundredths / 100).slice(1))

/**
 * As `String` writes it. For a double, that takes as long as the rest of a line, while most have two decimals
 * at most, as prices do: a whole number and one of a hundred endings.
 */
function numberCell(value: number): string {
  const hundredths = Math.round(value * 100)
  if (!(value >= 0 && hundredths < 2 ** 31 && hundredths / 100 === value)) return String(value)
  return String(Math.trunc(value)) + DECIMALS[hundredths % 100]
}

/** Quotes are also for what only some programs take for a separator, and for blanks at the ends. */
const NEEDS_QUOTES = /[",;\r\n\t]|^\s|\s$/

/** All that needs more than a look: most texts are written as they are. */
const SPECIAL = /^[=+\-@\s\uFF1D\uFF0B\uFF0D\uFF20]|[",;\r\n\t]|\s$/

function textCell(text: string): string {
  if (text === '') return '""'
  if (!SPECIAL.test(text)) return text
  return quoted(withoutFormulas(text))
}

const quoted = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** A moment, day or time before year 1 or zero, or the earliest of all, which is no formula. */
const NEGATIVE_TIME =
  /^-(?:infinity|\d+:\d\d(?::\d\d(?:\.\d+)?)?|\d{1,7}-\d\d-\d\d(?:[ T][\d:.+Z-]*)?)$/

const timeCell = (text: string): string =>
  NEGATIVE_TIME.test(text) ? quoted(text) : textCell(text)

/** The parts of a moment: its day, its time, and its zone. */
export const MOMENT =
  /^(\d{4,}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?$/

const PLAIN_MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/

/** Most moments are like this one, and need no quotes. */
const momentCell = (text: string): string =>
  PLAIN_MOMENT.test(text) ? `${text.slice(0, 10)}T${text.slice(11)}` : timeCell(isoOf(text))

/** A moment as ISO 8601, digit for digit; any other text stays as it is stored. */
export function isoOf(text: string): string {
  const [, day, time, zulu = '', hours, minutes = '00'] = MOMENT.exec(text) ?? []
  if (day === undefined || time === undefined) return text
  return `${day}T${time}${zulu}${hours === undefined ? '' : `${hours}:${minutes}`}`
}
