/** A few sessions that many askers share: what waits is bounded, and everything ends in time. */

import { AppError } from '../../server/app-error.ts'
import type { Run } from '../../table/source/row-source.ts'
import { closing, timedOut } from '../failure.ts'
import { overloaded } from './failure.ts'

/** What the pool needs to know of a session. */
export type Pooled = {
  readonly isLost: boolean
  hold(isBusy: boolean): void
  destroy(): void
}

export type PoolOptions<S extends Pooled> = {
  readonly open: () => Promise<S>
  /** Ends what runs in a session, from outside of it; the session itself is told by its server. */
  readonly kill: (session: S) => Promise<void>
  /** Whether a statement failed because it was killed, after which its session is as good as new. */
  readonly isKilled: (error: unknown) => boolean
  /** Whether work failed because its connection had gone. */
  readonly isLost: (error: unknown) => boolean
  /** Whether a session could not be opened because the server gives no more for now. */
  readonly isTaken: (error: unknown) => boolean
  /** Sessions at most; each is opened when it is first needed. */
  readonly size: number
  /** Askers that may wait; the next one is told to come back. */
  readonly queue: number
  /** Longest time of a call unless it says otherwise, ms. */
  readonly timeoutMs: number
}

type Waiting<S> = {
  readonly resolve: (session: S) => void
  readonly reject: (error: unknown) => void
}

/** A killed statement ends within this time, else its connection is left, ms. */
const KILL_MS = 2000
/** The server is not asked for more sessions than it gave for so long, ms. */
const TAKEN_MS = 5000
/** A session that nobody needed for so long is closed, ms. */
const IDLE_MS = 60_000

export class Pool<S extends Pooled> {
  readonly #options: PoolOptions<S>
  readonly #idle: { readonly session: S; readonly timer: NodeJS.Timeout }[] = []
  readonly #busy = new Set<S>()
  readonly #waiting: Waiting<S>[] = []
  #opening = 0
  #size: number
  #isClosed = false

  constructor(options: PoolOptions<S>) {
    this.#options = options
    this.#size = options.size
  }

  /**
   * Runs `work` in a session of its own. When the signal or the time ends it, it is ended on the
   * server as well. Throws `BUSY`, `QUERY_TIMEOUT`, the signal's reason, or what `work` throws.
   */
  async use<T>(work: (session: S) => Promise<T>, run: Run = {}): Promise<T> {
    const { signal, timeoutMs = this.#options.timeoutMs } = run
    signal?.throwIfAborted()
    const given = Promise.withResolvers<never>()
    given.promise.catch(() => undefined)
    const onAbort = (): void => given.reject(signal?.reason)
    const timer = setTimeout(() => given.reject(timedOut(timeoutMs)), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const session = await this.#acquire(given.promise)
      return await this.#work(session, work, given.promise)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Sessions that are open or being opened. */
  get count(): number {
    return this.#idle.length + this.#busy.size + this.#opening
  }

  /** Ends every session, whatever runs in it. */
  close(): void {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(closing())
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      session.destroy()
    }
    for (const session of this.#busy) session.destroy()
  }

  async #work<T>(session: S, work: (session: S) => Promise<T>, given: Promise<never>): Promise<T> {
    const working = work(session)
    let isSettled = false
    working.then(
      () => (isSettled = true),
      (error: unknown) => {
        isSettled = true
        if (this.#options.isLost(error)) this.#distrust(session)
      },
    )
    try {
      return await Promise.race([working, given])
    } finally {
      if (isSettled) this.#release(session)
      else void this.#end(session, working)
    }
  }

  /** Where one connection has gone, those that nobody looked at have most likely gone as well. */
  #distrust(lost: S): void {
    lost.destroy()
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      session.destroy()
    }
  }

  /** Its place stays taken until the server has really ended the statement. */
  async #end(session: S, working: Promise<unknown>): Promise<void> {
    const ended = working.then(
      () => false,
      (error: unknown) => this.#options.isKilled(error),
    )
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(() => late.resolve(false), KILL_MS)
    const isKilled = await Promise.race([
      this.#options.kill(session).then(
        () => ended,
        () => false,
      ),
      late.promise,
    ])
    clearTimeout(timer)
    // The kill may still be on its way and would hit the next statement.
    if (!isKilled) session.destroy()
    this.#release(session)
  }

  #acquire(given: Promise<never>): Promise<S> {
    if (this.#isClosed) throw closing()
    const session = this.#takeIdle()
    if (session) return Promise.resolve(session)
    // Those for whom a session is being opened are served already.
    const queued = this.#waiting.length - this.#opening
    if (this.count >= this.#size && queued >= this.#options.queue) throw overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<S>()
    const waiting = { resolve, reject }
    this.#waiting.push(waiting)
    given.catch((error: unknown) => {
      const place = this.#waiting.indexOf(waiting)
      if (place >= 0) this.#waiting.splice(place, 1)
      // Whoever waited in vain behind others should not look for a slow query of their own.
      reject(error instanceof AppError && this.#busy.size > 0 ? overloaded() : error)
    })
    this.#openOne()
    return promise
  }

  #takeIdle(): S | undefined {
    while (true) {
      const found = this.#idle.pop()
      if (!found) return undefined
      clearTimeout(found.timer)
      if (found.session.isLost) continue
      this.#busy.add(found.session)
      found.session.hold(true)
      return found.session
    }
  }

  #openOne(): void {
    if (this.#waiting.length <= this.#opening || this.count >= this.#size) return
    this.#opening++
    this.#options.open().then(
      (session) => {
        this.#opening--
        this.#busy.add(session)
        if (this.#isClosed) session.destroy()
        this.#release(session)
      },
      (error: unknown) => {
        this.#opening--
        if (this.#isShared(error)) return
        // Where no session is open at all, the others would fail for the same reason, only later.
        const failed = this.count === 0 ? this.#waiting.splice(0) : this.#waiting.splice(0, 1)
        for (const { reject } of failed) reject(error)
        this.#openOne()
      },
    )
  }

  /** Where the server gives no more sessions, those that there are go round. */
  #isShared(error: unknown): boolean {
    if (this.#busy.size === 0 || !this.#options.isTaken(error)) return false
    this.#size = this.count
    setTimeout(() => (this.#size = this.#options.size), TAKEN_MS).unref()
    return true
  }

  /** Gives the session to who has waited longest, else keeps it for a while. */
  #release(session: S): void {
    this.#busy.delete(session)
    if (session.isLost || this.#isClosed) {
      session.destroy()
      this.#openOne()
      return
    }
    const next = this.#waiting.shift()
    if (next) {
      this.#busy.add(session)
      next.resolve(session)
      return
    }
    session.hold(false)
    const timer = setTimeout(() => this.#drop(session), IDLE_MS).unref()
    this.#idle.push({ session, timer })
  }

  #drop(session: S): void {
    const place = this.#idle.findIndex((idle) => idle.session === session)
    if (place >= 0) this.#idle.splice(place, 1)
    session.destroy()
  }
}
