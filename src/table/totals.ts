/** How many rows a listing has: counted once for each condition and state of the data. */

import type { Access } from './access.ts'
import type { Predicate } from './predicate.ts'
import type { Count, RowSource } from './row-source.ts'

/** Rows are counted exactly up to here before an estimate or “more than” is shown. */
export const COUNT_BOUND = 10_000
/** The longest a page waits for its count, ms; after that it comes later. */
const PATIENCE_MS = 10
/** How long a whole count may take in the background, ms. */
const COUNT_TIMEOUT_MS = 20_000
/** A count that nobody has asked for in this time is given up, ms; pages ask every few seconds. */
const FORGOTTEN_MS = 10_000
/** Counts that are kept at a time. */
const CACHE_SIZE = 500

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
 * one at a time, the latest wish first, so that pages never queue behind them.
 */
export function createTotals(source: RowSource, now: () => number = Date.now): Totals {
  const entries = new Map<string, Entry>()
  const wholes = createWholeCounts(source, now)

  function start(access: Access, where: Predicate, version: string): Entry {
    const abort = new AbortController()
    const entry: Entry = {
      version,
      access,
      where,
      abort,
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
    } catch {
      // The page itself reports a database that is gone.
    }
  }

  return {
    async find(access, where, key, patienceMs = PATIENCE_MS) {
      const version = await source.dataVersion()
      let entry = entries.get(key)
      if (entry?.version !== version || entry.abort.signal.aborted) {
        entry?.abort.abort()
        entry = start(access, where, version)
        entries.delete(key)
        entries.set(key, entry)
        if (entries.size > CACHE_SIZE) entries.delete(entries.keys().next().value!)
      }
      entry.askedAt = now()
      wholes.giveUpForgotten()
      if (!entry.settled) await within(entry.done, patienceMs)
      return { count: entry.best, settled: entry.settled }
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

  return {
    count: (entry: Entry) =>
      new Promise<void>((done) => {
        waiting.push({ entry, done })
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
