/** How many rows a listing has: counted once for each condition and state of the data. */

import { AppError } from '../../server/app-error.ts'
import { digestOf } from '../../server/component/digest.ts'
import type { Access } from '../source/access.ts'
import type { Predicate } from '../source/predicate.ts'
import { encodePredicate } from '../source/predicate-codec.ts'
import type { Count, RowSource } from '../source/row-source.ts'
import { inTurn, LONG_MS } from './long-questions.ts'

/** Rows are counted exactly up to here before an estimate or “more than” is shown. */
export const COUNT_BOUND = 10_000
/** Longest time that a page waits for its count, ms; a later count is fetched separately. */
const MAX_WAIT_MS = 10
/** Longest time that a request for the count alone waits for a better one, ms. */
export const COUNT_WAIT_MS = 150
/**
 * A count that no page has asked for in this time is cancelled, ms; pages ask every few seconds.
 */
const ABANDONED_MS = 10_000
/** Counts that are cached at a time. */
const CACHE_SIZE = 500
/** Full counts that may wait for their turn; a new one replaces the oldest. */
const FULL_QUEUE_MAX = 20

export type Tally = {
  readonly count: Count | null
  /** Whether a better count may still come. */
  readonly settled: boolean
}

type Entry = {
  readonly version: string
  readonly access: Access
  readonly where: Predicate
  readonly abort: AbortController
  /** Asked for before, so no other count of its actor cancels it. */
  readonly isKept: boolean
  askedAt: number
  best: Count | null
  settled: boolean
  done: Promise<void>
}

export type FindOptions = {
  /** Default: 10. */
  readonly maxWaitMs?: number | undefined
  /** The data version, where it has been read just now. Default: it is read. */
  readonly version?: string | undefined
}

export type Totals = {
  /** The best count there is within `maxWaitMs`; better ones are found in the background. */
  find(access: Access, where: Predicate, key: string, options?: FindOptions): Promise<Tally>
  /** What is known by now of this version of the data; nothing is counted for it. */
  known(key: string, version: string): Count | null
}

/**
 * `key` names access and condition; counts are cached by it until the data change. Full counts run
 * one at a time, the latest request first. A count is cancelled as soon as its actor asks for
 * another one of the table, as somebody does who types on; if it is asked for again, as by a second
 * tab, it starts anew and is no longer cancelled.
 */
export function createTotals(source: RowSource, now: () => number = Date.now): Totals {
  const entries = new Map<string, Entry>()
  const fullCounts = createFullCounts(source, now)

  function start(access: Access, where: Predicate, version: string, isKept: boolean): Entry {
    const abort = new AbortController()
    const entry: Entry = {
      version,
      access,
      where,
      abort,
      isKept,
      askedAt: now(),
      best: null,
      settled: false,
      done: Promise.resolve(),
    }
    entry.done = refine(entry).finally(() => (entry.settled = true))
    return entry
  }

  /**
   * Counts up to the bound first, because that is quick; the result stands if the full count fails.
   */
  async function refine(entry: Entry): Promise<void> {
    const { access, where, abort } = entry
    try {
      entry.best = await source.count(access, where, { bound: COUNT_BOUND, signal: abort.signal })
      if (entry.best.kind !== 'exact') await fullCounts.count(entry)
    } catch (error) {
      // BUSY says nothing about the count, so the next request tries again. The page itself reports
      // an unavailable database.
      if (error instanceof AppError && error.code === 'BUSY') abort.abort()
    }
  }

  function supersede({ actor, table }: Access): void {
    for (const { access, abort, isKept, settled } of entries.values())
      if (!settled && !isKept && access.actor.id === actor.id && access.table.name === table.name)
        abort.abort()
  }

  function keep(key: string, entry: Entry): void {
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size <= CACHE_SIZE) return
    const [first] = entries
    if (!first) return
    const [oldest, { abort }] = first
    abort.abort()
    entries.delete(oldest)
  }

  return {
    known(key, version) {
      const entry = entries.get(key)
      return entry?.version === version ? entry.best : null
    },
    async find(access, where, key, { maxWaitMs = MAX_WAIT_MS, version: given } = {}) {
      const version = given ?? (await source.dataVersion())
      let entry = entries.get(key)
      if (entry?.version !== version || entry.abort.signal.aborted) {
        entry?.abort.abort()
        if (!entry) supersede(access)
        entry = start(access, where, version, entry !== undefined)
        keep(key, entry)
      }
      entry.askedAt = now()
      fullCounts.cancelAbandoned()
      if (!entry.settled) await within(entry.done, maxWaitMs)
      return { count: entry.best, settled: entry.settled && !entry.abort.signal.aborted }
    },
  }
}

/** By which a count is cached, under a version of the policy. */
export function countKey({ actor, table }: Access, version: string, where: Predicate): string {
  // The condition itself: the same days mean other moments in another zone, and tomorrow.
  const condition = digestOf(JSON.stringify(encodePredicate(where)))
  return JSON.stringify([version, actor.role, actor.id, table.name, condition])
}

/** Runs full counts one at a time. */
function createFullCounts(source: RowSource, now: () => number) {
  const waiting: { entry: Entry; done(): void }[] = []
  let running: Entry | null = null
  const isAbandoned = (entry: Entry) => now() - entry.askedAt > ABANDONED_MS

  async function runNext(): Promise<void> {
    const next = waiting.pop()
    running = next?.entry ?? null
    if (!next) return
    const { entry, done } = next
    const { access, where, abort } = entry
    if (isAbandoned(entry)) abort.abort()
    try {
      abort.signal.throwIfAborted()
      entry.best = await inTurn(source, () =>
        source.count(access, where, { timeoutMs: LONG_MS, signal: abort.signal }),
      )
    } catch {
      // The bounded count stands.
    }
    done()
    void runNext()
  }

  function dropOldest(): void {
    const oldest = waiting.shift()
    oldest?.entry.abort.abort()
    oldest?.done()
  }

  return {
    count: (entry: Entry) =>
      new Promise<void>((done) => {
        waiting.push({ entry, done })
        if (waiting.length > FULL_QUEUE_MAX) dropOldest()
        if (!running) void runNext()
      }),
    cancelAbandoned() {
      if (running && isAbandoned(running)) running.abort.abort()
    },
  }
}

async function within(done: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, timeout])
  clearTimeout(timer)
}
