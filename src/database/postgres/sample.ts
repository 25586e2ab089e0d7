/** Samples the first rows of tables, several at once, within a time limit. */

import { countSampled, type Sampled } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { join, name, render, sql, whole, type Sql, type Statement } from '../query/sql.ts'
import { notation } from './notation.ts'
import type { ColumnRow } from './catalogue-rows.ts'
import type { ColumnTypes } from './column-type.ts'

/** Size of a sample: rows, and characters of each text. */
const ROWS = 20
const LENGTH = 200
/** Tables sampled at once, and the time limit for all of them, ms. */
const TOGETHER = 4
const BUDGET_MS = 600
/** Time limit of one sample, ms. */
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

/** What a sample tells of a column. */
export type ColumnSample = { readonly values: readonly Value[]; readonly sampled: Sampled }

/** The values that are not NULL, by the table's oid and the column's name. A table that fails has none. */
export async function readSamples(
  tables: readonly SampleWanted[],
  { types, read, now }: SampleTools,
): Promise<Map<number, Map<string, ColumnSample>>> {
  const samples = new Map<number, Map<string, ColumnSample>>()
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
    if (types.columnType(column).name === 'money') return sql`${cell}::numeric`
    return type === 'text' || type === 'json' ? sql`left(${cell}::text, ${whole(LENGTH)})` : cell
  })
  return render(sql`select ${join(cells)} from ${from} as t limit ${whole(ROWS)}`, notation)
}

function byColumn(
  columns: readonly ColumnRow[],
  rows: readonly Value[][],
): Map<string, ColumnSample> {
  if (rows.length === 0) return new Map()
  return new Map(
    columns.map(({ name }, i) => {
      const cells = rows.map((row) => row[i] ?? null)
      const values = cells.filter((value) => value !== null)
      return [name, { values, sampled: countSampled(cells) }]
    }),
  )
}
