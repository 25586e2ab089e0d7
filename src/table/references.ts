/** The rows that a row refers to by its foreign keys, as far as an actor may see them. */

import type { Actor } from '../server/actor.ts'
import { AppError } from '../server/app-error.ts'
import type { Catalog, OpenTable } from './catalog.ts'
import { foreignKeysOf } from './definition/table-definition.ts'
import { recordKey } from './row-key.ts'
import type {
  FoundRow,
  PageQuery,
  RelatedRow,
  RelationQuery,
  RowSource,
} from './source/row-source.ts'
import type { ForeignKey } from './source/schema.ts'
import type { Value } from './source/value.ts'

/** Longest name of a row in heads and links, characters. */
const LABEL_MAX = 160

/** How long the names of related rows may take, ms: they stand beside what is asked for. */
export const RELATED_TIMEOUT_MS = 250

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

/** A foreign key of the row, and the row that it refers to where that was looked up. */
export type Reference = {
  readonly foreignKey: ForeignKey
  readonly referred: Referred | Unseen | undefined
}

/** A foreign key whose row can be looked up, and how. */
export type Relation = {
  readonly foreignKey: ForeignKey
  readonly other: OpenTable
  readonly query: RelationQuery
}

/** The foreign keys that the actor may follow: they may read its columns on either side. */
export function relationsOf(
  catalog: Catalog,
  actor: Actor,
  { definition, access }: OpenTable,
): Relation[] {
  return foreignKeysOf(definition).flatMap((foreignKey) => {
    const { columns, references, table } = foreignKey
    const other = catalog.find(actor, table)
    const isReadable =
      columns.every((column) => access.canRead(column)) &&
      references.every((column) => other?.access.canRead(column))
    if (!other || !isReadable || columns.length !== references.length) return []
    const label = labelOf(other)
    const query = {
      columns,
      access: other.access,
      references,
      ...(label !== undefined && { label }),
    }
    return [{ foreignKey, other, query }]
  })
}

/** The column that names rows of a table, if it may be read and holds something readable. */
function labelOf({ definition: { table, labelColumn }, access }: OpenTable): string | undefined {
  const column = table.columns.find(({ name }) => name === labelColumn)
  return column && column.type !== 'binary' && access.canRead(column.name) ? column.name : undefined
}

/** What was found of each relation. A key that holds NULL refers to nothing. */
export const referencesOf = (
  relations: readonly Relation[],
  { related }: FoundRow,
  values: ReadonlyMap<string, Value>,
): Reference[] =>
  relations.map(({ foreignKey, other }, place) => {
    const isEmpty = foreignKey.columns.some((column) => (values.get(column) ?? null) === null)
    const referred = isEmpty ? undefined : referredOf(other, related && [related[place]])
    return { foreignKey, referred }
  })

/** `found` is `undefined` where nobody looked, or not in time. */
function referredOf(
  open: OpenTable,
  found: readonly [RelatedRow | undefined] | undefined,
): Referred | Unseen | undefined {
  // Whoever may not see all rows is not told the key of one before it is known that they may see it.
  if (!found) return open.access.seesAllRows ? undefined : { open }
  const [row] = found
  if (!row) return { open }
  const label = row.label === null ? null : labelText(row.label)
  return { open, label, key: recordKey(row.key, open.definition.table) }
}

/**
 * Looks up the row with these values in the columns that a foreign key refers to, where there is no
 * row that refers to it; `undefined` where nobody is to be looked up: a value is NULL, or the actor may
 * not read the other table. So it is where the database takes too long.
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
  const { table } = other.access
  const label = labelOf(other)
  const all = references.map((column, place) => ({
    op: 'eq' as const,
    column,
    value: values[place] ?? null,
  }))
  const isText = table.columns.some(({ name, type }) => name === label && type === 'text')
  const query: PageQuery = {
    columns: label === undefined ? [] : [label],
    where: { op: 'and', all },
    sort: [],
    size: 1,
    place: { at: 'first' },
    ...(isText && label && { cut: { columns: [label], length: LABEL_MAX + 1 } }),
  }
  const page = await source
    .page(other.access, query, { signal, timeoutMs: RELATED_TIMEOUT_MS })
    .catch(orOnTimeout(undefined))
  if (!page) return referredOf(other, undefined)
  const [row] = page.rows
  const name = row && label !== undefined ? (row.values[0] ?? null) : null
  return referredOf(other, [
    row && { key: row.key, label: name === null || isBytes(name) ? null : String(name) },
  ])
}

const isBytes = (value: Value): boolean => value instanceof Uint8Array

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
