/** A SQL database of any engine as a row source: each method gets the catalogue, then calls its module. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type {
  Count,
  Facets,
  FoundRow,
  PageQuery,
  RowLookup,
  RowPage,
  RowSource,
  Run,
  SortColumn,
} from '../../table/source/row-source.ts'
import type { Schema } from '../../table/source/schema.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import type { QueryRunner } from '../query-runner.ts'
import { closing, isOutdated, isTimeout, openedReadOnly } from '../failure.ts'
import { readCount } from '../query/count.ts'
import { readFacets } from '../query/facets.ts'
import { readKeys, withoutKey } from '../query/keys.ts'
import { LabelCache } from '../query/label-cache.ts'
import { readPage } from '../query/page.ts'
import { readRank } from '../query/rank.ts'
import { readRow } from '../query/row.ts'
import { tableOf } from '../query/scope.ts'
import type { Catalogue } from '../tables.ts'
import { CatalogueCache } from './catalogue-cache.ts'
import type { Driver, ReadClass } from './driver.ts'

export type SourceOptions = {
  /** A monotonic clock, ms. */
  readonly now: () => number
  /** Unique to this opening of the database, so that data versions of two openings never match. */
  readonly instance: string
}

export class SqlSource<Of extends Catalogue> implements RowSource {
  readonly #driver: Driver<Of>
  readonly #catalogue: CatalogueCache<Of>
  readonly #labels = new LabelCache()
  readonly #instance: string
  #writes = 0
  #isClosed = false

  constructor(driver: Driver<Of>, { now, instance }: SourceOptions) {
    this.#driver = driver
    this.#catalogue = new CatalogueCache(driver.catalogue, now)
    this.#instance = instance
  }

  async describe(run: Run = {}): Promise<Schema> {
    this.#begin(run)
    return (await this.#catalogue.described()).schema
  }

  async page(access: Access, query: PageQuery, run: Run = {}): Promise<RowPage> {
    this.#begin(run)
    return await this.#catalogue.use(access, async (catalogue) => {
      const version = query.related?.length ? await this.#labelsVersion(catalogue) : ''
      const runner = this.#runner(catalogue, 'rows', version)
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

  async count(
    access: Access,
    where: Predicate,
    options: Run & { readonly bound?: number } = {},
  ): Promise<Count> {
    this.#begin(options)
    return await this.#catalogue.use(access, async (catalogue) => {
      try {
        return await readCount(this.#runner(catalogue, 'counts'), access, where, options)
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
    options: Run & { readonly limit?: number } = {},
  ): Promise<Facets> {
    this.#begin(options)
    return await this.#catalogue.use(access, (catalogue) =>
      readFacets(this.#runner(catalogue, 'counts'), access, where, column, options),
    )
  }

  async rank(
    access: Access,
    where: Predicate,
    sort: readonly SortColumn[],
    key: KeyValues,
    run: Run = {},
  ): Promise<number | undefined> {
    this.#begin(run)
    return await this.#catalogue.use(access, (catalogue) => {
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
    this.#begin(run)
    return await this.#catalogue.use(access, (catalogue) =>
      readRow(this.#runner(catalogue, 'rows'), access, key, lookup, run),
    )
  }

  async *keys(
    access: Access,
    where: Predicate,
    options: Run & { readonly chunk?: number } = {},
  ): AsyncGenerator<KeyValues[]> {
    this.#begin(options)
    const runner = this.#runner(await this.#catalogue.for(access), 'rows')
    try {
      yield* readKeys(runner, access, where, options)
    } catch (error) {
      if (isOutdated(error)) await this.#catalogue.reload()
      throw error
    }
  }

  /** The signal has no effect once the unit has been sent to the database. */
  async write(access: Access, unit: Unit, run: Run = {}): Promise<UnitResult> {
    this.#begin(run)
    const driver = this.#driver
    if (!driver.write) throw openedReadOnly(driver.name)
    const write = driver.write.bind(driver)
    return await this.#catalogue.use(access, async (catalogue) => {
      const { table } = tableOf(catalogue, access)
      if (table.key.length === 0 || table.kind !== 'table') throw withoutKey(access)
      try {
        return await write(catalogue, access, unit, run)
      } finally {
        this.#writes++
      }
    })
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
      labels: (relations) => relations.map((relation) => this.#labels.of(relation, version)),
    }
  }

  /** Cached labels are valid until something is written. */
  async #labelsVersion(catalogue: Of): Promise<string> {
    const version = this.#driver.labelsVersion?.() ?? (await this.#driver.version(catalogue))
    return `${version}.${this.#writes}`
  }
}

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
