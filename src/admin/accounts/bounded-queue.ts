/** Runs a few tasks at a time, lets a few wait, and refuses the rest at once. */

import { AppError } from '../../server/app-error.ts'

export type BoundedQueueOptions = {
  /** Tasks that may run at once. */
  readonly running: number
  /** Tasks that may wait for their turn. */
  readonly waiting: number
  /** What a refusal gives as `Retry-After`, seconds. */
  readonly retryAfter: number
}

export class BoundedQueue {
  readonly #options: BoundedQueueOptions
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: BoundedQueueOptions) {
    this.#options = options
  }

  /** Runs `task` when its turn comes. Throws `BUSY` where too many are waiting. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.#turn()
    try {
      return await task()
    } finally {
      this.#leave()
    }
  }

  async #turn(): Promise<void> {
    const { running, waiting, retryAfter } = this.#options
    if (this.#running < running) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= waiting) throw new AppError('BUSY', { retryAfter })
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Hands the slot straight to the next waiting task, so that a later one cannot overtake it. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }
}
