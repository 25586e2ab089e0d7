/** Keys that the configuration declares, for views and for tables without one. */

import { type Definitions, own } from './define-table.ts'
import type { Schema, Table } from '../source/schema.ts'

/** The schema, its tables with the keys that are declared for them; the same objects where none is. */
export function withDeclaredKeys(schema: Schema, definitions: Definitions): Schema {
  const tables = schema.tables.map((table) =>
    withDeclaredKey(table, own(definitions, table.name)?.key),
  )
  return tables.every((table, at) => table === schema.tables[at]) ? schema : { ...schema, tables }
}

/** A key that the database has is the only one; columns that are gone make none. */
export function withDeclaredKey(table: Table, key: readonly string[] = []): Table {
  const names = new Set(table.columns.map(({ name }) => name))
  const isUsable = table.key.length === 0 && key.length > 0 && key.every((name) => names.has(name))
  return isUsable ? { ...table, key, isKeyDeclared: true } : table
}
