/** A database server: sessions for each kind of work, ended when nobody waits, renewed when lost. */

import { setTimeout as after } from 'node:timers/promises'
import type { AppError } from '../../server/app-error.ts'
import type { Run } from '../../table/source/row-source.ts'
import type { Statement } from '../query/sql.ts'
import type { Address } from './address.ts'
import type { Connector } from './connector.ts'
import type { Result } from './driver.ts'
import { closing, timedOut } from '../failure.ts'
import { isCancelled, isLost, toAppError } from './failure.ts'
import { Pool } from './pool.ts'
import { Session, type RunOptions } from './session.ts'

export type ServerOptions = {
  readonly address: Address
  readonly connector: Connector
  /** Connections at most, of all kinds together; at least 5. */
  readonly size: number
  /** Questions of each kind that may wait. */
  readonly queue: number
  /** Longest time of a statement, ms. */
  readonly timeoutMs: number
  readonly now: () => number
}

/**
 * Rows are for pages and writes; searches may not walk along an index; counts never take a page's
 * place; control is for ending the others.
 */
export type Lane = 'rows' | 'search' | 'counts' | 'control'

type Reading = RunOptions & { readonly signal: AbortSignal }

/** How many sessions each has; rows have what is left. */
const SIZES = { search: 2, counts: 2, control: 1 } as const
/** How long a query that was told to end may take to, ms. */
const END_MS = 2000

export class Server {
  readonly address: Address
  readonly #options: ServerOptions
  readonly #pools: Readonly<Record<Lane, Pool<Session>>>
  readonly #closing = new AbortController()

  constructor(options: ServerOptions) {
    this.address = options.address
    this.#options = options
    const { size, queue } = options
    const rows = Math.max(1, size - SIZES.search - SIZES.counts - SIZES.control)
    const pool = (size: number, walksIndexes = true): Pool<Session> =>
      new Pool({ size, queue, open: () => this.#open(walksIndexes) })
    this.#pools = {
      rows: pool(rows),
      search: pool(SIZES.search, false),
      counts: pool(SIZES.counts),
      control: pool(SIZES.control),
    }
  }

  /**
   * The rows of a statement that changes nothing; asked once more where the connection was lost.
   * Throws what the driver throws, errors of the catalogue, or the signal's reason.
   */
  async read(lane: Lane, statement: Statement, run: Run & RunOptions = {}): Promise<Result> {
    const { signal: closed } = this.#closing
    const signal = run.signal ? AbortSignal.any([run.signal, closed]) : closed
    signal.throwIfAborted()
    try {
      return await this.#readOnce(lane, statement, { ...run, signal })
    } catch (error) {
      if (!isLost(error) || signal.aborted) throw error
      this.distrust()
      return this.#readOnce(lane, statement, { ...run, signal })
    }
  }

  /** A session for statements that belong together; nobody ends them before their time. */
  async use<T>(lane: Lane, work: (session: Session) => Promise<T>): Promise<T> {
    const pool = this.#pools[lane]
    const session = await pool.take(this.#options.timeoutMs)
    try {
      return await work(session)
    } finally {
      pool.giveBack(session)
    }
  }

  /** What was thrown, as an error of the catalogue. */
  told(error: unknown): AppError {
    return toAppError(error, this.address)
  }

  /** The sessions that nobody uses are not used again. */
  distrust(): void {
    for (const pool of Object.values(this.#pools)) pool.distrust()
  }

  /** Ends what is being read; what is being written ends by itself first. */
  async close(): Promise<void> {
    this.#closing.abort(closing())
    const { control, ...others } = this.#pools
    await Promise.all(Object.values(others).map((pool) => pool.close()))
    await control.close()
  }

  async #open(walksIndexes: boolean): Promise<Session> {
    const { connector, timeoutMs } = this.#options
    return Session.start(await connector.connect(), { timeoutMs, walksIndexes })
  }

  async #readOnce(lane: Lane, statement: Statement, run: Reading): Promise<Result> {
    const { signal } = run
    const reading = this.#ask(lane, statement, run)
    const aborted = Promise.withResolvers<never>()
    const onAbort = (): void => aborted.reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([reading, aborted.promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #ask(lane: Lane, statement: Statement, run: Reading): Promise<Result> {
    const { signal, timeoutMs = this.#options.timeoutMs } = run
    const pool = this.#pools[lane]
    const session = await pool.take(timeoutMs, signal)
    const started = this.#options.now()
    let ending: Promise<void> | undefined
    let running: Promise<Result> | undefined
    const onAbort = (): void => void (ending = running && this.#end(session, running))
    try {
      signal.throwIfAborted()
      running = session.run(statement, run)
      signal.addEventListener('abort', onAbort, { once: true })
      return await running
    } catch (error) {
      const isTimeout = isCancelled(error) && this.#options.now() - started >= timeoutMs * 0.9
      throw isTimeout ? timedOut(timeoutMs, error) : error
    } finally {
      signal.removeEventListener('abort', onAbort)
      // Given back only when no late cancellation can meet somebody else's statement.
      await ending
      pool.giveBack(session)
    }
  }

  /** Ends a session's statement on the server; where that fails, the session. */
  async #end(session: Session, running: Promise<unknown>): Promise<void> {
    const isEnded = await Promise.race([
      this.#cancel(session, running).catch(() => false),
      after(END_MS, false, { ref: false }),
    ])
    if (!isEnded) await session.close()
  }

  async #cancel({ pid }: Session, running: Promise<unknown>): Promise<boolean> {
    await this.use('control', (control) =>
      control.run({ text: 'select pg_cancel_backend($1)', binds: [pid] }),
    )
    await running.catch(() => undefined)
    return true
  }
}
