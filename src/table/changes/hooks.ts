/** Tells tables of the changes that are on disk: at least once, again with growing pauses where that fails. */

import type { Catalog } from '../catalog.ts'
import type { Entry, HookState, Ledger } from './ledger.ts'

/** The ledger's side of it: which entries are due, and how each has ended. */
export type HookLedger = Pick<Ledger, 'images'> & {
  dueHooks(size: number): Promise<readonly Entry[]>
  setHook(id: string, hook: HookState): Promise<void>
}

export type HookOptions = {
  readonly ledger: HookLedger
  catalog(): Catalog
  now(): number
  /** Runs `task` after `delayMs`; returns what cancels it. */
  later(task: () => void, delayMs: number): () => void
  readonly report?: ((sentence: string, error: unknown) => void) | undefined
}

export type Hooks = {
  /** A change was written: what is due is told now. */
  poke(): void
  /** Ends after the hook that runs. */
  close(): Promise<void>
}

/** The first pause after a failure, and how long an entry is tried, ms. */
const PAUSE_MS = 1000
const PAUSE_MAX_MS = 60 * 60 * 1000
const GIVEN_UP_MS = 24 * 60 * 60 * 1000
/** Entries that are read at a time. */
const SOME = 50

export function startHooks({ ledger, catalog, now, later, report }: HookOptions): Hooks {
  /** How long each failed entry waits next, and until when it waits now. */
  const waits = new Map<string, { readonly pauseMs: number; readonly until: number }>()
  let running: Promise<void> | undefined
  let isPoked = false
  let isClosed = false
  let cancel = () => {}

  async function tell(entry: Entry): Promise<void> {
    for (const { table } of entry.tables) {
      const changed = catalog().definitions.get(table)?.rules.changed
      await changed?.({ entry, rows: () => ledger.images(entry.id, { table }) })
    }
  }

  async function tryOne(entry: Entry): Promise<void> {
    try {
      await tell(entry)
      waits.delete(entry.id)
      await ledger.setHook(entry.id, 'done')
    } catch (error) {
      report?.('What follows a change has failed.', error)
      const pauseMs = waits.get(entry.id)?.pauseMs ?? PAUSE_MS
      waits.set(entry.id, {
        pauseMs: Math.min(2 * pauseMs, PAUSE_MAX_MS),
        until: now() + pauseMs,
      })
      if (now() - entry.at < GIVEN_UP_MS) return
      waits.delete(entry.id)
      await ledger.setHook(entry.id, 'failed')
    }
  }

  async function round(): Promise<void> {
    for (const entry of await ledger.dueHooks(SOME)) {
      if (isClosed) return
      if ((waits.get(entry.id)?.until ?? 0) <= now()) await tryOne(entry)
    }
  }

  async function run(): Promise<void> {
    cancel()
    do {
      isPoked = false
      await round().catch((error: unknown) => report?.('Changes could not be told.', error))
      // A poke may come while the round runs.
    } while (isPoked && !isClosed)
    running = undefined
    const next = Math.min(...[...waits.values()].map(({ until }) => until))
    if (!isClosed && Number.isFinite(next)) cancel = later(start, Math.max(next - now(), 0))
  }

  function start(): void {
    isPoked = true
    if (!isClosed) running ??= run()
  }

  start()
  return {
    poke: start,
    async close() {
      isClosed = true
      cancel()
      await running
    },
  }
}
