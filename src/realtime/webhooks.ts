/** Webhooks: tells an application what happens on its channels, signed, and again if it fails. */

import type { Clock } from './clock.ts'
import { type RealtimeApp, signWebhook } from './signatures.ts'
import type { WebhookEvent, WebhookEventName } from './webhook-event.ts'

export type Webhook = {
  readonly url: string
  /** What it is told. Default: everything. */
  readonly events?: readonly WebhookEventName[]
}

/** Posts a body and returns the status of the answer; throws if there is none. */
export type Post = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
) => Promise<number>

export type WebhookOptions = {
  readonly app: RealtimeApp
  readonly clock: Clock
  readonly post: Post
}

type Batch = {
  readonly body: string
  /** How many events it has. */
  readonly count: number
  readonly since: number
  tries: number
}

/** Events of this time are told together, ms. */
const COLLECT_MS = 50
/** A member who reconnects within this time is not reported as gone, ms. */
const GRACE_MS = 3000
const FIRST_RETRY_MS = 1000
/** After this time a batch is given up, ms. */
const GIVE_UP_MS = 5 * 60_000
/** Batches that wait, and events that are collected for the next; more are dropped. */
const WAITING = 100
const COLLECTED = 1000

/** What an event takes back if it follows soon. */
const OPPOSITES: Partial<Record<WebhookEventName, WebhookEventName>> = {
  channel_occupied: 'channel_vacated',
  member_added: 'member_removed',
}
const DELAYED = new Set<WebhookEventName>(Object.values(OPPOSITES))

/** All events of one application, for each of its endpoints. */
export class Webhooks {
  readonly #endpoints: readonly Endpoint[]
  readonly #clock: Clock
  /** How to take back what was not told yet. */
  readonly #delayed = new Map<string, () => void>()

  constructor(webhooks: readonly Webhook[], options: WebhookOptions) {
    this.#clock = options.clock
    this.#endpoints = webhooks.map((webhook) => new Endpoint(webhook, options))
  }

  /** Events that an endpoint was not told, each counted once for each of them. */
  get dropped(): number {
    return this.#endpoints.reduce((sum, { dropped }) => sum + dropped, 0)
  }

  tell(event: WebhookEvent): void {
    if (this.#endpoints.length === 0) return
    const opposite = OPPOSITES[event.name]
    if (opposite && this.#takeBack({ ...event, name: opposite })) return
    if (DELAYED.has(event.name)) this.#tellLater(event)
    else for (const endpoint of this.#endpoints) endpoint.add(event)
  }

  close(): void {
    for (const cancel of this.#delayed.values()) cancel()
    this.#delayed.clear()
    for (const endpoint of this.#endpoints) endpoint.close()
  }

  #tellLater(event: WebhookEvent): void {
    const key = keyOf(event)
    const cancel = this.#clock.later(() => {
      this.#delayed.delete(key)
      for (const endpoint of this.#endpoints) endpoint.add(event)
    }, GRACE_MS)
    this.#delayed.set(key, cancel)
  }

  #takeBack(event: WebhookEvent): boolean {
    const key = keyOf(event)
    this.#delayed.get(key)?.()
    return this.#delayed.delete(key)
  }
}

const keyOf = ({ name, channel, user_id }: WebhookEvent): string =>
  [name, channel, user_id].join(' ')

/** One batch after the other, so that an application hears of events in their order. */
class Endpoint {
  readonly #webhook: Webhook
  readonly #options: WebhookOptions
  readonly #waiting: Batch[] = []
  #collected: WebhookEvent[] = []
  #isSending = false
  #isClosed = false
  #cancel = () => {}
  dropped = 0

  constructor(webhook: Webhook, options: WebhookOptions) {
    this.#webhook = webhook
    this.#options = options
  }

  add(event: WebhookEvent): void {
    if (this.#webhook.events?.includes(event.name) === false) return
    if (this.#collected.length >= COLLECTED) return void this.dropped++
    this.#collected.push(event)
    if (this.#collected.length === 1) this.#options.clock.later(() => this.#enqueue(), COLLECT_MS)
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  #enqueue(): void {
    const events = this.#collected
    this.#collected = []
    if (this.#waiting.length >= WAITING) return void (this.dropped += events.length)
    const since = this.#options.clock.now()
    const body = JSON.stringify({ time_ms: since, events })
    this.#waiting.push({ body, count: events.length, since, tries: 0 })
    if (!this.#isSending) void this.#send()
  }

  async #send(): Promise<void> {
    const [batch] = this.#waiting
    this.#isSending = batch !== undefined && !this.#isClosed
    if (!batch || this.#isClosed) return
    if (await this.#isTaken(batch)) this.#waiting.shift()
    else if (this.#isOver(batch)) {
      this.#waiting.shift()
      this.dropped += batch.count
    } else return this.#sendAgain(batch)
    return this.#send()
  }

  async #isTaken({ body }: Batch): Promise<boolean> {
    const { app, post } = this.#options
    const headers = {
      'content-type': 'application/json',
      'x-pusher-key': app.key,
      'x-pusher-signature': signWebhook(app, body),
    }
    try {
      const status = await post(this.#webhook.url, body, headers)
      return status >= 200 && status < 300
    } catch {
      return false
    }
  }

  #sendAgain(batch: Batch): void {
    const delay = FIRST_RETRY_MS * 2 ** batch.tries++
    this.#cancel = this.#options.clock.later(() => void this.#send(), delay)
  }

  /** Whether the next try would come too late. */
  #isOver({ since, tries }: Batch): boolean {
    const { clock } = this.#options
    return clock.now() + FIRST_RETRY_MS * 2 ** tries - since > GIVE_UP_MS
  }
}

const ANSWER_MS = 10_000

/** Follows no redirects, because the body is meant for this address only. */
export const postOverHttp: Post = async (url, body, headers) => {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal })
  await answer.body?.cancel()
  return answer.status
}
