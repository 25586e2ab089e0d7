/** The row that a foreign key refers to, as far as an actor may see it. */

import { AppError } from '../server/app-error.ts'
import type { OpenTable } from './catalog.ts'
import type { PageQuery, RowSource } from './source/row-source.ts'
import { recordKey } from './row-key.ts'
import type { ForeignKey } from './source/schema.ts'
import type { Value } from './source/value.ts'

/** Longest name of a row in heads and links, characters. */
const LABEL_MAX = 160

/** How long the name of one row may take, ms: it stands beside what is asked for. */
const PATIENCE_MS = 250

/** A row that is referred to. */
export type Referred = {
  readonly open: OpenTable
  /** What it is called, `null` where nothing names it. */
  readonly label: string | null
  /** Its key in the address of its page, `null` where it has none. */
  readonly key: string | null
}

/** There is no such row, or none that the actor may see: nobody is to tell one from the other. */
export type Unseen = { readonly open: OpenTable; readonly label?: undefined }

/**
 * Looks up the row with these values in the columns that are referred to; `undefined` where nobody
 * is to be looked up: a value is NULL, or the actor may not read the other table. So it is where
 * the database takes too long.
 */
export async function findReferred(
  source: RowSource,
  other: OpenTable | undefined,
  { references }: ForeignKey,
  values: readonly Value[],
  signal: AbortSignal,
): Promise<Referred | Unseen | undefined> {
  if (!other || !references.every((column) => other.access.canRead(column))) return undefined
  if (values.length !== references.length || values.includes(null)) return undefined
  const { definition, access } = other
  const { table, labelColumn } = definition
  const isNamed = labelColumn !== undefined && access.canRead(labelColumn)
  const isText =
    isNamed && table.columns.some(({ name, type }) => name === labelColumn && type === 'text')
  const all = references.map((column, place) => ({
    op: 'eq' as const,
    column,
    value: values[place] ?? null,
  }))
  const query: PageQuery = {
    columns: isNamed ? [labelColumn] : table.key,
    where: { op: 'and', all },
    sort: [],
    size: 1,
    place: { at: 'first' },
    ...(isText && { cut: { columns: [labelColumn], length: LABEL_MAX + 1 } }),
  }
  const page = await source
    .page(access, query, { signal, timeoutMs: PATIENCE_MS })
    .catch(orOnTimeout(undefined))
  // Whoever may not see all rows is not told the key of one before it is known that they may see it.
  if (!page) return access.seesAllRows ? undefined : { open: other }
  const [row] = page.rows
  if (!row) return { open: other }
  const label = isNamed ? labelText(row.values[0] ?? null) : null
  return { open: other, label, key: recordKey(row.key, table) }
}

/** A row's name as text, in a length for heads and links; `null` for one that says nothing. */
export function labelText(value: Value): string | null {
  if (value === null || value instanceof Uint8Array) return null
  const text = String(value)
  return text.trim() === '' ? null : shortened(text)
}

/** The beginning of a text that is too long for heads and links. */
export const shortened = (text: string): string =>
  text.length <= LABEL_MAX ? text : `${text.slice(0, LABEL_MAX).replace(/[\uD800-\uDBFF]$/, '')}…`

/** What takes too long, or finds no room, is left out; anything else is a failure. */
export const orOnTimeout =
  <T>(late: T) =>
  (error: unknown): T => {
    if (error instanceof AppError && (error.code === 'QUERY_TIMEOUT' || error.code === 'BUSY'))
      return late
    throw error
  }
