/** A MySQL or MariaDB server as the rest sees it: statements go in, rows or plain errors come out. */

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
import { Pool } from './pool.ts'
import { Session, type SessionOptions } from './session.ts'

export type ServerOptions = SessionOptions & {
  /** Sessions at most, besides one that ends the others' queries. */
  readonly size: number
  /** Askers that may wait for a session. */
  readonly queue: number
}

/** Who shares sessions with whom: no page waits for a count, nor for a write. */
export type Lane = 'rows' | 'counts' | 'writes'

/** The server ends a statement by itself; this long after, it is told to, ms. */
const GRACE_MS = 250

export class Server {
  readonly where: Where
  readonly #options: ServerOptions
  readonly #lanes: Readonly<Record<Lane, Pool<Session>>>
  readonly #control: Pool<Session>

  constructor(address: Address, options: ServerOptions) {
    const { host, port, socket, user, database } = address
    this.where = { server: socket ?? `${host}:${port}`, user, database }
    this.#options = options
    const { queue, timeoutMs } = options
    const open = (): Promise<Session> => Session.open(address, options)
    const isKilled = (error: unknown): boolean => isInterrupted(failureOf(error))
    const isLostError = (error: unknown): boolean => isLost(failureOf(error))
    const isTaken = (error: unknown): boolean => hasNoConnection(failureOf(error))
    const guarded = timeoutMs + GRACE_MS
    this.#control = new Pool({
      open: () => Session.open(address, { ...options, readOnly: false }),
      // Nobody ends the one who ends others; it is left.
      kill: async (session) => session.destroy(),
      isKilled,
      isLost: isLostError,
      isTaken,
      size: 1,
      queue: options.size,
      timeoutMs: guarded,
    })
    const kill = ({ id }: Session): Promise<void> =>
      this.#control.use(async (session) => void (await session.run(sql`kill query ${bind(id)}`)))
    const few = Math.max(1, Math.floor(options.size / 5))
    const pool = (size: number): Pool<Session> =>
      new Pool({
        open,
        kill,
        isKilled,
        isLost: isLostError,
        isTaken,
        size,
        queue,
        timeoutMs: guarded,
      })
    this.#lanes = {
      rows: pool(Math.max(1, options.size - 2 * few)),
      counts: pool(few),
      writes: pool(few),
    }
  }

  /** Rows of a statement. It is asked once more where its connection was lost before it answered. */
  async read(lane: Lane, { text, binds }: Statement, run: Run = {}): Promise<Value[][]> {
    const work = (session: Session): Promise<Value[][]> => session.rows(text, binds)
    try {
      return await this.#use(lane, work, run).catch((error: unknown) => {
        if (!isLost(failureOf(error)) || run.signal?.aborted) throw error
        return this.#use(lane, work, run)
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
  ask(lane: Lane, fragment: Sql, run?: Run): Promise<Value[][]> {
    return this.read(lane, render(fragment, notation), run)
  }

  /** Runs `work` in a session, once. Throws errors of the catalogue only, or the signal's reason. */
  async use<T>(lane: Lane, work: (session: Session) => Promise<T>, run: Run = {}): Promise<T> {
    try {
      return await this.#use(lane, work, run)
    } catch (error) {
      throw this.#failed(error, run)
    }
  }

  #use<T>(lane: Lane, work: (session: Session) => Promise<T>, run: Run): Promise<T> {
    const timeoutMs = run.timeoutMs ?? this.#options.timeoutMs
    return this.#lanes[lane].use(
      async (session) => {
        await session.limit(timeoutMs)
        return work(session)
      },
      { ...run, timeoutMs: timeoutMs + GRACE_MS },
    )
  }

  #failed(error: unknown, { signal, timeoutMs = this.#options.timeoutMs }: Run): unknown {
    if (signal?.aborted && error === signal.reason) return error
    return toAppError(error, this.where, timeoutMs)
  }

  async close(): Promise<void> {
    for (const pool of [...Object.values(this.#lanes), this.#control]) pool.close()
  }
}
