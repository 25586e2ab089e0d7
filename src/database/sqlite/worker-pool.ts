/** Hands requests to a few workers. */

import type { Run } from '../../table/source/row-source.ts'
import { timedOut } from '../failure.ts'
import { Pool } from '../source/pool.ts'
import type { Down, Worker } from './worker.ts'

export type WorkerPoolOptions = {
  readonly open: (down: Down) => Worker
  /** Workers at most; each is opened when it is first needed. */
  readonly size: number
  /** Requests that may wait; the next one is told to come back. */
  readonly queue: number
  readonly timeoutMs: number
  /** What is thrown when a worker goes down with a request. */
  readonly down: Down
  /** What is thrown once everything is being closed, and when the time is over, if not the usual. */
  readonly closed?: () => Error
  readonly timedOut?: (ms: number) => Error
}

export class WorkerPool {
  readonly #pool: Pool<Worker>
  readonly #timeoutMs: number
  readonly #down: Down

  constructor({ open, timeoutMs, down, ...options }: WorkerPoolOptions) {
    this.#timeoutMs = timeoutMs
    this.#down = down
    this.#pool = new Pool({
      ...options,
      connect: async () => open(down),
      close: (worker) => worker.close(),
      isUsable: (worker) => worker.isUsable(),
      hold: (worker, isBusy) => worker.hold(isBusy),
      async cancel(worker, work) {
        worker.end()
        await work.catch(() => undefined)
        return worker.isUsable()
      },
      // A search may wait for a worker that walks for the same search.
      waited: options.timedOut ?? timedOut,
      // Nothing can end a scan before it asks its guard, and its place is taken until then.
      cancelMs: Infinity,
      idleMs: Infinity,
    })
  }

  /** The answer to a message. Throws `BUSY`, `QUERY_TIMEOUT`, or the signal's reason. */
  ask(message: object, { signal, timeoutMs = this.#timeoutMs }: Run = {}): Promise<unknown> {
    return this.#pool.use((worker) => worker.ask(message), { signal, timeoutMs })
  }

  /** Ends what runs, and every worker. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  /** Ends what runs, and every worker; new ones are opened when they are needed. */
  reset(): void {
    this.#pool.reset(this.#down)
  }
}
