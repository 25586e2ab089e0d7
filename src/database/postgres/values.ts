/** Values between PostgreSQL's texts and ours: every digit kept, dates and times as they stand. */

import type { Value } from '../../table/source/value.ts'

/** Types whose text means something else than text, by the numbers that PostgreSQL gives them. */
const PARSERS: Readonly<Record<number, (text: string) => Value>> = {
  16: (text) => text === 't',
  17: bytesOf,
  20: wholeOf,
  21: Number,
  23: Number,
  26: Number,
  700: Number,
  701: Number,
}

const asText = (text: string): Value => text

/** What makes a value of a column's text. Everything else stays text: decimals, times, arrays… */
export const parserOf = (oid: number): ((text: string) => Value) => PARSERS[oid] ?? asText

function wholeOf(text: string): Value {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** The text is hexadecimal: every session is told so. */
function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

/** What the driver sends for a value: text, or bytes as they are. */
export type Bind = string | boolean | null | Uint8Array

export function toBind(value: Value): Bind {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return typeof value === 'bigint' ? String(value) : value
}

/** Values of a list as the text of an array. */
export function arrayText(values: readonly (string | Uint8Array)[]): string {
  const items = values.map((value) =>
    typeof value === 'string'
      ? `"${value.replace(/["\\]/g, '\\$&')}"`
      : `"\\\\x${Buffer.from(value).toString('hex')}"`,
  )
  return `{${items.join(',')}}`
}
