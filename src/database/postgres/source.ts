/** A PostgreSQL database as a row source: every method looks at the tables, then leaves it to its module. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type {
  Change,
  ChangeResult,
  Count,
  PageQuery,
  RowPage,
  RowSource,
  Run,
} from '../../table/source/row-source.ts'
import type { Schema } from '../../table/source/schema.ts'
import type { KeyValues } from '../../table/source/value.ts'
import { readCount } from '../query/count.ts'
import type { Engine } from '../engine.ts'
import { isTimeout, openedReadOnly } from '../failure.ts'
import { readKeys, withoutKey } from '../query/keys.ts'
import { LabelCache } from '../query/label-cache.ts'
import { readPage } from '../query/page.ts'
import { tableOf } from '../query/scope.ts'
import type { PostgresDatabase } from './database.ts'
import { PostgresEngine } from './engine.ts'
import { estimateCount } from './estimate.ts'
import { hasChanged, isBadValue } from './failure.ts'
import type { PostgresCatalogue } from './tables.ts'
import { writeChanges } from './write.ts'

export type SourceParts = {
  readonly database: PostgresDatabase
  readonly readOnly: boolean
  /** Tells this opening of the database from any other. */
  readonly instance: string
}

export class PostgresSource implements RowSource {
  readonly #parts: SourceParts
  readonly #labels = new LabelCache()
  #writes = 0

  constructor(parts: SourceParts) {
    this.#parts = parts
  }

  async describe(run: Run = {}): Promise<Schema> {
    run.signal?.throwIfAborted()
    return (await this.#database.check()).schema
  }

  async page(access: Access, query: PageQuery, run: Run = {}): Promise<RowPage> {
    run.signal?.throwIfAborted()
    const isPlaced = query.place.at === 'after' || query.place.at === 'before'
    // What is known of related rows holds as long as nothing has been committed since.
    const version = query.related?.length ? await this.dataVersion() : ''
    return this.#onTables(async (catalogue) => {
      try {
        return await readPage(this.#engine(catalogue, 'rows', version), access, query, run)
      } catch (error) {
        throw isPlaced && isBadValue(error)
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
    options.signal?.throwIfAborted()
    return this.#onTables(async (catalogue) => {
      const engine = this.#engine(catalogue, 'counts')
      try {
        return await readCount(engine, access, where, options)
      } catch (error) {
        const estimate = await this.#guess(engine, error, { access, where, options })
        if (estimate) return estimate
        throw error
      }
    })
  }

  async *keys(
    access: Access,
    where: Predicate,
    options?: Run & { readonly chunk?: number },
  ): AsyncGenerator<KeyValues[]> {
    const engine = this.#engine(await this.#database.catalogue(), 'rows')
    try {
      yield* readKeys(engine, access, where, options)
    } catch (error) {
      if (hasChanged(error)) await this.#database.reload()
      throw error
    }
  }

  /** Once the changes have been sent, the signal no longer ends them: they happen whole. */
  async write(access: Access, changes: readonly Change[], run: Run = {}): Promise<ChangeResult[]> {
    const { readOnly } = this.#parts
    if (readOnly) throw openedReadOnly(this.#database.server.address.database)
    run.signal?.throwIfAborted()
    return this.#onTables(async (catalogue) => {
      const { table } = tableOf(catalogue, access)
      if (table.key.length === 0) throw withoutKey(access)
      try {
        return await writeChanges(this.#database, catalogue, access, changes)
      } finally {
        this.#writes++
        this.#database.versions.distrust()
      }
    })
  }

  async dataVersion(): Promise<string> {
    return `${this.#parts.instance}.${await this.#database.version()}.${this.#writes}`
  }

  async close(): Promise<void> {
    await this.#database.server.close()
  }

  get #database(): PostgresDatabase {
    return this.#parts.database
  }

  #engine(catalogue: PostgresCatalogue, lane: 'rows' | 'counts', version = ''): Engine {
    return new PostgresEngine({
      database: this.#database,
      catalogue,
      lane,
      labels: (relations) => relations.map((relation) => this.#labels.of(relation, version)),
    })
  }

  /** Looks at the tables again where they are not what they were, and then tries once more. */
  async #onTables<T>(work: (catalogue: PostgresCatalogue) => Promise<T>): Promise<T> {
    const catalogue = await this.#database.catalogue()
    try {
      return await work(catalogue)
    } catch (error) {
      if (!hasChanged(error)) throw error
      return work(await this.#database.reload())
    }
  }

  /** What the planner expects, where a count would take too long and nothing may be hidden. */
  async #guess(
    engine: Engine,
    error: unknown,
    { access, where, options }: Counting,
  ): Promise<Count | undefined> {
    if (!isTimeout(error) || options.bound === undefined || !access.seesAllRows) return undefined
    return estimateCount(this.#database, engine, access, where)
  }
}

type Counting = {
  readonly access: Access
  readonly where: Predicate
  readonly options: Run & { readonly bound?: number }
}
