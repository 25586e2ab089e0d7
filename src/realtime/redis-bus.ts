/** A bus over Redis: its channel for news, its keys for what is kept. */

import type { Redis, RedisOptions } from 'ioredis'
import type { Bus, BusListener } from './bus.ts'
import { type Clock, systemClock } from './clock.ts'
import { loadPackage } from './optional-package.ts'

export type RedisBusOptions = {
  /** Such as `redis://localhost:6379`. */
  readonly url: string
  /** Begins all names in Redis. Servers with the same name and app share their channels. */
  readonly name: string
  /** Hears of each interruption once. Default: nobody does. */
  readonly report?: (error: unknown) => void
  /** Default: the machine's. */
  readonly clock?: Clock
}

/** Commands that Redis has not answered; while there are more, nothing is sent. */
const PENDING = 1000
/** How long an answer may take, ms. */
const ANSWER_MS = 2000
const LONGEST_PAUSE_MS = 2000
/** How often the connection that listens is asked whether it is still there, ms. */
const CHECK_MS = 5000

/** While Redis is away nothing waits for it: what is sent then is lost, and nodes ask each other later. */
const OPTIONS = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // A new subscription tells that the bus is back, so it is made here.
  autoResubscribe: false,
  retryStrategy: (times: number) => Math.min(times * 100, LONGEST_PAUSE_MS),
  connectTimeout: ANSWER_MS,
  commandTimeout: ANSWER_MS,
  lazyConnect: true,
} satisfies RedisOptions

/** Loads `ioredis`, and throws one sentence if it is missing. Connects in the background. */
export async function redisBus(options: RedisBusOptions): Promise<Bus> {
  const { Redis: Client } = await loadPackage('ioredis', () => import('ioredis'))
  return new RedisBus(new Client(options.url, OPTIONS), new Client(options.url, OPTIONS), options)
}

class RedisBus implements Bus {
  readonly #sender: Redis
  readonly #hearer: Redis
  readonly #name: string
  readonly #report: (error: unknown) => void
  #isListening = false
  #wasLost = false
  #pending = 0
  readonly #clock: Clock
  #checkedAt = 0
  #isClosed = false

  constructor(sender: Redis, hearer: Redis, options: RedisBusOptions) {
    const { name, report = () => {}, clock = systemClock } = options
    this.#clock = clock
    this.#sender = sender
    this.#hearer = hearer
    this.#name = name
    this.#report = report
  }

  isUp(): boolean {
    return this.#isListening && !this.#isClosed && this.#sender.status === 'ready'
  }

  open(listener: BusListener): void {
    this.#hearer.on('message', (_channel, text) => listener.heard(text))
    this.#hearer.on('ready', () => void this.#listen(listener))
    this.#sender.on('ready', () => this.#tellBack(listener))
    for (const client of [this.#hearer, this.#sender]) {
      client.on('error', (error) => this.#lose(error))
      client.on('close', () => this.#lose(undefined, client === this.#hearer))
      // A failure is an event as well.
      client.connect().catch(() => {})
    }
  }

  send(text: string): boolean {
    this.#checkHearer()
    return this.#command(() => this.#sender.publish(this.#name, text))
  }

  put(key: string, text: string, ttlMs: number): void {
    this.#command(() => this.#sender.set(`${this.#name} ${key}`, text, 'PX', ttlMs))
  }

  async get(key: string): Promise<string | undefined> {
    if (!this.#isFree()) return undefined
    this.#pending++
    try {
      return (await this.#sender.get(`${this.#name} ${key}`)) ?? undefined
    } catch (error) {
      this.#fail(error)
      return undefined
    } finally {
      this.#pending--
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#hearer.removeAllListeners('message').disconnect()
    // What was sent last still leaves.
    if (this.#sender.status === 'ready') await this.#sender.quit().catch(() => {})
    this.#sender.disconnect()
  }

  /** A connection that only listens would not notice that nobody is at the other end. */
  #checkHearer(): void {
    const now = this.#clock.now()
    if (!this.#isListening || now - this.#checkedAt < CHECK_MS) return
    this.#checkedAt = now
    this.#hearer.ping().catch((error: unknown) => this.#fail(error, this.#hearer))
  }

  /** A connection that has not answered in time is replaced by another. */
  #fail(error: unknown, client = this.#sender): void {
    this.#lose(error)
    const isLate = error instanceof Error && error.message.includes('timed out')
    if (isLate && !this.#isClosed && client.status === 'ready') client.disconnect(true)
  }

  #isFree(): boolean {
    return !this.#isClosed && this.#sender.status === 'ready' && this.#pending < PENDING
  }

  #command(run: () => Promise<unknown>): boolean {
    if (!this.#isFree()) return false
    this.#pending++
    void run()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#pending--)
    return true
  }

  async #listen(listener: BusListener): Promise<void> {
    try {
      await this.#hearer.subscribe(this.#name)
      this.#isListening = true
      this.#tellBack(listener)
    } catch (error) {
      this.#lose(error)
      // Another connection begins anew.
      this.#hearer.disconnect(true)
    }
  }

  #tellBack(listener: BusListener): void {
    if (!this.isUp()) return
    this.#wasLost = false
    listener.back()
  }

  #lose(error: unknown, isHearing = false): void {
    if (isHearing) this.#isListening = false
    if (this.#wasLost || error === undefined) return
    this.#wasLost = true
    this.#report(error)
  }
}
