/** Converts values to and from the driver, without losing a digit. */

import type { FieldPacket, TypedParameter, TypedParameterValue } from 'mysql2'
import { shortestSingle } from '../../table/source/single.ts'
import type { Value } from '../../table/source/value.ts'

/** The values to bind: none that the driver would turn into SQL of its own. */
export type Param = null | string | number | Buffer | TypedParameterValue

/** Codes of column types in the protocol. */
const TYPE_CODES = { float: 4, timestamp: 7, longlong: 8, bit: 16 } as const

const MAX_INT64 = 2n ** 63n - 1n
const MAX_UINT64 = 2n ** 64n - 1n

/** A value to bind. Whole numbers are sent as integers: as doubles they could lose digits. */
export function toParam(types: TypedParameter, value: Value): Param {
  switch (typeof value) {
    case 'boolean':
      return types.LONGLONG(value ? 1n : 0n)
    case 'bigint':
      return wholeParam(types, value)
    case 'number':
      return Number.isSafeInteger(value) ? types.LONGLONG(BigInt(value)) : value
    case 'object':
      return value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    case 'string':
      return value
  }
}

function wholeParam(types: TypedParameter, value: bigint): Param {
  if (value >= -MAX_INT64 - 1n && value <= MAX_INT64) return types.LONGLONG(value)
  if (value > 0n && value <= MAX_UINT64) return types.LONGLONG.unsigned(value)
  return types.NEWDECIMAL(String(value))
}

type Decode = (cell: never) => Value

/** Decoders for a column's cells that are not NULL; most cells need none. */
const DECODERS: Readonly<Record<number, Decode>> = {
  [TYPE_CODES.float]: (cell: number) => shortestSingle(cell),
  [TYPE_CODES.timestamp]: (cell: string) => inUtc(cell),
  [TYPE_CODES.longlong]: (cell: number | string) =>
    typeof cell === 'string' ? BigInt(cell) : cell,
  [TYPE_CODES.bit]: (cell: Buffer) => wholeOf(cell),
}

/** Turns the driver's cells into values, in place. */
export function decodeRows(rows: unknown[][], fields: readonly FieldPacket[]): Value[][] {
  const decoders = fields.map(({ columnType }) => DECODERS[columnType ?? -1])
  for (const row of rows)
    for (let i = 0; i < row.length; i++) {
      const cell = row[i]
      if (cell === null) continue
      const decode = decoders[i]
      // A decoder is chosen by the column's type, and takes what the driver makes of that type.
      if (decode) row[i] = decode(cell as never)
      else if (cell instanceof Uint8Array) row[i] = new Uint8Array(cell)
    }
  // Every cell was decoded, or is of a type that needs no decoder.
  return rows as Value[][]
}

/** A moment with its offset; zero stands for what is not known, and is no moment. */
export const inUtc = (text: string): string =>
  text.startsWith('0000-00-00') || text.endsWith('+00') ? text : `${text}+00`

/** The bits of a `bit(n)` as a number. */
function wholeOf(bytes: Buffer): number | bigint {
  const whole = BigInt(`0x${bytes.toString('hex') || '0'}`)
  return whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : whole
}
