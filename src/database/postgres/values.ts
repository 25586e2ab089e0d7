/** Converts values to and from PostgreSQL's texts, without losing a digit. */

import type { Value } from '../../table/source/value.ts'

/** Parsers for types that do not stay text, by oid. */
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

/** The parser for a type. Decimals, times, arrays and others stay text. */
export const parserOf = (oid: number): ((text: string) => Value) => PARSERS[oid] ?? asText

function wholeOf(text: string): Value {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** The text is hexadecimal, by a setting of every connection. */
function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

/** What the driver sends for a value: text or bytes. */
export type Bind = string | boolean | null | Uint8Array

export function toBind(value: Value): Bind {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return typeof value === 'bigint' ? String(value) : value
}

/** A list of values as the text of an array. */
export function arrayText(values: readonly (string | Uint8Array | null)[]): string {
  const items = values.map((value) =>
    value === null
      ? 'null'
      : typeof value === 'string'
        ? `"${value.replace(/["\\]/g, '\\$&')}"`
        : `"\\\\x${Buffer.from(value).toString('hex')}"`,
  )
  return `{${items.join(',')}}`
}
