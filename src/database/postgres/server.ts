/** A PostgreSQL server: pools of connections for each kind of work, and cancelling on the server. */

import type { AppError } from '../../server/app-error.ts'
import type { Run } from '../../table/source/row-source.ts'
import { timedOut } from '../failure.ts'
import type { Statement } from '../query/sql.ts'
import { Pool } from '../source/pool.ts'
import type { Address } from './address.ts'
import type { Connector } from './connector.ts'
import type { Result } from './driver.ts'
import { isCancelled, isLost, toAppError } from './failure.ts'
import { Connection, type RunOptions } from './connection.ts'
import type { ConnectionSettings } from './settings.ts'

export type ServerOptions = {
  readonly address: Address
  readonly connector: Connector
  /** Most connections of all classes together; at least 8. */
  readonly size: number
  /** Most requests of one person, of each class, that may wait. */
  readonly queue: number
  /** Time limit of a statement, ms. */
  readonly timeoutMs: number
  readonly now: () => number
}

/**
 * `rows` is for pages, `writes` for units, so that no page and no unit waits for the other, `search` for scans, which may not walk an index, `counts` for counts
 * and exports, so that they never take a page's connection, nor more than one core each, and `control` for
 * cancelling statements of the others.
 */
export type ConnectionClass = 'rows' | 'search' | 'counts' | 'writes' | 'control'

/** Connections of each class; `rows` gets the rest. */
const SIZES = { search: 2, counts: 2, writes: 2, control: 1 } as const
/** The server and the connection have time limits themselves; this long after, the pool cancels, ms. */
const GRACE_MS = 2500

export class Server {
  readonly address: Address
  readonly #options: ServerOptions
  readonly #pools: Readonly<Record<ConnectionClass, Pool<Connection>>>

  constructor(options: ServerOptions) {
    this.address = options.address
    this.#options = options
    const others = Object.values(SIZES).reduce<number>((sum, size) => sum + size, 0)
    this.#pools = {
      rows: this.#poolOf(Math.max(1, options.size - others)),
      search: this.#poolOf(SIZES.search, { walksIndexes: false }),
      counts: this.#poolOf(SIZES.counts, { isParallel: false }),
      writes: this.#poolOf(SIZES.writes),
      control: this.#poolOf(SIZES.control),
    }
  }

  /**
   * The rows of a statement that changes nothing, which is retried once if the connection is lost.
   * Throws what the driver throws, `AppError`s, or the signal's reason.
   */
  async read(
    by: ConnectionClass,
    statement: Statement,
    run: Run & RunOptions = {},
  ): Promise<Result> {
    try {
      return await this.#readOnce(by, statement, run)
    } catch (error) {
      if (!isLost(error) || run.signal?.aborted) throw error
      this.evict()
      return this.#readOnce(by, statement, run)
    }
  }

  /** Runs statements that belong together on one connection; they are not cancelled. */
  use<T>(
    by: ConnectionClass,
    work: (connection: Connection) => Promise<T>,
    person?: string,
  ): Promise<T> {
    const { timeoutMs } = this.#options
    return this.#pools[by].use(work, { person, timeoutMs, runsToEnd: true })
  }

  /** The error as an `AppError`. */
  toAppError(error: unknown): AppError {
    return toAppError(error, this.address)
  }

  /** Closes all connections once their work ends. */
  evict(): void {
    for (const pool of Object.values(this.#pools)) pool.evict()
  }

  /** Cancels running reads, and waits for running writes. */
  async close(): Promise<void> {
    const { control, ...others } = this.#pools
    await Promise.all(Object.values(others).map((pool) => pool.close()))
    await control.close()
  }

  #poolOf(size: number, over: Partial<ConnectionSettings> = {}): Pool<Connection> {
    const { connector, queue, timeoutMs } = this.#options
    const settings = { timeoutMs, walksIndexes: true, isParallel: true, ...over }
    return new Pool({
      size,
      queue,
      // Writes run to their end.
      isRepeatable: true,
      connect: async () => Connection.start(await connector.connect(), settings),
      close: (connection) => connection.close(),
      isUsable: ({ isUsable }) => isUsable,
      cancel: (connection, work) => this.#cancel(connection, work),
    })
  }

  #readOnce(by: ConnectionClass, statement: Statement, run: Run & RunOptions): Promise<Result> {
    const { now, timeoutMs: defaultMs } = this.#options
    const { person, signal, timeoutMs = defaultMs } = run
    const read = async (connection: Connection): Promise<Result> => {
      const started = now()
      try {
        return await connection.run(statement, run)
      } catch (error) {
        const isTimeout = isCancelled(error) && now() - started >= timeoutMs * 0.9
        throw isTimeout ? timedOut(timeoutMs, error) : error
      }
    }
    return this.#pools[by].use(read, { person, signal, timeoutMs, graceMs: GRACE_MS })
  }

  /** Cancels a connection's statement on the server. */
  async #cancel({ pid }: Connection, work: Promise<unknown>): Promise<boolean> {
    await this.use('control', (control) =>
      control.run({ text: 'select pg_cancel_backend($1)', binds: [pid] }),
    )
    await work.catch(() => undefined)
    return true
  }
}
