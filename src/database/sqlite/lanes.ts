/** Hands requests to a few lanes; what waits is bounded, and everything ends in time. */

import { AppError } from '../../server/app-error.ts'
import type { Run } from '../../table/source/row-source.ts'
import type { Lane, LaneEvents } from './lane.ts'

export type LanesOptions = {
  readonly open: (events: LaneEvents) => Lane
  /** Lanes at most; each is opened when it is first needed. */
  readonly size: number
  /** Requests that may wait; the next one is told to come back. */
  readonly queue: number
  readonly timeoutMs: number
  /** What is thrown when a lane goes down with a request. */
  readonly downError: () => AppError
  /** What is thrown once everything is being closed. */
  readonly closedError: () => AppError
  readonly timeoutError: (ms: number) => AppError
}

type Job = {
  readonly id: number
  readonly message: object
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

type Running = { lane: Lane; job: Job | undefined }

export class Lanes {
  readonly #options: LanesOptions
  readonly #lanes = new Set<Running>()
  readonly #waiting: Job[] = []
  #lastId = 0
  #isClosed = false

  constructor(options: LanesOptions) {
    this.#options = options
  }

  /** The answer to a message. Throws `BUSY`, `QUERY_TIMEOUT`, or the signal's reason. */
  ask(
    message: object,
    { signal, timeoutMs = this.#options.timeoutMs }: Run = {},
  ): Promise<unknown> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw this.#downError()
    if (this.#waiting.length >= this.#options.queue) throw new AppError('BUSY', { retryAfter: 1 })
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const job = { id: ++this.#lastId, message, resolve, reject }
    const give = (error: () => unknown) => () => this.#giveUp(job, error())
    const onAbort = give(() => signal?.reason)
    const timer = setTimeout(
      give(() => this.#options.timeoutError(timeoutMs)),
      timeoutMs,
    )
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.push(job)
    this.#pump()
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  /** Ends what runs, and every lane. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.closeLanes()
  }

  /** Ends every lane; new ones are opened when they are needed. */
  async closeLanes(): Promise<void> {
    const lanes = [...this.#lanes]
    this.#lanes.clear()
    for (const job of this.#waiting.splice(0)) job.reject(this.#downError())
    await Promise.all(lanes.map((running) => this.#closeLane(running)))
  }

  #downError(): AppError {
    return this.#isClosed ? this.#options.closedError() : this.#options.downError()
  }

  async #closeLane({ lane, job }: Running): Promise<void> {
    if (job) {
      job.reject(this.#downError())
      lane.end(job.id)
    }
    await lane.close()
  }

  #pump(): void {
    while (this.#waiting.length > 0) {
      const running = this.#idle() ?? this.#openLane()
      const job = running && this.#waiting.shift()
      if (!job) return
      running.job = job
      running.lane.hold(true)
      running.lane.post({ ...job.message, id: job.id })
    }
  }

  #idle(): Running | undefined {
    for (const running of this.#lanes) if (!running.job) return running
    return undefined
  }

  #openLane(): Running | undefined {
    if (this.#lanes.size >= this.#options.size) return undefined
    const lane = this.#options.open({
      onAnswer: (answer) => this.#settle(running, answer),
      onDown: () => this.#drop(running),
    })
    const running: Running = { lane, job: undefined }
    this.#lanes.add(running)
    return running
  }

  #settle(running: Running, answer: unknown): void {
    running.job?.resolve(answer)
    running.job = undefined
    running.lane.hold(false)
    this.#pump()
  }

  #drop(running: Running): void {
    this.#lanes.delete(running)
    running.job?.reject(this.#options.downError())
    running.job = undefined
    this.#pump()
  }

  /** Its lane stays taken until the scan has really ended. */
  #giveUp(job: Job, error: unknown): void {
    job.reject(error)
    const place = this.#waiting.indexOf(job)
    if (place >= 0) this.#waiting.splice(place, 1)
    for (const { lane, job: current } of this.#lanes) if (current === job) lane.end(job.id)
  }
}
