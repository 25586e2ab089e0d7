/** A MySQL or MariaDB server: connections for each kind of work, and what was thrown as plain errors. */

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
  type Where,
} from './failure.ts'
import { Pool } from '../source/pool.ts'
import { Session, type SessionOptions } from './session.ts'

export type ServerOptions = SessionOptions & {
  /** Sessions at most, besides one that ends the others' queries. */
  readonly size: number
  /** Askers that may wait for a session. */
  readonly queue: number
}

/** Who shares connections with whom: no page waits for a count, nor for a write. */
export type ConnectionClass = 'rows' | 'counts' | 'writes'

/** The server ends a statement by itself; this long after, it is told to, ms. */
const GRACE_MS = 250

export class Server {
  readonly where: Where
  readonly #options: ServerOptions
  readonly #pools: Readonly<Record<ConnectionClass, Pool<Session>>>
  readonly #control: Pool<Session>

  constructor(address: Address, options: ServerOptions) {
    const { host, port, socket, user, database } = address
    this.where = { server: socket ?? `${host}:${port}`, user, database }
    this.#options = options
    const { queue, size } = options
    const common = {
      queue,
      close: (session: Session) => session.destroy(),
      isUsable: ({ isLost }: Session) => !isLost,
      hold: (session: Session, isBusy: boolean) => session.hold(isBusy),
      isLost: (error: unknown) => isLost(failureOf(error)),
      isRefused: (error: unknown) => hasNoConnection(failureOf(error)),
    }
    this.#control = new Pool({
      ...common,
      connect: () => Session.open(address, { ...options, readOnly: false }),
      // Nobody ends the one who ends others; it is left.
      cancel: async () => false,
      size: 1,
      queue: size,
    })
    const poolOf = (size: number): Pool<Session> =>
      new Pool({
        ...common,
        connect: () => Session.open(address, options),
        cancel: (session, work) => this.#cancel(session, work),
        size,
      })
    const few = Math.max(1, Math.floor(size / 5))
    this.#pools = {
      rows: poolOf(Math.max(1, size - 2 * few)),
      counts: poolOf(few),
      writes: poolOf(few),
    }
  }

  /** Rows of a statement. It is asked once more where its connection was lost before it answered. */
  async read(by: ConnectionClass, { text, binds }: Statement, run: Run = {}): Promise<Value[][]> {
    const work = (session: Session): Promise<Value[][]> => session.rows(text, binds)
    try {
      return await this.#use(by, work, run).catch((error: unknown) => {
        if (!isLost(failureOf(error)) || run.signal?.aborted) throw error
        return this.#use(by, work, run)
      })
    } catch (error) {
      throw this.#failed(error, run)
    }
  }

  /** Rows of a fragment, whose failure is told as it came. */
  look(fragment: Sql, timeoutMs: number): Promise<Value[][]> {
    const { text, binds } = render(fragment, notation)
    return this.#use('rows', (session) => session.rows(text, binds), { timeoutMs })
  }

  /** Rows of a fragment. */
  ask(by: ConnectionClass, fragment: Sql, run?: Run): Promise<Value[][]> {
    return this.read(by, render(fragment, notation), run)
  }

  /** Runs `work` in a session, once. Throws errors of the catalogue only, or the signal's reason. */
  async use<T>(
    by: ConnectionClass,
    work: (session: Session) => Promise<T>,
    run: Run = {},
  ): Promise<T> {
    try {
      return await this.#use(by, work, run)
    } catch (error) {
      throw this.#failed(error, run)
    }
  }

  #use<T>(by: ConnectionClass, work: (session: Session) => Promise<T>, run: Run): Promise<T> {
    const { signal, timeoutMs = this.#options.timeoutMs } = run
    const limited = async (session: Session): Promise<T> => {
      await session.limit(timeoutMs)
      return work(session)
    }
    return this.#pools[by].use(limited, { signal, timeoutMs, graceMs: GRACE_MS })
  }

  /** Ends a statement on the server. What had ended by itself leaves a kill that is still on its way. */
  async #cancel({ id }: Session, work: Promise<unknown>): Promise<boolean> {
    const run = { timeoutMs: this.#options.timeoutMs }
    await this.#control.use((control) => control.run(sql`kill query ${bind(id)}`), run)
    return work.then(
      () => false,
      (error: unknown) => isInterrupted(failureOf(error)),
    )
  }

  #failed(error: unknown, { signal, timeoutMs = this.#options.timeoutMs }: Run): unknown {
    if (signal?.aborted && error === signal.reason) return error
    return toAppError(error, this.where, timeoutMs)
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()))
    await this.#control.close()
  }
}
