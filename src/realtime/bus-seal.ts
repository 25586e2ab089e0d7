/** The MAC of messages between nodes, so that write access to the bus is not enough to speak for a node. */

import { createHmac, hkdfSync } from 'node:crypto'
import { sameText } from '../server/keys.ts'

export type BusSeal = {
  seal(purpose: 'news' | 'cache', text: string): string
  /** The text; `undefined` if it was not sealed with this secret, for this purpose. */
  open(purpose: 'news' | 'cache', sealed: string): string | undefined
}

const MAC_LENGTH = 43

/** Its key is derived, so that no signature of the protocol is one of the bus. */
export function busSeal(secret: string): BusSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tablewire/realtime-bus', 32))
  const macOf = (purpose: string, text: string): string =>
    createHmac('sha256', key).update(`${purpose}\n`).update(text).digest('base64url')
  return {
    seal: (purpose, text) => macOf(purpose, text) + text,
    open(purpose, sealed) {
      const text = sealed.slice(MAC_LENGTH)
      return sameText(macOf(purpose, text), sealed.slice(0, MAC_LENGTH)) ? text : undefined
    },
  }
}
