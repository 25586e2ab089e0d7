/** Rows that a row refers to by a type and an id, such as `Post` and 7: found by the name of the type, so guesses. */

import type { OpenTable } from '../catalog.ts'
import { tableFinder } from '../definition/guessed-links.ts'
import { wordsOf } from '../definition/humanize.ts'
import {
  orOnTimeout,
  ownLabels,
  type Reference,
  type Referred,
  RELATED_TIMEOUT_MS,
} from '../references.ts'
import type { Predicate } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'
import type { Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { rowName } from './name.ts'
import type { Reader } from '../../server/http/locale.ts'

/** Longest name of a type, characters. */
const TYPE_MAX = 200

/** Most ids that are asked for by themselves, because none of the rows is written so. */
const ALIKE_MAX = 10

type Row = { readonly values: ReadonlyMap<string, Value>; readonly masked: ReadonlySet<string> }

type Reading = {
  readonly source: Pick<RowSource, 'page'>
  readonly tables: readonly Table[]
  readonly reader: Reader
  readonly signal: AbortSignal
  /** Longest time for each, ms. Default: that of the labels of related rows. */
  readonly timeoutMs?: number
}

/** Those that the actor may see; of the others nothing is told, not even whether there are any. */
export async function pairedReferences(
  open: OpenTable,
  row: Row,
  reading: Reading,
): Promise<Reference[]> {
  const columns = [...open.definition.columns.values()].filter(
    ({ name, typedBy }) =>
      typedBy !== undefined && !row.masked.has(name) && !row.masked.has(typedBy),
  )
  const found = await Promise.all(
    columns.map(async ({ name, typedBy = '' }): Promise<Reference[]> => {
      const pair = { type: row.values.get(typedBy) ?? null, id: row.values.get(name) ?? null }
      const [referred] = await pairedRows(open, name, [pair], reading)
      if (!referred) return []
      const { table } = referred.open.access
      const foreignKey = { columns: [name], table: table.name, references: [...table.key] }
      return [{ foreignKey, referred, isGuess: true }]
    }),
  )
  return found.flat()
}

/** A type and an id beside it. */
export type Pair = { readonly type: Value; readonly id: Value }

/** The rows that pairs in a column name, each in the place of its pair; one question for each table. */
export async function pairedRows(
  open: OpenTable,
  column: string,
  pairs: readonly Pair[],
  reading: Reading,
): Promise<(Referred | undefined)[]> {
  const tables = new Map<Value, Table | undefined>()
  for (const { type, id } of pairs)
    if (id !== null && typeof type === 'string' && !tables.has(type))
      tables.set(type, tableOfType(type, open.access.table, reading.tables))
  const named = [...new Set(tables.values())].filter((table) => table !== undefined)
  const found = new Map(
    await Promise.all(
      named.map(async (table) => {
        const ids = pairs.filter(({ type, id }) => id !== null && tables.get(type) === table)
        const rows = await rowsOf(open, column, table, ids, reading)
        return [table, rows] as const
      }),
    ),
  )
  return pairs.map(({ type, id }) => {
    const table = tables.get(type)
    return id === null || !table ? undefined : found.get(table)?.get(String(id))
  })
}

/**
 * By their ids, as text. The database may take others for the same, such as `a` and `A`, or 5 and 5.00: the first
 * of those are asked for one by one.
 */
async function rowsOf(
  open: OpenTable,
  column: string,
  { name }: Table,
  pairs: readonly Pair[],
  { source, reader, signal, timeoutMs = RELATED_TIMEOUT_MS }: Reading,
): Promise<ReadonlyMap<string, Referred>> {
  const other = open.others.find(name)
  const [key = '', ...more] = other?.access.table.key ?? []
  const typeOf = ({ columns }: Table, of: string) => columns.find((one) => one.name === of)?.type
  const isFitting = other && typeOf(other.access.table, key) === typeOf(open.access.table, column)
  if (!isFitting || more.length > 0 || !other.access.canRead(key)) return new Map()
  const columns = ownLabels(other)
  const read = async (where: Predicate, size: number) => {
    const query = { columns, sort: [], size, place: { at: 'first' } as const, where }
    const run = { signal, timeoutMs }
    const page = await source.page(other.access, query, run).catch(orOnTimeout(undefined))
    return (page?.rows ?? []).map((row) => {
      const valueOf = (label: string) =>
        row.masked?.has(columns.indexOf(label)) ? null : row.values[columns.indexOf(label)]
      const label = rowName(other, row.key, valueOf, reader)
      const referred = { open: other, label, key: other.keys.record(row.key) }
      return [String(row.key[0]), referred] as const
    })
  }
  const ids = new Map(pairs.map(({ id }) => [String(id), id]))
  const rows = await read({ op: 'in', column: key, values: [...ids.values()] }, ids.size)
  const found = new Map<string, Referred>(rows)
  if (found.size === 0 || typeOf(other.access.table, key) === 'integer') return found
  const only = ids.size === 1 ? rows[0]?.[1] : undefined
  if (only) return new Map([...ids.keys()].map((id) => [id, only]))
  const others = [...ids].filter(([id]) => !found.has(id)).slice(0, ALIKE_MAX)
  const alike = others.map(async ([id, value]) => {
    const [row] = await read({ op: 'eq', column: key, value }, 1)
    return row ? [[id, row[1]] as const] : []
  })
  return new Map([...found, ...(await Promise.all(alike)).flat()])
}

/** The table whose rows are called so: `posts`, `Post`, `App\Models\Post` and `Blog::Post` as `posts`. */
export function tableOfType(
  type: string,
  from: Table,
  tables: readonly Table[],
): Table | undefined {
  if (type.length > TYPE_MAX) return undefined
  const words = type.split(/[\\/:.]+/).flatMap(wordsOf)
  const find = tableFinder(tables)
  return words.map((_, start) => find(words.slice(start), from)).find(Boolean)
}
