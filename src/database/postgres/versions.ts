/** The state of the data: what changes whenever anybody has committed anything. */

import type { Statement } from '../query/sql.ts'
import { isOutdated } from './failure.ts'
import type { Server } from './server.ts'

/** How long an answer is used again, ms: those who ask together ask once. */
const KEPT_MS = 5

const statement = (text: string): Statement => ({ text, binds: [] })

/**
 * The transactions that are seen as over. All three parts count: when one of several that run at
 * once is committed, often only the list of the others changes. A standby's list is always empty;
 * there the place in the log tells.
 */
const QUESTIONS = [
  statement(`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text
    else pg_current_snapshot()::text end`),
  statement(`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text
    else txid_current_snapshot()::text end`),
] as const

export class Versions {
  readonly #server: Server
  readonly #now: () => number
  /** The question that this server understands, or none of them. */
  #place = 0
  #asking: Promise<string> | undefined
  #askedAt = -Infinity
  #unknown = 0

  constructor(server: Server, now: () => number) {
    this.#server = server
    this.#now = now
  }

  /** Throws what the driver throws. */
  current(): Promise<string> {
    if (this.#asking && this.#now() - this.#askedAt < KEPT_MS) return this.#asking
    this.#askedAt = this.#now()
    const asking = (this.#asking = this.#ask())
    asking.catch(() => {
      if (this.#asking === asking) this.#asking = undefined
    })
    return asking
  }

  /** What has been written here counts at once. */
  distrust(): void {
    this.#asking = undefined
  }

  async #ask(): Promise<string> {
    const question = QUESTIONS[this.#place]
    // A server that cannot tell has always changed.
    if (!question) return `?${++this.#unknown}`
    try {
      return String((await this.#server.read('rows', question)).rows[0]?.[0])
    } catch (error) {
      if (!isOutdated(error)) throw error
      this.#place++
      return this.#ask()
    }
  }
}
