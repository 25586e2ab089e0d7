/** Sets values of their own in many rows: those that get the same by one statement, where such groups are few. */

import { AppError } from '../../server/app-error.ts'
import type { Column } from '../../table/source/schema.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { ColumnValues } from '../../table/source/write-unit.ts'
import type { Operand } from '../dialect.ts'
import { valueText } from '../query/keys.ts'
import { all, join, sql, type Sql } from '../query/sql.ts'
import { chunksOf, type KeyedValues, updateSql } from './by-key.ts'
import { assigned, type Assignment, planned, writableColumn } from './columns.ts'
import { isAmong } from './keys.ts'
import { placesIn } from './run-alike.ts'
import type { SetPlan } from './set-plan.ts'
import type { WriteScope } from './target.ts'
import type { WriteDialect } from './write-dialect.ts'
import type { Writing } from './writing.ts'

/** A column, and its new values in the order of the keys. */
export type EachColumn<Its extends Column = Column> = {
  readonly column: Its
  readonly values: readonly Value[]
}

/** Rows, and the values of their own that they get. */
export type EachRow<Its extends Column = Column> = {
  /** The table under its alias. */
  readonly from: Sql
  readonly key: readonly Operand<Its>[]
  readonly keys: readonly KeyValues[]
  readonly columns: readonly EachColumn<Its>[]
  /** The same rows, for an engine that finds them faster together. */
  readonly among: Sql
  /** Further conditions on them. */
  readonly guard: readonly Sql[]
}

/** Throws what `writableColumn` throws, and `REQUEST_INVALID` for another number of values than of keys. */
export function eachOf(
  scope: WriteScope,
  keys: readonly KeyValues[],
  each: ColumnValues,
): Pick<SetPlan, 'each' | 'invalid'> {
  const { dialect } = scope.context
  const columns = Object.entries(each).map(([name, values]): EachColumn => {
    if (values.length !== keys.length) throw new AppError('REQUEST_INVALID')
    return { column: planned(scope, writableColumn(scope, name)).column, values }
  })
  const invalid = columns.flatMap(({ column, values }) =>
    values.some((value) => dialect.encode(column, value) === undefined) ? [column.name] : [],
  )
  return {
    each: columns,
    invalid: invalid.length > 0 ? invalid.filter((one) => scope.access.canRead(one)) : null,
  }
}

/** Groups of rows that get the same values of which each gets a statement of its own. */
const MOST_GROUPS = 16

/**
 * The statements that write those of the rows of a set that were found, and no others. Throws `REQUEST_INVALID` where
 * the set has no values for one of them.
 */
export function eachSql(
  { plan, dialect }: Pick<Writing, 'plan' | 'dialect'>,
  { keys, each, guard }: SetPlan,
  found: readonly KeyValues[],
): readonly Sql[] {
  const { from, key } = plan.target
  const places = placesIn(keys, found)
  // The database knows it by a key that is written in another way.
  if (places?.includes(-1)) throw new AppError('REQUEST_INVALID')
  const columns = places
    ? each.map(({ column, values }) => ({
        column,
        values: places.map((place) => values[place] ?? null),
      }))
    : each
  const groups = groupsOf(columns, found.length)
  if (!groups)
    return (
      dialect.updateEach?.({
        ...{ from, key, keys: found, columns, guard },
        among: isAmong(dialect, key, found),
      }) ?? byKey({ plan, dialect }, found, columns, guard)
    )
  return groups.map((group) => {
    const set = join(assignmentsOf(dialect, columns, group[0] ?? 0).map(assigned))
    const some = isAmong(
      dialect,
      key,
      group.map((at) => found[at] ?? []),
    )
    return sql`update ${from} set ${set} where ${all([some, ...guard])}`
  })
}

/** Rows by what they get; `undefined` where that is of too many kinds. */
function groupsOf(columns: readonly EachColumn[], rows: number): number[][] | undefined {
  const groups = new Map<string, number[]>()
  for (let at = 0; at < rows; at++) {
    let text = ''
    for (const { values } of columns) text += textOf(values[at] ?? null)
    const group = groups.get(text)
    if (group) group.push(at)
    else if (groups.size === MOST_GROUPS) return undefined
    else groups.set(text, [at])
  }
  return [...groups.values()]
}

/** Differs for values that differ, whatever stands beside them. */
function textOf(value: Value): string {
  const text = Object.is(value, -0) ? '-0' : valueText(value)
  return `${value === null ? 'null' : typeof value} ${text.length} ${text}`
}

const assignmentsOf = (
  dialect: WriteDialect,
  columns: readonly EachColumn[],
  at: number,
): Assignment[] =>
  columns.map(({ column, values }) => ({
    name: column.name,
    value: dialect.encode(column, values[at] ?? null) ?? sql`null`,
  }))

function byKey(
  writing: Pick<Writing, 'plan' | 'dialect'>,
  keys: readonly KeyValues[],
  columns: readonly EachColumn[],
  guard: readonly Sql[],
): Sql[] {
  const rows = keys.map((key, at): KeyedValues => ({
    key,
    list: assignmentsOf(writing.dialect, columns, at),
  }))
  return chunksOf(rows, ({ list }) => list).map((some) => updateSql(writing, some, guard))
}
