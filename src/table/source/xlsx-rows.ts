/**
 * Rows of a sheet of XLSX: numbers, dates and yes or no as such, everything else as text, and never a formula.
 *
 * Excel computes with 15 digits, so longer numbers are text, except for floats, which are doubles there, too.
 */

import { isDay } from '../../protocol/date-format.ts'
import { FORMULA } from '../../protocol/formulas.ts'
import { MOMENT } from './csv.ts'
import type { CellPart, CellWriter, LineFormat } from './lines.ts'
import { withoutPadding } from './schema.ts'
import { STYLES } from './xlsx-styles.ts'

/** Most characters of a cell. */
const CELL_MAX = 32_767

export const xlsxFormat: LineFormat = {
  // The head is the first row.
  begin: (row) => `<row r="${row + 2}">`,
  between: '',
  end: '</row>',
  cell: (part, _column, at) => cellWriter(part, letters(at)),
}

/** The head of a sheet. */
export const xlsxHead = (labels: readonly string[]): string =>
  `<row r="1">${labels.map((label, at) => textCell(`${letters(at)}1`, label, STYLES.head)).join('')}</row>`

/** A, B … Z, AA … */
export function letters(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : letters(Math.floor(at / 26) - 1) + last
}

function cellWriter(part: CellPart, column: string): CellWriter {
  const { type, scale, zoned = false, isPadded = false } = part
  const ofText =
    type === 'datetime'
      ? momentCell(zoned)
      : (TEXT_CELLS[type] ?? numeric(type === 'decimal' || type === 'integer'))
  const style = type === 'integer' ? STYLES.whole : scale === 2 ? STYLES.cents : undefined
  const isFloat = type === 'float'
  return (value, row) => {
    if (value === null) return ''
    const place = `${column}${row + 2}`
    if (typeof value === 'number')
      return isFloat ? floatCell(place, value) : numberCell(place, value, style)
    if (typeof value === 'string')
      return ofText(place, isPadded ? withoutPadding(value) : value, style)
    if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`
    if (typeof value === 'bigint') return textCell(place, String(value))
    return textCell(place, `0x${Buffer.from(value).toString('hex')}`)
  }
}

type TextCell = (place: string, text: string, style?: number) => string

const TEXT_CELLS: { readonly [type in CellPart['type']]?: TextCell } = {
  date: (place, text) => timedCell(place, text, daysOf(text, ''), STYLES.day),
  time: (place, text) => timedCell(place, text, fractionOf(text), STYLES.time),
}

const styled = (style: number | undefined): string => (style === undefined ? '' : ` s="${style}"`)

const valueCell = (place: string, value: string | number, style?: number): string =>
  `<c r="${place}"${styled(style)}><v>${value}</v></c>`

const floatCell = (place: string, value: number): string =>
  Number.isFinite(value) ? valueCell(place, value) : textCell(place, String(value))

const numberCell = (place: string, value: number, style?: number): string =>
  isShort(value) ? valueCell(place, value, style) : textCell(place, String(value))

/** Whether it has 15 digits at most. */
const isShort = (value: number): boolean =>
  (Number.isSafeInteger(value * 100) && Math.abs(value) < 1e13) ||
  Number(value.toPrecision(15)) === value

const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** Texts of numbers that no double holds, and of those that an engine answers as texts. */
const numeric =
  (isNumber: boolean): TextCell =>
  (place, text, style) =>
    isNumber && DECIMAL.test(text) && digitsOf(text) <= 15
      ? valueCell(place, text, style)
      : textCell(place, text)

/** Digits without zeros at the ends. */
const digitsOf = (text: string): number =>
  text
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/^-?[0.]*/, '')
    .replace('.', '').length

/**
 * A cell has no zone, so moments of a column that has one are told in UTC, as its head says. In another column,
 * a text that names a zone all the same stays a text.
 */
const momentCell =
  (isZoned: boolean): TextCell =>
  (place, text) => {
    const [, day = '', time = '', zulu, hours, minutes = '00'] = MOMENT.exec(text) ?? []
    const ahead = hours === undefined ? 0 : signed(hours, Number(minutes)) / (24 * 60)
    const isKnown = isZoned || (zulu ?? hours) === undefined
    const days = isKnown ? daysOf(day, time) : undefined
    return timedCell(place, text, days === undefined ? days : days - ahead, STYLES.moment)
  }

const signed = (hours: string, minutes: number): number =>
  Number(hours) * 60 + (hours.startsWith('-') ? -minutes : minutes)

/** A number of days; a text where there is none, as for days before those that Excel counts, and days that do not exist. */
const timedCell = (place: string, text: string, days: number | undefined, style: number): string =>
  days === undefined ? textCell(place, text) : valueCell(place, days, style)

/** Days that Excel counts right begin with March 1900. */
const FIRST_DAY = 61
/** The day from which JavaScript counts. */
const EPOCH_DAY = 25_569
const DAY_MS = 86_400_000

const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?$/

function daysOf(day: string, time: string): number | undefined {
  if (!isDay(day)) return undefined
  const days = Date.parse(day) / DAY_MS + EPOCH_DAY
  const fraction = time === '' ? 0 : fractionOf(time)
  return days >= FIRST_DAY && fraction !== undefined ? days + fraction : undefined
}

/** The part of a day; `undefined` for a length of time, such as one that is negative or longer than a day. */
function fractionOf(text: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = TIME.exec(text) ?? []
  if (hours === undefined) return undefined
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400
}

function textCell(place: string, text: string, style?: number): string {
  const short = text.length > CELL_MAX ? `${text.slice(0, CELL_MAX - 1)}…` : text
  if (!SPECIAL.test(short))
    return `<c r="${place}" t="inlineStr"${styled(style)}><is><t>${short}</t></is></c>`
  // Typed into again, such a cell stays a text.
  const kept = style ?? (FORMULA.test(short) ? STYLES.sign : undefined)
  const escaped = escapeText(short)
  return `<c r="${place}" t="inlineStr"${styled(kept)}><is><t xml:space="preserve">${escaped}</t></is></c>`
}

/** What XML takes for something else or does not take at all, what loses blanks, and what may begin a formula. */
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- these are what cannot stand in XML
  /[&<>\u0000-\u001F\uFFFE\uFFFF]|_x[\dA-Fa-f]{4}_|^[\s=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|\s$/

// oxlint-disable-next-line no-control-regex -- these are what cannot stand in XML
const CONTROL = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g

/** The text in XML; control characters are written as Excel does, and what looks like that as well. */
export const escapeText = (text: string): string =>
  text
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      CONTROL,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
