/** A SQL database of any engine as a row source: each method gets the catalogue, then calls its module. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type {
  ColumnSum,
  Count,
  DigestOptions,
  LinesPart,
  LinesQuery,
  NotedRows,
  FacetOptions,
  Facets,
  FoundRow,
  PageQuery,
  RowLookup,
  RowPage,
  RowSource,
  Run,
  SortTerm,
} from '../../table/source/row-source.ts'
import type { WriteRights, Writing } from '../../table/source/writing.ts'
import type { WriteLog } from '../../table/source/write-log.ts'
import { type Schema, writesTaken } from '../../table/source/schema.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import type { QueryRunner } from '../query-runner.ts'
import {
  cannotWrite,
  closing,
  isOutdated,
  isTimeout,
  notAllowed,
  openedReadOnly,
} from '../failure.ts'
import { readCount } from '../query/count.ts'
import { linesByRows, readLines } from '../query/lines.ts'
import { readFacets } from '../query/facets.ts'
import { notThrough, readDigests, readKeys, withoutKey } from '../query/keys.ts'
import { LabelCache } from '../query/label-cache.ts'
import { readPage } from '../query/page.ts'
import { readRank } from '../query/rank.ts'
import { readRow } from '../query/row.ts'
import { tableOf } from '../query/scope.ts'
import { readSums } from '../query/sums.ts'
import type { Catalogue } from '../tables.ts'
import { CatalogueCache } from './catalogue-cache.ts'
import type { Driver, ReadClass } from './driver.ts'
import { Writes } from './writes.ts'

export type SourceOptions = {
  /** A monotonic clock, ms. */
  readonly now: () => number
  /** Unique to this opening of the database, so that data versions of two openings never match. */
  readonly instance: string
  /** Whether units are accepted from the start. Default: only once they are allowed. */
  readonly isWritable?: boolean
}

export class SqlSource<Of extends Catalogue> implements RowSource {
  readonly #driver: Driver<Of>
  readonly #catalogue: CatalogueCache<Of>
  readonly #labels = new LabelCache()
  readonly #instance: string
  readonly writing: Writing
  readonly notices: RowSource['notices']
  readonly noticedBy: NonNullable<RowSource['noticedBy']>
  readonly recording: RowSource['recording']
  readonly own: RowSource['own']
  readonly writes: WriteLog
  readonly #log: Writes<Of>
  #mayWrite: boolean
  #writes = 0
  #isClosed = false

