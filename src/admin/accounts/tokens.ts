/** Random secrets given to browsers, and the hashes stored of them. */

import { hash } from 'node:crypto'
import { memoize } from '../../server/memoize.ts'

/** Returns that many random bytes. */
export type RandomBytes = (size: number) => Uint8Array

/** What a token looks like: 256 bits as base64url. */
const TOKEN = /^[\w-]{43}$/

/** A secret of 256 bits. */
export const makeToken = (randomBytes: RandomBytes): string => textOf(randomBytes(32))

/** A new token, and its hash to store. */
export function newToken(randomBytes: RandomBytes): { token: string; tokenHash: string } {
  const token = makeToken(randomBytes)
  return { token, tokenHash: hash('sha256', token) }
}

/** A public id of 128 bits: unique, not secret. */
export const makeId = (randomBytes: RandomBytes): string => textOf(randomBytes(16))

/** The stored hash of a token, unsalted because a token is random; `undefined` for malformed ones. */
export const hashToken = (token: string): string | undefined =>
  TOKEN.test(token) ? hashOf(token) : undefined

/** Each request of a session brings the same token. */
const hashOf = memoize(200, (token: string) => hash('sha256', token))

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
