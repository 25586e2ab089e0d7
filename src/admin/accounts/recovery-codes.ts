/** Recovery codes: each signs in once in the place of a code, for who has lost the device. */

import { hash } from 'node:crypto'
import type { RandomBytes } from './tokens.ts'

export const RECOVERY_CODES = 10

/** Without the letters that are taken for digits. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** As many as a person is given, each of 80 bits, such as `ab3d-ef5h-jk7m-np9r`. */
export const newRecoveryCodes = (randomBytes: RandomBytes): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    [...randomBytes(16)]
      .map((byte) => SIGNS.charAt(byte % SIGNS.length))
      .join('')
      .replace(/(?<=^(?:.{4})+)(?!$)/g, '-'),
  )

/** What is stored of a code; how it is spaced and in which case it is typed does not count. */
export const recoveryDigest = (userId: string, code: string): string =>
  hash('sha256', `${userId} ${code.replace(/[\s-]/g, '').toLowerCase()}`, 'base64url')
