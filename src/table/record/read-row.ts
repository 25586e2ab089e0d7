/** Reads one row for people to look at: all values that the actor may read, and the rows that it refers to. */

import type { FieldValue } from '../../protocol/record-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import {
  type Reference,
  referencesOf,
  RELATED_TIMEOUT_MS,
  type RelationLookup,
} from '../references.ts'
import type { RowSource } from '../source/row-source.ts'
import { LONG_TYPES, type Table } from '../source/schema.ts'
import type { KeyValues, Value } from '../source/value.ts'
import { drawValue, PREVIEW, VALUE_MAX } from './value.ts'

/** A row as it was read: its key, and all values that the actor may read, by column. */
export type ReadRow = {
  readonly key: KeyValues
  readonly values: ReadonlyMap<string, Value>
  /** The columns whose values are masked in this row. */
  readonly masked: ReadonlySet<string>
  /** Full lengths of the values of which only the beginning was read. */
  readonly lengths: ReadonlyMap<string, number>
  readonly references: readonly Reference[]
}

/** A row that is asked for: `key` is its key as text. */
export type AskedRow = {
  readonly opened: OpenTable
  readonly key: string
  readonly signal: AbortSignal
}

type ReadOptions = {
  /** What is looked up of the rows that it refers to. Default: nothing. */
  readonly relations?: readonly RelationLookup[]
  /** The one column that is read. Default: all. */
  readonly only?: string
  /** How much of long values is read, characters. Default: a preview. */
  readonly length?: number | undefined
}

/** `undefined` if there is no such row, or none that the actor may see. */
export async function readRecord(
  source: Pick<RowSource, 'row'>,
  { opened, key: asked, signal }: AskedRow,
  { relations = [], only, length = PREVIEW }: ReadOptions = {},
): Promise<ReadRow | undefined> {
  const { access } = opened
  const { table } = access
  const key = opened.keys.read(asked)
  if (!key) return undefined
  const columns = table.columns
    .map(({ name }) => name)
    .filter((name) => access.canShow(name) && (only === undefined || only === name))
  const lookup = {
    columns,
    cut: { columns: columns.filter((name) => isLong(table, name)), length },
    related: relations.map(({ query }) => query),
    relatedTimeoutMs: RELATED_TIMEOUT_MS,
  }
  const row = await source.row(access, key, lookup, { signal })
  if (!row) return undefined
  const lengths = columns.flatMap((name, at) => {
    const length = row.lengths?.get(at)
    return length === undefined ? [] : [[name, length] as const]
  })
  const values = new Map(columns.map((name, at) => [name, row.values[at] ?? null]))
  const references = referencesOf(relations, row, values)
  const masked = new Set(columns.filter((_, at) => row.masked?.has(at)))
  return { key: row.key, values, masked, lengths: new Map(lengths), references }
}

/** The value of a column of which pages show only the beginning; `null` if the row is gone. Throws `NOT_FOUND`. */
export async function wholeValue(
  source: Pick<RowSource, 'row'>,
  { locale, language, timeZone, ...asked }: AskedRow & Reader,
  name: string,
): Promise<FieldValue | null> {
  const { opened } = asked
  const column = opened.definition.columns.get(name)
  if (!column || !opened.access.canShow(name)) throw new AppError('NOT_FOUND')
  const row = await readRecord(source, asked, { only: name, length: VALUE_MAX })
  if (!row || row.masked.has(name)) return null
  const reader = { locale, language, timeZone }
  return drawValue(column, row.values.get(name) ?? null, reader, row.lengths.get(name)).value
}

/** Keys are read whole: rows are looked up by them, and they are short. */
function isLong({ columns, key, foreignKeys }: Table, name: string): boolean {
  const column = columns.find((candidate) => candidate.name === name)
  const isLink = key.includes(name) || foreignKeys.some(({ columns }) => columns.includes(name))
  return column !== undefined && LONG_TYPES.has(column.type) && !isLink
}
