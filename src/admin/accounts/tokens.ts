/** Random secrets handed to browsers, and the hashes that are kept of them. */

import { hash } from 'node:crypto'

/** Gives that many random bytes. */
export type RandomBytes = (size: number) => Uint8Array

/** What a token looks like: 256 bits as base64url. */
const TOKEN = /^[\w-]{43}$/

/** A secret of 256 bits. */
export const makeToken = (randomBytes: RandomBytes): string => textOf(randomBytes(32))

/** A public id of 128 bits, unique but no secret. */
export const makeId = (randomBytes: RandomBytes): string => textOf(randomBytes(16))

/** What is stored of a token; so much entropy needs no salt. `undefined` where it is none. */
export const hashToken = (token: string): string | undefined =>
  TOKEN.test(token) ? hash('sha256', token) : undefined

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
