/** Rows and values of a plan in words: rows by their labels, references by those of the rows they are about. */

import { messagesFor } from '../../messages/messages.ts'
import { minorCurrency } from '../definition/currency.ts'
import { inMajor } from '../source/minor-units.ts'
import { formatterFor } from '../format.ts'
import { labelsOf } from '../history/referred.ts'
import { toldText } from '../list/rows.ts'
import { nameParts } from '../record/name.ts'
import { namingColumns } from '../record/telling.ts'
import { rowsPredicate } from '../selection.ts'
import { isComputed, type NewValue } from '../source/computed.ts'
import type { PageRow } from '../source/row-source.ts'
import type { KeyValues, Value } from '../source/value.ts'
import { keyName } from '../changes/read-rows.ts'
import { type Asking, TIMEOUT_MS } from './asking.ts'

export type ToldRow = { readonly key: string; readonly label: string }

/** Rows with the values of some columns, in the order of the keys; those that are gone or hidden are left out. */
export async function readSome(
  { open, source, signal }: Asking,
  keys: readonly KeyValues[],
  columns: readonly string[],
): Promise<readonly PageRow[]> {
  if (keys.length === 0) return []
  const where = rowsPredicate(keys, open)
  const query = { columns, where, sort: [], size: keys.length, place: { at: 'first' } } as const
  const { rows } = await source.page(open.access, query, { signal, timeoutMs: TIMEOUT_MS })
  const found = new Map(rows.map((row) => [keyName(row.key), row]))
  return keys.flatMap((key) => found.get(keyName(key)) ?? [])
}

/** What rows are called; one that is gone, or hidden by now, by its key. `isBesideKey`: as in `toldRow`. */
export async function toldRows(
  asking: Asking,
  keys: readonly KeyValues[],
  isBesideKey = false,
): Promise<ToldRow[]> {
  const columns = namingColumns(asking.open)
  const rows = await readSome(asking, keys, columns)
  const values = rows.flatMap((row) =>
    columns.map((name, at) => [name, row.values[at] ?? null] as const),
  )
  const texts = await valueTexts(asking, values)
  const found = new Map(rows.map((row) => [keyName(row.key), row]))
  return keys.map((key) =>
    toldRow(asking, { key, row: found.get(keyName(key)), columns, texts, isBesideKey }),
  )
}

type Told = {
  readonly key: KeyValues
  readonly row: PageRow | undefined
  /** What was read of the row. */
  readonly columns: readonly string[]
  readonly texts: ValueTexts
  /** Whether its key stands before it, so that a row without a name is called by what tells it from others alone. */
  readonly isBesideKey: boolean
}

/** The row as every page calls it: a row that joins others by what those are called. */
export function toldRow(
  { open, reader }: Pick<Asking, 'open' | 'reader'>,
  { key, row, columns, texts, isBesideKey }: Told,
): ToldRow {
  const valueOf = (name: string) => {
    const at = columns.indexOf(name)
    if (!row || at < 0 || row.masked?.has(at)) return undefined
    const value = row.values[at] ?? null
    return open.relations.has(name) ? texts(name, value) : value
  }
  const { label, tells } = nameParts(open, key, valueOf, reader)
  const parts = isBesideKey && tells.length > 0 ? tells : [label, ...tells]
  return { key: open.keys.record(key) ?? open.keys.name(key), label: parts.join(', ') }
}

/** The texts of values of columns; `null` is NULL. */
export type ValueTexts = (column: string, value: Value) => string | null

/** Looks up the rows that the values refer to. Those that it does not find in time are told by their keys. */
export async function valueTexts(
  { open, reader, source, signal }: Asking,
  values: readonly (readonly [column: string, value: Value])[],
): Promise<ValueTexts> {
  const byColumn = Map.groupBy(values, ([column]) => column)
  const labels = new Map<string, ReadonlyMap<string, string>>()
  for (const [column, some] of byColumn) {
    const relation = open.relations.get(column)
    const asked = some.flatMap(([, value]) => (value === null ? [] : [value]))
    if (relation && asked.length > 0)
      labels.set(column, await labelsOf(source, relation, asked, signal).catch(() => new Map()))
  }
  signal.throwIfAborted()
  const { cell } = formatterFor(reader)
  return (column, value) => {
    const definition = open.definition.columns.get(column)
    if (value === null || !definition) return null
    return labels.get(column)?.get(String(value)) ?? toldText(cell(definition, value))
  }
}

/** What a column is set to, where that is not known row by row. */
export function newText(
  { open, reader }: Pick<Asking, 'open' | 'reader'>,
  column: string,
  value: NewValue,
  given: (value: Value) => string | null,
): string | null {
  if (!isComputed(value)) return given(value)
  const { ways } = messagesFor(reader.language).sealing
  const label = (name: string) => open.definition.columns.get(name)?.label ?? name
  if ('column' in value) return ways.copy(label(value.column))
  if ('now' in value) return ways.now
  if ('append' in value) return ways.append(value.append)
  if ('replace' in value) return ways.replace(value.replace, value.with)
  if ('multiply' in value) return ways.multiply(String(value.multiply))
  const minor = minorCurrency(open.definition.columns.get(column) ?? {})
  return ways.add(minor ? inMajor(String(value.add), minor.digits) : String(value.add))
}
