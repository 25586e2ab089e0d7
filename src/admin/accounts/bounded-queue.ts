/** Runs a few tasks at a time, lets some wait in turns, and refuses the rest at once. */

import { AppError } from '../../server/app-error.ts'
import { FairQueue } from '../../server/fair-queue.ts'

export type BoundedQueueOptions = {
  /** Tasks that may run at once. */
  readonly running: number
  /** Tasks that may wait, separately for those who are known and those who are not. */
  readonly waiting: number
  /** Tasks that one of them may have waiting. */
  readonly waitingEach: number
  /** What a refusal gives as `Retry-After`, seconds. */
  readonly retryAfter: number
}

/** Whom a task is for. */
export type Asker = {
  /** What they take turns by. */
  readonly key: string
  /** Whether they have proved who they are before: strangers get every second turn at most. */
  readonly isKnown: boolean
}

export class BoundedQueue {
  readonly #options: BoundedQueueOptions
  readonly #known = new FairQueue<() => void>()
  readonly #strangers = new FairQueue<() => void>()
  #running = 0
  #wasKnown = false

  constructor(options: BoundedQueueOptions) {
    this.#options = options
  }

  /** Runs `task` when its turn comes. Throws `BUSY` where too many are waiting. */
  async run<T>(task: () => Promise<T>, asker: Asker): Promise<T> {
    await this.#turn(asker)
    try {
      return await task()
    } finally {
      this.#leave()
    }
  }

  async #turn({ key, isKnown }: Asker): Promise<void> {
    const { running, waiting, waitingEach, retryAfter } = this.#options
    if (this.#running < running) {
      this.#running += 1
      return
    }
    const queue = isKnown ? this.#known : this.#strangers
    if (queue.size >= waiting || queue.countOf(key) >= waitingEach)
      throw new AppError('BUSY', { retryAfter })
    await new Promise<void>((resolve) => queue.add(key, resolve))
  }

  /** Hands the slot straight to the next waiting task, so that a later one cannot overtake it. */
  #leave(): void {
    const isKnownFirst = !this.#wasKnown || this.#strangers.size === 0
    const queue = isKnownFirst && this.#known.size > 0 ? this.#known : this.#strangers
    this.#wasKnown = queue === this.#known
    const next = queue.next()
    if (next) next()
    else this.#running -= 1
  }
}
