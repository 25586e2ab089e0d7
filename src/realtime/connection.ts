/** One client's connection: what the server knows of it, and what it may send at most. */

import type { Json } from '../protocol/json.ts'
import type { Requester } from '../server/rate-limit.ts'
import { messageFrame } from './frame.ts'
import type { ProtocolError } from './protocol-error.ts'

/** What carries a connection. */
export type Wire = {
  /** Bytes that were given to it and have not left the process. */
  readonly unsent: number
  send(frame: Buffer): void
  close(code: number, reason: string): void
  destroy(): void
}

/** Somebody on a presence channel. */
export type Member = { readonly id: string; readonly info: Json | undefined }

export class Connection {
  readonly id: string
  readonly requester: Requester
  readonly #wire: Wire
  readonly #outboxBytes: number
  /** Its channels, each with whom it is a member as. */
  readonly channels = new Map<string, Member | undefined>()
  /** Who has signed in on it. */
  user: Member | undefined
  heardAt: number
  /** When it was asked whether it is still there; 0 if it has been heard since. */
  pingedAt = 0
  isOpen = true
  /** Whether it was dropped because it did not read. */
  isDropped = false

  constructor(id: string, requester: Requester, wire: Wire, at: number, outboxBytes: number) {
    this.id = id
    this.requester = requester
    this.#wire = wire
    this.#outboxBytes = outboxBytes
    this.heardAt = at
  }

  /** Whether it belongs to this user, by the request that opened it or by a sign-in. */
  isOf(user: string): boolean {
    return this.requester.person === user || this.user?.id === user
  }

  /** A client that does not read is dropped, so that its messages do not pile up. */
  send(frame: Buffer): void {
    if (!this.isOpen) return
    if (this.#wire.unsent > this.#outboxBytes) this.drop()
    else this.#wire.send(frame)
  }

  /** Reports an error, after which the connection goes on. */
  report({ code, message }: ProtocolError): void {
    this.send(messageFrame({ event: 'pusher:error', data: { code, message } }))
  }

  close(error: ProtocolError): void {
    if (!this.isOpen) return
    this.report(error)
    this.isOpen = false
    this.#wire.close(error.code ?? NORMAL, error.message)
  }

  /** Ends without a word, which would not arrive. */
  drop(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.isDropped = true
    this.#wire.destroy()
  }
}

const NORMAL = 1000
