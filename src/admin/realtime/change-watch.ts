/** Notices that rows have changed, whoever has changed them, and tells who watches the tables. */

import type { RowSource } from '../../table/source/row-source.ts'

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
  /** Rows were written, and somebody says so: tells at once, or soon after it has told. */
  written(by?: PageWrite): void
  close(): void
}

export type ChangeWatchOptions = {
  readonly source: Pick<RowSource, 'dataVersion'>
  /** Channels of tables that somebody has joined here. Without any, the database is left alone. */
  watched(): readonly string[]
  /** Called with the channels whose rows may have changed, and the socket whose page shows that already. */
  changed(channels: readonly string[], except?: string): void
  /** Runs `task` after `delayMs`; returns what cancels it. */
  later(task: () => void, delayMs: number): () => void
  readonly report?: ((error: unknown) => void) | undefined
}

/**
 * Every engine has one data version for the whole database, so a change tells all tables that are
 * watched; a list whose rows are the same sends nothing anew.
 */
export function watchChanges(options: ChangeWatchOptions): ChangeWatch {
  const { source, watched, changed, report, later } = options
  /** As last seen; `undefined` while nobody watched. */
  let known: string | undefined
  let isLooking = false
  let isClosed = false
  /** Whether it has told, or failed, so lately that the next look waits. */
  let isResting = false
  /** Whether a write came while the version was being read, or while the next look waits. */
  let looksAgain = false
  /** Writes that nobody has been told of: not every database's version says so at once. */
  let untold: Writes = null
  let cancel = later(tick, WATCH_INTERVAL_MS)
  let cancelRest = () => {}
  let failures = 0

  async function look(): Promise<void> {
    if (isLooking || isResting) {
      looksAgain = true
      return
    }
    isLooking = true
    const hasTold = await compare()
    isLooking = false
    if (isClosed) return
    if (hasTold || failures > 0) rest()
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

  /** Tells of a change; returns whether there was one. */
  async function compare(): Promise<boolean> {
    const channels = watched()
    if (channels.length === 0) {
      known = undefined
      untold = null
      return false
    }
    // One that comes while the version is read is told after it.
    const writes = untold
    untold = null
    try {
      const version = await source.dataVersion()
      // Where nobody has begun, whoever has just joined may have missed a change.
      const isNew = version !== known || writes !== null
      // The page that has written shows all there is, unless the version says that somebody else wrote too.
      const isShown = writes?.by?.version === version
      if (isNew) changed(channels, isShown ? writes?.by?.socketId : undefined)
      known = version
      failures = 0
      return isNew
    } catch (error) {
      untold = together(writes, untold)
      // The first says it all; a database that is away is told in the pages, too.
      if (failures++ === 0 && !isClosed) report?.(error)
      return false
    }
  }

  function tick(): void {
    void look().then(() => {
      if (!isClosed) cancel = later(tick, failures > 0 ? FAILURE_PAUSE_MS : WATCH_INTERVAL_MS)
    })
  }

  async function begin(): Promise<void> {
    if (known !== undefined) return
    const version = await source.dataVersion()
    known ??= version
  }

  return {
    // The next look tells what this one could not.
    begin: () => void begin().catch(() => undefined),
    written(by) {
      untold = together(untold, { by })
      void look()
    },
    close() {
      isClosed = true
      cancel()
      cancelRest()
    },
  }
}

/** `by`: the last one, where one page has made all of them. */
type Writes = { readonly by: PageWrite | undefined } | null

function together(before: Writes, after: Writes): Writes {
  if (!before || !after) return before ?? after
  return before.by?.socketId === after.by?.socketId ? after : { by: undefined }
}
