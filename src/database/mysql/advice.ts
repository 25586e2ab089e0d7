/** Which index would make a list cost the same at any size of its table, as a statement. */

import type { Index } from '../../table/source/schema.ts'
import type { Need } from '../query-runner.ts'
import { servesOrder, servingColumns, type IndexHabits } from '../query/serving.ts'
import { join, name, render, sql } from '../query/sql.ts'
import { habitsOf } from './index-hints.ts'
import { notation } from './notation.ts'
import type { MysqlColumn, MysqlTable } from './tables.ts'

/** Longest key of an index, in bytes, and longest name of one, in characters. */
const KEY_BYTES = 3072
const NAME_LENGTH = 64
const BYTES_A_CHARACTER = 4

/** `undefined` where no index would do, or none can be made. */
export function indexAdvice(of: MysqlTable, need: Need): string | undefined {
  const habits = habitsOf(of)
  // What an index ends with anyway is left out, unless it is wanted the other way round.
  return [habits, { ...habits, endsWithKey: false }]
    .flatMap((one) => servingIndex(of, need, one) ?? [])
    .map((index) => statementOf(of, index))[0]
}

function servingIndex(of: MysqlTable, need: Need, habits: IndexHabits): Index | undefined {
  const columns = servingColumns(of, need, habits)
  if (!columns || !isPossible(of, columns)) return undefined
  const index: Index = { name: nameOf(of, columns), columns, unique: false, partial: false }
  const table = { ...of.table, indexes: [...of.table.indexes, index] }
  return servesOrder({ ...of, table }, need, habitsOf(of)) ? index : undefined
}

function statementOf({ from }: MysqlTable, { name: wanted, columns }: Index): string {
  const list = columns.map((column) =>
    column.descending ? sql`${name(column.name)} desc` : name(column.name),
  )
  return render(sql`create index ${name(wanted)} on ${from} (${join(list)})`, notation).text
}

const nameOf = ({ table }: MysqlTable, columns: Index['columns']): string =>
  [table.name, ...columns.map((column) => column.name)].join('_').slice(0, NAME_LENGTH)

/** Texts without a bound, and all columns together beyond another one, do not fit into an index. */
function isPossible({ columns }: MysqlTable, wanted: Index['columns']): boolean {
  const sizes = wanted.map((column) => sizeOf(columns.get(column.name)))
  return sizes.reduce((sum, size) => sum + size, 0) <= KEY_BYTES
}

function sizeOf(column: MysqlColumn | undefined): number {
  if (!column) return Infinity
  const { kind, maxLength, declared } = column
  if (kind.is === 'text') return (maxLength ?? Infinity) * BYTES_A_CHARACTER
  if (kind.is === 'bytes')
    return Number(/^(?:var)?binary\((\d+)\)$/i.exec(declared)?.[1] ?? Infinity)
  return kind.is === 'json' || kind.is === 'geometry' ? Infinity : 16
}
