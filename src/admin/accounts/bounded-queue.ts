/** Runs few tasks at a time, lets few wait, and turns the others away early. */

import { AppError } from '../../server/app-error.ts'

export type BoundedQueueOptions = {
  /** Tasks under way at once. */
  readonly running: number
  /** Tasks that may wait for their turn. */
  readonly waiting: number
  /** Told to those who are turned away, seconds. */
  readonly retryAfter: number
}

export class BoundedQueue {
  readonly #options: BoundedQueueOptions
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: BoundedQueueOptions) {
    this.#options = options
  }

  /** Runs `task` when its turn comes. Throws `BUSY` where too many wait already. */
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

  /** The place goes straight to the next in line, so that nobody who comes later slips in. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }
}
