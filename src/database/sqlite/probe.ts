/** Reads a few of a table's rows, never a whole table. */

import * as v from 'valibot'
import { bind, join, name, sql, type Sql } from '../query/sql.ts'
import type { Connection } from './connection.ts'
import { SAMPLE_LENGTH } from './value-type.ts'
import type { Cell } from './values.ts'

/** Rows in a sample. */
const SAMPLE_ROWS = 50
/** Rows to search for NULL in the key. */
const KEY_ROWS = 10_000
/** Fewest bytes that a row takes in the file. */
const SMALLEST_ROW = 4

/** The first rows' values of each column. */
export function sampleColumns(
  connection: Connection,
  table: string,
  columns: readonly { readonly name: string }[],
): Cell[][] {
  const pieces = columns.map((column) => sample(column.name))
  const rows = connection.read(
    sql`select ${join(pieces)} from ${name(table)} limit ${bind(SAMPLE_ROWS)}`,
  )
  return columns.map((_, place) => rows.map((row) => row[place] ?? null))
}

const sample = (column: string): Sql =>
  sql`case when typeof(${name(column)}) in ('text', 'blob') then
    substr(${name(column)}, 1, ${bind(SAMPLE_LENGTH)}) else ${name(column)} end`

/** Whether these key columns hold NULL. */
export function keyHoldsNull(
  connection: Connection,
  table: string,
  columns: readonly string[],
): boolean {
  if (columns.length === 0) return false
  const nulls = columns.map((column) => sql`${name(column)} is null`)
  const names = join(columns.map(name))
  return (
    connection.read(
      sql`select 1 from (select ${names} from ${name(table)} limit ${bind(KEY_ROWS)})
        where ${join(nulls, ' or ')} limit 1`,
    ).length > 0
  )
}

/** The number of rows that `analyze` stored, else an estimate from the row numbers; `null` if neither tells. */
export function estimateRows(
  connection: Connection,
  table: string,
  rowid: string | null,
): number | null {
  const analyzed = readAnalyzed(connection, table)
  if (analyzed !== null || rowid === null) return analyzed
  const number = name(rowid)
  const [row] = connection.read(
    sql`select (select min(${number}) from ${name(table)}), (select max(${number}) from ${name(table)})`,
  )
  const [first, last] = v.parse(rangeSchema, row)
  if (first === null || last === null) return 0
  const rows = Number(last) - Number(first) + 1
  return rows <= fileSize(connection) / SMALLEST_ROW ? rows : null
}

const wholeSchema = v.nullable(v.union([v.number(), v.bigint()]))
const rangeSchema = v.tuple([wholeSchema, wholeSchema])

/** An upper bound for rows, since row numbers may be far apart, such as those made from times. */
const fileSize = (connection: Connection): number =>
  Number(
    connection.all(
      'select page_count * page_size from pragma_page_count, pragma_page_size',
    )[0]?.[0],
  )

function readAnalyzed(connection: Connection, table: string): number | null {
  const exists = connection.all(`select 1 from sqlite_schema where name = 'sqlite_stat1'`)
  if (exists.length === 0) return null
  const rows = connection.read(sql`select stat from sqlite_stat1 where tbl = ${bind(table)}`)
  const counts = rows.map(([stat]) => Number.parseInt(String(stat), 10)).filter(Number.isFinite)
  return counts.length === 0 ? null : Math.max(...counts)
}
