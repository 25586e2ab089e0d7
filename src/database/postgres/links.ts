/** A PostgreSQL table's key, foreign keys, unique constraints and indexes. */

import type { ForeignKey, Index } from '../../table/source/schema.ts'
import type { ColumnRow, ConstraintRow, IndexRow, OperatorClassRow } from './catalogue-rows.ts'

/** A table's columns by `attnum`, as constraints and indexes refer to them. */
export type Places = ReadonlyMap<number, ColumnRow>

/** Names of the columns at these places; `undefined` if one is not readable, or an expression. */
function namesAt(places: Places, wanted: readonly number[] | null): string[] | undefined {
  const names = (wanted ?? []).map((place) => places.get(place)?.name)
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined
}

/** The primary key; without one, the unique index with the fewest columns, none of which may be NULL. */
export function keyOf(
  places: Places,
  constraints: readonly ConstraintRow[],
  indexes: readonly IndexRow[],
): string[] {
  const primary = constraints.find(({ kind }) => kind === 'p')
  if (primary) return namesAt(places, primary.places) ?? []
  const [smallest] = indexes
    .filter((index) => index.isUnique && index.isImmediate && !index.isPartial)
    .map((index) => index.places.slice(0, index.keys))
    .filter((key) => key.every((place) => places.get(place)?.notNull))
    .toSorted((a, b) => a.length - b.length)
  return namesAt(places, smallest ?? null) ?? []
}

/** Sets of unique columns other than the key. */
export function uniquesOf(
  places: Places,
  indexes: readonly IndexRow[],
  key: readonly string[],
): string[][] {
  const sets = indexes
    .filter(({ isUnique, isPartial }) => isUnique && !isPartial)
    .flatMap((index) => {
      const names = namesAt(places, index.places.slice(0, index.keys))
      return names ? [names] : []
    })
  const isKey = (names: readonly string[]): boolean =>
    names.length === key.length && names.every((name) => key.includes(name))
  const different = new Map(sets.map((names) => [names.toSorted().join('\0'), names]))
  return [...different.values()].filter((names) => !isKey(names))
}

/** Leaves out foreign keys to tables or columns that are not listed. */
export function foreignKeysOf(
  places: Places,
  constraints: readonly ConstraintRow[],
  findTable: (oid: number) => { readonly name: string; readonly places: Places } | undefined,
): ForeignKey[] {
  return constraints
    .filter(({ kind }) => kind === 'f')
    .flatMap(({ places: from, other, otherPlaces, ...link }) => {
      const table = findTable(other)
      const columns = namesAt(places, from)
      const references = table && namesAt(table.places, otherPlaces)
      if (!columns || !references) return []
      const { onDelete, onUpdate, isDeferrable } = link
      const fates = { onDelete, onUpdate, ...(isDeferrable && { isDeferrable }) }
      return [{ columns, table: table.name, references, ...fates }]
    })
}

/** The readable columns of each constraint and unique index. */
export function constraintColumns(
  places: Places,
  constraints: readonly ConstraintRow[],
  indexes: readonly IndexRow[],
): Map<string, string[]> {
  const named = [
    ...indexes
      .filter(({ isUnique }) => isUnique)
      .map((index) => ({ name: index.name, places: index.places.slice(0, index.keys) })),
    ...constraints,
  ]
  return new Map(
    named.map(({ name, places: wanted }) => [
      name,
      (wanted ?? []).flatMap((place) => places.get(place)?.name ?? []),
    ]),
  )
}

/** Bits of an index column's options. */
const DESCENDING = 1
const NULLS_FIRST = 2

type Classes = ReadonlyMap<number, OperatorClassRow>

/** The columns that an index sorts by, not those that it only includes. */
const partsOf = (places: Places, index: IndexRow, classes: Classes) =>
  index.places.slice(0, index.keys).map((place, i) => ({
    column: places.get(place),
    option: index.options[i] ?? 0,
    kind: classes.get(index.classes[i] ?? 0),
    collation: index.collations[i],
  }))

/**
 * Indexes that give the order of their columns: B-trees with each column's default order and collation,
 * and PostgreSQL's default place for NULLs. Others cannot serve a page.
 */
export function indexesOf(places: Places, indexes: readonly IndexRow[], classes: Classes): Index[] {
  return indexes.flatMap((index) => {
    const parts = partsOf(places, index, classes)
    const columns = parts.flatMap(({ column, option, kind, collation }) => {
      const isUsual = option === 0 || option === (DESCENDING | NULLS_FIRST)
      return column && isUsual && kind?.isUsual && collation === column.collation
        ? { name: column.name, descending: (option & DESCENDING) !== 0 }
        : []
    })
    if (index.method !== 'btree' || columns.length < index.keys) return []
    return { name: index.name, columns, unique: index.isUnique, partial: index.isPartial }
  })
}

/** Columns with a trigram index, which finds any part of a text. */
export function trigramColumns(
  places: Places,
  indexes: readonly IndexRow[],
  classes: Classes,
): Set<string> {
  const parts = indexes
    .filter(({ isPartial }) => !isPartial)
    .flatMap((index) => partsOf(places, index, classes))
  return new Set(
    parts.flatMap(({ column, kind }) =>
      column && /^gi(n|st)_trgm_ops$/.test(kind?.name ?? '') ? column.name : [],
    ),
  )
}
