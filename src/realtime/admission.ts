/** Whether a socket may connect: known app, known version of the protocol, and room for it. */

import { networkKeys } from '../server/network-keys.ts'
import type { Requester } from '../server/rate-limit.ts'
import type { ServerLimits } from './limits.ts'
import { CODES, ProtocolError } from './protocol-error.ts'

/** Versions of the protocol that clients may speak. */
const OLDEST = 5
const NEWEST = 7

export function checkVersion(version: string | null): void {
  if (version === null)
    throw new ProtocolError(CODES.missingVersion, 'No protocol version is given.')
  if (!/^\d{1,3}$/.test(version))
    throw new ProtocolError(CODES.badVersion, 'The protocol version is not a number.')
  if (Number(version) < OLDEST || Number(version) > NEWEST)
    throw new ProtocolError(CODES.unsupportedVersion, 'The protocol version is not supported.')
}

/** Counts the sockets that are open: in all, by person, and by network where the person is not known. */
export class Places {
  readonly #limits: ServerLimits
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(limits: ServerLimits) {
    this.#limits = limits
  }

  /** Throws `ProtocolError` if there is no place; returns the function that frees the place again. */
  take(requester: Requester): () => void {
    const { person } = requester
    const key = person === undefined ? networkKeys(requester.ip).network : `person ${person}`
    const { connections, connectionsPerPerson, connectionsPerNetwork } = this.#limits
    const taken = this.#taken.get(key) ?? 0
    if (this.#all >= connections)
      throw new ProtocolError(
        CODES.overCapacity,
        'The server has as many connections as it may have.',
      )
    if (taken >= (person === undefined ? connectionsPerNetwork : connectionsPerPerson))
      throw new ProtocolError(CODES.overCapacity, 'You have as many connections as you may have.')
    this.#all++
    this.#taken.set(key, taken + 1)
    return () => this.#free(key)
  }

  #free(key: string): void {
    const taken = this.#taken.get(key) ?? 0
    this.#all--
    if (taken > 1) this.#taken.set(key, taken - 1)
    else this.#taken.delete(key)
  }
}
