/** Reads the settings of how browsers reach the admin: its address, and the proxies before it. */

import { isIP } from 'node:net'
import { isPrefix } from './addresses.ts'

/** Where browsers reach the admin. */
export type PublicUrl = {
  readonly origin: string
  /** The path, without a slash at its end; empty for none. */
  readonly prefix: string
}

/** Reads an address such as `https://example.org/db`; `undefined` for anything else. */
export function readPublicUrl(text: string): PublicUrl | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const { origin, pathname } = url
  const prefix = pathname.replace(/\/$/, '')
  // Neither a person, nor a query, nor a fragment belongs here.
  return url.href === origin + pathname && isPrefix(prefix) ? { origin, prefix } : undefined
}

/** How many proxies there are, or their addresses; `undefined` for anything else. */
export function readProxies(text: string): number | string | undefined {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const parts = text.split(',').map((part) => part.trim())
  return parts.every(isNetwork) ? parts.join(',') : undefined
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  )
}
