/** A pool of workers. */

import type { Run } from '../../table/source/row-source.ts'
import { timedOut } from '../failure.ts'
import { Pool } from '../source/pool.ts'
import type { Down, Worker } from './worker.ts'

export type WorkerPoolOptions = {
  readonly open: (down: Down) => Worker
  /** Most workers; each starts when first needed. */
  readonly size: number
  /** Most requests of one person that may wait; a further one fails with `BUSY`. */
  readonly queue: number
  readonly timeoutMs: number
  /** Whether requests change nothing, so that one can be cancelled and asked again. Default: false. */
  readonly isRepeatable?: boolean
  /** The error to throw when a worker ends before it has answered. */
  readonly down: Down
  /** The errors to throw after closing, and after a timeout. Default: those of `Pool`. */
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
        worker.cancel()
        await work.catch(() => undefined)
        return worker.isUsable()
      },
      // A search's scan may be waiting for the worker that runs the same search's walk.
      waitTimedOut: options.timedOut ?? timedOut,
      // A scan ends only when it calls its guard, and occupies its worker until then.
      cancelMs: Infinity,
      idleMs: Infinity,
    })
  }

  /** Resolves with the answer to a message. Throws `BUSY`, `QUERY_TIMEOUT`, or the signal's reason. */
  ask(
    message: object,
    { person, signal, timeoutMs = this.#timeoutMs }: Run = {},
  ): Promise<unknown> {
    return this.#pool.use((worker) => worker.ask(message), { person, signal, timeoutMs })
  }

  /** Cancels running requests and ends all workers. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  /** Cancels running requests and ends all workers; new ones start when needed. */
  reset(): void {
    this.#pool.reset(this.#down)
  }
}
