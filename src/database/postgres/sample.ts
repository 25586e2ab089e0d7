/** Cheap looks at the first rows of tables, side by side and only for a short while. */

import type { Value } from '../../table/source/value.ts'
import { join, name, render, sql, whole, type Sql, type Statement } from '../query/sql.ts'
import { notation } from './notation.ts'
import type { ColumnRow } from './catalogue-rows.ts'
import type { ColumnTypes } from './column-type.ts'

/** Rows that a sample looks at, and characters that it takes of each text. */
const ROWS = 20
const LENGTH = 200
/** Tables that are looked at together, and how long all looks may take, ms. */
const TOGETHER = 4
const BUDGET_MS = 600
/** Longest time of one look, ms. */
const LOOK_MS = 150

export type SampleWanted = {
  readonly oid: number
  readonly from: Sql
  readonly columns: readonly ColumnRow[]
}

export type SampleTools = {
  readonly types: ColumnTypes
  readonly read: (statement: Statement, timeoutMs: number) => Promise<Value[][]>
  readonly now: () => number
}

/** By a table's number and a column's name: values that are not NULL. What fails has no sample. */
export async function readSamples(
  tables: readonly SampleWanted[],
  { types, read, now }: SampleTools,
): Promise<Map<number, Map<string, Value[]>>> {
  const samples = new Map<number, Map<string, Value[]>>()
  const started = now()
  const left = tables.values()
  const look = async (): Promise<void> => {
    for (const { oid, from, columns } of left) {
      if (now() - started > BUDGET_MS) return
      const shown = columns.filter((column) => types.describe(column).type !== 'binary')
      if (shown.length === 0) continue
      const rows = await read(sampleSql(from, shown, types), LOOK_MS).catch(() => [])
      samples.set(oid, byColumn(shown, rows))
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, look))
  return samples
}

function sampleSql(from: Sql, columns: readonly ColumnRow[], types: ColumnTypes): Statement {
  const cells = columns.map((column) => {
    const { type } = types.describe(column)
    const cell = sql`t.${name(column.name)}`
    return type === 'text' || type === 'json' ? sql`left(${cell}::text, ${whole(LENGTH)})` : cell
  })
  return render(sql`select ${join(cells)} from ${from} as t limit ${whole(ROWS)}`, notation)
}

function byColumn(columns: readonly ColumnRow[], rows: readonly Value[][]): Map<string, Value[]> {
  const values = columns.map(({ name }, i): [string, Value[]] => [
    name,
    rows.map((row) => row[i] ?? null).filter((value) => value !== null),
  ])
  return new Map(values.filter(([, found]) => found.length > 0))
}
