/** CSRF tokens and the same-origin check: against requests that another site sends. */

import { randomBytes } from 'node:crypto'
import { KEY_ID_LENGTH, type KeyRing, MAC_LENGTH } from '../keys.ts'

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

export function isCsrfToken(keys: KeyRing, holder: string, token: unknown): boolean {
  const parts = typeof token === 'string' && TOKEN.exec(token)
  if (!parts) return false
  const [, mask = '', keyId = '', mac = ''] = parts
  return keys.verify('csrf', `${mask}.${holder}`, { keyId, mac }) === 'valid'
}

/** The headers that tell where a request comes from. */
export type RequestOrigin = {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
}

/** Whether the request comes from this origin, as far as the browser says. */
export function isSameOrigin({ host, origin, fetchSite }: RequestOrigin): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
