/** An entry of the ledger: who changed what, and what the rows held before and after. */

import type { Json } from '../../protocol/json.ts'
import { isSame, type KeyValues, type Value } from './value.ts'

/** Most rows that cascades take of which images are kept. */
export const MOST_CASCADED = 10_000
/** Larger values are not kept, bytes. */
export const LARGEST_KEPT = 2 ** 24

export type PersonRef = { readonly id: string; readonly name: string }

/** How a change came: by a form, a cell of a list, the order of a list, and so on. */
export type Door = 'form' | 'cell' | 'order' | 'bulk' | 'import' | 'undo' | 'code'

/**
 * A step of a job, saved with the rows that it writes: in their transaction where the records share the
 * database, else with the entry that is written ahead. A run whose `fence` is not the job's own writes nothing.
 */
export type EntryStep = {
  readonly job: string
  readonly fence: number
  /** Counted from 1; each is written once. */
  readonly number: number
  readonly checkpoint: Json
  readonly done: number
  readonly total: number | null
  /** When it is saved, ms. */
  readonly at: number
}

export type EntryDraft = {
  /** A UUID v7, one a change, the same for each attempt. */
  readonly id: string
  /** When, in ms. */
  readonly at: number
  readonly by: PersonRef
  readonly behalf?: PersonRef
  readonly door: Door
  /** The entry that this one takes back. */
  readonly undoes?: string
  /** The step of a job that it is. */
  readonly step?: EntryStep
  /** Whether a table of the change wants to be told of it once it is on disk. */
  readonly isTold?: true
}

/**
 * A value of an image. `digest`: too large to stand in the image, kept once under its digest.
 * `lost`: not kept; how many bytes it had.
 */
export type ImageValue =
  | Value
  | { readonly digest: string; readonly bytes: number }
  | { readonly lost: number }

/** Whether the value stands in the image itself. */
export const isKept = (value: ImageValue): value is Value =>
  typeof value !== 'object' || value === null || value instanceof Uint8Array

export type ImageValues = Readonly<Record<string, ImageValue>>

/**
 * What a row held before a unit and holds after it. Insert: `before` is null and `after` has all
 * columns; delete: the reverse; update: both have the columns that differ, whoever wrote them.
 */
export type RowImage = {
  readonly table: string
  /** Finds the row now; of a deleted row, the key that it had. */
  readonly key: KeyValues
  readonly before: ImageValues | null
  readonly after: ImageValues | null
  /** A cascade did this, not the change itself. */
  readonly cascaded?: true
}

/**
 * Images of many rows of one table that one statement has updated, column by column: each list holds a value for
 * each key, in the same order. At least one of the columns differs in each row.
 */
export type ImageSet = {
  readonly table: string
  readonly keys: readonly KeyValues[]
  readonly before: ColumnImages
  readonly after: ColumnImages
}

export type ColumnImages = Readonly<Record<string, readonly ImageValue[]>>

/** Some images of an entry, row by row or column by column. */
export type ImageChunk = readonly RowImage[] | ImageSet

export const isSet = (chunk: ImageChunk): chunk is ImageSet => 'table' in chunk

export const rowsOfChunk = (chunk: ImageChunk): readonly RowImage[] =>
  isSet(chunk) ? imagesOf(chunk) : chunk

/** Some rows of a set, by their places. */
export function someOf(of: ImageSet, isOne: (at: number) => boolean): ImageSet {
  const some = (columns: ColumnImages): ColumnImages =>
    Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [name, values.filter((_, at) => isOne(at))]),
    )
  const keys = of.keys.filter((_, at) => isOne(at))
  return { table: of.table, keys, before: some(of.before), after: some(of.after) }
}

/** The same row by row. */
export function imagesOf({ table, keys, before, after }: ImageSet): RowImage[] {
  const columns = Object.keys(before).map((name) => ({
    ...{ name, before: before[name] ?? [], after: after[name] ?? [] },
  }))
  return keys.map((key, at) => {
    const differing = columns.filter((column) => !isSameImage(column.before[at], column.after[at]))
    const only = (side: 'before' | 'after'): ImageValues =>
      Object.fromEntries(differing.map((column) => [column.name, column[side][at] ?? null]))
    return { table, key, before: only('before'), after: only('after') }
  })
}

/** Whether two values are the very same; of those that were not kept, nobody can tell. */
export function isSameImage(one: ImageValue = null, other: ImageValue = null): boolean {
  if (isKept(one) && isKept(other)) return isSame(one, other)
  return !isKept(one) && !isKept(other) && 'digest' in one && 'digest' in other
    ? one.digest === other.digest
    : false
}
