/** Tables for tests, from the little that a test cares about. */

import type { Actor } from '../src/server/actor.ts'
import { Access, type Grant } from '../src/table/source/access.ts'
import { inferTables } from '../src/table/definition/infer.ts'
import type { OtherTables } from '../src/table/catalog.ts'
import { everything } from '../src/table/source/predicate.ts'
import type { Column, Table } from '../src/table/source/schema.ts'
import type { TableDefinition } from '../src/table/definition/table-definition.ts'

export const admin: Actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'admin' }

export const columnOf = (name: string, over: Partial<Column> = {}): Column => ({
  name,
  declared: '',
  type: 'text',
  nullable: true,
  generated: false,
  hasDefault: false,
  ...over,
})

export const tableOf = (columns: readonly Column[], over: Partial<Table> = {}): Table => ({
  name: 'strikes',
  kind: 'table',
  columns,
  key: ['id'],
  foreignKeys: [],
  indexes: [],
  estimate: null,
  ...over,
})

/** What an administrator may see of the table, but for what `over` takes away. */
export function accessTo(table: Table, over: Partial<Grant> = {}): Access {
  const names = table.columns.map(({ name }) => name)
  const grant: Grant = {
    actions: ['read'],
    rows: everything,
    readable: names,
    writable: [],
    ...over,
  }
  const access = Access.grant({ version: '1', grant: () => grant }, admin, table)
  if (!access) throw new Error('The grant does not even let the table be read.')
  return access
}

/** No table beside the one that a test is about. */
export const noOthers: OtherTables = { find: () => undefined, referringTo: () => [] }

/** The definition of a table nobody has declared anything about; `others` are those beside it. */
export const infer = (table: Table, others: readonly Table[] = []): TableDefinition =>
  inferTables([table, ...others]).get(table.name)!

export const definitionOf = (columns: readonly Column[], over?: Partial<Table>): TableDefinition =>
  infer(tableOf(columns, over))
