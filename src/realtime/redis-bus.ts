/** A bus over Redis: its channel for messages, its keys for what is kept. */

import type { Redis, RedisOptions } from 'ioredis'
import type { Bus, BusListener } from './bus.ts'
import { type Clock, systemClock } from './clock.ts'
import { loadPackage } from '../server/optional-package.ts'

export type RedisBusOptions = {
  /** Such as `redis://localhost:6379`. */
  readonly url: string
  /** Begins all names in Redis. Servers with the same name and app share their channels. */
  readonly name: string
  /** Hears of each interruption once. Default: nobody does. */
  readonly report?: (error: unknown) => void
  /**
   * Hears once that Redis, which answers, refuses a kind of command; again only after it has taken one.
   * Default: nobody does.
   */
  readonly refused?: (error: Error) => void
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
  const { Redis: Client } = await loadPackage('live events', 'ioredis', () => import('ioredis'))
  return new RedisBus(new Client(options.url, OPTIONS), new Client(options.url, OPTIONS), options)
}

type Command = 'publish' | 'subscribe' | 'set' | 'get' | 'ping'

/** Whether Redis has answered, and will not do what was asked. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ReplyError'

class RedisBus implements Bus {
  readonly #sender: Redis
  readonly #hearer: Redis
  readonly #name: string
  readonly #report: (error: unknown) => void
  readonly #tellRefused: (error: Error) => void
  /** Kinds of commands that Redis has refused last. */
  readonly #refusals = new Set<Command>()
  #isListening = false
  #wasLost = false
  #pending = 0
  readonly #clock: Clock
  #checkedAt = 0
  #isClosed = false

  constructor(sender: Redis, hearer: Redis, options: RedisBusOptions) {
    const { name, report = () => {}, refused = () => {}, clock = systemClock } = options
    this.#clock = clock
    this.#sender = sender
    this.#hearer = hearer
    this.#name = name
    this.#report = report
    this.#tellRefused = refused
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
    return this.#command('publish', () => this.#sender.publish(this.#name, text))
  }

  put(key: string, text: string, ttlMs: number): void {
    this.#command('set', () => this.#sender.set(`${this.#name} ${key}`, text, 'PX', ttlMs))
  }

  async get(key: string): Promise<string | undefined> {
    if (!this.#isFree()) return undefined
    this.#pending++
    try {
      const text = await this.#sender.get(`${this.#name} ${key}`)
      this.#refusals.delete('get')
      return text ?? undefined
    } catch (error) {
      this.#fail('get', error)
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
    this.#hearer.ping().then(
      () => this.#refusals.delete('ping'),
      (error: unknown) => this.#fail('ping', error, this.#hearer),
    )
  }

  /** A connection that has not answered in time is replaced by another. */
  #fail(command: Command, error: unknown, client = this.#sender): void {
    if (isRefusal(error)) return this.#refuse(command, error)
    this.#lose(error)
    const isLate = error instanceof Error && error.message.includes('timed out')
    if (isLate && !this.#isClosed && client.status === 'ready') client.disconnect(true)
  }

  /** A server that refuses a command is not lost. */
  #refuse(command: Command, { message }: Error): void {
    if (this.#refusals.has(command)) return
    this.#refusals.add(command)
    // Not the library's own error, which has what was sent.
    this.#tellRefused(new Error(`${command}: ${message}`))
  }

  #isFree(): boolean {
    return !this.#isClosed && this.#sender.status === 'ready' && this.#pending < PENDING
  }

  #command(command: Command, run: () => Promise<unknown>): boolean {
    if (!this.#isFree()) return false
    this.#pending++
    void run()
      .then(
        () => this.#refusals.delete(command),
        (error: unknown) => this.#fail(command, error),
      )
      .finally(() => this.#pending--)
    return true
  }

  async #listen(listener: BusListener): Promise<void> {
    if (this.#isListening || this.#isClosed) return
    try {
      await this.#hearer.subscribe(this.#name)
      this.#refusals.delete('subscribe')
      this.#isListening = true
      this.#tellBack(listener)
    } catch (error) {
      this.#fail('subscribe', error, this.#hearer)
      if (isRefusal(error)) this.#clock.later(() => void this.#listen(listener), LONGEST_PAUSE_MS)
      // Another connection begins anew.
      else this.#hearer.disconnect(true)
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
