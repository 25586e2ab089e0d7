/** Reads a SQLite file's tables, views, keys, foreign keys, indexes and types of values. */

import * as v from 'valibot'
import type { RowWrite, Trigger } from '../../table/source/schema.ts'
import { name, sql } from '../query/sql.ts'
import {
  describeColumns,
  flag,
  integerKeyOf,
  keyColumns,
  looseKeyColumns,
  readColumns,
  type RawColumn,
} from './columns.ts'
import { read, rowsOf, type RowOf } from '../rows-of.ts'
import { refusedTable } from '../tables.ts'
import { namedChecks } from './check-list.ts'
import type { Connection } from './connection.ts'
import { failureOf } from './failure.ts'
import { readCollations, readForeignKeys, readIndexes, readTriggers } from './links.ts'
import { estimateRows, keyHoldsNull } from './probe.ts'
import type { SqliteCatalogue, SqliteColumn, SqliteTable } from './tables.ts'

const entryRows = rowsOf({
  name: v.string(),
  type: v.string(),
  withoutRowid: flag,
  text: read(v.nullable(v.string()), (text) => text ?? ''),
})

type Entry = RowOf<typeof entryRows>

/** Leaves out tables of SQLite and of Tablewire. */
export function introspect(connection: Connection, databaseName: string): SqliteCatalogue {
  const entries = readEntries(connection)
  const names = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry.name]))
  const tables = new Map<string, SqliteTable>()
  // Views come after the tables whose columns they show.
  for (const entry of entries.toSorted((a, b) => Number(isView(a)) - Number(isView(b))))
    tables.set(entry.name, readOrRefused(connection, entry, names, tables))
  const [version] = connection.all('select sqlite_version()')[0] ?? []
  return {
    schema: {
      name: databaseName,
      engine: `SQLite ${String(version)}`,
      tables: entries.flatMap(({ name }) => tables.get(name)?.table ?? []),
    },
    tables,
  }
}

/** One view of a missing table, or one table of an unknown module, must not hide the rest. */
function readOrRefused(
  connection: Connection,
  entry: Entry,
  names: ReadonlyMap<string, string>,
  tables: ReadonlyMap<string, SqliteTable>,
): SqliteTable {
  try {
    return readTable(connection, entry, names, tables)
  } catch (error) {
    const refused = refusedTable(entry.name, kindOf(entry), failureOf(error).message)
    return { ...refused, rowid: null, integerKey: null, checks: new Map() }
  }
}

const isView = ({ type }: Entry): boolean => type === 'view'

const kindOf = (entry: Entry): 'table' | 'view' => (isView(entry) ? 'view' : 'table')

/** The rows of a damaged table may be unreadable; its declaration is still shown. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const readEntries = (connection: Connection): Entry[] =>
  entryRows(
    connection.all(
      `select l.name, l.type, l.wr, s.sql from pragma_table_list l
         left join main.sqlite_schema s on s.name = l.name and s.type in ('table', 'view')
        where l.schema = 'main' and l.type in ('table', 'view', 'virtual')
          and substr(l.name, 1, 7) <> 'sqlite_' and substr(lower(l.name), 1, 10) <> 'tablewire_'
        order by l.name`,
    ),
  )

function readTable(
  connection: Connection,
  entry: Entry,
  names: ReadonlyMap<string, string>,
  tables: ReadonlyMap<string, SqliteTable>,
): SqliteTable {
  const raw = readColumns(connection, entry.name)
  const origins = isView(entry)
    ? originsOf(connection, entry.name, tables)
    : new Map<string, SqliteColumn>()
  const rowid = isView(entry) || entry.withoutRowid ? null : findRowid(connection, entry.name, raw)
  const integerKey = rowid === null ? null : integerKeyOf(connection, entry.name, raw)
  const key = readKey(connection, entry, { raw, integerKey })
  const triggers = readTriggers(connection, entry.name)
  const columns = describeColumns(connection, {
    table: entry.name,
    text: entry.text,
    raw,
    isSampled: entry.type === 'table',
    integerKey,
    origins,
  })
  const collations = isView(entry)
    ? new Map<string, string>()
    : readCollations(connection, entry.name)
  return {
    table: {
      name: entry.name,
      kind: kindOf(entry),
      columns,
      key,
      foreignKeys: readForeignKeys(connection, entry, (wanted) => names.get(wanted.toLowerCase())),
      indexes: isView(entry) ? [] : readIndexes(connection, entry.name),
      ...(triggers.length > 0 && { triggers }),
      ...(isView(entry) && { takes: takenBy(triggers) }),
      ...(entry.type === 'virtual' && { sharesRows: true as const }),
      estimate: readable(() => estimateRows(connection, entry.name, rowid)) ?? null,
    },
    from: name(entry.name),
    columns: new Map(
      columns.map((column) => {
        const collation = collations.get(column.name)
        const isRowNumber = entry.type === 'table' && column.name === integerKey
        const of = { ...(collation !== undefined && { collation }), ...(isRowNumber && ROW_NUMBER) }
        return [column.name, { ...column, ...of }]
      }),
    ),
    locator: rowid === null ? key : [rowid],
    rowid,
    integerKey,
    checks: namedChecks(isView(entry) ? '' : entry.text),
  }
}

/** Through a view, SQLite writes by triggers alone. */
const takenBy = (triggers: readonly Trigger[]): RowWrite[] =>
  [...new Set(triggers.flatMap(({ events }) => events))].map((event) =>
    event === 'insert' ? 'create' : event,
  )

const ROW_NUMBER = { isRowNumber: true } as const

/** The columns that a view shows as they are. What it computes has no type, and may hold anything. */
function originsOf(
  connection: Connection,
  view: string,
  tables: ReadonlyMap<string, SqliteTable>,
): Map<string, SqliteColumn> {
  const found = readable(() => connection.origins(sql`select * from ${name(view)} limit 0`)) ?? []
  return new Map(
    found.flatMap(({ name, table, column }) => {
      const origin = tables.get(table)?.columns.get(column)
      if (!origin) return []
      // Where a view puts several selects together, SQLite tells of the last one alone: others may hold anything.
      const { isRowNumber: _, ...shown } = origin
      return [[name, shown] as const]
    }),
  )
}

/** A key that holds NULL identifies nothing; such a table counts as one without a key. */
function readKey(
  connection: Connection,
  entry: Entry,
  { raw, integerKey }: { readonly raw: readonly RawColumn[]; readonly integerKey: string | null },
): string[] {
  if (entry.type !== 'table') return []
  const loose = entry.withoutRowid ? [] : looseKeyColumns(raw, integerKey)
  const holdsNull = readable(() => keyHoldsNull(connection, entry.name, loose))
  return (holdsNull ?? true) ? [] : keyColumns(raw)
}

/** Finds a name for the row number: columns may hide it, and a virtual table may have none. */
function findRowid(
  connection: Connection,
  table: string,
  raw: readonly RawColumn[],
): string | null {
  const taken = new Set(raw.map((column) => column.name.toLowerCase()))
  const free = ['rowid', '_rowid_', 'oid'].find((alias) => !taken.has(alias))
  if (!free) return null
  const found = readable(() =>
    connection.read(sql`select t.${name(free)} from ${name(table)} as t limit 0`),
  )
  return found ? free : null
}
