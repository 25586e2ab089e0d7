/** A connection pool in which people take turns, with a bounded queue and a time limit for all work. */

import { AppError } from '../../server/app-error.ts'
import { FairQueue } from '../../server/fair-queue.ts'
import { closing, timedOut } from '../failure.ts'

/** How connections are made, cancelled and closed. */
export type PoolOptions<Connection> = {
  connect(): Promise<Connection>
  /** Closes a connection, whatever runs on it. */
  close(connection: Connection): Promise<void> | void
  isUsable(connection: Connection): boolean
  /**
   * Cancels `work`, which runs on this connection, and resolves once it has ended, with whether the
   * connection may be used again.
   */
  cancel(connection: Connection, work: Promise<unknown>): Promise<boolean>
  /** Whether the connection keeps the process running. */
  hold?(connection: Connection, isBusy: boolean): void
  /** Whether work failed because its connection was lost. */
  isLost?(error: unknown): boolean
  /** Whether the server refused a connection because it has too many. */
  isRefused?(error: unknown): boolean
  /** Most connections; each is opened when first needed. */
  readonly size: number
  /** Most requests of one person that may wait; a further one fails with `BUSY`. */
  readonly queue: number
  /**
   * Whether work changes nothing, so that it can be cancelled and begun again: if a person has several
   * connections while another has none, the newest of that work makes room. Default: false.
   */
  readonly isRepeatable?: boolean
  /** How long cancelled work may take to end before its connection is closed, ms. Default 2000. */
  readonly cancelMs?: number
  /** How long an idle connection is kept, ms. Default 60,000. */
  readonly idleMs?: number
  /** The errors to throw when the work, or waiting for a connection, exceeds its time limit. */
  readonly timedOut?: (ms: number) => Error
  readonly waitTimedOut?: (ms: number) => Error
  /** The error to throw when the pool is closed. */
  readonly closed?: () => Error
}

export type Use = {
  /** Whom the work is for. Default: the server itself, which goes first. */
  readonly person?: string | undefined
  /** Cancels the work; `use` then throws its reason. */
  readonly signal?: AbortSignal | undefined
  /** Time limit for waiting for a connection, and again for the work itself, ms. */
  readonly timeoutMs: number
  /** How much longer the pool waits before it cancels the work itself, ms. Default 0. */
  readonly graceMs?: number
  /** Never cancel the work once it has begun. */
  readonly runsToEnd?: boolean
}

type Waiting<Connection> = {
  readonly person: string
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

/** Work on a connection. */
type Work = {
  readonly person: string
  /** Gives the connection up, to begin again later. Absent where the work cannot, or already does. */
  yield?: (() => void) | undefined
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
/** The person of the server's own work. */
const SERVER = ''
/** Thrown into work that makes room for another person's. */
const YIELDED = new Error('yielded')

export class Pool<Connection extends object> {
  readonly #options: PoolOptions<Connection>
  readonly #idle: Idle<Connection>[] = []
  /** The newest last. */
  readonly #busy = new Map<Connection, Work>()
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
    for (const connection of this.#busy.keys()) this.#evicted.add(connection)
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
    const own = this.#busy.get(connection)
    if (own && this.#options.isRepeatable) own.yield = () => abort(YIELDED)
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
      if (own) own.yield = undefined
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
    return this.#hasShare(use.person ?? SERVER) ? this.#takeIdle(use) : undefined
  }

  /** Takes the most recently used one, so that the others reach their idle limit. */
  #takeIdle({ person = SERVER }: Use): Connection | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      const { connection, timer } = idle
      if (this.#options.isUsable(connection)) {
        clearTimeout(timer)
        this.#options.hold?.(connection, true)
        this.#busy.set(connection, { person })
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
    if (this.count < this.#size && this.#hasShare(person)) return false
    const { queue } = this.#options
    // Requests for which a connection is being opened do not count.
    const [own, all] = [this.#waiting.countOf(person), this.#waiting.size]
    return own - this.#opening >= queue || all - this.#opening >= queue * CROWD
  }

  /** Whether this person may have another connection: nobody has more than half of them, or two. */
  #hasShare(person: string): boolean {
    return this.#loadOf(person) < Math.max(2, Math.ceil(this.#options.size / 2))
  }

  /** How many connections work for this person. */
  #loadOf(person: string): number {
    if (person === SERVER) return -1
    let load = 0
    for (const work of this.#busy.values()) if (work.person === person) load++
    return load
  }

  /** For a person without a connection, ends the newest work of whoever has the most, if several. */
  #makeRoom(person: string): void {
    if (this.#loadOf(person) > 0 || this.count < this.#size) return
    const works = new Map<string, Work[]>()
    for (const work of this.#busy.values())
      if (work.yield) works.set(work.person, [...(works.get(work.person) ?? []), work])
    works.delete(SERVER)
    const [most = []] = [...works.values()].toSorted((a, b) => b.length - a.length)
    const newest = most.at(-1)
    if (most.length < 2 || !newest?.yield) return
    newest.yield()
    newest.yield = undefined
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
      this.#hasShare(person) ? this.#loadOf(person) : Infinity,
    )
    if (next) {
      this.#busy.set(connection, { person: next.person })
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
