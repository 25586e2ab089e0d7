/** Maps a network address to the key that rate limits count it under. */

import { isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** An IPv4 address itself; for IPv6 its /64 network, any address of which one client can take. */
export function networkKey(address: string): string {
  const mapped = MAPPED.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [bare = ''] = address.split('%')
  return isIPv6(bare) ? `${network(bare)}::/64` : address
}

function network(address: string): string {
  const [head = '', tail] = address.split('::')
  const before = groups(head)
  const zeros = 8 - before.length - groups(tail ?? '').length
  const all = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...groups(tail ?? '')]
  return all.slice(0, 4).join(':')
}

/** Embedded IPv4 comes only at the end, after the /64, so counting it as one group does no harm. */
const groups = (part: string) =>
  part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16).toString(16))
