/** The column that marks rows as deleted, by the moment or day when they were. */

import type { Column } from '../source/schema.ts'
import { wordsOf } from './humanize.ts'
import type { Scope } from './scope.ts'
import type { TableDefinition } from './table-definition.ts'

const DELETED = new Set(['deleted_at', 'deleted_on'])

/** Whether a column can mark a row as deleted: it holds a moment or NULL. */
export const marksDeleted = ({ type, nullable, array, generated }: Column): boolean =>
  (type === 'datetime' || type === 'date') && nullable && !array && !generated

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
      marksDeleted(one) &&
      !hidden.has(one.name) &&
      !masked.has(one.name),
  )
  const softDelete = declared ?? inferred?.name
  if (softDelete === undefined) return {}
  return { softDelete, ...(hideDeleted && { hidesDeleted: true as const }) }
}
