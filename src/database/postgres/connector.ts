/** Makes connections to a server: encrypted where the address wants it or the server can. */

import type { ConnectionOptions } from 'node:tls'
import type { Address } from './address.ts'
import { endClient, type Client, type Driver } from './driver.ts'
import { isAboutTls, stateOf } from './failure.ts'

export class Connector {
  readonly #driver: Driver
  readonly #address: Address
  /** How long to wait for a connection, ms. */
  readonly #connectMs: number
  /** Ways that the address allows; the one that did last comes first. */
  #ways: readonly (false | ConnectionOptions)[]

  constructor(driver: Driver, address: Address, connectMs: number) {
    this.#driver = driver
    this.#address = address
    this.#connectMs = connectMs
    this.#ways = waysOf(address)
  }

  /** Throws what the driver throws, for the first way if that tells more. */
  async connect(): Promise<Client> {
    let first: unknown
    for (const way of this.#ways) {
      try {
        const client = await this.#try(way)
        this.#ways = [way, ...this.#ways.filter((other) => other !== way)]
        return client
      } catch (error) {
        first ??= error
        if (!isAboutTls(error)) throw error
        if (way === this.#ways.at(-1)) throw stateOf(first) === undefined ? error : first
      }
    }
    throw new Error('no way to connect')
  }

  async #try(ssl: false | ConnectionOptions): Promise<Client> {
    const { host, port, user, password, database, options } = this.#address
    const client = this.#driver({
      host,
      port,
      user,
      // A function: without one the driver would look for a password elsewhere.
      password: () => password ?? '',
      database,
      ssl,
      application_name: 'tablewire',
      keepAlive: true,
      connectionTimeoutMillis: this.#connectMs,
      ...(options !== undefined && { options }),
    })
    // Whoever waits for a statement is told; nobody else must be.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      void endClient(client)
      throw error
    }
  }
}

function waysOf({ tlsMode, tls }: Address): readonly (false | ConnectionOptions)[] {
  if (tlsMode === 'disable') return [false]
  if (tlsMode === 'allow') return [false, tls]
  return tlsMode === 'prefer' ? [tls, false] : [tls]
}
