/**
 * What an access knows better than the catalogue: readers from whom rows are hidden know the declared types of
 * columns, not those inferred from values, and a configuration may declare a key.
 */

import type { Column, Table } from '../../table/source/schema.ts'
import type { SourceTable } from '../tables.ts'

/** By the table of an access, because the catalogue makes few of those. */
const known = new WeakMap<Table, { readonly of: SourceTable; readonly as: SourceTable }>()

/**
 * Two databases that differ in hidden rows only are read alike only where values are read by types
 * that those rows have no part in.
 */
export function withKnownTypes<Of extends SourceTable>(of: Of, table: Table): Of {
  if (of.table === table) return of
  const found = known.get(table)
  // It was made of `of`, so it has everything that the engine added.
  if (found?.of === of) return found.as as Of
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const columns = [...of.columns].map(([name, column]): [string, Column] => {
    const { typeByDeclaration: type } = column
    const isDeclared = type !== undefined && types.get(name) === type
    return [name, isDeclared ? { ...column, type } : column]
  })
  const differs = columns.some(([name, column]) => of.columns.get(name) !== column)
  const typed = differs ? { ...of, columns: new Map(columns) } : of
  const as = table.isKeyDeclared ? { ...typed, table: withKeyOf(table, of.table) } : typed
  known.set(table, { of, as })
  return as
}

/** By an access that is older than the catalogue: the database may have made a key since. */
const withKeyOf = ({ key }: Table, of: Table): Table =>
  of.key.length > 0 ? of : { ...of, key, isKeyDeclared: true }
