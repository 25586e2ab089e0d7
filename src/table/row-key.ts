/** A row's key as one text, for attributes and addresses. */

import type { KeyValues, Value } from './value.ts'

/** `17`, `ABC`, or `17,ABC` for a composite key; commas within a part are escaped. */
export const encodeKey = (key: KeyValues): string => key.map(encodePart).join(',')

const encodePart = (value: Value): string =>
  typeof value === 'number' ? String(value) : escapePart(value)

const escapePart = (value: Value): string =>
  (value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : String(value)).replace(
    /[%,]/g,
    (char) => (char === '%' ? '%25' : '%2c'),
  )
