/** Writes the rows of a part in order, those of one kind by few statements, with a result for each of them. */

import type { RowResult } from '../../table/source/write-unit.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Operand } from '../dialect.ts'
import { all, join, name, sql, type Sql } from '../query/sql.ts'
import type { Assignment } from './columns.ts'
import { chunksOf, temporaryValues, updateSql } from './by-key.ts'
import { guarded, type Guarding, type Step } from './guarded.ts'
import { type HeldValue, type HeldValues, isDigested, isHeldSame, readHeld } from './held-rows.ts'
import { batchesOf, isAmong, keyIn, keyText } from './keys.ts'
import type { RowPlan } from './row-plan.ts'
import { isWithinPolicy, returningKey, writeRow } from './run-row.ts'
import type { Writing } from './writing.ts'
import { numberOf, rareCounts, rareRows, type Work } from './work.ts'

/** What one statement cannot settle for all of its rows is undone, and done row by row. */
export function* writeRows<R>(
  guarding: Guarding<R>,
  writing: Writing,
  part: number,
): Work<Step<RowResult, R>[]> {
  const steps: Step<RowResult, R>[] = []
  const running = { guarding, writing, part }
  for (const group of groupsOf(writing.plan.rows)) {
    const [first] = group
    if (!first?.isShared || group.length === 1) steps.push(...(yield* writeAlone(running, group)))
    else if (first.kind === 'insert') steps.push(...(yield* insertAll(running, group)))
    else steps.push(...(yield* changeAll(running, group)))
  }
  return steps
}

/** A row, and its place in the part. */
type Placed = RowPlan & { readonly at: number }

type Running<R> = {
  readonly guarding: Guarding<R>
  readonly writing: Writing
  readonly part: number
}

/** Neighbours of one kind, each row once. */
function groupsOf(rows: readonly RowPlan[]): Placed[][] {
  const groups: Placed[][] = []
  let kind: string | undefined
  const keys = new Set<string>()
  for (const [at, row] of rows.entries()) {
    const itsKind = row.isShared ? kindOf(row) : undefined
    const key = row.key.includes(null) ? undefined : keyText(row.key)
    const isNext = kind !== undefined && itsKind === kind && !(key !== undefined && keys.has(key))
    if (!isNext) {
      groups.push([])
      keys.clear()
      kind = itsKind
    }
    groups.at(-1)?.push({ ...row, at })
    if (key !== undefined) keys.add(key)
  }
  return groups
}

/** New rows have the same columns. */
const kindOf = ({ kind, list, key }: RowPlan): string =>
  kind === 'insert' ? `${namesOf(list)} ${key.includes(null)}` : kind

const namesOf = (list: readonly Assignment[]): string => JSON.stringify(list.map((one) => one.name))

function* writeAlone<R>(
  { guarding, writing, part }: Running<R>,
  rows: readonly Placed[],
): Work<Step<RowResult, R>[]> {
  const steps: Step<RowResult, R>[] = []
  for (const row of rows) {
    const place = { part, of: 'rows', at: row.at } as const
    steps.push(yield* guarded(guarding, place, () => writeRow(writing, row), row.trials))
  }
  return steps
}

/** The same for rows that were to be written together. */
const writeEach = <R>({ guarding, ...running }: Running<R>, rows: readonly Placed[]) =>
  writeAlone({ ...running, guarding: { ...guarding, isCareful: true } }, rows)

/** Does work that can be undone. `undefined`: the database refused it, or it came to nothing. */
function* attempted<T, R>(
  { guarding, part }: Running<R>,
  work: () => Work<T | undefined>,
): Work<T | undefined> {
  yield 'save'
  try {
    const done = yield* work()
    if (done === undefined) yield 'undo'
    return done
  } catch (error) {
    if (guarding.rules.refusalOf(error, { part, of: 'rows', at: 0 }) === undefined) throw error
    yield 'undo'
    return undefined
  }
}

/** Updates rows, or deletes them: those that hold what was expected together, the others one by one. */
function* changeAll<R>(running: Running<R>, rows: readonly Placed[]): Work<Step<RowResult, R>[]> {
  const { writing } = running
  const held = yield* heldBy(writing, rows)
  const isSure = ({ key, expect }: Placed): boolean => {
    const expected = Object.entries(expect)
    const values = expected.length > 0 ? held?.get(keyText(key)) : undefined
    return expected.every(([column, value]) => values && isHeldSame(values[column], value))
  }
  const [sure, others] = [rows.filter(isSure), rows.filter((row) => !isSure(row))]
  const steps = new Map<number, Step<RowResult, R>>()
  const put = (some: readonly Placed[], done: readonly Step<RowResult, R>[]): void => {
    for (const [i, { at }] of some.entries()) if (done[i]) steps.set(at, done[i])
  }
  const isAside = areInTheWay(writing, sure, held)
  for (const batch of isAside ? [sure] : chunksOf(sure, ({ list }) => list)) {
    const isDone = yield* attempted(running, () => changeSome(writing, batch, isAside))
    const done = isDone ? verified(writing, batch) : writeApart(running, batch, isAside)
    put(batch, yield* done)
  }
  put(others, yield* writeEach(running, others))
  return rows.flatMap(({ at }) => steps.get(at) ?? [])
}

