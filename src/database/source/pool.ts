/** A connection pool in which people take turns, with a bounded queue and a time limit for all work. */

import { AppError } from '../../server/app-error.ts'
import { FairQueue } from '../../server/fair-queue.ts'
import { closing, timedOut } from '../failure.ts'
import { BusyConnections, SERVER } from './busy-connections.ts'
import type { PoolOptions, Use } from './pool-options.ts'

type Waiting<Connection> = {
  readonly person: string
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

type Idle<Connection> = { readonly connection: Connection; readonly timer?: NodeJS.Timeout }

const CANCEL_MS = 2000
const IDLE_MS = 60_000
/** After a refusal, how long the pool asks for no further connections, ms. */
const REFUSED_MS = 5000
/** How long a person without a connection waits before another's work makes room, ms. */
const YIELD_MS = 5
/** Most requests of all people that may wait, as a multiple of one person's. */
const CROWD = 16
/** Thrown into work that makes room for another person's. */
const YIELDED = new Error('yielded')

export class Pool<Connection extends object> {
  readonly #options: PoolOptions<Connection>
  readonly #idle: Idle<Connection>[] = []
  readonly #busy: BusyConnections<Connection>
  readonly #waiting = new FairQueue<Waiting<Connection>>()
  /** Abort the running work that may be aborted. */
  readonly #aborts = new Set<(error: unknown) => void>()
  /** Connections in use that must be closed afterwards. */
  readonly #evicted = new WeakSet<Connection>()
  readonly #emptied = Promise.withResolvers<void>()
  #opening = 0
  /** Incremented by `evict`: a connection whose opening began before is closed, too. */
  #epoch = 0
  #closing = 0
  #size: number
  #isClosed = false

  constructor(options: PoolOptions<Connection>) {
    this.#options = options
    this.#size = options.size
    this.#busy = new BusyConnections(options.size)
  }

  /** All connections, including those being opened or closed. */
  get count(): number {
    return this.#idle.length + this.#busy.size + this.#opening + this.#closing
  }

  /**
   * Runs `work` on a connection of its own. Throws `BUSY`, also after `timeoutMs` of waiting,
   * `QUERY_TIMEOUT`, the signal's reason, or what `work` or making a connection throws.
   */
  async use<T>(work: (connection: Connection) => Promise<T>, use: Use): Promise<T> {
    for (let isAgain = false; ; isAgain = true) {
      this.#checkUsable(use)
      const connection = this.#takeIdleFor(use) ?? (await this.#waitUsable(use, isAgain))
      if (use.runsToEnd) return await this.#runToEnd(connection, work)
      try {
        return await this.#runLimited(connection, work, use)
      } catch (error) {
        if (error !== YIELDED) throw error
      }
    }
  }

  /** Closes all connections, those in use once their work ends: the server may have dropped them. */
  evict(): void {
    this.#epoch++
    for (const connection of this.#busy.connections()) this.#evicted.add(connection)
    for (const { connection, timer } of this.#idle.splice(0)) this.#discard(connection, timer)
  }

  /** Aborts all work with this error; new connections are opened when needed. */
  reset(error: () => Error): void {
    for (const { reject } of this.#waiting.items()) reject(error())
    this.#waiting.clear()
    for (const abort of this.#aborts) abort(error())
    this.evict()
  }

  /** Aborts all work, except what runs to its end; resolves once all connections are closed. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.reset(() => this.#closedError())
    if (this.count > 0) await this.#emptied.promise
  }

  #checkUsable({ signal }: Use): void {
    signal?.throwIfAborted()
    if (this.#isClosed) throw this.#closedError()
  }

  /** By the time the promise resolves, the connection may be evicted or the request aborted. */
  async #waitUsable(use: Use, isAgain: boolean): Promise<Connection> {
    const connection = await this.#wait(use, isAgain)
    const isCurrent = !this.#evicted.has(connection)
    if (isCurrent && !this.#isClosed && !use.signal?.aborted) return connection
    this.#release(connection)
    this.#checkUsable(use)
    return this.#takeIdleFor(use) ?? this.#waitUsable(use, isAgain)
  }

  #closedError(): Error {
    return (this.#options.closed ?? closing)()
  }

  async #runToEnd<T>(connection: Connection, work: (one: Connection) => Promise<T>): Promise<T> {
    try {
      return await work(connection)
    } catch (error) {
      this.#noteLoss(error)
      throw error
    } finally {
      this.#release(connection)
    }
  }

  async #runLimited<T>(
    connection: Connection,
    work: (one: Connection) => Promise<T>,
    { signal, timeoutMs, graceMs = 0 }: Use,
  ): Promise<T> {
    const aborted = Promise.withResolvers<never>()
    const abort = aborted.reject
    const onAbort = (): void => abort(signal?.reason)
    const onTimeout = (): void => abort((this.#options.timedOut ?? timedOut)(timeoutMs))
    const timer = setTimeout(onTimeout, timeoutMs + graceMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#aborts.add(abort)
    if (this.#options.isRepeatable) this.#busy.offer(connection, () => abort(YIELDED))
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
      return await Promise.race([working, aborted.promise])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      this.#aborts.delete(abort)
      this.#busy.keep(connection)
      if (isOver) this.#release(connection)
      else void this.#cancel(connection, working)
    }
  }

  /** If one connection was lost, the idle ones most likely were, too. */
  #noteLoss(error: unknown): void {
    if (this.#options.isLost?.(error)) this.evict()
  }

  /** Keeps the connection busy until the work has ended, so that cancelling cannot hit later work. */
  async #cancel(connection: Connection, working: Promise<unknown>): Promise<void> {
    const { cancel, cancelMs = CANCEL_MS } = this.#options
    const late = Promise.withResolvers<false>()
    const timer = Number.isFinite(cancelMs) && setTimeout(() => late.resolve(false), cancelMs)
    const isOver = cancel(connection, working).catch(() => false)
    if (!(await Promise.race([isOver, late.promise]))) this.#evicted.add(connection)
    if (timer) clearTimeout(timer)
    this.#release(connection)
  }

  #takeIdleFor(use: Use): Connection | undefined {
    return this.#busy.hasShare(use.person ?? SERVER) ? this.#takeIdle(use) : undefined
  }

  /** Takes the most recently used one, so that the others reach their idle limit. */
  #takeIdle({ person = SERVER }: Use): Connection | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      const { connection, timer } = idle
      if (this.#options.isUsable(connection)) {
        clearTimeout(timer)
        this.#options.hold?.(connection, true)
        this.#busy.add(connection, person)
        return connection
      }
      this.#discard(connection, timer)
    }
    return undefined
  }

  async #wait({ person = SERVER, signal, timeoutMs }: Use, isAgain: boolean): Promise<Connection> {
    if (!isAgain && this.#isFull(person)) throw overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const waiting = { person, resolve, reject }
    const abort = (error: unknown): void => {
      if (this.#waiting.delete(person, waiting)) reject(error)
    }
    const onAbort = (): void => abort(signal?.reason)
    const late = (): Error => this.#options.waitTimedOut?.(timeoutMs) ?? overloaded()
    // Opening a connection has a time limit of its own.
    const timer = setInterval(() => this.#busy.size > 0 && abort(late()), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (isAgain) this.#waiting.addFirst(person, waiting)
    else this.#waiting.add(person, waiting)
    const impatient = setTimeout(() => this.#makeRoom(person), YIELD_MS)
    this.#connectOne()
    try {
      return await promise
    } finally {
      clearInterval(timer)
      clearTimeout(impatient)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Whether a further request of this person may not wait. */
  #isFull(person: string): boolean {
    if (this.count < this.#size && this.#busy.hasShare(person)) return false
    const { queue } = this.#options
    // Requests for which a connection is being opened do not count.
    const [own, all] = [this.#waiting.countOf(person), this.#waiting.size]
    return own - this.#opening >= queue || all - this.#opening >= queue * CROWD
  }

  /** For a person without a connection, where no further one can be opened. */
  #makeRoom(person: string): void {
    if (this.count >= this.#size) this.#busy.makeRoom(person)
  }

  #connectOne(): void {
    if (this.#waiting.size <= this.#opening || this.count >= this.#size) return
    this.#opening++
    const waiters = this.#waiting.items()
    const epoch = this.#epoch
    this.#options.connect().then(
      (connection) => {
        this.#opening--
        if (epoch !== this.#epoch) return this.#discard(connection)
        this.#options.hold?.(connection, true)
        this.#release(connection)
      },
      (error: unknown) => {
        this.#opening--
        this.#failToConnect(error, waiters)
      },
    )
  }

  /** Rejects only requests that were waiting when the attempt began; later ones get a new attempt. */
  #failToConnect(error: unknown, waiters: readonly Waiting<Connection>[]): void {
    if (this.#isClosed) this.#settle()
    else if (this.#busy.size > 0 && this.#options.isRefused?.(error)) {
      // The server refuses more connections: share those that are open.
      this.#size = this.count
      setTimeout(() => (this.#size = this.#options.size), REFUSED_MS).unref()
    } else {
      // With no connection at all, the others would only fail later, for the same reason.
      const most = this.count === 0 ? Infinity : 1
      let failed = 0
      for (const waiting of waiters) {
        if (failed >= most) break
        if (!this.#waiting.delete(waiting.person, waiting)) continue
        failed++
        waiting.reject(error)
      }
      this.#connectOne()
    }
  }

  /** Gives the connection to whoever is next in turn, else keeps it for a while. */
  #release(connection: Connection): void {
    this.#busy.delete(connection)
    const isCurrent = !this.#isClosed && !this.#evicted.has(connection)
    if (!isCurrent || !this.#options.isUsable(connection)) return this.#discard(connection)
    const next = this.#waiting.next((person) =>
      this.#busy.hasShare(person) ? this.#busy.loadOf(person) : Infinity,
    )
    if (next) {
      this.#busy.add(connection, next.person)
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
      this.#discard(connection)
    }, idleMs).unref()
    const idle = { connection, timer }
    this.#idle.push(idle)
  }

  #discard(connection: Connection, timer?: NodeJS.Timeout): void {
    clearTimeout(timer)
    this.#closing++
    const left = (): void => {
      this.#closing--
      this.#settle()
    }
    Promise.resolve(this.#options.close(connection)).then(left, left)
  }

  /** After a connection has closed: there may be room for another. */
  #settle(): void {
    if (!this.#isClosed) this.#connectOne()
    else if (this.count === 0) this.#emptied.resolve()
  }
}

/** `BUSY`, not `QUERY_TIMEOUT`: the time was spent in the queue. */
const overloaded = (): AppError =>
  new AppError('BUSY', { detail: ({ database }) => database.queue, retryAfter: 1 })
