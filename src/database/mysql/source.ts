/** A MySQL or MariaDB database as a row source: every method looks at the tables, then leaves it to its module. */

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
import { isTimeout, openedReadOnly } from '../failure.ts'
import { readKeys, withoutKey } from '../query/keys.ts'
import { LabelCache } from '../query/label-cache.ts'
import { readPage } from '../query/page.ts'
import { tableOf } from '../query/scope.ts'
import { DataVersion } from './data-version.ts'
import { MysqlEngine } from './engine.ts'
import { withoutUndo } from './failure.ts'
import { KnownTables } from './known.ts'
import { estimatedCount } from './plan.ts'
import type { Lane, Server } from './server.ts'
import type { MysqlCatalogue } from './tables.ts'
import { writeChanges } from './writer.ts'

export type SourceParts = {
  readonly server: Server
  readonly readOnly: boolean
  readonly timeoutMs: number
  /** Tells this opening of the database from any other. */
  readonly instance: string
  readonly now: () => number
}

export class MysqlSource implements RowSource {
  readonly #parts: SourceParts
  readonly #known: KnownTables
  readonly #version: DataVersion
  readonly #labels = new LabelCache()

  constructor(parts: SourceParts) {
    this.#parts = parts
    this.#known = new KnownTables(parts.server, parts.server.where.database, parts.now)
    this.#version = new DataVersion(parts.server, parts.now)
  }

  async describe(run: Run = {}): Promise<Schema> {
    run.signal?.throwIfAborted()
    return (await this.#known.refreshed()).schema
  }

  async page(access: Access, query: PageQuery, run: Run = {}): Promise<RowPage> {
    run.signal?.throwIfAborted()
    return this.#known.on(access, (catalogue) =>
      readPage(this.#engine(catalogue, 'rows'), access, query, run),
    )
  }

  async count(
    access: Access,
    where: Predicate,
    options: Run & { readonly bound?: number } = {},
  ): Promise<Count> {
    options.signal?.throwIfAborted()
    return this.#known.on(access, async (catalogue) => {
      try {
        return await readCount(this.#engine(catalogue, 'counts'), access, where, options)
      } catch (error) {
        if (options.bound === undefined || !isTimeout(error)) throw error
        const estimate = await estimatedCount(this.#parts.server, catalogue, access, where)
        if (!estimate) throw error
        return estimate
      }
    })
  }

  async *keys(
    access: Access,
    where: Predicate,
    options?: Run & { readonly chunk?: number },
  ): AsyncGenerator<KeyValues[]> {
    const engine = await this.#known.on(access, async (catalogue) =>
      this.#engine(catalogue, 'rows'),
    )
    yield* readKeys(engine, access, where, options)
  }

  /** Once the changes are on their way, the signal no longer ends them: they happen whole. */
  async write(access: Access, changes: readonly Change[], run: Run = {}): Promise<ChangeResult[]> {
    const { server, readOnly } = this.#parts
    run.signal?.throwIfAborted()
    if (readOnly) throw openedReadOnly(server.where.database)
    return this.#known.on(access, async (catalogue) => {
      const { table, isTransactional, engine } = tableOf(catalogue, access)
      if (table.key.length === 0 || table.kind !== 'table') throw withoutKey(access)
      if (!isTransactional) throw withoutUndo(table.name, engine ?? '')
      try {
        return await writeChanges(server, catalogue, access, changes)
      } finally {
        this.#version.written()
      }
    })
  }

  async dataVersion(): Promise<string> {
    const { tables, flavour } = await this.#known.current()
    return `${this.#parts.instance}.${await this.#version.read(flavour, tables.size)}`
  }

  async close(): Promise<void> {
    await this.#parts.server.close()
  }

  #engine(catalogue: MysqlCatalogue, lane: Lane): MysqlEngine {
    const { server, timeoutMs } = this.#parts
    return new MysqlEngine({
      server,
      catalogue,
      lane,
      timeoutMs,
      labels: (relations) => {
        const version = this.#version.recent()
        return relations.map((relation) => this.#labels.of(relation, version))
      },
    })
  }
}
