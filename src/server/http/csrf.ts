/** CSRF tokens and the same-origin check: against requests that another site sends. */

import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { KEY_ID_LENGTH, type KeyRing, MAC_LENGTH, type Verdict } from '../keys.ts'

const MASK_BYTES = 12
const TOKEN = new RegExp(
  `^([\\w-]{${(MASK_BYTES / 3) * 4}})\\.([\\w-]{${KEY_ID_LENGTH}})\\.([\\w-]{${MAC_LENGTH}})$`,
)

/**
 * A token bound to a session's lineage, or to an anonymous visitor's id. A random mask makes each
 * token differ, so that the size of compressed responses leaks none of it (BREACH).
 */
export function issueCsrfToken(keys: KeyRing, holder: string): string {
  const mask = randomBytes(MASK_BYTES).toString('base64url')
  const { keyId, mac } = keys.sign('csrf', `${mask}.${holder}`)
  return `${mask}.${keyId}.${mac}`
}

/** Checks a token; it is of an unknown key if the key it was issued with has been retired. */
export function checkCsrfToken(keys: KeyRing, holder: string, token: unknown): Verdict {
  const parts = typeof token === 'string' && TOKEN.exec(token)
  if (!parts) return 'forged'
  const [, mask = '', keyId = '', mac = ''] = parts
  return keys.verifyAgain('csrf', `${mask}.${holder}`, { keyId, mac })
}

/** The headers that tell where a request comes from, and the configured origin. */
export type RequestOrigin = {
  /** Where browsers reach us, if it is configured. */
  readonly own: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
}

/**
 * Whether the request comes from this origin, as far as the browser says. Compares text, byte for
 * byte, because parsers disagree. Without a configured origin, a proxy may have added TLS.
 */
export function isSameOrigin({ own, host, origin, fetchSite }: RequestOrigin): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false
  if (origin === undefined) return true
  if (own !== undefined) return origin === own
  return host !== undefined && [`http://${host}`, `https://${host}`].includes(origin)
}

/** The same for a request; `own` is our origin, if it is configured. */
export const isFromOwnOrigin = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  own: string | undefined,
): boolean => {
  const fetchSite = headers['sec-fetch-site']
  return isSameOrigin({
    own,
    host: headers.host,
    origin: headers.origin,
    fetchSite: Array.isArray(fetchSite) ? fetchSite.join() : fetchSite,
  })
}
