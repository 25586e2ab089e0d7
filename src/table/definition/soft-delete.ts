/** The column that marks rows as deleted, by the moment or day when they were. */

import type { Column, Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { wordsOf } from './humanize.ts'
import { counted } from './kinds/datetime.ts'
import type { Scope } from './scope.ts'
import type { TableDefinition } from './table-definition.ts'

const DELETED = new Set(['deleted_at', 'deleted_on'])

/** Whether a column can mark a row as deleted: it holds a moment or NULL. */
export const marksDeleted = (column: Column, table: Table): boolean =>
  (column.type === 'datetime' || column.type === 'date' || countsIn(column, table).length > 0) &&
  column.nullable &&
  !column.array &&
  !column.generated

/**
 * A sample of moments as a column of whole numbers counts them from 1970; where it has none yet, as others of its
 * table do. Empty where it counts no time.
 */
export function countsIn(column: Column, { columns }: Table): readonly Value[] {
  const own = known(column)
  if (column.type !== 'integer' || !own.every(isCount)) return []
  if (own.length > 0) return own
  const others = columns.filter(({ name, type }) => type === 'integer' && /_at$/i.test(name))
  return others.map(known).find((values) => values.length > 0 && values.every(isCount)) ?? []
}

const known = ({ sample = [] }: Column): readonly Value[] =>
  sample.filter((value) => value !== null)

const isCount = (value: Value): boolean => counted(String(value)) !== undefined

/** The declared column, else one whose name says that it tells when a row was deleted. */
export function inferSoftDelete({
  table,
  options: { softDelete: declared, hideDeleted = true },
  hidden,
  masked,
}: Scope): Pick<TableDefinition, 'softDelete' | 'hidesDeleted'> {
  if (declared === false || table.kind !== 'table') return {}
  const inferred = table.columns.find(
    (one) =>
      DELETED.has(wordsOf(one.name).join('_')) &&
      marksDeleted(one, table) &&
      !hidden.has(one.name) &&
      !masked.has(one.name),
  )
  const softDelete = declared ?? inferred?.name
  if (softDelete === undefined) return {}
  return { softDelete, ...(hideDeleted && { hidesDeleted: true as const }) }
}
