/** A SQLite table's foreign keys and indexes. */

import * as v from 'valibot'
import type { ForeignKey, Index } from '../../table/source/schema.ts'
import { bind, sql } from '../query/sql.ts'
import { groupsOf, rowsOf, type RowOf } from '../rows-of.ts'
import { flag, keyColumns, readColumns } from './columns.ts'
import type { Connection } from './connection.ts'

/** One column of a foreign key. */
const linkRows = rowsOf({
  id: v.number(),
  table: v.string(),
  from: v.string(),
  to: v.nullable(v.string()),
})

/** `findTable` returns a table's exact name. Foreign keys to a missing table are left out. */
export function readForeignKeys(
  connection: Connection,
  table: string,
  findTable: (name: string) => string | undefined,
): ForeignKey[] {
  const found = connection.read(
    sql`select id, "table", "from", "to" from pragma_foreign_key_list(${bind(table)}, 'main')
      order by id, seq`,
  )
  return groupsOf(linkRows(found), ({ id }) => id).flatMap(([, [link, ...others]]) => {
    const parts = [link, ...others]
    const target = findTable(link.table)
    const references = target && referredColumns(connection, target, parts)
    if (!target || !references) return []
    return { columns: parts.map(({ from }) => from), table: target, references }
  })
}

/** A foreign key that names no columns refers to the primary key. */
function referredColumns(
  connection: Connection,
  target: string,
  parts: readonly RowOf<typeof linkRows>[],
): string[] | undefined {
  const raw = readColumns(connection, target)
  const key = keyColumns(raw)
  const names = parts.map(({ to }, i) =>
    to === null ? key[i] : raw.find(({ name }) => name.toLowerCase() === to.toLowerCase())?.name,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}

const indexRows = rowsOf({ name: v.string(), unique: flag, partial: flag })
const indexColumnRows = rowsOf({ name: v.nullable(v.string()), descending: flag })

/** Leaves out indexes on expressions, which serve no column. */
export function readIndexes(connection: Connection, table: string): Index[] {
  const found = connection.read(
    sql`select name, "unique", partial from pragma_index_list(${bind(table)}, 'main')
      order by seq desc`,
  )
  return indexRows(found).flatMap((index) => {
    const columns = indexColumns(connection, index.name)
    return columns ? { ...index, columns } : []
  })
}

function indexColumns(connection: Connection, index: string): Index['columns'] | undefined {
  const found = connection.read(
    sql`select name, "desc" from pragma_index_xinfo(${bind(index)}, 'main')
      where key = 1 order by seqno`,
  )
  const columns = indexColumnRows(found)
  const named = columns.flatMap(({ name, descending }) =>
    name === null ? [] : [{ name, descending }],
  )
  return named.length < columns.length ? undefined : named
}

const collatedRows = rowsOf({ column: v.string(), collation: v.string() })

/**
 * The columns that are not compared by bytes. SQLite tells the collation only of columns in an index, as
 * all are to which a foreign key refers.
 */
export const readCollations = (connection: Connection, table: string): Map<string, string> =>
  new Map(
    collatedRows(
      connection.read(
        sql`select x.name, x.coll from pragma_index_list(${bind(table)}, 'main') i
          join pragma_index_xinfo(i.name, 'main') x
          where x.name is not null and upper(x.coll) <> 'BINARY' and i.origin <> 'c'`,
      ),
    ).map(({ column, collation }) => [column, collation]),
  )
