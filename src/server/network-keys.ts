/** Maps a network address to the keys that rate limits count it under. */

import { isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

export type NetworkKeys = {
  /** An IPv4 address itself; for IPv6 its /64 network, any address of which one client can take. */
  readonly network: string
  /** For IPv6, the /48 that providers give a customer. */
  readonly site?: string
}

export function networkKeys(address: string): NetworkKeys {
  const mapped = MAPPED.exec(address)?.[1]
  if (mapped !== undefined) return { network: mapped }
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return { network: address }
  const all = groupsOf(bare)
  const first = (count: number): string => all.slice(0, count).join(':')
  return { network: `${first(4)}::/64`, site: `${first(3)}::/48` }
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = groups(head)
  const zeros = 8 - before.length - groups(tail ?? '').length
  return [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...groups(tail ?? '')]
}

/** Embedded IPv4 comes only at the end, after the /64, so counting it as one group does no harm. */
const groups = (part: string) =>
  part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16).toString(16))
