/** Sessions for whoever asks first: no more than so many, and those that wait are bounded too. */

import { AppError } from '../../server/app-error.ts'
import { closing } from '../failure.ts'

/** What is kept. */
export type Poolable = {
  /** Whether it can be used once more. */
  readonly isFit: boolean
  close(): Promise<void>
}

export type PoolOptions<Session extends Poolable> = {
  readonly open: () => Promise<Session>
  /** Sessions at most; each is opened when it is first needed. */
  readonly size: number
  /** Requests that may wait; the next one is told to come back. */
  readonly queue: number
}

type Waiting<Session> = {
  readonly resolve: (session: Session) => void
  readonly reject: (error: unknown) => void
}

/** Sessions that nobody has asked for in this time are closed, ms. */
const IDLE_MS = 60_000

export class Pool<Session extends Poolable> {
  readonly #options: PoolOptions<Session>
  readonly #idle = new Map<Session, NodeJS.Timeout>()
  readonly #waiting = new Set<Waiting<Session>>()
  /** Sessions that are not to be used again once they are given back. */
  readonly #distrusted = new WeakSet<Session>()
  readonly #taken = new Set<Session>()
  /** Sessions there are, those being opened among them. */
  #count = 0
  readonly #closed = Promise.withResolvers<void>()
  #isClosed = false

  constructor(options: PoolOptions<Session>) {
    this.#options = options
  }

  /**
   * A session of one's own until it is given back. Throws `BUSY`, also after `waitMs` of waiting,
   * the signal's reason, or what opening one throws.
   */
  async take(waitMs: number, signal?: AbortSignal): Promise<Session> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw closing()
    const session =
      this.#takeIdle() ??
      (await (this.#count < this.#options.size ? this.#open() : this.#wait(waitMs, signal)))
    this.#taken.add(session)
    return session
  }

  /** Takes a session back, which whoever waits is given next. */
  giveBack(session: Session): void {
    this.#taken.delete(session)
    const isFit = session.isFit && !this.#distrusted.has(session)
    if (!isFit || this.#isClosed) return this.#drop(session)
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      return next.resolve(session)
    }
    const timer = setTimeout(() => this.#drop(session), IDLE_MS)
    this.#idle.set(session, timer.unref())
  }

  /** All sessions are closed, those in use once they are given back: the server may have left them. */
  distrust(): void {
    for (const session of this.#taken) this.#distrusted.add(session)
    for (const session of this.#idle.keys()) this.#drop(session)
  }

  /** Turns away whoever waits, and ends once every session has been given back. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting) reject(closing())
    this.#waiting.clear()
    this.distrust()
    if (this.#count > 0) await this.#closed.promise
  }

  /** The one used last: the others may be closed the sooner. */
  #takeIdle(): Session | undefined {
    for (const session of [...this.#idle.keys()].toReversed()) {
      clearTimeout(this.#idle.get(session))
      this.#idle.delete(session)
      if (session.isFit) return session
      this.#drop(session)
    }
    return undefined
  }

  async #open(): Promise<Session> {
    this.#count++
    try {
      return await this.#options.open()
    } catch (error) {
      this.#uncount()
      throw error
    }
  }

  #wait(waitMs: number, signal?: AbortSignal): Promise<Session> {
    if (this.#waiting.size >= this.#options.queue) throw new AppError('BUSY', { retryAfter: 1 })
    const { promise, resolve, reject } = Promise.withResolvers<Session>()
    const waiting = { resolve, reject }
    const giveUp = (error: unknown): void => {
      if (this.#waiting.delete(waiting)) reject(error)
    }
    const onAbort = (): void => giveUp(signal?.reason)
    const onTimeout = (): void => giveUp(new AppError('BUSY', { retryAfter: 1 }))
    const timer = setTimeout(onTimeout, waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.add(waiting)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  #drop(session: Session): void {
    clearTimeout(this.#idle.get(session))
    this.#idle.delete(session)
    void session.close().then(() => this.#uncount())
  }

  /** There is room for one more: whoever waits has it opened. */
  #uncount(): void {
    this.#count--
    if (this.#isClosed && this.#count === 0) this.#closed.resolve()
    const [next] = this.#waiting
    if (!next || this.#isClosed) return
    this.#waiting.delete(next)
    this.#open().then(next.resolve, next.reject)
  }
}
