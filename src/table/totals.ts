/** How many rows a listing has: counted once for each condition and state of the data. */

import type { Access } from './access.ts'
import type { Predicate } from './predicate.ts'
import type { Count, RowSource } from './row-source.ts'

/** Rows are counted exactly up to here before an estimate or “more than” is shown. */
export const COUNT_BOUND = 10_000
/** The longest a page waits for its count, ms; after that it comes later. */
const PATIENCE_MS = 10
/** How long a count may take in the background, ms. */
const COUNT_TIMEOUT_MS = 20_000
/** Counts that are kept at a time. */
const CACHE_SIZE = 500

export type Tally = {
  readonly count: Count | null
  /** Whether a better count may still come. */
  readonly settled: boolean
}

type Entry = { version: string; best: Count | null; settled: boolean; done: Promise<void> }

export type Totals = {
  /** The best count there is within `patienceMs`; better ones are found in the background. */
  find(access: Access, where: Predicate, key: string, patienceMs?: number): Promise<Tally>
}

/** `key` names access and condition; counts are kept by it until the data change. */
export function createTotals(source: RowSource): Totals {
  const entries = new Map<string, Entry>()

  function start(access: Access, where: Predicate, version: string): Entry {
    const entry: Entry = { version, best: null, settled: false, done: Promise.resolve() }
    entry.done = refine(source, access, where, entry).finally(() => (entry.settled = true))
    return entry
  }

  return {
    async find(access, where, key, patienceMs = PATIENCE_MS) {
      const version = await source.dataVersion()
      let entry = entries.get(key)
      if (entry?.version !== version) {
        entry = start(access, where, version)
        entries.delete(key)
        entries.set(key, entry)
        if (entries.size > CACHE_SIZE) entries.delete(entries.keys().next().value!)
      }
      if (!entry.settled) await within(entry.done, patienceMs)
      return { count: entry.best, settled: entry.settled }
    },
  }
}

/** A bounded count first, because it is quick; then the exact one. A count that fails stays as it is. */
async function refine(
  source: RowSource,
  access: Access,
  where: Predicate,
  entry: Entry,
): Promise<void> {
  try {
    entry.best = await source.count(access, where, { bound: COUNT_BOUND })
    if (entry.best.kind === 'exact') return
    entry.best = await source.count(access, where, { timeoutMs: COUNT_TIMEOUT_MS })
  } catch {
    // What was counted so far is still true; the page itself reports a database that is gone.
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
