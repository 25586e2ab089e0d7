/** Notices that rows have changed, whoever has changed them, and tells who watches the tables. */

import type { RowSource } from '../../table/source/row-source.ts'
import { withTables, type WriteWatch, type WrittenTables } from '../../table/source/write-log.ts'

/** Between two looks at the data version while somebody watches, ms. */
const WATCH_INTERVAL_MS = 500
/** After a change was told: what is written meanwhile, such as by a bulk load, is told together, ms. */
const GAP_MS = 250
/** After a failure, as of a database that is restarted, ms. */
const FAILURE_PAUSE_MS = 5000

/** A write of a page whose views were read when the data had that version, or later. */
export type PageWrite = { readonly socketId: string; readonly version: string }

export type ChangeWatch = {
  /** Somebody is about to watch: what they read once they do is not older than this look. */
  begin(): void
  /**
   * Rows were written, and somebody says so: tells at once, or soon after it has told. Unless the write is
   * `isLogged`, it may be of any table.
   */
  written(write?: PageWritten): void
  /** The database says that something was written. */
  noticed(): void
  close(): void
}

export type PageWritten = {
  readonly by?: PageWrite | undefined
  /** Whether the source's log has what was written. */
  readonly isLogged?: boolean | undefined
}

export type ChangeWatchOptions = {
  readonly source: Pick<RowSource, 'dataVersion' | 'writes'>
  /** Channels of tables that somebody has joined here. Without any, the database is left alone. */
  watched(): readonly string[]
  /** Which channels hear of a write of these tables. Default: all. */
  concernedBy?(tables: readonly string[]): (channel: string) => boolean
  /** Called with the channels whose rows may have changed, and the socket whose page shows that already. */
  changed(channels: readonly string[], except?: string): void
  /** Runs `task` after `delayMs`; returns what cancels it. */
  later(task: () => void, delayMs: number): () => void
  readonly report?: ((error: unknown) => void) | undefined
}

/** Of a source that keeps no log. */
const ANYTHING: WriteWatch = { known: async () => 'any', others: async () => 'any' }

/**
 * Every engine has one data version for the whole database. Once it is another, the log of writes says which tables
 * Tablewire has written; where anybody else may have written, and the engine does not say what, all tables that
 * are watched are told. A list whose rows are the same sends nothing anew.
 */
export function watchChanges(options: ChangeWatchOptions): ChangeWatch {
  const { source, watched, changed, report, later } = options
  const { concernedBy = () => () => true } = options
  const log = source.writes?.watch() ?? ANYTHING
  /** As last seen; `undefined` while nobody watched. */
  let known: string | undefined
  let isLooking = false
  let isClosed = false
  /** Whether there was a change, or a failure, so lately that the next look waits. */
  let isResting = false
  /** Whether a write came while the version was being read, or while the next look waits. */
  let looksAgain = false
  /** Writes that nobody has been told of: not every database's version says so at once. */
  let untold: Writes = null
  let isNoticed = false
  /** Whether a look has failed after it had asked what was written. */
  let isLost = false
  let cancel = later(tick, WATCH_INTERVAL_MS)
  let cancelRest = () => {}
  let failures = 0

  async function look(): Promise<void> {
    if (isLooking || isResting) {
      looksAgain = true
      return
    }
    isLooking = true
    const hasChanged = await compare()
    isLooking = false
    if (isClosed) return
    if (hasChanged || failures > 0) rest()
    else await lookAgain()
  }

  async function lookAgain(): Promise<void> {
    if (!looksAgain) return
    looksAgain = false
    await look()
  }

  function rest(): void {
    isResting = true
    cancelRest = later(() => {
      isResting = false
      void lookAgain()
    }, GAP_MS)
  }

  /** Tells whom a change concerns; returns whether there was one. */
  async function compare(): Promise<boolean> {
    if (watched().length === 0) {
      known = undefined
      untold = null
      isNoticed = false
      return false
    }
    // What comes while the version is read is told after it.
    const asked = { writes: untold, isNoticed }
    untold = null
    isNoticed = false
    try {
      const version = await source.dataVersion()
      const isNew = version !== known || asked.isNoticed
      const hasChanged = isNew || asked.writes !== null
      if (hasChanged) await tellOf(asked.writes, version, isNew)
      known = version
      failures = 0
      return hasChanged
    } catch (error) {
      untold = together(asked.writes, untold)
      isNoticed ||= asked.isNoticed
      // The first says it all; a database that is away is told in the pages, too.
      if (failures++ === 0 && !isClosed) report?.(error)
      return false
    }
  }

  /** `isNew`: whether anybody else may have written as well. */
  async function tellOf(writes: Writes, version: string, isNew: boolean): Promise<void> {
    // The page that has written shows all there is, unless the version says that somebody else wrote too.
    const except = writes?.by?.version === version ? writes.by.socketId : undefined
    // Where nobody has begun, whoever has just joined may have missed a change.
    const isAny = known === undefined || isLost || (writes !== null && !writes.isLogged)
    isLost = true
    const ours = withTables(await log.known(), isAny ? 'any' : [])
    // Others are asked about before anybody reads again, and after what is known already is told.
    const first = ours === 'any' && isNew ? withTables(await log.others(), ours) : ours
    tell(first, except)
    if (ours !== 'any' && isNew) tell(await log.others())
    isLost = false
  }

  function tell(tables: WrittenTables, except?: string): void {
    const names = tables === 'any' ? watched() : watched().filter(concernedBy(tables))
    if (names.length > 0) changed(names, except)
  }

  function tick(): void {
    void look().then(() => {
      if (!isClosed) cancel = later(tick, failures > 0 ? FAILURE_PAUSE_MS : WATCH_INTERVAL_MS)
    })
  }

  async function begin(): Promise<void> {
    if (known !== undefined || isLooking) return
    isLooking = true
    try {
      await Promise.all([log.known(), log.others()])
      const version = await source.dataVersion()
      known ??= version
    } finally {
      isLooking = false
      if (!isClosed) await lookAgain()
    }
  }

  return {
    // The next look tells what this one could not.
    begin: () => void begin().catch(() => undefined),
    written({ by, isLogged = false } = {}) {
      untold = together(untold, { by, isLogged })
      void look()
    },
    noticed() {
      isNoticed = true
      void look()
    },
    close() {
      isClosed = true
      cancel()
      cancelRest()
    },
  }
}

/** `by`: the last one, where one page has made all of them. `isLogged`: whether the log has all of them. */
type Writes = { readonly by: PageWrite | undefined; readonly isLogged: boolean } | null

function together(before: Writes, after: Writes): Writes {
  if (!before || !after) return before ?? after
  const isLogged = before.isLogged && after.isLogged
  return { by: before.by?.socketId === after.by?.socketId ? after.by : undefined, isLogged }
}
