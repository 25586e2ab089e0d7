/** Rows as lines of a file, in the format that is asked for. */

import type { FileFormat } from '../../protocol/export.ts'
import { csvFormat } from './csv.ts'
import { jsonFormat } from './json-lines.ts'
import { withoutPadding, type Column } from './schema.ts'
import { inMajor } from './minor-units.ts'
import { isSecretValue } from './secret-values.ts'
import type { Value } from './value.ts'
import { xlsxFormat } from './xlsx-rows.ts'

/** A value of a row, and what writing it needs to know of its column. */
export type CellPart = Pick<Column, 'type' | 'isPadded' | 'scale' | 'zoned'> & {
  /** Its place in the row. */
  readonly at: number
  /** Whether a value that looks like a secret is left out. Default: false. */
  readonly isJudged?: boolean
  /** What is written in place of values, by their texts. Default: all are written as they are stored. */
  readonly names?: ReadonlyMap<string, string>
  /** Digits after the point with which whole numbers are written that count a smallest unit. Default: as they are. */
  readonly minorDigits?: number
}

/** A column of a file. It is plain data, so that it can be sent to the thread that writes. */
export type FileColumn = {
  readonly name: string
  /** Usually one; of several, the texts are joined, as the first and the last name of a person are. */
  readonly parts: readonly [CellPart, ...CellPart[]]
  /** What is written where none of them has a value. */
  readonly otherwise?: CellPart
}

/** Writes a value as a cell; `row` is the number of the row, from 0. */
export type CellWriter = (value: Value, row: number) => string

/** How a format writes a line. */
export type LineFormat = {
  /** What begins the line of a row with this number. */
  begin(row: number): string
  readonly between: string
  readonly end: string
  /** Makes the writer of a column's cells; `at` is its place in the file. */
  cell(part: CellPart, column: FileColumn, at: number): CellWriter
}

const FORMATS: { readonly [format in FileFormat]: LineFormat } = {
  csv: csvFormat,
  json: jsonFormat,
  xlsx: xlsxFormat,
}

/** What lines to write. */
export type LinesWanted = {
  readonly format: FileFormat
  readonly columns: readonly FileColumn[]
  /** Number of the first row in the file, or in its sheet, from 0. */
  readonly first: number
}

/** Lines of a file. */
export type Lines = {
  /** The text in UTF-8, in pieces. */
  readonly pieces: Uint8Array<ArrayBuffer>[]
  readonly count: number
  /** Bytes of the first line. */
  readonly firstLength: number
  /** Whether they end because there were enough bytes. */
  readonly isFull: boolean
}

/** Characters of a piece: text that is soon encoded is soon collected, and memory does not grow. */
const PIECE = 2 ** 15

const encoder = new TextEncoder()

/** Writes a line for each row. Stops once those after the first have `most` characters. */
export function writeLines(
  rows: Iterable<readonly Value[]>,
  { format, columns, first }: LinesWanted,
  most = Infinity,
): Lines {
  const { begin, between, end } = FORMATS[format]
  const cells = columns.map((column, at) => cellOf(FORMATS[format], column, at))
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let [text, firstLength] = ['', 0]
  let [count, written, isFull] = [0, 0, false]
  for (const row of rows) {
    const number = first + count
    // Adding text to text is faster than joining lists, and leaves less garbage.
    let [line, comma] = [begin(number), '']
    for (const { at, write } of cells) {
      line += comma + write(row[at] ?? null, number, row)
      comma = between
    }
    text += line + end
    if (count++ === 0) firstLength = Buffer.byteLength(text)
    else written += line.length
    isFull = written >= most
    if (!isFull && text.length < PIECE) continue
    pieces.push(encoder.encode(text))
    text = ''
    if (isFull) break
  }
  if (text !== '') pieces.push(encoder.encode(text))
  return { pieces, count, firstLength, isFull }
}

type Cell = {
  readonly at: number
  readonly write: (value: Value, number: number, row: readonly Value[]) => string
}

/** How a column's cell of a row is made. */
function cellOf(format: LineFormat, column: FileColumn, place: number): Cell {
  const writerOf = (part: CellPart) =>
    judged(
      part,
      named(part, (own) => amount(own, cellOfPart)),
    )
  const cellOfPart = (part: CellPart) => format.cell(part, column, place)
  const { parts, otherwise } = column
  const [{ at }, ...others] = parts
  const write = writerOf(parts[0])
  if (others.length === 0 && !otherwise) return { at, write }
  const writeText = format.cell({ type: 'text', at }, column, place)
  const writeOther = otherwise && writerOf(otherwise)
  return {
    at,
    write(value, number, row) {
      const known = parts.filter((part) => isKnown(part, row[part.at] ?? null))
      if (known.length === 0 && otherwise) {
        const other = row[otherwise.at] ?? null
        return writeOther?.(other, number) ?? ''
      }
      return others.length === 0
        ? write(value, number)
        : writeText(known.length === 0 ? null : textOf(known, row), number)
    },
  }
}

/** Writes names as texts, also in a column of numbers. */
function named(part: CellPart, writerOf: (part: CellPart) => CellWriter): CellWriter {
  const write = writerOf(part)
  const { names } = part
  if (!names) return write
  const writeName = writerOf({ type: 'text', at: part.at })
  return (value, row) => {
    const name = names.get(String(value))
    return value === null || name === undefined ? write(value, row) : writeName(name, row)
  }
}

/** Writes amounts in the major unit, exactly. */
function amount(part: CellPart, writerOf: (part: CellPart) => CellWriter): CellWriter {
  const { minorDigits: scale } = part
  if (scale === undefined) return writerOf(part)
  const [write, writeAmount] = [writerOf(part), writerOf({ ...part, type: 'decimal', scale })]
  return (value, row) =>
    typeof value === 'number' || typeof value === 'bigint'
      ? writeAmount(inMajor(String(value), scale), row)
      : write(value, row)
}

const judged = ({ isJudged = false }: CellPart, write: CellWriter): CellWriter =>
  isJudged ? (value, row) => write(isSecretValue(value) ? null : value, row) : write

/** Whether a value names anything. */
const isKnown = ({ isJudged = false }: CellPart, value: Value): boolean =>
  value !== null && String(value).trim() !== '' && !(isJudged && isSecretValue(value))

const textOf = (parts: readonly CellPart[], row: readonly Value[]): string =>
  parts
    .map(({ at, isPadded }) => {
      const text = String(row[at] ?? '')
      return isPadded ? withoutPadding(text) : text
    })
    .join(' ')
