/** Ids of sockets: not to be guessed, and any node can tell whose they are. */

import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import { sameText } from '../server/keys.ts'

export type SocketIds = {
  make(person: string | undefined): string
  /** Whether the socket was opened by a request of this person; `undefined` for nobody known. */
  isOf(id: string, person: string | undefined): boolean
}

const PART = 2 ** 47
const TAG_BYTES = 6

/** The protocol wants two numbers: one is random, the other is a MAC over it and the person. */
export function socketIds(secret: string): SocketIds {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tablewire/realtime-socket', 32))
  const idOf = (first: string, person: string | undefined): string => {
    const text = person === undefined ? first : `${first} ${person}`
    const tag = createHmac('sha256', key).update(text).digest().readUIntBE(0, TAG_BYTES)
    return `${first}.${tag}`
  }
  return {
    make: (person) => idOf(String(randomInt(1, PART)), person),
    isOf: (id, person) => sameText(idOf(id.split('.', 1)[0] ?? '', person), id),
  }
}
