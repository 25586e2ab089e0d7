/** Values of columns as the texts of their fields: `readDrawn` makes the very same value of each. */

import { type Column, withoutPadding } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'

/** `null` is NULL, and nothing else is. */
export function writeText(
  value: Value,
  { isPadded = false, scale = 0 }: Pick<Column, 'isPadded' | 'scale'> = {},
): string | null {
  if (value === null) return null
  if (isPadded && typeof value === 'string') return withoutPadding(value)
  if (value instanceof Uint8Array) return ''
  if (Object.is(value, -0)) return '-0'
  return withZeros(String(value), scale)
}

/** With as many digits after the point as the database shows. */
function withZeros(number: string, scale: number): string {
  const [, whole, digits = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(number) ?? []
  return whole === undefined || digits.length >= scale
    ? number
    : `${whole}.${digits.padEnd(scale, '0')}`
}

/** Whether people can write values of the column in a field. */
export const isWritten = ({ type, generated }: Column): boolean => type !== 'binary' && !generated
