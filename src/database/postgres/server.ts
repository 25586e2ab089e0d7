/** A database server: connections for each kind of work, ended when nobody waits, renewed when lost. */

import type { AppError } from '../../server/app-error.ts'
import type { Run } from '../../table/source/row-source.ts'
import { timedOut } from '../failure.ts'
import type { Statement } from '../query/sql.ts'
import { Pool } from '../source/pool.ts'
import type { Address } from './address.ts'
import type { Connector } from './connector.ts'
import type { Result } from './driver.ts'
import { isCancelled, isLost, toAppError } from './failure.ts'
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
export type ConnectionClass = 'rows' | 'search' | 'counts' | 'control'

/** How many connections each has; rows have what is left. */
const SIZES = { search: 2, counts: 2, control: 1 } as const
/** The server ends a statement by itself, and a connection notices when the server is gone; then it is cancelled, ms. */
const GRACE_MS = 2500

export class Server {
  readonly address: Address
  readonly #options: ServerOptions
  readonly #pools: Readonly<Record<ConnectionClass, Pool<Session>>>

  constructor(options: ServerOptions) {
    this.address = options.address
    this.#options = options
    const rows = options.size - SIZES.search - SIZES.counts - SIZES.control
    this.#pools = {
      rows: this.#poolOf(Math.max(1, rows)),
      search: this.#poolOf(SIZES.search, false),
      counts: this.#poolOf(SIZES.counts),
      control: this.#poolOf(SIZES.control),
    }
  }

  /**
   * The rows of a statement that changes nothing; asked once more where the connection was lost.
   * Throws what the driver throws, errors of the catalogue, or the signal's reason.
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
      this.distrust()
      return this.#readOnce(by, statement, run)
    }
  }

  /** A connection for statements that belong together; nobody ends them before their time. */
  use<T>(by: ConnectionClass, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#pools[by].use(work, { timeoutMs: this.#options.timeoutMs, isWhole: true })
  }

  /** What was thrown, as an error of the catalogue. */
  told(error: unknown): AppError {
    return toAppError(error, this.address)
  }

  /** The connections that nobody uses are not used again. */
  distrust(): void {
    for (const pool of Object.values(this.#pools)) pool.distrust()
  }

  /** Ends what is being read; what is being written ends by itself first. */
  async close(): Promise<void> {
    const { control, ...others } = this.#pools
    await Promise.all(Object.values(others).map((pool) => pool.close()))
    await control.close()
  }

  #poolOf(size: number, walksIndexes = true): Pool<Session> {
    const { connector, queue, timeoutMs } = this.#options
    return new Pool({
      size,
      queue,
      connect: async () => Session.start(await connector.connect(), { timeoutMs, walksIndexes }),
      close: (session) => session.close(),
      isUsable: ({ isFit }) => isFit,
      cancel: (session, work) => this.#cancel(session, work),
    })
  }

  #readOnce(by: ConnectionClass, statement: Statement, run: Run & RunOptions): Promise<Result> {
    const { now, timeoutMs: usualMs } = this.#options
    const { signal, timeoutMs = usualMs } = run
    const read = async (session: Session): Promise<Result> => {
      const started = now()
      try {
        return await session.run(statement, run)
      } catch (error) {
        const isTimeout = isCancelled(error) && now() - started >= timeoutMs * 0.9
        throw isTimeout ? timedOut(timeoutMs, error) : error
      }
    }
    return this.#pools[by].use(read, { signal, timeoutMs, graceMs: GRACE_MS })
  }

  /** Ends a connection's statement on the server. */
  async #cancel({ pid }: Session, work: Promise<unknown>): Promise<boolean> {
    await this.use('control', (control) =>
      control.run({ text: 'select pg_cancel_backend($1)', binds: [pid] }),
    )
    await work.catch(() => undefined)
    return true
  }
}
