/**
 * Tells tables of the changes that are on disk: at least once, by one of the nodes that share the history,
 * again with growing pauses where that fails.
 */

import type { Catalog } from '../catalog.ts'
import type { Entry, Ledger } from './ledger.ts'

/** An entry that a node has taken. `failures`: how often it was told in vain. */
export type ClaimedHook = { readonly entry: Entry; readonly failures: number }

/** Which node may tell, and until when it alone may, ms. */
export type Lease = { readonly node: string; readonly until: number }

/** The ledger's side of it. All of it does nothing for an entry that another node has taken meanwhile. */
export type HookLedger = Pick<Ledger, 'images'> & {
  /** Takes an entry that is due at `now`, the one first that has been so longest. */
  claimHook(now: number, lease: Lease): Promise<ClaimedHook | undefined>
  /** Keeps an entry longer. */
  holdHook(id: string, lease: Lease): Promise<void>
  /** Gives an entry back, to be told again once the lease has ended. */
  pauseHook(id: string, lease: Lease, failures: number): Promise<void>
  endHook(id: string, node: string, hook: 'done' | 'failed'): Promise<void>
  /** When the next entry is due, or the next lease ends, ms. */
  nextHook(): Promise<number | undefined>
}

export type HookOptions = {
  readonly ledger: HookLedger
  /** Tells this node from the others. */
  readonly node: string
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
/** After how long another node tells what a node has taken that died, ms. */
const LEASE_MS = 60 * 1000
/** How often a node looks for what others have left, ms. */
const IDLE_MS = 60 * 1000

export function startHooks(options: HookOptions): Hooks {
  const { ledger, node, catalog, now, later, report } = options
  let running: Promise<void> | undefined
  let isPoked = false
  let isClosed = false
  let cancel = () => {}

  const lease = (ms: number): Lease => ({ node, until: now() + ms })

  async function tell(entry: Entry): Promise<void> {
    for (const { table } of entry.tables) {
      const changed = catalog().definitions.get(table)?.rules.changed
      await changed?.({ entry, rows: () => ledger.images(entry.id, { table }) })
    }
  }

  async function tryOne({ entry, failures }: ClaimedHook): Promise<void> {
    const release = holding(entry.id)
    try {
      await tell(entry)
    } catch (error) {
      report?.('What follows a change has failed.', error)
      if (now() - entry.at >= GIVEN_UP_MS) return ledger.endHook(entry.id, node, 'failed')
      const pauseMs = Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS)
      return ledger.pauseHook(entry.id, lease(pauseMs), failures + 1)
    } finally {
      release()
    }
    await ledger.endHook(entry.id, node, 'done')
  }

  /** Keeps the entry while its hook runs. */
  function holding(id: string): () => void {
    let cancelNext = () => {}
    const wait = () => {
      cancelNext = later(() => {
        // Another node tells it if this one cannot say that it still does.
        void ledger.holdHook(id, lease(LEASE_MS)).catch(() => undefined)
        wait()
      }, LEASE_MS / 3)
    }
    wait()
    return () => cancelNext()
  }

  async function round(): Promise<void> {
    while (!isClosed) {
      const claimed = await ledger.claimHook(now(), lease(LEASE_MS))
      if (!claimed) return
      await tryOne(claimed)
    }
  }

  async function run(): Promise<void> {
    cancel()
    let next: number | undefined
    try {
      do {
        isPoked = false
        await round()
        // A poke may come while the round runs.
      } while (isPoked && !isClosed)
      next = isClosed ? undefined : await ledger.nextHook()
    } catch (error) {
      report?.('Changes could not be told.', error)
    }
    running = undefined
    if (isClosed) return
    if (isPoked) return start()
    const delayMs = Math.max((next ?? Infinity) - now(), 0)
    cancel = later(start, Math.min(delayMs, IDLE_MS))
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
