/** A bus over PostgreSQL's LISTEN and NOTIFY, without a table: each node keeps in memory what others ask it to. */

import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Bus, BusListener } from './bus.ts'
import { readAs } from './client-message.ts'
import { type Clock, systemClock } from './clock.ts'
import { noticesOf, NoticeReader } from './notice-parts.ts'

export type NoticeConnection = {
  /** Sends short texts in their order. Rejects if they were not sent. */
  send(texts: readonly string[]): Promise<void>
  close(): Promise<void>
}

export type PostgresBusOptions = {
  /** Opens a connection; `lost` may be called more than once. */
  connect(listener: {
    heard(text: string): void
    lost(error?: unknown): void
  }): Promise<NoticeConnection>
  /** Hears of each interruption once. Default: nobody does. */
  readonly report?: (error: unknown) => void
  /** For how long texts are kept. Default: the machine's. */
  readonly clock?: Clock
}

/** Notices that wait, and how many go at once. */
const WAITING = 5000
const AT_ONCE = 100
/** How long an answer of the server may take, and one of another node, ms. */
const ANSWER_MS = 2000
const ASK_MS = 500
const LONGEST_PAUSE_MS = 1000
/** Texts kept for all nodes, and the characters of one. */
const KEPT = 1000
const KEPT_LENGTH = 100_000

const message = v.variant('kind', [
  v.strictObject({ kind: v.literal('news'), text: v.string() }),
  v.strictObject({
    kind: v.literal('put'),
    key: v.string(),
    text: v.pipe(v.string(), v.maxLength(KEPT_LENGTH)),
    until: v.number(),
  }),
  v.strictObject({ kind: v.literal('ask'), key: v.string() }),
])

type Message = v.InferOutput<typeof message>

/** A connection that listens, and what to call once it is of no use any more. */
type Current = { readonly connection: NoticeConnection; readonly lost: (error?: unknown) => void }

export const postgresBus = (options: PostgresBusOptions): Bus => new PostgresBus(options)

class PostgresBus implements Bus {
  readonly #options: Required<PostgresBusOptions>
  readonly #name = randomBytes(12).toString('base64url')
  readonly #reader = new NoticeReader(this.#name)
  readonly #kept = new Map<string, { readonly text: string; readonly until: number }>()
  readonly #asking = new Map<string, Set<(text: string) => void>>()
  #listener: BusListener | undefined
  #current: Current | undefined
  #waiting: string[] = []
  #sending: Promise<void> | undefined
  #number = 0
  #tries = 0
  #isReported = false
  #isClosed = false

  constructor({ connect, report = () => {}, clock = systemClock }: PostgresBusOptions) {
    this.#options = { connect, report, clock }
  }

  isUp(): boolean {
    return this.#current !== undefined && !this.#isClosed
  }

  open(listener: BusListener): void {
    this.#listener = listener
    void this.#connect()
  }

  send(text: string): boolean {
    return this.#say({ kind: 'news', text })
  }

  put(key: string, text: string, ttlMs: number): void {
    if (!this.isUp()) return
    const until = this.#options.clock.now() + ttlMs
    this.#keep(key, { text, until })
    this.#say({ kind: 'put', key, text, until })
  }

  async get(key: string): Promise<string | undefined> {
    if (!this.isUp()) return undefined
    const known = this.#known(key)
    if (known) return known.text
    const asking = this.#asking.get(key) ?? new Set()
    this.#asking.set(key, asking)
    return new Promise((resolve) => {
      const answer = (text?: string) => {
        stop()
        asking.delete(answer)
        if (asking.size === 0) this.#asking.delete(key)
        resolve(text)
      }
      const stop = systemClock.later(answer, ASK_MS)
      asking.add(answer)
      if (asking.size === 1) this.#say({ kind: 'ask', key })
    })
  }

  async close(): Promise<void> {
    // What was sent last still leaves.
    await this.#sending
    this.#isClosed = true
    const current = this.#current
    this.#current = undefined
    await current?.connection.close()
  }

  async #connect(): Promise<void> {
    let connection: NoticeConnection | undefined
    let isOver = false
    // It may say so more than once, and when another has taken its place.
    const lost = (error?: unknown) => {
      if (isOver) return
      isOver = true
      void connection?.close().catch(() => {})
      this.#lose(error)
    }
    try {
      connection = await this.#options.connect({ heard: (notice) => this.#hear(notice), lost })
    } catch (error) {
      return lost(error)
    }
    if (isOver || this.#isClosed) return void connection.close()
    this.#current = { connection, lost }
    this.#tries = 0
    this.#isReported = false
    this.#listener?.back()
  }

  #lose(error: unknown): void {
    this.#current = undefined
    this.#waiting = []
    this.#reader.clear()
    if (this.#isClosed) return
    if (!this.#isReported && error !== undefined) {
      this.#isReported = true
      this.#options.report(error)
    }
    const pause = Math.min(++this.#tries * 100, LONGEST_PAUSE_MS)
    systemClock.later(() => (this.#isClosed ? undefined : void this.#connect()), pause)
  }

  #say(said: Message): boolean {
    if (!this.isUp()) return false
    const notices = noticesOf(this.#name, ++this.#number, JSON.stringify(said))
    if (!notices || this.#waiting.length + notices.length > WAITING) return false
    this.#waiting.push(...notices)
    this.#sending ??= this.#send()
    return true
  }

  async #send(): Promise<void> {
    while (this.#current && this.#waiting.length > 0) {
      const { connection, lost } = this.#current
      await inTime(connection.send(this.#waiting.splice(0, AT_ONCE))).catch(lost)
    }
    // At once, so that what is said from here on begins to send.
    this.#sending = undefined
  }

  #hear(notice: string): void {
    const text = this.#reader.read(notice)
    const heard = text === undefined ? undefined : readAs(message, text)
    if (!heard || this.#isClosed) return
    if (heard.kind === 'news') this.#listener?.heard(heard.text)
    else if (heard.kind === 'put') this.#learn(heard.key, heard)
    else this.#answer(heard.key)
  }

  #learn(key: string, { text, until }: { readonly text: string; readonly until: number }): void {
    this.#keep(key, { text, until })
    for (const answer of [...(this.#asking.get(key) ?? [])]) answer(text)
  }

  #answer(key: string): void {
    const known = this.#known(key)
    if (known) this.#say({ kind: 'put', key, ...known })
  }

  #known(key: string) {
    const known = this.#kept.get(key)
    return known && known.until > this.#options.clock.now() ? known : undefined
  }

  #keep(key: string, kept: { readonly text: string; readonly until: number }): void {
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}

/** A server that does not answer has not taken what was sent. */
async function inTime(work: Promise<void>): Promise<void> {
  let stop = () => {}
  const late = new Promise<never>((_, reject) => {
    stop = systemClock.later(() => reject(new Error('timed out')), ANSWER_MS)
  })
  try {
    await Promise.race([work, late])
  } finally {
    stop()
  }
}
