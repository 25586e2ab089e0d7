/** Hands units to the writer thread; those that come while it is busy share the next commit. */

import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import { closing } from '../failure.ts'
import type { WorkerPool } from './worker-pool.ts'
import { writeAnswerSchema, type Unit, type UnitResult } from './write-messages.ts'

/** Units in one commit at most. */
const GROUP = 64

type Waiting = {
  readonly unit: Unit
  readonly resolve: (result: UnitResult) => void
  readonly reject: (error: unknown) => void
}

export class Writer {
  readonly #thread: WorkerPool
  readonly #queue: number
  readonly #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  /** `thread` is a pool of one; `queue` bounds the units that may wait. */
  constructor(thread: WorkerPool, queue: number) {
    this.#thread = thread
    this.#queue = queue
  }

  /** What became of a unit, once that is on disk. Throws `BUSY` and `OUTCOME_UNKNOWN`. */
  write(unit: Unit): Promise<UnitResult> {
    if (this.#isClosed) throw closing()
    if (this.#waiting.length >= this.#queue) throw new AppError('BUSY', { retryAfter: 1 })
    const { promise, resolve, reject } = Promise.withResolvers<UnitResult>()
    this.#waiting.push({ unit, resolve, reject })
    this.#running ??= this.#run()
    return promise
  }

  /** Lets what waits be written, then ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
    await this.#thread.close()
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#runGroup(this.#waiting.splice(0, GROUP))
    this.#running = undefined
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const units = group.map(({ unit }) => unit)
      const answer = v.parse(writeAnswerSchema, await this.#thread.ask({ units }))
      group.forEach(({ resolve }, i) => resolve(answer.units[i]!))
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}
