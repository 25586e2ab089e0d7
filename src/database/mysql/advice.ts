/** Suggests an index with which a list costs the same at any size of its table. */

import type { Index } from '../../table/source/schema.ts'
import type { Need } from '../query-runner.ts'
import { servesOrder, servingColumns, type IndexBehaviour } from '../query/serving.ts'
import { join, name, render, sql } from '../query/sql.ts'
import { indexBehaviourOf } from './index-hints.ts'
import { notation } from './notation.ts'
import type { MysqlColumn, MysqlTable } from './tables.ts'

/** Longest index key, in bytes, and longest index name, in characters. */
const KEY_BYTES = 3072
const NAME_LENGTH = 64
const BYTES_A_CHARACTER = 4

/** `undefined` if no index would help, or none can be created. */
export function indexAdvice(of: MysqlTable, need: Need): string | undefined {
  const behaviour = indexBehaviourOf(of)
  // First without the key, with which every index ends, then with it: it may be needed in another direction.
  return [behaviour, { ...behaviour, endsWithKey: false }]
    .flatMap((one) => servingIndex(of, need, one) ?? [])
    .map((index) => statementOf(of, index))[0]
}

function servingIndex(of: MysqlTable, need: Need, behaviour: IndexBehaviour): Index | undefined {
  const columns = servingColumns(of, need, behaviour)
  if (!columns || !isPossible(of, columns)) return undefined
  const index: Index = { name: nameOf(of, columns), columns, unique: false, partial: false }
  const table = { ...of.table, indexes: [...of.table.indexes, index] }
  return servesOrder({ ...of, table }, need, indexBehaviourOf(of)) ? index : undefined
}

function statementOf({ from }: MysqlTable, { name: wanted, columns }: Index): string {
  const list = columns.map((column) =>
    column.descending ? sql`${name(column.name)} desc` : name(column.name),
  )
  return render(sql`create index ${name(wanted)} on ${from} (${join(list)})`, notation).text
}

const nameOf = ({ table }: MysqlTable, columns: Index['columns']): string =>
  [table.name, ...columns.map((column) => column.name)].join('_').slice(0, NAME_LENGTH)

/** An index cannot hold texts of unlimited length, nor more than `KEY_BYTES` in all columns together. */
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
