/** Opens a SQLite file as a row source. */

import { randomUUID } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { AppError } from '../../server/app-error.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { SqliteFile } from './file.ts'
import { closing, timedOut, unavailable } from '../failure.ts'
import { beside } from './worker-url.ts'
import { openProcess, openThread } from './lane.ts'
import { LabelCache } from '../query/label-cache.ts'
import { Lanes, type LanesOptions } from './lanes.ts'
import { Reader } from './reader.ts'
import { SqliteSource } from './source.ts'
import { Writer } from './writer.ts'

export type SqliteOptions = {
  /** Default true: nothing is written to the file. */
  readonly readOnly?: boolean
  /** What the database is called; by default its file's name without the extension. */
  readonly name?: string
  /** Longest time of a query, ms. Default 5000. */
  readonly timeoutMs?: number
  /** How long to wait for another program's lock, ms. Default 5000. */
  readonly busyMs?: number
  /** Threads for queries that scan; counts have two more. Default 2. */
  readonly workers?: number
  /** Tables of no more rows are read in place even without an index. Default 1000. */
  readonly smallRows?: number
  /** Queries that may wait for a thread, and writes for the writer. Default 64. */
  readonly queue?: number
  /** A clock in ms that never goes back. */
  readonly now?: () => number
}

/** Longest time of a commit, ms; past it nobody knows how it ended. */
const WRITE_TIMEOUT_MS = 60_000
/** Threads for counts: a whole one, and beside it the quick ones. */
const COUNTERS = 2

/**
 * Opens the file and reads its schema. Threads start when they are first needed.
 *
 * Throws `DATABASE_UNAVAILABLE` with one plain sentence for a file that is missing, is no database,
 * or cannot be read.
 *
 * @example
 * const source = await openSqlite('shop.db', { readOnly: false })
 * const { tables } = await source.describe()
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<RowSource> {
  const { readOnly = true, timeoutMs = 5000, busyMs = 5000, workers = 2, queue = 64 } = options
  const now = options.now ?? (() => performance.now())
  const file = resolve(path)
  const lanes = (size: number, open: LanesOptions['open']): Lanes =>
    new Lanes({
      ...{ size, open, queue, timeoutMs },
      ...{ downError: scanDown, closedError: closing, timeoutError: timedOut },
    })

  const scanner = beside('scan-worker')
  const start = { file, busyMs }
  const scanning = (size: number) => ({
    threads: lanes(size, (events) => openThread(scanner, start, events)),
    processes: lanes(1, (events) => openProcess(scanner, start, events)),
  })
  const [forRows, forCounts] = [scanning(workers), scanning(COUNTERS)]
  const writing = new Lanes({
    size: 1,
    open: (events) => openThread(beside('write-worker'), start, events),
    queue,
    timeoutMs: WRITE_TIMEOUT_MS,
    downError: outcomeUnknown,
    closedError: outcomeUnknown,
    timeoutError: outcomeUnknown,
  })
  const all = [...Object.values(forRows), ...Object.values(forCounts), writing]
  const opened = new SqliteFile(file, {
    name: options.name ?? basename(file).replace(/\.[^.]+$/, ''),
    now,
    isWritable: !readOnly,
    onReplaced: () => {
      for (const lane of all) void lane.closeLanes()
    },
  })
  opened.recheck()
  const reading = { file: opened, now, smallRows: options.smallRows ?? 1000 }
  return new SqliteSource({
    file: opened,
    reader: new Reader({ ...reading, ...forRows }),
    counter: new Reader({ ...reading, ...forCounts }),
    writer: readOnly ? undefined : new Writer(writing, queue),
    lanes: all,
    // Versions of another opening of the same file must never look like this one's.
    labels: new LabelCache(),
    instance: randomUUID(),
  })
}

const scanDown = (): AppError => unavailable(({ database }) => database.ended)

const outcomeUnknown = (): AppError => new AppError('OUTCOME_UNKNOWN')
