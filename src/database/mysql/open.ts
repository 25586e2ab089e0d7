/** Opens a MySQL or MariaDB database as a row source. */

import { randomUUID } from 'node:crypto'
import type { RowSource } from '../../table/source/row-source.ts'
import { opened, SqlSource } from '../source/sql-source.ts'
import type { Recorder } from '../../table/source/recorder.ts'
import { readAddress } from './address.ts'
import { MysqlDatabase } from './database.ts'
import { Server } from './server.ts'

export type MysqlOptions = {
  /**
   * Whether rows can be written: never (`true`), or from the start (`false`). Default: once
   * `writing.allow` is called.
   */
  readonly readOnly?: boolean
  /** Most connections, besides one that cancels the others' queries. Default 10. */
  readonly connections?: number
  /** Most queries of one person that may wait for a connection. Default 64. */
  readonly queue?: number
  /** Time limit for connecting, ms. Default 5000. */
  readonly connectMs?: number
  /** Time limit of a query, ms. Default 5000. */
  readonly timeoutMs?: number
  /** Keeps units that have an entry. Default: none are kept. */
  readonly recorder?: Recorder
  /** A monotonic clock, ms. */
  readonly now?: () => number
}

/**
 * Signs in and reads the schema. More connections are opened when needed.
 *
 * Throws `DATABASE_UNAVAILABLE` with one plain sentence for a server that cannot be reached, rejects
 * the user, or has no such database.
 *
 * @example
 * const source = await openMysql('mysql://me:secret@db.example.org/shop?sslmode=verify-full')
 * const { tables } = await source.describe()
 */
export async function openMysql(url: string, options: MysqlOptions = {}): Promise<RowSource> {
  const { readOnly, connections = 10, queue = 64 } = options
  const { connectMs = 5000, timeoutMs = 5000 } = options
  const server = new Server(readAddress(url), {
    readOnly: readOnly !== false,
    connectMs,
    timeoutMs,
    size: connections,
    queue,
  })
  const now = options.now ?? (() => performance.now())
  const database = new MysqlDatabase({
    ...{ server, url, readOnly: readOnly === true, timeoutMs, now, recorder: options.recorder },
  })
  return opened(
    new SqlSource(database, { now, instance: randomUUID(), isWritable: readOnly === false }),
  )
}
