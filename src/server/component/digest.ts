/** A short text that stands for a long one. */

import { hash } from 'node:crypto'

/** Long enough that two texts of one component never share it by chance. */
export const digestOf = (data: string | Uint8Array): string =>
  hash('sha512', data, 'base64url').slice(0, 22)
