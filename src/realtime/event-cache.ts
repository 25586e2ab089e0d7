/** The last event of each cache channel, for a limited time and number of channels. */

import type { JsonObject } from '../protocol/json.ts'
import type { Clock } from './clock.ts'
import { LIMITS } from './limits.ts'

/** A cache that the nodes share. It may fail, and be empty at any time. */
export type SharedCache = {
  put(channel: string, event: CachedEvent, ttlMs: number): void
  get(channel: string): Promise<CachedEvent | undefined>
}

export type CachedEvent = { readonly name: string; readonly data: string }

type Entry = { readonly event: CachedEvent; readonly until: number }

export type EventCacheOptions = {
  readonly clock: Clock
  /** Most channels; past them the one that was written longest ago is forgotten. */
  readonly channels: number
  readonly shared?: SharedCache | undefined
}

export class EventCache {
  readonly #entries = new Map<string, Entry>()
  readonly #options: EventCacheOptions

  constructor(options: EventCacheOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  /** Keeps an event that this node publishes, for all nodes. */
  publish(channel: string, event: CachedEvent): void {
    this.keep(channel, event)
    this.#options.shared?.put(channel, event, LIMITS.cacheMs)
  }

  /** Keeps an event that another node has published. */
  keep(channel: string, event: CachedEvent): void {
    this.#entries.delete(channel)
    this.#entries.set(channel, { event, until: this.#options.clock.now() + LIMITS.cacheMs })
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size > this.#options.channels)
      this.#entries.delete(oldest)
  }

  /** What this node knows. */
  here(channel: string): CachedEvent | undefined {
    const entry = this.#entries.get(channel)
    if (entry && entry.until > this.#options.clock.now()) return entry.event
    this.#entries.delete(channel)
    return undefined
  }

  /** For the HTTP API: the data, and for how many seconds they are kept. */
  describe(channel: string): JsonObject | null {
    const event = this.here(channel)
    const until = this.#entries.get(channel)?.until ?? 0
    const ttl = Math.ceil((until - this.#options.clock.now()) / 1000)
    return event ? { data: event.data, ttl } : null
  }

  /** What any node knows; an event that came meanwhile is newer than the one that was asked for. */
  async find(channel: string): Promise<CachedEvent | undefined> {
    const found = this.here(channel) ?? (await this.#options.shared?.get(channel))
    return this.here(channel) ?? found
  }

  /** Forgets what may have been overtaken by events that this node has not heard of. */
  clear(): void {
    this.#entries.clear()
  }
}