/** What the rows hold now, locked, as far as it matters; `undefined` if it does not. */
function* heldBy(
  { plan, dialect, images }: Writing,
  rows: readonly Placed[],
): Work<ReadonlyMap<string, HeldValues> | undefined> {
  const set = setIn(rows)
  const needed = new Set(rows.flatMap(({ expect }) => Object.keys(expect)))
  for (const { column } of plan.target.unique)
    if (set.includes(column.name)) needed.add(column.name)
  if (!images && needed.size === 0) return undefined
  const columns = plan.imaged.columns.filter(({ column }) => needed.has(column.name))
  const held = new Map<string, HeldValues>()
  for (const batch of batchesOf(plan.target.key, rows)) {
    const among = isAmong(dialect, plan.target.key, keysOf(batch))
    const found = images
      ? yield* images.keep(plan.imaged, among, rows[0]?.kind === 'delete' ? null : set)
      : yield* readHeld(dialect, { ...plan.imaged, columns }, sql`${among}${dialect.lockForUpdate}`)
    for (const { key, values } of found) held.set(keyText(key), values)
  }
  return held
}

const keysOf = (rows: readonly Placed[]): KeyValues[] => rows.map(({ key }) => key)

/** The columns that are set in any of the rows. */
const setIn = (rows: readonly Placed[]): string[] => [
  ...new Set(rows.flatMap(({ list }) => list.map((one) => one.name))),
]

/** Whether rows are to get values of a unique column that others of them hold now. */
function areInTheWay(
  { plan }: Writing,
  rows: readonly Placed[],
  held: ReadonlyMap<string, HeldValues> | undefined,
): boolean {
  return plan.target.unique.some(({ column: { name: column } }) => {
    const holders = new Map(
      rows.map(({ key }) => [looseText(held?.get(keyText(key))?.[column]), keyText(key)]),
    )
    return rows.some(({ key, unique }) => {
      const holder = holders.get(looseText(unique[column]))
      return (unique[column] ?? null) !== null && holder !== undefined && holder !== keyText(key)
    })
  })
}

/** Databases may ignore letter case; a row is moved aside rather once too often. */
const looseText = (value: HeldValue = null): string =>
  isDigested(value)
    ? value.digest
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('hex')
      : String(value).toLowerCase()

/**
 * Writes rows one by one, to find those that are refused. They hold what was expected, until they are moved out
 * of each other's way.
 */
function* writeApart<R>(
  running: Running<R>,
  rows: readonly Placed[],
  isAside: boolean,
): Work<Step<RowResult, R>[]> {
  const isClear = isAside && (yield* attempted(running, () => clearWay(running.writing, rows)))
  return yield* writeEach(running, isClear ? rows.map((row) => ({ ...row, expect: {} })) : rows)
}

/** Whether all of the rows were written. */
function* changeSome(
  writing: Writing,
  rows: readonly Placed[],
  isAside: boolean,
): Work<true | undefined> {
  if (isAside && !(yield* clearWay(writing, rows))) return undefined
  const alike = Map.groupBy(rows, ({ list }) => namesOf(list))
  for (const some of [...alike.values()].flatMap((all) => chunksOf(all, ({ list }) => list)))
    if (!(yield* isWritten(writing, some, statementFor(writing, some)))) return undefined
  return true
}

/** Gives rows temporary values in their unique columns, so that none is in the way of another. */
function* clearWay(writing: Writing, rows: readonly Placed[]): Work<true | undefined> {
  for (const column of writing.plan.target.unique)
    if (!(yield* moveAside(writing, rows, column))) return undefined
  return true
}

