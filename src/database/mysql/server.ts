/** A MySQL or MariaDB server: pools of connections for each kind of work, and cancelling on the server. */

import type { Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import { bind, render, sql, type Sql, type Statement } from '../query/sql.ts'
import type { Address } from './address.ts'
import { notation } from './notation.ts'
import {
  failureOf,
  hasNoConnection,
  isInterrupted,
  isLost,
  toAppError,
  type ServerInfo,
} from './failure.ts'
import { Pool } from '../source/pool.ts'
import { Connection, type ConnectionOptions } from './connection.ts'

export type ServerOptions = ConnectionOptions & {
  /** Most connections, besides one that cancels the others' queries. */
  readonly size: number
  /** Most requests of one person that may wait for a connection. */
  readonly queue: number
}

/** Each class has connections of its own, so that no page waits for a count or a write. */
export type ConnectionClass = 'rows' | 'counts' | 'writes'

/** The server has a time limit itself; this long after it, the client cancels the statement, ms. */
const GRACE_MS = 250

export class Server {
  readonly info: ServerInfo
  readonly #options: ServerOptions
  readonly #pools: Readonly<Record<ConnectionClass, Pool<Connection>>>
  readonly #control: Pool<Connection>

  constructor(address: Address, options: ServerOptions) {
    const { host, port, socket, user, database } = address
    this.info = { server: socket ?? `${host}:${port}`, user, database }
    this.#options = options
    const { queue, size } = options
    const common = {
      queue,
      close: (connection: Connection) => connection.destroy(),
      isUsable: ({ isLost }: Connection) => !isLost,
      hold: (connection: Connection, isBusy: boolean) => connection.hold(isBusy),
      isLost: (error: unknown) => isLost(failureOf(error)),
      isRefused: (error: unknown) => hasNoConnection(failureOf(error)),
    }
    this.#control = new Pool({
      ...common,
      connect: () => Connection.open(address, { ...options, readOnly: false }),
      // A cancelling statement is not cancelled itself; its connection is closed.
      cancel: async () => false,
      size: 1,
      queue: size,
    })
    const poolOf = (size: number, isRepeatable: boolean, over = {}): Pool<Connection> =>
      new Pool({
        ...common,
        connect: () => Connection.open(address, { ...options, ...over }),
        cancel: (connection, work) => this.#cancel(connection, work),
        isRepeatable,
        size,
      })
    const few = Math.max(1, Math.floor(size / 5))
    this.#pools = {
      rows: poolOf(Math.max(1, size - 2 * few), true),
      counts: poolOf(few, true),
      writes: poolOf(few, false, { readOnly: false }),
    }
  }

  /** Rows of a statement, which is retried once if its connection is lost. */
  async read(by: ConnectionClass, { text, binds }: Statement, run: Run = {}): Promise<Value[][]> {
    const work = (connection: Connection): Promise<Value[][]> => connection.rows(text, binds)
    try {
      return await this.#use(by, work, run).catch((error: unknown) => {
        if (!isLost(failureOf(error)) || run.signal?.aborted) throw error
        return this.#use(by, work, run)
      })
    } catch (error) {
      throw this.#failed(error, run)
    }
  }

  /** Rows of a fragment. Throws what the driver throws. */
  look(fragment: Sql, timeoutMs: number): Promise<Value[][]> {
    const { text, binds } = render(fragment, notation)
    return this.#use('rows', (connection) => connection.rows(text, binds), { timeoutMs })
  }

  /** Rows of a fragment. */
  ask(by: ConnectionClass, fragment: Sql, run?: Run): Promise<Value[][]> {
    return this.read(by, render(fragment, notation), run)
  }

  /** Runs `work` on a connection, without a retry. Throws only `AppError`s, or the signal's reason. */
  async use<T>(
    by: ConnectionClass,
    work: (connection: Connection) => Promise<T>,
    run: Run = {},
  ): Promise<T> {
    try {
      return await this.#use(by, work, run)
    } catch (error) {
      throw this.#failed(error, run)
    }
  }

  #use<T>(by: ConnectionClass, work: (connection: Connection) => Promise<T>, run: Run): Promise<T> {
    const { person, signal, timeoutMs = this.#options.timeoutMs } = run
    const limited = async (connection: Connection): Promise<T> => {
      await connection.limit(timeoutMs)
      return work(connection)
    }
    return this.#pools[by].use(limited, { person, signal, timeoutMs, graceMs: GRACE_MS })
  }

  /** Cancels a statement on the server. If it ended by itself, a kill may be pending: `false`. */
  async #cancel({ id }: Connection, work: Promise<unknown>): Promise<boolean> {
    const run = { timeoutMs: this.#options.timeoutMs }
    await this.#control.use((control) => control.run(sql`kill query ${bind(id)}`), run)
    return work.then(
      () => false,
      (error: unknown) => isInterrupted(failureOf(error)),
    )
  }

  #failed(error: unknown, { signal, timeoutMs = this.#options.timeoutMs }: Run): unknown {
    if (signal?.aborted && error === signal.reason) return error
    return toAppError(error, this.info, timeoutMs)
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()))
    await this.#control.close()
  }
}
