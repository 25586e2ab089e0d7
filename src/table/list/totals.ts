/** How many rows a listing has: counted once for each condition and state of the data. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../source/access.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Count, RowSource } from '../source/row-source.ts'

/** Rows are counted exactly up to here before an estimate or “more than” is shown. */
export const COUNT_BOUND = 10_000
/** The longest a page waits for its count, ms; after that it comes later. */
const PATIENCE_MS = 10
/** How long whoever asks for nothing but the count waits for a better one, ms. */
export const COUNT_PATIENCE_MS = 150
/** How long a whole count may take in the background, ms. */
const COUNT_TIMEOUT_MS = 20_000
/** A count that nobody has asked for in this time is given up, ms; pages ask every few seconds. */
const FORGOTTEN_MS = 10_000
/** Counts that are kept at a time. */
const CACHE_SIZE = 500
/** Whole counts that may wait for their turn; the oldest wish gives way to the newest. */
const WHOLE_QUEUE = 20

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
  /** Somebody looks at it still, so what else its actor asks for does not end it. */
  readonly isKept: boolean
  askedAt: number
  best: Count | null
  settled: boolean
  done: Promise<void>
}

export type Totals = {
  /** The best count there is within `patienceMs`; better ones are found in the background. */
  find(access: Access, where: Predicate, key: string, patienceMs?: number): Promise<Tally>
}

/**
 * `key` names access and condition; counts are kept by it until the data change. Whole counts go
 * one at a time, the latest wish first. A count ends as soon as its actor asks for another one of
 * the table, as somebody who types on does; where it is asked for again, as by a second tab, it is
 * taken up again and then left alone.
 */
export function createTotals(source: RowSource, now: () => number = Date.now): Totals {
  const entries = new Map<string, Entry>()
  const wholes = createWholeCounts(source, now)

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

  /** A bounded count first, because it is quick. What was counted stays true if the next fails. */
  async function refine(entry: Entry): Promise<void> {
    const { access, where, abort } = entry
    try {
      entry.best = await source.count(access, where, { bound: COUNT_BOUND, signal: abort.signal })
      if (entry.best.kind !== 'exact') await wholes.count(entry)
    } catch (error) {
      // Too much to do is no answer: the next one who asks tries again. The page itself reports a
      // database that is gone.
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
    const [oldest, { abort }] = entries.entries().next().value!
    abort.abort()
    entries.delete(oldest)
  }

  return {
    async find(access, where, key, patienceMs = PATIENCE_MS) {
      const version = await source.dataVersion()
      let entry = entries.get(key)
      if (entry?.version !== version || entry.abort.signal.aborted) {
        entry?.abort.abort()
        if (!entry) supersede(access)
        entry = start(access, where, version, entry !== undefined)
        keep(key, entry)
      }
      entry.askedAt = now()
      wholes.giveUpForgotten()
      if (!entry.settled) await within(entry.done, patienceMs)
      return { count: entry.best, settled: entry.settled && !entry.abort.signal.aborted }
    },
  }
}

/** Runs whole counts one at a time. */
function createWholeCounts(source: RowSource, now: () => number) {
  const waiting: { entry: Entry; done(): void }[] = []
  let running: Entry | null = null
  const isForgotten = (entry: Entry) => now() - entry.askedAt > FORGOTTEN_MS

  async function runNext(): Promise<void> {
    const next = waiting.pop()
    running = next?.entry ?? null
    if (!next) return
    const { entry, done } = next
    const { access, where, abort } = entry
    if (isForgotten(entry)) abort.abort()
    try {
      abort.signal.throwIfAborted()
      entry.best = await source.count(access, where, {
        timeoutMs: COUNT_TIMEOUT_MS,
        signal: abort.signal,
      })
    } catch {
      // “At least” stays what is known.
    }
    done()
    void runNext()
  }

  function giveUpOldest(): void {
    const oldest = waiting.shift()
    oldest?.entry.abort.abort()
    oldest?.done()
  }

  return {
    count: (entry: Entry) =>
      new Promise<void>((done) => {
        waiting.push({ entry, done })
        if (waiting.length > WHOLE_QUEUE) giveUpOldest()
        if (!running) void runNext()
      }),
    giveUpForgotten() {
      if (running && isForgotten(running)) running.abort.abort()
    },
  }
}

async function within(done: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, patience])
  clearTimeout(timer)
}
