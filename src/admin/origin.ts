/** Reads the settings about the outside: the admin's public origin, and the proxies before it. */

import { isIP } from 'node:net'

/** The origin of an address such as `https://admin.example.org`; `undefined` for anything else. */
export function readOrigin(text: string): string | undefined {
  const url = URL.parse(text)
  // A path does not belong here; the prefix is a setting of its own.
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    ? url.origin
    : undefined
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
