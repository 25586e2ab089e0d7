/** Channel names of the Pusher protocol: which are allowed, and what a name says about its channel. */

import { channelPart } from '../protocol/channels.ts'
import { LIMITS } from './limits.ts'

export type Access = 'public' | 'private' | 'presence' | 'user'

export type Channel = {
  readonly name: string
  /** Who may subscribe: anybody, whoever has a signature, or the one user whose channel it is. */
  readonly access: Access
  /** Its events can be read by subscribers only, not by the server. */
  readonly isEncrypted: boolean
  /** Whoever subscribes receives the last event. */
  readonly isCached: boolean
}

const NAME = /^[A-Za-z0-9_\-=@,.;]+$/
const USER_PREFIX = '#server-to-user-'
/** No spaces and no control characters, so that two ids that differ also look different. */
const USER_ID = /^[!-~]+$/

/** Reads a channel's name; `undefined` for one that is not allowed. */
export function readChannel(name: string): Channel | undefined {
  const userId = name.startsWith(USER_PREFIX) ? name.slice(USER_PREFIX.length) : undefined
  if (userId !== undefined)
    return isUserId(userId)
      ? { name, access: 'user', isEncrypted: false, isCached: false }
      : undefined
  if (name.length > LIMITS.nameLength || !NAME.test(name)) return undefined
  return {
    name,
    access: accessOf(name),
    isEncrypted: name.startsWith('private-encrypted-'),
    isCached: /^(?:private-(?:encrypted-)?|presence-)?cache-/.test(name),
  }
}

const accessOf = (name: string): Access => {
  if (name.startsWith('private-')) return 'private'
  return name.startsWith('presence-') ? 'presence' : 'public'
}

export const isUserId = (id: string): boolean =>
  id.length <= LIMITS.userIdLength && USER_ID.test(id)

/** The channel on which the server speaks to one user who is signed in. */
export const userChannel = (userId: string): string => USER_PREFIX + userId

/** The ids that the server gives to sockets. No other text may become part of a signed one. */
export const isSocketId = (id: string): boolean => /^\d{1,20}\.\d{1,20}$/.test(id)

/** The private channel that carries a broadcaster's channel, such as `private-table.orders`. */
export const broadcastChannel = (channel: string): string =>
  `private-${channel.split('.').map(channelPart).join('.')}`
