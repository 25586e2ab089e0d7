/** The statements that write an entry, for whatever connection keeps the ledger. */

import type { EntryState } from '../../table/changes/ledger.ts'
import {
  type EntryDraft,
  type EntryStep,
  type ImageSet,
  type RowImage,
  someOf,
} from '../../table/source/ledger-entry.ts'
import type { Value } from '../../table/source/value.ts'
import type { Recorded } from '../../table/source/write-unit.ts'
import type { Notation } from '../dialect.ts'
import { bind, join, name, render, type Sql, sql, type Statement } from '../query/sql.ts'
import type { LargeValue, RecordRequest, Settled } from '../../table/source/recorder.ts'
import { encodeImages, rowKeyOf } from './image-codec.ts'
import { encodeSet, keyRangeOf } from './set-codec.ts'

/** Which SQL the ledger's database speaks. */
export type LedgerSql = {
  readonly notation: Notation
  /** Whether a row that is there already is passed over by `insert ignore`, as on MySQL and MariaDB. */
  readonly hasInsertIgnore: boolean
}

/** About how many characters of images stand in one row. */
const CHUNK_LENGTH = 200_000
/** More chunks than a step ever has. */
const STEP_PLACES = 1_000_000
/** Where the chunks of a job's step begin in its entry. */
export const firstPlaceOf = (step: number): number => step * STEP_PLACES
/** Rows of one statement. */
const ROWS = 100

/** Another run has taken the job over: nothing of the unit is written. */
export class StepLost extends Error {
  constructor() {
    super('lost')
    this.name = 'StepLost'
  }
}

export class EntryWriter {
  readonly #sql: LedgerSql
  /** How many chunks of an entry that is being written have come. */
  readonly #places = new Map<string, number>()
  /** The steps of jobs that are being written, by the id of their part. */
  readonly #steps = new Map<string, EntryStep>()

  constructor(sql: LedgerSql) {
    this.#sql = sql
  }

  /**
   * `state`: `pending` where the entry is written ahead of the data, `done` in the same transaction. Ahead of the
   * data, the step of a job has been reserved.
   */
  record(request: RecordRequest, state: EntryState): Statement[] {
    const { record: entry, images, sets = [], values, recorded } = request
    const { step } = entry
    // What a job writes is one entry, of which each step is a part.
    const whole = step?.job ?? entry.id
    const before = this.#places.get(entry.id) ?? (step ? firstPlaceOf(step.number) : 0)
    const rows = chunksOf(images).map(([table, text], at) => ({
      ...{ change_id: whole, place: before + at, table_name: table, images: text },
    }))
    const columns = sets.flatMap(chunksOfSet).map((chunk, at) => ({
      ...{ change_id: whole, place: before + rows.length + at, ...chunk },
    }))
    this.#places.set(entry.id, before + rows.length + columns.length)
    if (step) this.#steps.set(entry.id, step)
    const change = recorded && changeOf(entry, recorded, state)
    return this.#rendered([
      ...(recorded && step
        ? inserts('tablewire_changes', [wholeOf(entry, step.job)], this.#passing)
        : []),
      ...inserts('tablewire_change_images', rows),
      ...inserts('tablewire_change_images', columns),
      ...inserts('tablewire_change_keys', keysOf(whole, images), this.#passing),
      ...values.flatMap((value) =>
        inserts('tablewire_change_values', [valueOf(value)], this.#passing),
      ),
      ...(change
        ? step && state === 'pending'
          ? [filled(change)]
          : inserts('tablewire_changes', [change])
        : []),
      ...(recorded && entry.isTold ? inserts('tablewire_hooks', [hookOf(entry)]) : []),
    ])
  }

  /**
   * Comes before each part of a job's step that is recorded ahead of the data: the first one reserves the step by
   * an entry that nobody sees. Fails, or matches no row, once another run has begun the step anew.
   */
  reserveStep(entry: EntryDraft): Statement {
    const reserved = changeOf(entry, NOTHING_YET, 'void')
    return render(
      this.isBegun(entry.id)
        ? sql`update tablewire_changes set state = ${bind('void')} where ${reservedAs(entry.id)}`
        : insert('tablewire_changes', [reserved]),
      this.#sql.notation,
    )
  }

  /** Saves the step of a job, if this run of the job still holds it: else no row matches. */
  saveStep({ job, fence, number, checkpoint, done, total, at }: EntryStep): Statement {
    return render(
      sql`update tablewire_jobs set checkpoint = ${bind(JSON.stringify(checkpoint))},
        steps = ${bind(number)}, done = ${bind(done)}, total = ${bind(total)}, failures = 0,
        changed_at = ${bind(at)}
        where id = ${bind(job)} and fence = ${bind(fence)} and state = ${bind('running')}
          and steps = ${bind(number - 1)}`,
      this.#sql.notation,
    )
  }

  /** Whether something of the entry was recorded, and is not settled. */
  isBegun(id: string): boolean {
    return this.#places.has(id)
  }

