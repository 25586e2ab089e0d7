/** Connects to a server: with encryption if the address requires it or the server supports it. */

import type { ConnectionOptions } from 'node:tls'
import type { Address } from './address.ts'
import { endClient, type Client, type Driver } from './driver.ts'
import { isAboutTls, stateOf } from './failure.ts'

export class Connector {
  readonly #driver: Driver
  readonly #address: Address
  /** Time limit for connecting, ms. */
  readonly #connectMs: number
  /** The TLS options that the address allows; the last successful one comes first. */
  #tlsChoices: readonly (false | ConnectionOptions)[]

  constructor(driver: Driver, address: Address, connectMs: number) {
    this.#driver = driver
    this.#address = address
    this.#connectMs = connectMs
    this.#tlsChoices = tlsChoicesOf(address)
  }

  /** Throws what the driver throws, for the first attempt if its error says more. */
  async connect(): Promise<Client> {
    let first: unknown
    for (const ssl of this.#tlsChoices) {
      try {
        const client = await this.#try(ssl)
        this.#tlsChoices = [ssl, ...this.#tlsChoices.filter((other) => other !== ssl)]
        return client
      } catch (error) {
        first ??= error
        if (!isAboutTls(error)) throw error
        if (ssl === this.#tlsChoices.at(-1)) throw stateOf(first) === undefined ? error : first
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
      // A function, because without one the driver would look for a password elsewhere.
      password: () => password ?? '',
      database,
      ssl,
      application_name: 'tablewire',
      keepAlive: true,
      connectionTimeoutMillis: this.#connectMs,
      ...(options !== undefined && { options }),
    })
    // A running statement fails by itself; without a listener the error would end the process.
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

function tlsChoicesOf({ tlsMode, tls }: Address): readonly (false | ConnectionOptions)[] {
  if (tlsMode === 'disable') return [false]
  if (tlsMode === 'allow') return [false, tls]
  return tlsMode === 'prefer' ? [tls, false] : [tls]
}
