/** The PostgreSQL driver, loaded when the first such database is opened. */

import type { ClientConfig, CustomTypesConfig } from 'pg'
import type { Value } from '../../table/source/value.ts'
import { parserOf, type Bind } from './values.ts'

/** What we use of the driver's client. */
export type Client = {
  connect(): Promise<unknown>
  query(query: ClientQuery): Promise<Result>
  end(): Promise<void>
  readonly connection: { readonly stream: { destroy(): unknown } }
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

export type ClientQuery = {
  /** A statement of this name is prepared once. */
  readonly name?: string
  readonly text: string
  readonly values: Bind[]
  readonly rowMode: 'array'
}

export type Result = { readonly rows: Value[][]; readonly rowCount: number | null }

/** Every value as this project has it, whatever else uses the same driver. */
const types = { getTypeParser: (oid: number) => parserOf(oid) }

export type Driver = (config: ClientConfig) => Client

/** How long a server may take to hear that a connection ends, ms. */
const FAREWELL_MS = 500

/** Ends a connection; a server that does not answer any more is not waited for. */
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
