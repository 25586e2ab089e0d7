/** A few connections that many askers share: what waits is bounded, and everything ends in time. */

import { AppError } from '../../server/app-error.ts'
import { closing, timedOut } from '../failure.ts'

/** How connections of one kind are made, ended and left. */
export type PoolOptions<Connection> = {
  connect(): Promise<Connection>
  /** Leaves a connection, whatever runs on it. */
  close(connection: Connection): Promise<void> | void
  isUsable(connection: Connection): boolean
  /**
   * Ends `work` on its connection, from outside of it, and resolves once it has ended: whether the
   * connection may be used again.
   */
  cancel(connection: Connection, work: Promise<unknown>): Promise<boolean>
  /** Whether the connection keeps the process running. */
  hold?(connection: Connection, isBusy: boolean): void
  /** Whether work failed because its connection had gone. */
  isLost?(error: unknown): boolean
  /** Whether no connection could be made because the server gives no more for now. */
  isRefused?(error: unknown): boolean
  /** Connections at most; each is made when it is first needed. */
  readonly size: number
  /** Askers that may wait; the next one is told to come back. */
  readonly queue: number
  /** How long work that was cancelled may take to end, ms; then its connection is left. Default 2000. */
  readonly cancelMs?: number
  /** How long a connection that nobody needs is kept, ms. Default 60,000. */
  readonly idleMs?: number
  /** What is thrown where the time is over, of the work or of waiting for a connection. */
  readonly timedOut?: (ms: number) => Error
  readonly waited?: (ms: number) => Error
  /** What is thrown where the pool is being closed. */
  readonly closed?: () => Error
}

export type Use = {
  /** Ends the work; its reason is thrown. */
  readonly signal?: AbortSignal | undefined
  /** Longest time of waiting for a connection, and of the work itself, ms. */
  readonly timeoutMs: number
  /** How much longer the work may take before it is cancelled from here, ms. Default 0. */
  readonly graceMs?: number
  /** Once begun, the work is left alone until it ends by itself. */
  readonly isWhole?: boolean
}

