/** A SQLite file as a row source: every method checks the file, then leaves it to its module. */

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
import { openedReadOnly } from '../failure.ts'
import { readKeys, withoutKey } from '../query/keys.ts'
import type { LabelCache } from '../query/label-cache.ts'
import { readPage } from '../query/page.ts'
import { tableOf } from '../query/scope.ts'
import { changeStep } from './change-sql.ts'
import { refusal } from './constraint.ts'
import { sqliteDialect } from './dialect.ts'
import { failureError } from './failure.ts'
import type { SqliteFile } from './file.ts'
import type { Lanes } from './lanes.ts'
import type { Reader } from './reader.ts'
import { toValues } from './values.ts'
import type { StepResult } from './write-messages.ts'
import type { Writer } from './writer.ts'

export type SqliteParts = {
  readonly file: SqliteFile
  readonly reader: Reader
  /** Counts have threads of their own, so that no page ever waits for one. */
  readonly counter: Reader
  readonly labels: LabelCache
  /** `undefined` for a file that is only read. */
  readonly writer: Writer | undefined
  readonly lanes: readonly Lanes[]
  /** Tells this opening of the file from any other. */
  readonly instance: string
}

export class SqliteSource implements RowSource {
  readonly #parts: SqliteParts
  readonly #engine: Engine
  readonly #counting: Engine
  #writes = 0

  constructor(parts: SqliteParts) {
    this.#parts = parts
    this.#engine = engineOf(parts, parts.reader)
    this.#counting = engineOf(parts, parts.counter)
  }

  async describe(run: Run = {}): Promise<Schema> {
    run.signal?.throwIfAborted()
    this.#parts.file.recheck()
    return this.#parts.file.catalogue.schema
  }

  async page(access: Access, query: PageQuery, run?: Run): Promise<RowPage> {
    this.#parts.file.check()
    return readPage(this.#engine, access, query, run)
  }

  async count(
    access: Access,
    where: Predicate,
    options?: Run & { readonly bound?: number },
  ): Promise<Count> {
    this.#parts.file.check()
    return readCount(this.#counting, access, where, options)
  }

  async *keys(
    access: Access,
    where: Predicate,
    options?: Run & { readonly chunk?: number },
  ): AsyncGenerator<KeyValues[]> {
    this.#parts.file.check()
    yield* readKeys(this.#engine, access, where, options)
  }

  /** Once the writer has the changes, the signal no longer ends them: they happen whole. */
  async write(access: Access, changes: readonly Change[], run: Run = {}): Promise<ChangeResult[]> {
    const { file, writer } = this.#parts
    file.check()
    if (!writer) throw openedReadOnly(file.path)
    if (tableOf(file.catalogue, access).table.key.length === 0) throw withoutKey(access)
    const unit = changes.map((change) => changeStep(file.catalogue, access, change))
    run.signal?.throwIfAborted()
    const result = await writer.write(unit)
    this.#writes++
    if ('failure' in result) throw failureError(result.failure, file.path)
    return result.steps.map((step, i) => this.#changeResult(access, changes[i]!, step))
  }

  async dataVersion(): Promise<string> {
    this.#parts.file.check()
    return `${this.#parts.instance}.${this.#parts.file.dataVersion()}.${this.#writes}`
  }

  async close(): Promise<void> {
    const { file, writer, lanes } = this.#parts
    await writer?.close()
    await Promise.all(lanes.map((one) => one.close()))
    file.close()
  }

  #changeResult(access: Access, change: Change, step: StepResult): ChangeResult {
    if (step.status === 'forbidden') throw new AppError('FORBIDDEN')
    if (step.status === 'refused') return refusal(step.failure, access, change)
    if (step.status !== 'done') return step
    const { table, columns } = tableOf(this.#parts.file.catalogue, access)
    const isBoolean = table.key.map((column) => columns.get(column)?.type === 'boolean')
    return { status: 'done', key: toValues([step.key], isBoolean)[0]! }
  }
}

function engineOf({ file, labels }: SqliteParts, reader: Reader): Engine {
  return {
    dialect: sqliteDialect,
    get catalogue() {
      return file.catalogue
    },
    read: (question, run) => reader.read(question, run),
    labels(relations) {
      const version = file.dataVersion()
      return relations.map((relation) => labels.of(relation, version))
    },
  }
}
