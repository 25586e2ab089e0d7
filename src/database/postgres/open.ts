/** Opens a PostgreSQL database as a row source. */

import { randomUUID } from 'node:crypto'
import type { RowSource } from '../../table/source/row-source.ts'
import { opened, SqlSource } from '../source/sql-source.ts'
import type { Recorder } from '../../table/source/recorder.ts'
import { readAddress } from './address.ts'
import { listenForChanges } from './change-notices.ts'
import { Connector } from './connector.ts'
import { PostgresDatabase } from './database.ts'
import { loadDriver } from './driver.ts'
import { Server } from './server.ts'

export type PostgresOptions = {
  /**
   * Whether rows can be written: never (`true`), or from the start (`false`). Default: once
   * `writing.allow` is called.
   */
  readonly readOnly?: boolean
  /** The database's name for people. Default: its own name. */
  readonly name?: string
  /** Time limit of a query, ms. Default 5000. */
  readonly timeoutMs?: number
  /** Time limit for connecting, ms. Default 5000. */
  readonly connectMs?: number
  /** Most connections. Default 12, at least 8. */
  readonly connections?: number
  /** Most requests of one person, of each kind, that may wait for a connection. Default 64. */
  readonly queue?: number
  /** Keeps units that have an entry. Default: none are kept. */
  readonly recorder?: Recorder
  /** A monotonic clock, ms. */
  readonly now?: () => number
  /** Values for what the address leaves out, by libpq's variables (`PGUSER`, `PGPASSWORD`, …). */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/**
 * Opens the database and reads its schema. Connections are opened when first needed.
 *
 * Throws `DATABASE_UNAVAILABLE` with one plain sentence for an address that cannot be read, a server
 * that cannot be reached, and a user whom the server rejects.
 *
 * @example
 * const source = await openPostgres('postgres://ada@localhost/shop', { readOnly: false })
 * const { tables } = await source.describe()
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<RowSource> {
  const { readOnly, timeoutMs = 5000, connectMs = 5000 } = options
  const { connections = 12, queue = 64, environment = {} } = options
  const now = options.now ?? (() => performance.now())
  const address = readAddress(url, environment)
  const connector = new Connector(await loadDriver(), address, connectMs)
  const server = new Server({ address, connector, size: connections, queue, timeoutMs, now })
  const database = new PostgresDatabase({
    ...{ server, url, environment },
    readOnly: readOnly === true,
    name: options.name,
    now,
    recorder: options.recorder,
    notices: (heard) => listenForChanges(connector, heard),
  })
  return opened(
    new SqlSource(database, { now, instance: randomUUID(), isWritable: readOnly === false }),
  )
}