  constructor(driver: Driver<Of>, { now, instance, isWritable = false }: SourceOptions) {
    this.#driver = driver
    this.#catalogue = new CatalogueCache(driver.catalogue, now)
    this.#instance = instance
    this.#mayWrite = isWritable
    this.notices = driver.notices
    this.noticedBy = driver.noticedBy ?? 'asking'
    this.recording = driver.recording
    this.own = driver.own
    this.#log = new Writes({
      catalogue: this.#catalogue,
      others: (isKnown) => driver.watchOthers?.(isKnown),
      mayWrite: () => this.#mayWrite,
    })
    this.writes = this.#log
    this.writing = {
      database: driver.address,
      isAllowed: () => this.#mayWrite,
      rights: async () => this.#rights(),
      allow: (isAllowed) => this.#allow(isAllowed),
    }
  }

  async describe(run: Run = {}): Promise<Schema> {
    this.#begin(run)
    return (await this.#catalogue.described()).schema
  }

  async page(access: Access, query: PageQuery, run: Run = {}): Promise<RowPage> {
    return await this.#use(access, run, async (catalogue, run) => {
      const version = query.related?.length ? await this.#labelsVersion(catalogue) : ''
      const runner = this.#runner(catalogue, run.isLong ? 'counts' : 'rows', version)
      try {
        return await readPage(runner, access, query, run)
      } catch (error) {
        const isPlaced = query.place.at === 'after' || query.place.at === 'before'
        throw isPlaced && this.#driver.isBadValue?.(error)
          ? new AppError('TABLE_BAD_PLACE', { cause: error })
          : error
      }
    })
  }

  async lines(access: Access, query: LinesQuery, run: Run = {}): Promise<LinesPart> {
    return await this.#use(access, run, (catalogue, run) =>
      readLines(this.#runner(catalogue, 'counts'), access, query, run),
    )
  }

  async count(
    access: Access,
    where: Predicate,
    options: Run & { readonly bound?: number } = {},
  ): Promise<Count> {
    return await this.#use(access, options, async (catalogue, run) => {
      try {
        return await readCount(this.#runner(catalogue, 'counts'), access, where, run)
      } catch (error) {
        // The planner's estimate includes rows that a policy may hide.
        const mayGuess = options.bound !== undefined && access.seesAllRows && isTimeout(error)
        const guess = mayGuess && (await this.#driver.estimate?.(catalogue, access, where))
        if (guess) return guess
        throw error
      }
    })
  }

  async facets(
    access: Access,
    where: Predicate,
    column: string,
    options: FacetOptions = {},
  ): Promise<Facets> {
    return await this.#use(access, options, (catalogue, run) =>
      readFacets(this.#runner(catalogue, 'counts'), access, where, column, run),
    )
  }

  async sums(
    access: Access,
    where: Predicate,
    columns: readonly string[],
    run: Run = {},
  ): Promise<ColumnSum[]> {
    return await this.#use(access, run, (catalogue, run) =>
      readSums(this.#runner(catalogue, 'counts'), access, where, columns, run),
    )
  }

  async rank(
    access: Access,
    where: Predicate,
    sort: readonly SortTerm[],
    key: KeyValues,
    run: Run = {},
  ): Promise<number | undefined> {
    return await this.#use(access, run, (catalogue, run) => {
      const [rows, counts] = [this.#runner(catalogue, 'rows'), this.#runner(catalogue, 'counts')]
      return readRank(rows, counts, { access, where, sort, key }, run)
    })
  }

  async row(
    access: Access,
    key: KeyValues,
    lookup: RowLookup,
    run: Run = {},
  ): Promise<FoundRow | undefined> {
    return await this.#use(access, run, (catalogue, run) =>
      readRow(this.#runner(catalogue, 'rows'), access, key, lookup, run),
    )
  }

  keys(
    access: Access,
    where: Predicate,
    options: Run & { readonly chunk?: number } = {},
  ): AsyncGenerator<KeyValues[]> {
    return this.#inChunks(access, options, (runner, run) => readKeys(runner, access, where, run))
  }

  digests(
    access: Access,
    where: Predicate,
    columns: readonly string[],
    options: Run & DigestOptions = {},
  ): AsyncGenerator<NotedRows> {
    const wanted = { where, columns }
    return this.#inChunks(access, options, (runner, run) =>
      readDigests(runner, access, wanted, run),
    )
  }

  async *#inChunks<Chunk, Options extends Run>(
    access: Access,
    options: Options,
    read: (runner: QueryRunner, run: Options) => AsyncGenerator<Chunk>,
  ): AsyncGenerator<Chunk> {
    this.#begin(options)
    const runner = this.#runner(await this.#catalogue.for([access]), 'counts')
    try {
      yield* read(runner, runFor(access, options))
    } catch (error) {
      if (isOutdated(error)) await this.#catalogue.reload()
      throw error
    }
  }

  /** The signal has no effect once the unit has been sent to the database. */
  async write(unit: Unit, run: Run = {}): Promise<UnitResult> {
    this.#begin(run)
    const write = this.#writer()
    if (!this.#mayWrite) throw notAllowed()
    const accesses = unit.parts.map(({ access }) => access)
    const [first] = accesses
    if (!first) throw new AppError('REQUEST_INVALID')
    return await this.#catalogue.use(accesses, async (catalogue) => {
      // Somebody may have taken the permission back while the catalogue was read.
      if (!this.#mayWrite) throw notAllowed()
      for (const access of accesses) {
        const { table } = tableOf(catalogue, access)
        if (table.key.length === 0) throw withoutKey(access)
        if (writesTaken(table).length === 0) throw notThrough(access)
      }
      const logged = this.#log.begin(catalogue, unit)
      try {
        const result = await write(catalogue, unit, { ...runFor(first, run), ...logged.run })
        if (result.isDone) logged.done()
        return result
      } catch (error) {
        logged.failed()
        throw error
      } finally {
        // Of a unit that is tried, nothing stays.
        if (!unit.isTrial) this.#writes++
      }
    })
  }

  #writer(): NonNullable<Driver<Of>['write']> {
    const { name, write } = this.#driver
    if (!write) throw openedReadOnly(name)
    return write
  }

  async #rights(): Promise<WriteRights> {
    this.#begin({})
    this.#writer()
    return await this.#driver.rights(await this.#catalogue.current())
  }

  async #allow(isAllowed: boolean): Promise<void> {
    if (isAllowed) {
      const { tables, role, ...may } = await this.#rights()
      if (tables > 0 && may.insert + may.update + (may.delete ?? 0) === 0)
        throw cannotWrite(this.#driver.name, role)
      this.#driver.prepareWriting?.()
    }
    this.#mayWrite = isAllowed
  }

  async dataVersion(): Promise<string> {
    return this.#versionOf(await this.#version())
  }

  async exactVersion(): Promise<string | null> {
    const version = await this.#version()
    return (this.#driver.isExact?.(version) ?? true) ? this.#versionOf(version) : null
  }

  async #version(): Promise<string> {
    this.#begin({})
    return await this.#driver.version(await this.#catalogue.current())
  }

  #versionOf(version: string): string {
    return `${this.#instance}.${version}.${this.#writes}`
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#driver.close()
  }

  /** Does `work` on the catalogue, on behalf of the access's actor. */
  #use<T, Its extends Run>(
    access: Access,
    run: Its,
    work: (catalogue: Of, run: Its) => Promise<T>,
  ): Promise<T> {
    this.#begin(run)
    const own = runFor(access, run)
    return this.#catalogue.use([access], (catalogue) => work(catalogue, own))
  }

  #begin({ signal }: Run): void {
    signal?.throwIfAborted()
    if (this.#isClosed) throw closing()
  }

  #runner(catalogue: Of, work: ReadClass, version = ''): QueryRunner {
    const runner = this.#driver.runner(catalogue, work)
    return {
      catalogue,
      dialect: runner.dialect,
      read: (question, run) => runner.read(question, run),
      stopsAtBytes: runner.readLines !== undefined,
      readLines: (question, wanted, run) =>
        runner.readLines?.(question, wanted, run) ?? linesByRows(runner, question, wanted, run),
      labels: (relation) => this.#labels.of(relation, version),
    }
  }

  /** Cached labels are valid until something is written. */
  async #labelsVersion(catalogue: Of): Promise<string> {
    const version = this.#driver.labelsVersion?.() ?? (await this.#driver.version(catalogue))
    return `${version}.${this.#writes}`
  }
}

/** The same, on behalf of the access's actor. */
const runFor = <Of extends Run>({ actor }: Access, run: Of): Of => ({ ...run, person: actor.id })

/** Returns the source once its tables have been read; closes it if that fails. */
export async function opened(source: RowSource): Promise<RowSource> {
  try {
    await source.describe()
    return source
  } catch (error) {
    await source.close()
    throw error
  }
}
