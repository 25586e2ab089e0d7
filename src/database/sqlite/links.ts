/** A SQLite table's foreign keys and indexes. */

import * as v from 'valibot'
import type { ForeignKey, Index } from '../../table/source/schema.ts'
import { bind, sql } from '../query/sql.ts'
import { keyColumns, readColumns } from './columns.ts'
import type { Connection } from './connection.ts'

const linksSchema = v.array(v.tuple([v.number(), v.string(), v.string(), v.nullable(v.string())]))

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
  const links = Map.groupBy(v.parse(linksSchema, found), ([id]) => id)
  return [...links.values()].flatMap((parts) => {
    const target = findTable(parts[0]![1])
    const references = target && referredColumns(connection, target, parts)
    if (!target || !references) return []
    return { columns: parts.map(([, , from]) => from), table: target, references }
  })
}

/** A foreign key that names no columns refers to the primary key. */
function referredColumns(
  connection: Connection,
  target: string,
  parts: v.InferOutput<typeof linksSchema>,
): string[] | undefined {
  const raw = readColumns(connection, target)
  const key = keyColumns(raw)
  const names = parts.map(([, , , to], i) =>
    to === null ? key[i] : raw.find(({ name }) => name.toLowerCase() === to.toLowerCase())?.name,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}

const indexesSchema = v.array(v.tuple([v.string(), v.number(), v.number()]))
const indexColumnsSchema = v.array(v.tuple([v.nullable(v.string()), v.number()]))

/** Leaves out indexes on expressions, which serve no column. */
export function readIndexes(connection: Connection, table: string): Index[] {
  const found = connection.read(
    sql`select name, "unique", partial from pragma_index_list(${bind(table)}, 'main')
      order by seq desc`,
  )
  return v.parse(indexesSchema, found).flatMap(([name, unique, partial]) => {
    const columns = indexColumns(connection, name)
    return columns ? { name, columns, unique: unique === 1, partial: partial === 1 } : []
  })
}

function indexColumns(connection: Connection, index: string): Index['columns'] | undefined {
  const found = connection.read(
    sql`select name, "desc" from pragma_index_xinfo(${bind(index)}, 'main')
      where key = 1 order by seqno`,
  )
  const columns = v.parse(indexColumnsSchema, found)
  return columns.some(([name]) => name === null)
    ? undefined
    : columns.map(([name, descending]) => ({ name: name!, descending: descending === 1 }))
}
