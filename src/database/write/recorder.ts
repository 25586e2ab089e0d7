/** Where units that have an entry are kept: a recorder gets their images inside their transaction. */

import type { EntryDraft, RowImage } from '../../table/source/ledger-entry.ts'
import type { Recorded } from '../../table/source/write-unit.ts'
import type { Statement } from '../query/sql.ts'

/** A value too large for an image, which names it by its digest (SHA-256, hexadecimal). */
export type LargeValue = {
  readonly digest: string
  readonly bytes: number
  readonly value: string | Uint8Array
}

/** Some of a unit's images; after the last ones comes what they say as a whole. */
export type RecordRequest = {
  readonly record: EntryDraft
  readonly images: readonly RowImage[]
  readonly values: readonly LargeValue[]
  readonly recorded?: Recorded
}

/**
 * Called just before the commit; what it throws undoes the unit. `run` runs a statement in the unit's
 * own transaction.
 */
export type Recorder = {
  record(request: RecordRequest, run: (statement: Statement) => Promise<unknown>): Promise<void>
}

/** The same in SQLite's writer thread, where nothing waits. */
export type SyncRecorder = {
  record(request: RecordRequest, run: (statement: Statement) => unknown): void
}

/** A module that exports `createRecorder(options)`, for the writer thread. */
export type RecorderModule = { readonly url: string; readonly options: unknown }
