/** An entry of the ledger: who changed what, and what the rows held before and after. */

import type { Json } from '../../protocol/json.ts'
import type { KeyValues, Value } from './value.ts'

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
