/**
 * JSON: an object for each row, under the names of its columns, that loses nothing when it is read.
 *
 * A number is one where a double holds it: whole numbers up to 2^53, and floats. Larger ones, decimals, NaN and
 * infinity are strings of their digits. Moments are ISO 8601, bytes Base64, JSON is what it holds.
 */

import { isoOf } from './csv.ts'
import type { CellPart, CellWriter, LineFormat } from './lines.ts'
import { withoutPadding } from './schema.ts'
import type { Value } from './value.ts'

export const jsonFormat: LineFormat = {
  begin: (row) => (row === 0 ? '{' : ',\n{'),
  between: ',',
  end: '}',
  cell(part, { name }) {
    const [key, write] = [`${JSON.stringify(name)}:`, writerOf(part)]
    return (value, row) => key + write(value, row)
  },
}

function writerOf({ type, isPadded = false }: CellPart): CellWriter {
  if (type === 'decimal')
    return (value) => (value === null ? 'null' : JSON.stringify(String(value)))
  const ofText =
    type === 'json'
      ? embedded
      : type === 'datetime'
        ? (text: string) => JSON.stringify(isoOf(text))
        : isPadded
          ? (text: string) => JSON.stringify(withoutPadding(text))
          : JSON.stringify
  return (value) => (typeof value === 'string' ? ofText(value) : other(value))
}

function other(value: Exclude<Value, string>): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`
  if (typeof value === 'bigint') return `"${value}"`
  return `"${Buffer.from(value).toString('base64')}"`
}

/** As it is stored, with every digit of its numbers; a text where the database holds none. */
function embedded(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}
