/** New rows that take the key of a row which the same unit inserts before, whatever key that gets. */

import { AppError } from '../../server/app-error.ts'
import type { KeyOf, Part, Values } from '../../table/source/write-unit.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Operand } from '../dialect.ts'
import { planned, writableColumn } from './columns.ts'
import type { RowPlan } from './row-plan.ts'
import type { Target, WriteScope } from './target.ts'
import type { WriteDialect } from './write-dialect.ts'

export type TakenKey = {
  /** Where the other row stands in the unit. */
  readonly part: number
  readonly row: number
  /** Columns of the new row, each with the place in the other row's key of the value that it takes. */
  readonly columns: readonly { readonly to: Operand; readonly place: number }[]
  /** Values that stand for those that are not known yet. */
  readonly standIns: Values
}

/** Throws `REQUEST_INVALID` unless an earlier part inserts a row with such a key, and what `writableColumn` throws. */
export function takenKey(
  scope: WriteScope,
  { part, row, columns }: KeyOf,
  earlier: readonly Part[],
): TakenKey {
  const other = earlier[part]
  const inserted = other?.rows?.[row]
  if (!other || !inserted || !('insert' in inserted)) throw new AppError('REQUEST_INVALID')
  const { key } = other.access.table
  const taken = Object.entries(columns).map(([name, from]) => {
    const place = key.indexOf(from)
    if (place < 0) throw new AppError('REQUEST_INVALID')
    return { to: planned(scope, writableColumn(scope, name, 'create')), place }
  })
  const standIns = Object.fromEntries(Object.keys(columns).map((name) => [name, 0]))
  return { part, row, columns: taken, standIns }
}

/** The new row once the key of the other one is known. */
export function withTakenKey(
  dialect: WriteDialect,
  { key: own }: Pick<Target, 'key'>,
  row: RowPlan,
  taken: KeyValues,
): RowPlan {
  const { columns = [] } = row.taken ?? {}
  const values = new Map(columns.map(({ to, place }) => [to.column.name, taken[place] ?? null]))
  const filled = (key: KeyValues): KeyValues =>
    key.map((value, at) => values.get(own[at]?.column.name ?? '') ?? value)
  const given = columns.map(({ to: { column } }) => ({
    name: column.name,
    value: dialect.encode(column, values.get(column.name) ?? null),
  }))
  const known = given.flatMap(({ name, value }) => (value ? [{ name, value }] : []))
  const { newKey } = row
  return {
    ...row,
    key: filled(row.key),
    list: [...row.list, ...known],
    invalid: known.length < given.length ? [] : row.invalid,
    newKey: newKey.from === 'rows' ? newKey : { ...newKey, values: filled(newKey.values) },
  }
}
