/** One connection to the server: configured once, one statement at a time, with a time limit. */

import { createHash } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { render, type Statement } from '../query/sql.ts'
import { endClient, type Client, type Result } from './driver.ts'
import { isOutdatedPlan, LostConnection, stateOf } from './failure.ts'
import { notation } from './notation.ts'
import { setUpSql, type ConnectionSettings } from './settings.ts'
import { toBind } from './values.ts'

/** Most statements that a connection prepares before it is replaced. */
const PREPARED = 300
/** How long after the server's time limit the client gives a statement up as lost, ms. */
const GRACE_MS = 2000

export type RunOptions = {
  /** Time limit of the statement, ms. Default: the connection's. */
  readonly timeoutMs?: number
  /** Whether the statement is unlikely to be used again, and therefore not prepared. */
  readonly isRare?: boolean
}

export class Connection {
  /** The server's process id, by which statements are cancelled. */
  readonly pid: number
  /** As in 150020 for 15.20. */
  readonly serverVersion: number
  readonly #client: Client
  readonly #names = new Map<string, string>()
  readonly #defaultMs: number
  #timeoutMs: number
  #isBroken = false
  #isStale = false
  #isBusy = false

  private constructor(client: Client, result: Result, timeoutMs: number) {
    this.#client = client
    this.#defaultMs = timeoutMs
    this.#timeoutMs = timeoutMs
    this.pid = Number(result.rows[0]?.[0])
    this.serverVersion = Number(result.rows[0]?.[1])
    const breakUp = (): void => void (this.#isBroken = true)
    client.on('error', breakUp)
    client.on('end', breakUp)
  }

  /** Configures a new connection. Throws what the driver throws. */
  static async start(client: Client, settings: ConnectionSettings): Promise<Connection> {
    try {
      const { text, binds } = render(setUpSql(settings), notation)
      const result = await client.query({ text, values: binds.map(toBind), rowMode: 'array' })
      return new Connection(client, result, settings.timeoutMs)
    } catch (error) {
      void endClient(client)
      throw error
    }
  }

  /** Whether it can run another statement, and need not be replaced. */
  get isUsable(): boolean {
    const isUsedUp = this.#isStale || this.#names.size >= PREPARED
    return !this.#isBroken && !this.#isBusy && !isUsedUp
  }

  /** Throws the server's error, or `LostConnection`. */
  async run(
    statement: Statement,
    { timeoutMs = this.#defaultMs, isRare = false }: RunOptions = {},
  ): Promise<Result> {
    if (timeoutMs !== this.#timeoutMs) await this.#limit(timeoutMs)
    return this.#ask(statement, isRare ? undefined : this.#nameOf(statement.text))
  }

  /** Closes the connection; a statement that runs is lost. */
  async close(): Promise<void> {
    this.#isBroken = true
    await endClient(this.#client)
  }

  /** Only outside a transaction, because a rollback would undo it. */
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
      const answer = this.#client.query({ ...query, rowMode: 'array' })
      return await Promise.race([answer, deadline(this.#timeoutMs + GRACE_MS, guard.signal)])
    } catch (error) {
      // Statements that were prepared for other columns would fail from now on.
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
