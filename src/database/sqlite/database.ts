/** The driver for a SQLite file. */

import type { RecorderModule, Recording } from '../../table/source/recorder.ts'
import type { WriteRights } from '../../table/source/writing.ts'
import type { WrittenTables } from '../../table/source/write-log.ts'
import type { CatalogueReader } from '../source/catalogue-cache.ts'
import type { Driver, ReadClass } from '../source/driver.ts'
import { SqliteQueryRunner } from './query-runner.ts'
import type { SqliteFile } from './file.ts'
import type { SqliteCatalogue } from './tables.ts'
import type { WorkerPool } from './worker-pool.ts'
import type { Writer } from './write.ts'

export type DatabaseParts = {
  readonly file: SqliteFile
  /** Workers for rows and for counts. */
  readonly workers: Readonly<Record<ReadClass, Workers>>
  /** `undefined` for a file opened for reading only. */
  readonly writer: Writer | undefined
  /** Sets what keeps units, before the first one. */
  keepBy(module: RecorderModule): void
  readonly smallRows: number
  readonly now: () => number
}

export type Workers = {
  readonly threads: WorkerPool
  /** Processes, for scans that cannot be cancelled in a thread. */
  readonly processes: WorkerPool
}

/** How old a check of the tables may be, ms. */
const MAX_AGE_MS = 250

export class SqliteDatabase implements Driver<SqliteCatalogue> {
  readonly name: string
  readonly address: string
  readonly noticedBy = 'version'
  readonly own: Driver['own']
  readonly write: Driver<SqliteCatalogue>['write']
  readonly catalogue: CatalogueReader<SqliteCatalogue> = {
    maxAgeMs: { describe: 0, use: MAX_AGE_MS },
    load: async () => this.#parts.file.describe(),
    fingerprint: async () => this.#parts.file.fingerprint(),
  }
  readonly recording: Recording = {
    by: 'thread',
    use: (module) => this.#parts.keepBy(module),
    ended: async () => this.#parts.writer?.ended(),
  }
  readonly #parts: DatabaseParts
  #runners:
    | { readonly of: SqliteCatalogue; readonly by: Record<ReadClass, SqliteQueryRunner> }
    | undefined

  constructor(parts: DatabaseParts) {
    const { file, writer } = parts
    this.#parts = parts
    this.name = file.path
    this.address = file.path
    this.own = { address: file.path, leaveOut: (writes) => file.leaveOut(writes) }
    this.write =
      writer && ((catalogue, unit, { person = '' }) => writer.write(catalogue, unit, person))
  }

  /** Reused while the catalogue is the same, because a runner remembers which tables are small. */
  runner(catalogue: SqliteCatalogue, work: ReadClass): SqliteQueryRunner {
    if (this.#runners?.of !== catalogue) {
      const runnerFor = (work: ReadClass): SqliteQueryRunner =>
        new SqliteQueryRunner({ ...this.#parts, ...this.#parts.workers[work], catalogue })
      this.#runners = {
        of: catalogue,
        by: { rows: runnerFor('rows'), counts: runnerFor('counts') },
      }
    }
    return this.#runners.by[work]
  }

  async rights({ schema }: SqliteCatalogue): Promise<WriteRights> {
    const tables = schema.tables.filter(({ kind }) => kind === 'table').length
    const may = this.#parts.file.canBeWritten() ? tables : 0
    return { role: null, tables, insert: may, update: may, delete: may }
  }

  prepareWriting(): void {
    this.#parts.file.prepareWriting()
  }

  async version(): Promise<string> {
    return this.labelsVersion()
  }

  labelsVersion(): string {
    return this.#parts.file.dataVersion()
  }

  /** The writer's connection does not see its own commits as changes. */
  watchOthers(): () => Promise<WrittenTables> {
    let last: string | undefined
    return async () => {
      const before = last
      last = await this.#parts.writer?.othersVersion()
      return last !== undefined && last === before ? [] : 'any'
    }
  }

  async close(): Promise<void> {
    const { file, writer, workers } = this.#parts
    const pools = Object.values(workers).flatMap((some) => Object.values(some))
    // Reads end at once, while waiting units are still written.
    await Promise.all([...pools.map((pool) => pool.close()), writer?.close()])
    file.close()
  }
}