type Waiting<Connection> = {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

type Idle<Connection> = { readonly connection: Connection; readonly timer?: NodeJS.Timeout }

const CANCEL_MS = 2000
const IDLE_MS = 60_000
/** The server is not asked for more connections than it gave for so long, ms. */
const REFUSED_MS = 5000

export class Pool<Connection extends object> {
  readonly #options: PoolOptions<Connection>
  readonly #idle: Idle<Connection>[] = []
  readonly #busy = new Set<Connection>()
  readonly #waiting = new Set<Waiting<Connection>>()
  /** Gives up the work that is under way and may be given up. */
  readonly #givingUp = new Set<(error: unknown) => void>()
  /** Connections in use that are not to be used again. */
  readonly #distrusted = new WeakSet<Connection>()
  readonly #emptied = Promise.withResolvers<void>()
  #opening = 0
  /** Raised by distrust: a connection that was begun before it is not used either. */
  #epoch = 0
  #leaving = 0
  #size: number
  #isClosed = false

  constructor(options: PoolOptions<Connection>) {
    this.#options = options
    this.#size = options.size
  }

  /** Connections there are, those being made or left among them. */
  get count(): number {
    return this.#idle.length + this.#busy.size + this.#opening + this.#leaving
  }

  /**
   * Does `work` on a connection of its own. Throws `BUSY`, also after `timeoutMs` of waiting,
   * `QUERY_TIMEOUT`, the signal's reason, or what `work` or making a connection throws.
   */
  async use<T>(work: (connection: Connection) => Promise<T>, use: Use): Promise<T> {
    this.#mayBegin(use)
    const connection = this.#takeIdle() ?? (await this.#waitTrusted(use))
    return use.isWhole
      ? await this.#doWhole(connection, work)
      : await this.#do(connection, work, use)
  }

  /** Connections are not used again, those in use once they are free: the server may have left them. */
  distrust(): void {
    this.#epoch++
    for (const connection of this.#busy) this.#distrusted.add(connection)
    for (const { connection, timer } of this.#idle.splice(0)) this.#leave(connection, timer)
  }

  /** Gives up all work with this error; new connections are made when they are needed. */
  reset(error: () => Error): void {
    for (const { reject } of this.#waiting) reject(error())
    this.#waiting.clear()
    for (const giveUp of this.#givingUp) giveUp(error())
    this.distrust()
  }

  /** Gives up all work, but for what is to be left alone, and ends once all connections are closed. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.reset(() => this.#closedError())
    if (this.count > 0) await this.#emptied.promise
  }

  #mayBegin({ signal }: Use): void {
    signal?.throwIfAborted()
    if (this.#isClosed) throw this.#closedError()
  }

  /** Much may have happened between the moment that a connection is given and that it is taken. */
  async #waitTrusted(use: Use): Promise<Connection> {
    const connection = await this.#wait(use)
    const isTrusted = !this.#distrusted.has(connection)
    if (isTrusted && !this.#isClosed && !use.signal?.aborted) return connection
    this.#release(connection)
    this.#mayBegin(use)
    return this.#takeIdle() ?? this.#waitTrusted(use)
  }

  #closedError(): Error {
    return (this.#options.closed ?? closing)()
  }

  async #doWhole<T>(connection: Connection, work: (one: Connection) => Promise<T>): Promise<T> {
    try {
      return await work(connection)
    } catch (error) {
      this.#noteLoss(error)
      throw error
    } finally {
      this.#release(connection)
    }
  }

  async #do<T>(
    connection: Connection,
    work: (one: Connection) => Promise<T>,
    { signal, timeoutMs, graceMs = 0 }: Use,
  ): Promise<T> {
    const given = Promise.withResolvers<never>()
    const giveUp = given.reject
    const onAbort = (): void => giveUp(signal?.reason)
    const late = (): void => giveUp((this.#options.timedOut ?? timedOut)(timeoutMs))
    const timer = setTimeout(late, timeoutMs + graceMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#givingUp.add(giveUp)
    const working = work(connection)
    let isOver = false
    working.then(
      () => (isOver = true),
      (error: unknown) => {
        isOver = true
        this.#noteLoss(error)
      },
    )
    try {
      return await Promise.race([working, given.promise])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      this.#givingUp.delete(giveUp)
      if (isOver) this.#release(connection)
      else void this.#cancel(connection, working)
    }
  }

  /** Where one connection has gone, those that nobody looked at have most likely gone as well. */
  #noteLoss(error: unknown): void {
    if (this.#options.isLost?.(error)) this.distrust()
  }

  /** Its place stays taken until the work has really ended: a late cancellation meets nobody else's. */
  async #cancel(connection: Connection, working: Promise<unknown>): Promise<void> {
    const { cancel, cancelMs = CANCEL_MS } = this.#options
    const late = Promise.withResolvers<false>()
    const timer = Number.isFinite(cancelMs) && setTimeout(() => late.resolve(false), cancelMs)
    const isOver = cancel(connection, working).catch(() => false)
    if (!(await Promise.race([isOver, late.promise]))) this.#distrusted.add(connection)
    if (timer) clearTimeout(timer)
    this.#release(connection)
  }

  /** The one used last: the others may be closed the sooner. */
  #takeIdle(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      const { connection, timer } = idle
      if (this.#options.isUsable(connection)) {
        clearTimeout(timer)
        return this.#take(connection)
      }
      this.#leave(connection, timer)
    }
    return undefined
  }

  #take(connection: Connection): Connection {
    this.#busy.add(connection)
    this.#options.hold?.(connection, true)
    return connection
  }

  async #wait({ signal, timeoutMs }: Use): Promise<Connection> {
    // Those for whom a connection is being made are served already.
    const queued = this.#waiting.size - this.#opening
    if (this.count >= this.#size && queued >= this.#options.queue) throw overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const waiting = { resolve, reject }
    const giveUp = (error: unknown): void => {
      if (this.#waiting.delete(waiting)) reject(error)
    }
    const onAbort = (): void => giveUp(signal?.reason)
    const late = (): Error => this.#options.waited?.(timeoutMs) ?? overloaded()
    // Making a connection has a limit of its own.
    const timer = setInterval(() => this.#busy.size > 0 && giveUp(late()), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.add(waiting)
    this.#connectOne()
    try {
      return await promise
    } finally {
      clearInterval(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  #connectOne(): void {
    if (this.#waiting.size <= this.#opening || this.count >= this.#size) return
    this.#opening++
    const askers = [...this.#waiting]
    const epoch = this.#epoch
    this.#options.connect().then(
      (connection) => {
        this.#opening--
        if (epoch === this.#epoch) this.#release(this.#take(connection))
        else this.#leave(connection)
      },
      (error: unknown) => {
        this.#opening--
        this.#failToConnect(error, askers)
      },
    )
  }

  /** Told to those who were waiting when it began: whoever came later is tried for anew. */
  #failToConnect(error: unknown, askers: readonly Waiting<Connection>[]): void {
    if (this.#isClosed) this.#settle()
    else if (this.#busy.size > 0 && this.#options.isRefused?.(error)) {
      // Where the server gives no more connections, those that there are go round.
      this.#size = this.count
      setTimeout(() => (this.#size = this.#options.size), REFUSED_MS).unref()
    } else {
      // Where there is no connection at all, the others would fail for the same reason, only later.
      const present = askers.filter((one) => this.#waiting.has(one))
      const failed = this.count === 0 ? present : present.slice(0, 1)
      for (const waiting of failed) this.#waiting.delete(waiting)
      for (const { reject } of failed) reject(error)
      this.#connectOne()
    }
  }

  /** Gives the connection to who has waited longest, else keeps it for a while. */
  #release(connection: Connection): void {
    this.#busy.delete(connection)
    const isTrusted = !this.#isClosed && !this.#distrusted.has(connection)
    if (!isTrusted || !this.#options.isUsable(connection)) return this.#leave(connection)
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      this.#busy.add(connection)
      return next.resolve(connection)
    }
    this.#options.hold?.(connection, false)
    this.#keep(connection)
  }

  #keep(connection: Connection): void {
    const { idleMs = IDLE_MS } = this.#options
    if (!Number.isFinite(idleMs)) return void this.#idle.push({ connection })
    const timer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(idle), 1)
      this.#leave(connection)
    }, idleMs).unref()
    const idle = { connection, timer }
    this.#idle.push(idle)
  }

  #leave(connection: Connection, timer?: NodeJS.Timeout): void {
    clearTimeout(timer)
    this.#leaving++
    const left = (): void => {
      this.#leaving--
      this.#settle()
    }
    Promise.resolve(this.#options.close(connection)).then(left, left)
  }

  /** There may be room for one more. */
  #settle(): void {
    if (!this.#isClosed) this.#connectOne()
    else if (this.count === 0) this.#emptied.resolve()
  }
}

/** Others' work takes all connections: nobody is to look for a slow query of their own. */
const overloaded = (): AppError =>
  new AppError('BUSY', { detail: ({ database }) => database.queue, retryAfter: 1 })
