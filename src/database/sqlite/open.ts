/** Opens a SQLite file as a row source. */

import { randomUUID } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { AppError } from '../../server/app-error.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { unavailable } from '../failure.ts'
import { opened, SqlSource } from '../source/sql-source.ts'
import type { RecorderModule } from '../../table/source/recorder.ts'
import { SqliteDatabase, type Workers } from './database.ts'
import { SqliteFile } from './file.ts'
import { workerUrl } from './worker-url.ts'
import { openProcess, openThread } from './worker.ts'
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'
import { Writer } from './write.ts'

export type SqliteOptions = {
  /**
   * Whether rows can be written: never (`true`), or from the start (`false`). Default: once
   * `writing.allow` is called; until then the file is only read.
   */
  readonly readOnly?: boolean
  /** The database's name. Default: the file's name without its extension. */
  readonly name?: string
  /** Time limit of a query, ms. Default 5000. */
  readonly timeoutMs?: number
  /** Time limit for another program's lock, ms. Default 5000. */
  readonly busyMs?: number
  /** Threads for queries that scan; counts have two of their own. Default 2. */
  readonly workers?: number
  /** Tables of up to this many rows are read on the main thread even without an index. Default 1000. */
  readonly smallRows?: number
  /** Most queries of one person that wait for a thread, and most writes for the writer. Default 64. */
  readonly queue?: number
  /** Keeps units that have an entry, in the writer thread. Default: none are kept. */
  readonly recorder?: RecorderModule
  /** A monotonic clock, ms. */
  readonly now?: () => number
}

/** Time limit of a commit, ms; after it the outcome is unknown. */
const WRITE_TIMEOUT_MS = 60_000
/** Threads for counts: while an exact count takes one, the other answers quick ones. */
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
  const { readOnly, timeoutMs = 5000, busyMs = 5000, workers = 2, queue = 64 } = options
  const now = options.now ?? (() => performance.now())
  const file = resolve(path)
  const scanner = workerUrl('scan-worker')
  const start = { file, busyMs }
  const writerStart: typeof start & { recorder: RecorderModule | undefined } = {
    ...start,
    recorder: options.recorder,
  }
  const pool = (size: number, open: WorkerPoolOptions['open']): WorkerPool =>
    new WorkerPool({ size, open, queue, timeoutMs, down: scanDown, isRepeatable: true })
  const scanning = (size: number): Workers => ({
    threads: pool(size, (down) => openThread(scanner, start, down)),
    processes: pool(1, (down) => openProcess(scanner, start, down)),
  })
  const workersOf = { rows: scanning(workers), counts: scanning(COUNTERS) }
  const writing = new WorkerPool({
    size: 1,
    open: (down) => openThread(workerUrl('write-worker'), writerStart, down),
    queue,
    timeoutMs: WRITE_TIMEOUT_MS,
    down: outcomeUnknown,
    closed: outcomeUnknown,
    timedOut: outcomeUnknown,
  })
  const pools = [...Object.values(workersOf).flatMap((some) => Object.values(some)), writing]
  const database = new SqliteDatabase({
    file: new SqliteFile(file, {
      name: options.name ?? basename(file).replace(/\.[^.]+$/, ''),
      isWritable: readOnly === false,
      onReplaced: () => pools.forEach((one) => one.reset()),
    }),
    workers: workersOf,
    writer: readOnly ? undefined : new Writer(file, writing, queue),
    // The thread is started for the first unit.
    keepBy: (module) => void (writerStart.recorder = module),
    smallRows: options.smallRows ?? 1000,
    now,
  })
  return opened(
    new SqlSource(database, { now, instance: randomUUID(), isWritable: readOnly === false }),
  )
}

const scanDown = (): AppError => unavailable(({ database }) => database.ended)

const outcomeUnknown = (): AppError => new AppError('OUTCOME_UNKNOWN')
