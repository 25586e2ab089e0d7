/** The answers of `/broadcasting/auth` and `/broadcasting/user-auth`, once the application has allowed it. */

import { AppError } from '../server/app-error.ts'
import type { Json } from '../protocol/json.ts'
import { isUserId, readChannel } from './channels.ts'
import { LIMITS } from './limits.ts'
import { type RealtimeApp, sharedSecret, signChannel, signUser } from './signatures.ts'

export type ChannelUser = {
  readonly id: string
  /** What the other members see of this one. */
  readonly info?: Json
}

export type ChannelRequest = {
  readonly app: RealtimeApp
  readonly socketId: string
  readonly channel: string
  /** Who joins a presence channel; other channels take none. */
  readonly user?: ChannelUser
}

export type ChannelAnswer = {
  readonly auth: string
  readonly channel_data?: string
  readonly shared_secret?: string
}

/**
 * Signs a subscription that the caller has allowed. Throws `REQUEST_INVALID` for a malformed socket id
 * or channel, for channels that need no signature, and for a member who is missing or too large.
 */
export function authorizeChannel({ app, socketId, channel, user }: ChannelRequest): ChannelAnswer {
  const found = readChannel(channel)
  const isPresence = found?.access === 'presence'
  if (!isPresence && found?.access !== 'private') throw new AppError('REQUEST_INVALID')
  if (isPresence !== (user !== undefined)) throw new AppError('REQUEST_INVALID')
  const data = user && memberData(user)
  const auth = signChannel(app, socketId, channel, data)
  if (auth === undefined) throw new AppError('REQUEST_INVALID')
  return {
    auth,
    ...(data !== undefined && { channel_data: data }),
    ...(found?.isEncrypted && { shared_secret: secretOf(app, channel) }),
  }
}

export type UserAnswer = { readonly auth: string; readonly user_data: string }

/** Signs the sign-in of a user. Throws `REQUEST_INVALID` for a malformed socket id or user. */
export function authorizeUser({
  app,
  socketId,
  user,
}: Omit<Required<ChannelRequest>, 'channel'>): UserAnswer {
  if (!isUserId(user.id)) throw new AppError('REQUEST_INVALID')
  const data = JSON.stringify({ id: user.id, user_info: user.info })
  const auth = signUser(app, socketId, data)
  if (auth === undefined || Buffer.byteLength(data) > LIMITS.dataBytes)
    throw new AppError('REQUEST_INVALID')
  return { auth, user_data: data }
}

function memberData({ id, info }: ChannelUser): string {
  const data = JSON.stringify({ user_id: id, user_info: info })
  if (!isUserId(id) || Buffer.byteLength(data) > LIMITS.memberBytes)
    throw new AppError('REQUEST_INVALID')
  return data
}

function secretOf({ encryptionKey }: RealtimeApp, channel: string): string {
  if (encryptionKey === undefined) throw new AppError('REQUEST_INVALID')
  return sharedSecret(encryptionKey, channel)
}
