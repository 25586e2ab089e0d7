/** Values as row sources return and accept them, with every digit kept. */

/**
 * One value of one column. Integers within ±2^53 are numbers, beyond it bigints; decimals that a
 * double cannot hold are strings; dates and times are the engine's text; binary is bytes.
 */
export type Value = null | string | number | bigint | boolean | Uint8Array

/** Values that identify a row, in the order of the table's key columns. */
export type KeyValues = readonly Value[]

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean'])

export const isValue = (value: unknown): value is Value =>
  value === null || TYPES.has(typeof value) || value instanceof Uint8Array

/** Whether two values are the very same: bytes by their content, and NaN is itself. */
export const isSame = (one: Value, other: Value): boolean =>
  one instanceof Uint8Array && other instanceof Uint8Array
    ? one.length === other.length && one.every((byte, at) => byte === other[at])
    : Object.is(one, other)
