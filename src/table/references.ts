/** The rows that a row refers to by its foreign keys, as far as an actor may see them. */

import type { Actor } from '../server/actor.ts'
import { AppError } from '../server/app-error.ts'
import type { Catalog, OpenTable } from './catalog.ts'
import { foreignKeysOf, type TableDefinition } from './definition/table-definition.ts'
import type { FoundRow, RelatedRow, RelationQuery } from './source/row-source.ts'
import type { ForeignKey } from './source/schema.ts'
import type { Value } from './source/value.ts'

/** Longest label of a row in headings and links, in characters. */
export const LABEL_MAX = 160

/** Longest time for the labels of related rows, ms; without them, the page shows keys. */
export const RELATED_TIMEOUT_MS = 250

/** The row that a foreign key refers to. */
export type Referred = {
  readonly open: OpenTable
  /** Its label, `null` if it has none. */
  readonly label: string | null
  /** Its key in the address of its page, `null` if it has no page. */
  readonly key: string | null
}

/** The row is missing, or the actor may not see it; both must look the same. */
export type Unseen = { readonly open: OpenTable; readonly label?: undefined }

/** A foreign key of the row, and the row that it refers to, if that was looked up. */
export type Reference = {
  readonly foreignKey: ForeignKey
  readonly referred: Referred | Unseen | undefined
  /** The database does not declare it: a type beside an id tells it. */
  readonly isGuess?: true
}

/** A foreign key, and the query that looks up its row. */
export type RelationLookup = {
  readonly foreignKey: ForeignKey
  readonly other: OpenTable
  readonly query: RelationQuery
}

/** The foreign keys that the actor may follow: they may read the columns on both sides. */
export function relationLookups(
  catalog: Catalog,
  actor: Actor,
  { definition, access }: OpenTable,
): RelationLookup[] {
  return foreignKeysOf(definition).flatMap((foreignKey) => {
    const { columns, references, table } = foreignKey
    const other = catalog.find(actor, table)
    const isReadable =
      columns.every((column) => access.canRead(column)) &&
      references.every((column) => other?.access.canRead(column))
    if (!other || !isReadable || columns.length !== references.length) return []
    const [label, ...more] = ownLabels(other)
    const query = {
      columns,
      access: other.access,
      references,
      ...(label !== undefined && { label }),
      ...(more.length > 0 && { more }),
    }
    return [{ foreignKey, other, query }]
  })
}

type Named = Pick<OpenTable, 'definition' | 'access'>

/**
 * The columns that name rows of a table, as far as the actor may read them: none that hold bytes, or keys of
 * other rows, which only those rows have names for.
 */
export const ownLabels = ({
  definition: { table, columns, labelColumns },
  access,
}: Named): string[] =>
  labelColumns.filter((name) => {
    const column = table.columns.find((one) => one.name === name)
    const isKey = columns.get(name)?.relation !== undefined && labelColumns.length > 1
    return column !== undefined && column.type !== 'binary' && !isKey && access.canRead(name)
  })

/** Each foreign key with the row that was found for it. A key that holds NULL refers to nothing. */
export const referencesOf = (
  relations: readonly RelationLookup[],
  { related }: FoundRow,
  values: ReadonlyMap<string, Value>,
): Reference[] =>
  relations.map(({ foreignKey, other }, place) => {
    const isEmpty = foreignKey.columns.some((column) => (values.get(column) ?? null) === null)
    const referred = isEmpty ? undefined : referredOf(other, related && [related[place]])
    return { foreignKey, referred }
  })

/** `found` is `undefined` if the lookup took too long. */
function referredOf(
  open: OpenTable,
  found: readonly [RelatedRow | undefined] | undefined,
): Referred | Unseen | undefined {
  // If rows are hidden from the actor, a key is shown only once its row is known to be visible.
  if (!found) return open.access.seesAllRows ? undefined : { open }
  const [row] = found
  if (!row) return { open }
  const label = row.label === null ? null : labelText(row.label)
  return { open, label, key: open.keys.record(row.key) }
}

/** A row's label as text, cut for headings and links; `null` if it is blank or bytes. */
export function labelText(value: Value): string | null {
  if (value === null || value instanceof Uint8Array) return null
  const text = String(value)
  return text.trim() === '' ? null : shortened(text)
}

/**
 * The texts of the columns that name a row, in one; `null` if there is none. Names of several rows are kept
 * apart by a dot.
 */
export const joinedLabel = (texts: readonly (string | null)[], areRows = false): string | null => {
  const found = texts.filter((text) => text !== null && text !== '')
  return found.length === 0 ? null : shortened(found.join(areRows ? ' · ' : ' '))
}

/** Whether the rows of a table are called by other rows, which they join. */
export const isNamedByRows = ({ columns, labelColumns }: TableDefinition): boolean =>
  labelColumns.length > 1 && columns.get(labelColumns[0] ?? '')?.relation !== undefined

/** The text, cut if it is too long for headings and links. */
export const shortened = (text: string): string =>
  text.length <= LABEL_MAX ? text : `${text.slice(0, LABEL_MAX).replace(/[\uD800-\uDBFF]$/, '')}…`

/** Handles a timeout or a full queue with `fallback`, and rethrows every other error. */
export const orOnTimeout =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (error instanceof AppError && (error.code === 'QUERY_TIMEOUT' || error.code === 'BUSY'))
      return fallback
    throw error
  }

/** Rows to choose from, in which those that are called the same are told apart by their keys. */
export function toldApart<Named extends { readonly label: string }>(
  rows: readonly Named[],
  keyOf: (row: Named) => string,
): Named[] {
  const named = Map.groupBy(rows, ({ label }) => label)
  return rows.map((row) =>
    named.get(row.label)?.length === 1 ? row : { ...row, label: `${row.label} · ${keyOf(row)}` },
  )
}
