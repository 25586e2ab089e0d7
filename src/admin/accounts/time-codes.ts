/** Codes of six digits that change every 30 seconds (RFC 6238). */

import { Secret, TOTP } from 'otpauth'
import type { RandomBytes } from './tokens.ts'

/** Length of a secret, bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20
const PERIOD_S = 30
/** How many steps a clock may be wrong. */
const WINDOW = 1

/** A new secret as base32, which is how apps take it. */
export const newSecret = (randomBytes: RandomBytes): string =>
  new Secret({ buffer: Uint8Array.from(randomBytes(SECRET_BYTES)).buffer }).base32

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), digits: 6, period: PERIOD_S })

/** What an app reads from a QR code: for whom the codes are, and the secret. */
export const uriOf = (secret: string, issuer: string, email: string): string =>
  totpOf(secret, { issuer, label: email }).toString()

/** The step that the code belongs to: now, the one before or the next; `undefined` for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const token = code.replace(/\s/g, '')
  // The library compares bytes, and fails for six characters of more.
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf(secret).validate({ token, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta
}
