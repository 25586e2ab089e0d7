/** The `pg` driver, loaded when the first PostgreSQL database is opened. */

import type { ClientConfig, CustomTypesConfig } from 'pg'
import type { Value } from '../../table/source/value.ts'
import { parserOf, type Bind } from './values.ts'

/** The part of the driver's client that is used here. */
export type Client = {
  connect(): Promise<unknown>
  query(query: ClientQuery): Promise<Result>
  end(): Promise<void>
  readonly connection: { readonly stream: { destroy(): unknown } }
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'notification', listener: (notice: Notice) => void): unknown
}

/** What somebody has sent to all who listen. */
type Notice = { readonly payload?: string | undefined }

export type ClientQuery = {
  /** The driver prepares a statement once for each name. */
  readonly name?: string
  readonly text: string
  readonly values: Bind[]
  readonly rowMode: 'array'
}

export type Result = {
  readonly rows: Value[][]
  readonly rowCount: number | null
  readonly fields: readonly { readonly name: string }[]
}

/** Tablewire's own parsers, independent of other users of the driver. */
const types = { getTypeParser: (oid: number) => parserOf(oid) }

export type Driver = (config: ClientConfig) => Client

/** Time limit for closing a connection properly, ms. */
const FAREWELL_MS = 500

/** Ends a connection, without waiting for a server that no longer answers. */
export async function endClient(client: Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), FAREWELL_MS)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}

export async function loadDriver(): Promise<Driver> {
  const { Client } = await import('pg')
  // The driver declares one overload for each of its own types; ours takes any of them.
  return (config) => new Client({ ...config, types: types as CustomTypesConfig })
}
