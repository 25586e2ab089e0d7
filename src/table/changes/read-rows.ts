/** Rows by their keys, with all columns: what changes are judged and compared by. */

import type { Access } from '../source/access.ts'
import type { Predicate } from '../source/predicate.ts'
import { encodeValue } from '../source/predicate-codec.ts'
import type { RowSource, Run } from '../source/row-source.ts'
import type { Table } from '../source/schema.ts'
import type { KeyValues, Value } from '../source/value.ts'
import type { Values } from '../source/write-unit.ts'

/** What rows are read from. */
export type RowReader = Pick<RowSource, 'row' | 'page'>

/** By `keyName`; a row that is missing or hidden is not there. */
export type RowsByKey = ReadonlyMap<string, Values>

/** The same text for the same key, whatever its types. */
export const keyName = (key: KeyValues): string => JSON.stringify(key.map(encodeValue))

/** Keys in one question. */
const BATCH = 500

/** Reads all columns that the access can read. */
export async function readRows(
  source: RowReader,
  access: Access,
  keys: readonly KeyValues[],
  run?: Run,
): Promise<RowsByKey> {
  const columns = access.table.columns
    .map(({ name }) => name)
    .filter((name) => access.canRead(name))
  const valuesOf = (values: readonly Value[]): Values =>
    Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null]))
  const found = new Map<string, Values>()
  const readOne = async (key: KeyValues): Promise<void> => {
    const row = await source.row(access, key, { columns }, run)
    if (row) found.set(keyName(key), valuesOf(row.values))
  }
  // One after the other: together they would not find room in the queue of one person.
  for (let from = 0; from < keys.length; from += BATCH) {
    const some = keys.slice(from, from + BATCH)
    if (some.length > 1) {
      const query = { columns, sort: [], size: some.length, place: { at: 'first' } } as const
      const where = isAmong(access.table.key, some)
      const { rows } = await source.page(access, { ...query, where }, run)
      for (const { key, values } of rows) found.set(keyName(key), valuesOf(values))
    }
    // The database may know a row by a key that is written in another way, such as '01' for 1.
    for (const key of some)
      if (!found.has(keyName(key)) && (some.length === 1 || !isWrittenOneWay(access.table, key)))
        await readOne(key)
  }
  return found
}

/** The rows of these keys. */
function isAmong(columns: readonly string[], keys: readonly KeyValues[]): Predicate {
  const [column, ...others] = columns
  if (column !== undefined && others.length === 0)
    return { op: 'in', column, values: keys.map(([value]) => value ?? null) }
  const isRow = (key: KeyValues): Predicate => ({
    op: 'and',
    all: columns.map((name, at) => ({ op: 'eq', column: name, value: key[at] ?? null })),
  })
  return { op: 'or', all: keys.map(isRow) }
}

/** Whether the key can be written in no other way, so that its row is missing if it was not found. */
const isWrittenOneWay = ({ key: names, columns }: Table, key: KeyValues): boolean =>
  names.every((name, at) => {
    const type = columns.find((column) => column.name === name)?.type
    return type === 'integer' && Number.isSafeInteger(key[at])
  })