/** A row that is missing or hidden is found to be when it is written itself. */
function* moveAside(
  writing: Writing,
  all: readonly Placed[],
  column: Operand,
): Work<true | undefined> {
  const { plan, dialect } = writing
  const { name: set } = column.column
  const rows = all.filter(({ unique }) => set in unique)
  if (rows.length === 0) return true
  const values = yield* temporaryValues(writing, column, rows.length)
  const keyed = rows.flatMap((row, i) => {
    const value = values && dialect.encode(column.column, values[i] ?? null)
    return value ? [{ key: row.key, list: [{ name: set, value }] }] : []
  })
  if (keyed.length < rows.length) return undefined
  for (const some of chunksOf(keyed, ({ list }) => list))
    yield* rareCounts(updateSql(writing, some, plan.target.changes.update.guard), dialect)
  return true
}

function statementFor(writing: Writing, rows: readonly Placed[]): Sql {
  const { plan, dialect } = writing
  const { from, key, changes } = plan.target
  if (rows[0]?.kind !== 'delete') return updateSql(writing, rows, changes.update.guard)
  const where = all([isAmong(dialect, key, keysOf(rows)), ...changes.delete.guard])
  return sql`${dialect.deletes(from)} where ${where}`
}

/** Runs a statement that is to write these rows and no others, and to leave them their keys. */
function* isWritten(
  { plan, dialect }: Writing,
  rows: readonly Placed[],
  statement: Sql,
): Work<boolean> {
  if (dialect.returning !== 'all')
    return (yield* rareCounts(statement, dialect)).matched === rows.length
  const returned = yield* rareRows(sql`${statement}${returningKey(plan.target.key)}`, dialect)
  const found = new Set(returned.map((row) => keyText(keyIn(dialect, plan.target.key, row))))
  return returned.length === rows.length && keysOf(rows).every((key) => found.has(keyText(key)))
}

/** The results of rows that were written, by what the policy says of them now. */
function* verified(
  writing: Writing,
  rows: readonly Placed[],
): Work<{ readonly result: RowResult }[]> {
  const { plan, dialect } = writing
  const { from, key, policy } = plan.target
  const done = rows.map(({ key: written }): { result: RowResult } => ({
    result: { status: 'done', key: written },
  }))
  if (policy.length === 0 || rows[0]?.kind === 'delete') return done
  let allowed = 0
  for (const batch of batchesOf(key, keysOf(rows))) {
    const among = all([isAmong(dialect, key, batch), ...policy])
    allowed += yield* numberOf(
      sql`select count(*) from ${from} where ${among}${dialect.lockForShare}`,
      dialect,
    )
  }
  if (allowed === rows.length) return done
  for (const [i, row] of rows.entries())
    if (!(yield* isWithinPolicy(writing, row.key))) done[i] = { result: { status: 'forbidden' } }
  return done
}

/** Rows with the same columns. */
function* insertAll<R>(running: Running<R>, group: readonly Placed[]): Work<Step<RowResult, R>[]> {
  const { writing } = running
  const steps: Step<RowResult, R>[] = []
  for (const batch of chunksOf(group, ({ list }) => list)) {
    const keys = yield* attempted(running, () => insertSome(writing, batch))
    if (keys) {
      for (const key of keys) writing.images?.inserted(writing.plan.imaged, key)
      const written = batch.map((row, i) => ({
        ...row,
        key: keys[i] ?? row.key,
      }))
      steps.push(...(yield* verified(writing, written)))
    } else steps.push(...(yield* writeEach(running, batch)))
  }
  return steps
}

/** The keys of the new rows, in their order; `undefined` if it is not certain which row has which. */
function* insertSome(
  { plan, dialect }: Writing,
  rows: readonly Placed[],
): Work<readonly KeyValues[] | undefined> {
  const { table, key } = plan.target
  const columns = join(rows[0]?.list.map((one) => name(one.name)) ?? [])
  const values = rows.map(({ list }) => sql`(${join(list.map(({ value }) => value))})`)
  const insert = sql`insert into ${table} (${columns}) values ${join(values)}`
  const given = keysOf(rows)
  if (dialect.returning === 'none')
    return (yield* rareCounts(insert, dialect)).matched === rows.length ? given : undefined
  const returned = yield* rareRows(sql`${insert}${returningKey(key)}`, dialect)
  const keys = returned.map((row) => keyIn(dialect, key, row))
  if (keys.length < rows.length) return undefined
  if (given[0]?.includes(null)) return areInTurn(keys) ? keys : undefined
  const found = new Set(keys.map(keyText))
  return given.every((one) => found.has(keyText(one))) ? given : undefined
}

/** Whether the database has numbered the rows one after the other, and tells them in that order. */
function areInTurn(keys: readonly KeyValues[]): boolean {
  const numbers = keys.map(([number]) => Number(number))
  const ascends = (list: readonly number[]): boolean =>
    list.every((number, i) => i === 0 || number > (list[i - 1] ?? number))
  return ascends(numbers) || ascends(numbers.toReversed())
}
