/** Recognizes a browser in which somebody has signed in before, so that it has limits of its own. */

import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { emailKey } from '../../database/metadata/email-key.ts'
import type { KeyRing } from '../../server/keys.ts'
import type { Cookies } from './cookies.ts'

export type KnownBrowser = {
  /** A random id, new at each sign-in. */
  readonly id: string
  /** Whether the last person who signed in there did so as this account. */
  isOf(email: string): boolean
}

/**
 * A flood of strangers keeps nobody out of a known browser. Being known is no proof of who uses it: the
 * password is still needed.
 */
export type KnownBrowsers = {
  find(request: FastifyRequest): KnownBrowser | undefined
  remember(reply: FastifyReply, email: string): void
}

/** The id, a MAC for the account, the key's id, and a MAC over the others. */
const COOKIE = /^([\w-]{22})\.([\w-]{43})\.([\w-]{8})\.([\w-]{43})$/

/** The cookie names the account by a MAC alone, so it holds no personal data. */
export function createKnownBrowsers(
  keys: KeyRing,
  cookies: Pick<Cookies, 'browser' | 'setBrowser'>,
): KnownBrowsers {
  const accountText = (id: string, email: string): string => `account ${id} ${emailKey(email)}`
  const wholeText = (id: string, account: string): string => `browser ${id} ${account}`
  return {
    find(request) {
      const [, id, account, keyId, mac] = COOKIE.exec(cookies.browser(request) ?? '') ?? []
      if (id === undefined || account === undefined || keyId === undefined || mac === undefined)
        return undefined
      if (keys.verify('browser', wholeText(id, account), { keyId, mac }) !== 'valid')
        return undefined
      return {
        id,
        isOf: (email) =>
          keys.verify('browser', accountText(id, email), { keyId, mac: account }) === 'valid',
      }
    },
    remember(reply, email) {
      const id = randomBytes(16).toString('base64url')
      const account = keys.sign('browser', accountText(id, email)).mac
      const { keyId, mac } = keys.sign('browser', wholeText(id, account))
      cookies.setBrowser(reply, `${id}.${account}.${keyId}.${mac}`)
    },
  }
}
