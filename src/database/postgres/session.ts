/** One session with the server: set up once, one statement at a time, never longer than allowed. */

import { createHash } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { render, type Statement } from '../query/sql.ts'
import { endClient, type Client, type Result } from './driver.ts'
import { isOutdatedPlan, LostConnection, stateOf } from './failure.ts'
import { notation } from './notation.ts'
import { setUpSql, type SessionSettings } from './settings.ts'
import { toBind } from './values.ts'

/** Statements that a session prepares before another one takes its place. */
const PREPARED = 300
/** How much later than the server this side gives a statement up: its socket must be dead. */
const GRACE_MS = 2000

export type RunOptions = {
  /** Longest time of the statement, ms. By default what the session was set up with. */
  readonly timeoutMs?: number
  /** A statement that is not likely to come again is not prepared. */
  readonly isRare?: boolean
}

export class Session {
  /** The number that its statements are cancelled by. */
  readonly pid: number
  /** As in 150020 for 15.20. */
  readonly serverVersion: number
  readonly #client: Client
  readonly #names = new Map<string, string>()
  readonly #usualMs: number
  #timeoutMs: number
  #isBroken = false
  #isStale = false
  #isBusy = false

  private constructor(client: Client, told: Result, timeoutMs: number) {
    this.#client = client
    this.#usualMs = timeoutMs
    this.#timeoutMs = timeoutMs
    this.pid = Number(told.rows[0]?.[0])
    this.serverVersion = Number(told.rows[0]?.[1])
    const breakUp = (): void => void (this.#isBroken = true)
    client.on('error', breakUp)
    client.on('end', breakUp)
  }

  /** Sets up what was just connected. Throws what the driver throws. */
  static async start(client: Client, settings: SessionSettings): Promise<Session> {
    try {
      const { text, binds } = render(setUpSql(settings), notation)
      const told = await client.query({ text, values: binds.map(toBind), rowMode: 'array' })
      return new Session(client, told, settings.timeoutMs)
    } catch (error) {
      void endClient(client)
      throw error
    }
  }

  /** Whether it can take another statement, and should. */
  get isFit(): boolean {
    const isWorn = this.#isStale || this.#names.size >= PREPARED
    return !this.#isBroken && !this.#isBusy && !isWorn
  }

  /** Throws what the server says, or `LostConnection`. */
  async run(
    statement: Statement,
    { timeoutMs = this.#usualMs, isRare = false }: RunOptions = {},
  ): Promise<Result> {
    if (timeoutMs !== this.#timeoutMs) await this.#limit(timeoutMs)
    return this.#ask(statement, isRare ? undefined : this.#nameOf(statement.text))
  }

  /** Closes the connection; a statement that runs is lost. */
  async close(): Promise<void> {
    this.#isBroken = true
    await endClient(this.#client)
  }

  /** Outside of transactions only: a rollback would take it back. */
  async #limit(timeoutMs: number): Promise<void> {
    const ms = Math.max(1, Math.ceil(timeoutMs))
    await this.#ask({
      text: `select set_config('statement_timeout', $1, false)`,
      binds: [String(ms)],
    })
    this.#timeoutMs = timeoutMs
  }

  async #ask({ text, binds }: Statement, name?: string): Promise<Result> {
    if (this.#isBroken) throw new LostConnection(new Error('session ended'))
    const guard = new AbortController()
    const query = { ...(name !== undefined && { name }), text, values: binds.map(toBind) }
    this.#isBusy = true
    try {
      const asked = this.#client.query({ ...query, rowMode: 'array' })
      return await Promise.race([asked, deadline(this.#timeoutMs + GRACE_MS, guard.signal)])
    } catch (error) {
      // Statements that were prepared for other columns fail for ever.
      if (isOutdatedPlan(error)) this.#isStale = true
      if (stateOf(error) === undefined) this.#isBroken = true
      throw this.#isBroken ? new LostConnection(error) : error
    } finally {
      guard.abort()
      this.#isBusy = false
    }
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    this.#names.set(text, name)
    return name
  }
}

async function deadline(ms: number, signal: AbortSignal): Promise<never> {
  await after(ms, undefined, { signal, ref: false })
  throw new Error('timeout expired')
}
