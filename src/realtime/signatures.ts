/** The protocol's signatures, all with the app's secret: of channels, users, HTTP requests and webhooks. */

import { createHash, createHmac } from 'node:crypto'
import { sameText } from '../server/keys.ts'
import { isSocketId, readChannel } from './channels.ts'

/** What clients (`key`) and servers (`id`, `key`, `secret`) of one application share. */
export type RealtimeApp = {
  readonly id: string
  readonly key: string
  readonly secret: string
  /** 32 bytes as base64, from which the keys of encrypted channels are made. */
  readonly encryptionKey?: string
}

const sign = (secret: string, text: string | Buffer): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/**
 * The parts of a signed text are joined by colons. A socket's id and a channel's name have none, so
 * that no two different meanings share one text; `undefined` where they are not what they should be.
 */
function channelText(socketId: string, channel: string, data?: string): string | undefined {
  if (!isSocketId(socketId) || !readChannel(channel)) return undefined
  return [socketId, channel, ...(data === undefined ? [] : [data])].join(':')
}

function userText(socketId: string, userData: string): string | undefined {
  return isSocketId(socketId) ? `${socketId}::user::${userData}` : undefined
}

/** The `auth` of a channel; `undefined` if the socket id or channel is malformed. */
export const signChannel = (
  app: RealtimeApp,
  socketId: string,
  channel: string,
  data?: string,
): string | undefined => authOf(app, channelText(socketId, channel, data))

/** The `auth` of a user's sign-in; `undefined` if the socket id is malformed. */
export const signUser = (app: RealtimeApp, socketId: string, userData: string) =>
  authOf(app, userText(socketId, userData))

const authOf = ({ key, secret }: RealtimeApp, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `${key}:${sign(secret, text)}`

export type ClaimedChannel = {
  readonly socketId: string
  readonly channel: string
  readonly data?: string | undefined
  readonly auth: string
}

export function isSignedChannel(app: RealtimeApp, claimed: ClaimedChannel): boolean {
  const auth = signChannel(app, claimed.socketId, claimed.channel, claimed.data)
  return auth !== undefined && sameText(auth, claimed.auth)
}

export function isSignedUser(
  app: RealtimeApp,
  claimed: { readonly socketId: string; readonly data: string; readonly auth: string },
): boolean {
  const auth = signUser(app, claimed.socketId, claimed.data)
  return auth !== undefined && sameText(auth, claimed.auth)
}

/** An HTTP request as it is signed. Values are as the parameters say, not percent-encoded. */
export type SignedRequest = {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Signature of an HTTP request; a parameter `auth_signature` is left out. */
export function signRequest(secret: string, { method, path, parameters }: SignedRequest): string {
  const query = [...parameters]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name !== 'auth_signature')
    .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return sign(secret, [method.toUpperCase(), path, query].join('\n'))
}

export const isSignedRequest = (secret: string, request: SignedRequest): boolean =>
  sameText(signRequest(secret, request), request.parameters.get('auth_signature') ?? '')

export const bodyDigest = (body: Buffer): string => createHash('md5').update(body).digest('hex')

/** The header `X-Pusher-Signature` of a webhook. */
export const signWebhook = ({ secret }: RealtimeApp, body: string): string => sign(secret, body)

/** What subscribers of an encrypted channel read its events with; base64. */
export function sharedSecret(encryptionKey: string, channel: string): string {
  const master = Buffer.from(encryptionKey, 'base64')
  if (master.length !== 32) throw new Error('The encryption key of channels needs 32 bytes.')
  return createHash('sha256').update(channel).update(master).digest('base64')
}
