/** Rows that a row refers to by a type and an id, such as `Post` and 7: found by the name of the type, so guesses. */

import type { OpenTable } from '../catalog.ts'
import { tableFinder } from '../definition/guessed-links.ts'
import { wordsOf } from '../definition/humanize.ts'
import { orOnTimeout, ownLabels, type Reference, RELATED_TIMEOUT_MS } from '../references.ts'
import type { RowSource } from '../source/row-source.ts'
import type { Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { rowName } from './name.ts'
import type { Reader } from '../../server/http/locale.ts'

/** Longest name of a type, characters. */
const TYPE_MAX = 200

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
  const pairs = [...open.definition.columns.values()].flatMap(({ name, typedBy = '' }) =>
    row.values.get(typedBy) == null || row.masked.has(name) || row.masked.has(typedBy)
      ? []
      : [{ name, type: row.values.get(typedBy), id: row.values.get(name) }],
  )
  const found = await Promise.all(pairs.map((pair) => pairedReference(open, pair, reading)))
  return found.flatMap((one) => one ?? [])
}

type Pair = {
  readonly name: string
  readonly type: Value | undefined
  readonly id: Value | undefined
}

async function pairedReference(
  open: OpenTable,
  { name, type, id = null }: Pair,
  { source, tables, reader, signal, timeoutMs = RELATED_TIMEOUT_MS }: Reading,
): Promise<Reference | undefined> {
  const table = typeof type === 'string' ? tableOfType(type, open.access.table, tables) : undefined
  const other = table && open.others.find(table.name)
  const [key = '', ...more] = other?.access.table.key ?? []
  const typeOf = ({ columns }: Table, column: string) =>
    columns.find((one) => one.name === column)?.type
  const isFitting = other && typeOf(other.access.table, key) === typeOf(open.access.table, name)
  if (!isFitting || id === null || more.length > 0 || !other.access.canRead(key)) return undefined
  const columns = ownLabels(other)
  const query = {
    ...{ columns, sort: [], size: 1, place: { at: 'first' } as const },
    where: { op: 'eq', column: key, value: id } as const,
  }
  const run = { signal, timeoutMs }
  const page = await source.page(other.access, query, run).catch(orOnTimeout(undefined))
  const row = page?.rows[0]
  if (!row) return undefined
  const label = rowName(
    other,
    row.key,
    (column) =>
      row.masked?.has(columns.indexOf(column)) ? null : row.values[columns.indexOf(column)],
    reader,
  )
  return {
    foreignKey: { columns: [name], table: other.access.table.name, references: [key] },
    referred: { open: other, label, key: other.keys.record(row.key) },
    isGuess: true,
  }
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
