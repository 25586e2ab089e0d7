/** Why a socket is closed or a message is refused: the protocol's codes, each with its words. */

/**
 * By the first digits a client decides what to do: 40xx do not come back, 41xx come back after a
 * second, 42xx come back at once, 43xx leave the socket open.
 */
export const CODES = {
  unknownApp: 4001,
  badVersion: 4006,
  unsupportedVersion: 4007,
  missingVersion: 4008,
  unauthorized: 4009,
  overCapacity: 4100,
  comeBack: 4200,
  noPong: 4201,
  refused: 4301,
  watchlist: 4302,
  /** A code of WebSocket itself: the client has violated the policy. */
  violation: 1008,
} as const

/** Told to the client as `pusher:error`, and as the reason where the socket is closed. */
export class ProtocolError extends Error {
  readonly code: number | null

  constructor(code: number | null, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
  }
}

/** Told on the channel, where the client's own handler of errors hears it. */
export class SubscriptionError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'SubscriptionError'
    this.status = status
  }
}
