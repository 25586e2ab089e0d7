/** Opens a PostgreSQL database as a row source. */

import { randomUUID } from 'node:crypto'
import type { RowSource } from '../../table/source/row-source.ts'
import { opened, SqlSource } from '../source/sql-source.ts'
import { readAddress } from './address.ts'
import { Connector } from './connector.ts'
import { PostgresDatabase } from './database.ts'
import { loadDriver } from './driver.ts'
import { Server } from './server.ts'

export type PostgresOptions = {
  /** Default true: nothing is written to the database. */
  readonly readOnly?: boolean
  /** What the database is called; by default its own name. */
  readonly name?: string
  /** Longest time of a query, ms. Default 5000. */
  readonly timeoutMs?: number
  /** How long to wait for a connection, ms. Default 5000. */
  readonly connectMs?: number
  /** Connections at most. Default 10, at least 6. */
  readonly connections?: number
  /** Questions of each kind that may wait for a connection. Default 64. */
  readonly queue?: number
  /** A clock in ms that never goes back. */
  readonly now?: () => number
  /** What the address leaves out, as libpq's variables have it (`PGUSER`, `PGPASSWORD`, …). */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/**
 * Opens the database and reads its schema. Connections are made when they are first needed.
 *
 * Throws `DATABASE_UNAVAILABLE` with one plain sentence for an address that cannot be read, a server
 * that cannot be reached, and a user who is not let in.
 *
 * @example
 * const source = await openPostgres('postgres://ada@localhost/shop', { readOnly: false })
 * const { tables } = await source.describe()
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<RowSource> {
  const { readOnly = true, timeoutMs = 5000, connectMs = 5000 } = options
  const { connections = 10, queue = 64, environment = {} } = options
  const now = options.now ?? (() => performance.now())
  const address = readAddress(url, environment)
  const connector = new Connector(await loadDriver(), address, connectMs)
  const server = new Server({ address, connector, size: connections, queue, timeoutMs, now })
  const database = new PostgresDatabase({ server, readOnly, name: options.name, now })
  return opened(new SqlSource(database, { now, instance: randomUUID() }))
}
