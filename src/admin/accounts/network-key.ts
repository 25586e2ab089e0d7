/** Which network addresses count as one client. */

import { isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The address itself, but for IPv6 the network of 64 bits that one client can roam in. */
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

/** Embedded IPv4 stands only at the end, past the network, where its length does not matter. */
const groups = (part: string) =>
  part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16).toString(16))
