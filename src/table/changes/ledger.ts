/** Tablewire's memory of changes: what the door writes there, and what history and undo read. */

import type { Door, EntryDraft, ImageChunk, PersonRef, RowImage } from '../source/ledger-entry.ts'
import type { KeyValues } from '../source/value.ts'
import type { Recorded } from '../source/write-unit.ts'

/**
 * `pending`: the outcome of the write is not known yet; `void`: nothing was written; `uncertain`: it
 * cannot be found out whether the change was written.
 */
export type EntryState = 'pending' | 'done' | 'void' | 'uncertain'

/** How far the tables' own `changed` hooks have come with an entry. */
export type HookState = 'none' | 'due' | 'done' | 'failed'

/** One change. */
export type Entry = EntryDraft &
  Recorded & {
    readonly state: EntryState
    readonly hook: HookState
    /** Entries that have taken this one back, in whole or in part, the first one first. */
    readonly undoneBy: readonly string[]
  }

/** Which entries are wanted; what is left out restricts nothing. The newest come first. */
export type EntryQuery = {
  readonly by?: string
  readonly table?: string
  /** Entries that changed this row of `table`, or any of these. */
  readonly key?: KeyValues
  readonly keys?: readonly KeyValues[]
  readonly door?: Door
  /** From this time on, and before that one, ms. */
  readonly since?: number
  readonly until?: number
  /** Entries older than this one. */
  readonly after?: { readonly at: number; readonly id: string }
  /** Most entries. */
  readonly size: number
}

export type ImageQuery = {
  readonly table?: string
  readonly key?: KeyValues
}

/** That somebody had the history of a row forgotten; which row that was is forgotten, too. */
export type Erasure = {
  readonly id: string
  readonly at: number
  readonly by: PersonRef
  readonly table: string
}

/** How much there is to remember. `bytes`: on disk; `null` where that is not told apart from the data. */
export type LedgerSize = { readonly changes: number; readonly bytes: number | null }

/** Reads what the writer has recorded. Entries that are `void` are never returned. */
export interface Ledger {
  find(id: string): Promise<Entry | undefined>
  list(query: EntryQuery): Promise<readonly Entry[]>
  /** The images of an entry, in the order in which its rows were written, as they are kept. */
  chunks(id: string, query?: ImageQuery): AsyncIterable<ImageChunk>
  /** The same row by row, in chunks. */
  images(id: string, query?: ImageQuery): AsyncIterable<readonly RowImage[]>
  /** A value that is kept apart for its size; `undefined` if history has forgotten it. */
  value(digest: string): Promise<Uint8Array | string | undefined>
  /** Forgets what a row held. The erasure itself is kept, with the person who did it. */
  erase(table: string, key: KeyValues, by: PersonRef): Promise<void>
  /** Erasures that fit the query, the newest first; by `key`, those of the row's own history. */
  erasures(query: Omit<EntryQuery, 'door' | 'after'>): Promise<readonly Erasure[]>
  size(): Promise<LedgerSize>
}
