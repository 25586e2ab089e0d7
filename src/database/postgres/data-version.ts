/** A version of the data that changes with every commit on the server. */

import type { Statement } from '../query/sql.ts'
import type { OwnWrites } from '../../table/source/own-tables.ts'
import type { WrittenTables } from '../../table/source/write-log.ts'
import { placeOf } from './address.ts'
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
  /** Numbers of transactions that wrote nothing but Tablewire's own tables. */
  #own: OwnWrites['transactions']
  /** The last snapshot, and the version that was told for it. */
  #last: { readonly snapshot: Snapshot; readonly told: string } | undefined

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

  /** From now on, what changes nothing but these does not change the version. */
  leaveOut({ server, transactions }: OwnWrites): void {
    if (server === placeOf(this.#server.address)) this.#own = transactions
  }

  /** Returns what tells whether transactions have ended since it was asked before that are not known. */
  watchOthers(isKnown: (transaction: number) => boolean): () => Promise<WrittenTables> {
    let last: Snapshot | undefined
    return async () => {
      const text = await this.#snapshot()
      const snapshot = text === undefined ? undefined : readSnapshot(text)
      const isOurs = last && snapshot && (await this.#hasOnlyOwn(last, snapshot, isKnown))
      last = snapshot
      return isOurs ? [] : 'any'
    }
  }

  /** The version of a snapshot: that of the last one, if only Tablewire's own tables were written since. */
  async #versionOf(text: string): Promise<string> {
    const snapshot = this.#own && readSnapshot(text)
    if (!snapshot) return text
    const last = this.#last
    const told = last && (await this.#hasOnlyOwn(last.snapshot, snapshot)) ? last.told : text
    this.#last = { snapshot, told }
    return told
  }

  async #hasOnlyOwn(
    before: Snapshot,
    after: Snapshot,
    isKnown: (transaction: number) => boolean = () => false,
  ): Promise<boolean> {
    const ended = endedBetween(before, after)?.filter((id) => !isKnown(id))
    if (!ended) return false
    if (ended.length === 0) return true
    try {
      const own = await this.#own?.(Math.min(...ended))
      return ended.every((id) => own?.has(id))
    } catch {
      // Without an answer, anything may have been written.
      return false
    }
  }

  async #ask(): Promise<string> {
    const snapshot = await this.#snapshot()
    // A server that tells none always counts as changed.
    return snapshot === undefined ? `?${++this.#unknown}` : await this.#versionOf(snapshot)
  }

  async #snapshot(): Promise<string | undefined> {
    const question = QUESTIONS[this.#place]
    if (!question) return undefined
    try {
      const { rows } = await this.#server.read('rows', question)
      return String(rows[0]?.[0])
    } catch (error) {
      if (!isOutdated(error)) throw error
      this.#place++
      return this.#snapshot()
    }
  }
}

/** Transactions from `next` on have not begun; of the others, these are running. */
type Snapshot = { readonly next: number; readonly running: readonly number[] }

/** As in `10:15:11,13`; `undefined` for a position in the log. */
function readSnapshot(text: string): Snapshot | undefined {
  const [, next, running = ''] = /^\d+:(\d+):([\d,]*)$/.exec(text) ?? []
  if (next === undefined) return undefined
  return { next: Number(next), running: running.split(',').filter(Boolean).map(Number) }
}

/** So many transactions are not looked through. */
const MANY = 1000

/** The transactions that ended between two snapshots; `undefined` if they are many, or time went back. */
function endedBetween(before: Snapshot, after: Snapshot): number[] | undefined {
  const begun = after.next - before.next
  if (begun < 0 || begun > MANY) return undefined
  const running = new Set(after.running)
  const since = Array.from({ length: begun }, (_, i) => before.next + i)
  return [...before.running, ...since].filter((id) => !running.has(id))
}
