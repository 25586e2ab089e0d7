/** A version of the data that changes with every commit on the server. */

import type { Statement } from '../query/sql.ts'
import { isOutdated } from './failure.ts'
import type { Server } from './server.ts'

/** How long an answer is reused, ms, so that concurrent callers share one query. */
const KEPT_MS = 5

const statement = (text: string): Statement => ({ text, binds: [] })

/**
 * The snapshot of finished transactions. All three parts of it matter: when one of several concurrent
 * transactions commits, often only the list of the others changes. On a standby that list is always
 * empty, so its position in the log is used.
 */
const QUESTIONS = [
  statement(`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text
    else pg_current_snapshot()::text end`),
  statement(`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text
    else txid_current_snapshot()::text end`),
] as const

export class DataVersion {
  readonly #server: Server
  readonly #now: () => number
  /** The index of the query that this server supports; beyond the list if none. */
  #place = 0
  #asking: Promise<string> | undefined
  #askedAt = -Infinity
  #unknown = 0

  constructor(server: Server, now: () => number) {
    this.#server = server
    this.#now = now
  }

  /** Throws what the driver throws. */
  read(): Promise<string> {
    if (this.#asking && this.#now() - this.#askedAt < KEPT_MS) return this.#asking
    this.#askedAt = this.#now()
    const asking = (this.#asking = this.#ask())
    asking.catch(() => {
      if (this.#asking === asking) this.#asking = undefined
    })
    return asking
  }

  /** To be called after a write, so that it counts at once. */
  invalidate(): void {
    this.#asking = undefined
  }

  async #ask(): Promise<string> {
    const question = QUESTIONS[this.#place]
    // A server that supports neither always counts as changed.
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