  /** What has become of an attempt to write the unit. What is known to be written stays, whoever has written it. */
  settle(id: string, state: Settled): Statement[] {
    this.#places.delete(id)
    const of = bind(id)
    const step = this.#steps.get(id)
    this.#steps.delete(id)
    if (state === 'done')
      return this.#rendered([
        sql`update tablewire_changes set state = ${bind(state)} where id = ${of}`,
      ])
    const isGone = sql`not exists (select 1 from tablewire_changes where id = ${of})`
    const pending = sql`delete from tablewire_changes
      where id = ${of} and state = ${bind('pending')}`
    return this.#rendered([
      ...(step ? forgetStep(id, step) : state === 'void' ? [pending] : []),
      // A further attempt writes them again.
      ...['tablewire_change_images', 'tablewire_change_keys', 'tablewire_hooks'].map(
        (table) => sql`delete from ${name(table)} where change_id = ${of} and ${isGone}`,
      ),
    ])
  }

  /** Forgets an attempt whose rows were rolled back with it. */
  forget(id: string): void {
    this.#places.delete(id)
    this.#steps.delete(id)
  }

  #rendered(statements: readonly Sql[]): Statement[] {
    return statements.map((statement) => render(statement, this.#sql.notation))
  }

  get #passing(): Passing {
    return this.#sql.hasInsertIgnore
      ? { begin: sql`insert ignore into`, end: sql`` }
      : { begin: sql`insert into`, end: sql` on conflict do nothing` }
  }
}

const NOTHING_YET: Recorded = { tables: [], lacks: [] }

const changeOf = (entry: EntryDraft, recorded: Recorded, state: EntryState): Row => {
  const { id, at, by, behalf, door, undoes, step, isTold = false } = entry
  return {
    ...{ id, at, by_id: by.id, by_name: by.name },
    ...{ behalf_id: behalf?.id ?? null, behalf_name: behalf?.name ?? null },
    ...{ door, undoes: undoes ?? null, state, hook: isTold ? 'due' : 'none' },
    recorded: JSON.stringify(recorded),
    ...(step && { job_id: step.job, job_step: step.number, step: JSON.stringify(step) }),
  }
}

/** The entry that all steps of a job make together: what it says of itself stands in its parts. */
const wholeOf = (entry: EntryDraft, job: string): Row => {
  const { at, by, door, behalf, undoes } = entry
  const whole = { id: job, at, by, door, ...(behalf && { behalf }), ...(undoes && { undoes }) }
  return changeOf(whole, NOTHING_YET, 'done')
}

const reservedAs = (id: string): Sql =>
  sql`id = ${bind(id)} and state = ${bind('void')} and job_step is not null`

/** The entry of a step that was reserved, once all of it is recorded. */
const filled = (change: Row): Sql =>
  sql`update tablewire_changes set ${join(
    Object.entries(change).map(([column, value]) => sql`${name(column)} = ${bind(value)}`),
  )} where ${reservedAs(String(change['id']))}`

/** Of a step that was not written: its images, unless another run has begun it anew, and its entry. */
function forgetStep(id: string, { job, number }: EntryStep): Sql[] {
  const entry = sql`tablewire_changes where id = ${bind(id)} and job_step = ${bind(number)}
    and state in (${bind('pending')}, ${bind('void')})`
  return [
    sql`delete from tablewire_change_images where change_id = ${bind(job)}
      and place >= ${bind(firstPlaceOf(number))} and place < ${bind(firstPlaceOf(number + 1))}
      and exists (select 1 from ${entry})`,
    sql`delete from ${entry}`,
  ]
}

/** Due at once, to whichever node is first. */
const hookOf = ({ id }: EntryDraft): Row => ({
  ...{ change_id: id, node: '', until: 0, failures: 0 },
})

const valueOf = ({ digest, value }: LargeValue): Row => ({
  digest,
  bytes: typeof value === 'string' ? new TextEncoder().encode(value) : value,
  is_text: typeof value === 'string' ? 1 : 0,
})

function keysOf(id: string, images: readonly RowImage[]): Row[] {
  const rows = images.map(({ table, key }) => ({
    ...{ row_key: rowKeyOf(key), table_name: table, change_id: id },
  }))
  return [...new Map(rows.map((row) => [`${row.row_key} ${row.table_name}`, row])).values()]
}

/** Texts of images of one table each, of a bounded length. */
function chunksOf(images: readonly RowImage[]): (readonly [table: string, text: string])[] {
  const chunks: (readonly [string, string])[] = []
  let some: RowImage[] = []
  let length = 0
  const end = (): void => {
    const [first] = some
    if (first) chunks.push([first.table, encodeImages(some)])
    ;[some, length] = [[], 0]
  }
  for (const image of images) {
    if (some[0] && (some[0].table !== image.table || length > CHUNK_LENGTH)) end()
    some.push(image)
    length += encodeImages([image]).length
  }
  end()
  return chunks
}

/** A set, in as many parts as it takes for each to be of a bounded length. */
function chunksOfSet(set: ImageSet): Row[] {
  const text = encodeSet(set)
  const half = set.keys.length >> 1
  if (text.length > CHUNK_LENGTH && half > 0)
    return [someOf(set, (at) => at < half), someOf(set, (at) => at >= half)].flatMap(chunksOfSet)
  const { first, last } = keyRangeOf(set.keys)
  return [{ table_name: set.table, images: text, first_key: first, last_key: last }]
}

type Row = Readonly<Record<string, Value>>

/** How a statement passes over rows that are there already. */
type Passing = { readonly begin: Sql; readonly end: Sql }

const NEW: Passing = { begin: sql`insert into`, end: sql`` }

function inserts(table: string, rows: readonly Row[], passing = NEW): Sql[] {
  const statements: Sql[] = []
  for (let from = 0; from < rows.length; from += ROWS)
    statements.push(insert(table, rows.slice(from, from + ROWS), passing))
  return statements
}

function insert(table: string, rows: readonly Row[], { begin, end } = NEW): Sql {
  const columns = join(Object.keys(rows[0] ?? {}).map(name))
  const given = rows.map((row) => sql`(${join(Object.values(row).map(bind))})`)
  return sql`${begin} ${name(table)} (${columns}) values ${join(given)}${end}`
}
