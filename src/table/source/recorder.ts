/** Where units that have an entry are kept: a recorder gets their images inside their transaction. */

import type { EntryDraft, ImageSet, RowImage } from './ledger-entry.ts'
import type { Value } from './value.ts'
import type { Recorded } from './write-unit.ts'

/** A statement of the engine's, with its values beside it. */
export type RecordStatement = { readonly text: string; readonly binds: readonly Value[] }

/** A value too large for an image, which names it by its digest (SHA-256, hexadecimal). */
export type LargeValue = {
  readonly digest: string
  readonly bytes: number
  readonly value: string | Uint8Array
}

/** Some of a unit's images; with the last ones comes what they say as a whole. */
export type RecordRequest = {
  readonly record: EntryDraft
  readonly images: readonly RowImage[]
  /** Images of many rows, column by column. */
  readonly sets?: readonly ImageSet[]
  readonly values: readonly LargeValue[]
  readonly recorded?: Recorded
}

/**
 * What has become of a unit that was recorded, or of one that was written nowhere and recorded in `part`: what tells
 * of it as a whole is missing.
 */
export type Settled = 'done' | 'void' | 'part'

/**
 * Called just before the commit; what it throws undoes the unit. `run` runs a statement in the unit's
 * own transaction, and tells how many rows matched.
 */
export type Recorder = {
  record(
    request: RecordRequest,
    run: (statement: RecordStatement) => Promise<number>,
  ): Promise<void>
  /**
   * Told what has become of a unit of which something was recorded; not called where nobody can tell. Default:
   * nothing.
   */
  settle?(id: string, state: Settled): Promise<void>
}

/** The same in SQLite's writer thread, where nothing waits. */
export type SyncRecorder = {
  record(request: RecordRequest, run: (statement: RecordStatement) => number): void
  /** Called before units that share a commit are committed: what was recorded of them must be kept by then. */
  flush?(): void
  settle?(id: string, state: Settled): void
}

/** A module that exports `createRecorder(options)`, for the writer thread. */
export type RecorderModule = { readonly url: string; readonly options: unknown }

/** Lets the units of a source be kept from now on. */
export type Recording =
  | {
      readonly by: 'thread'
      use(module: RecorderModule): void
      /** Settles once every transaction of the file that has begun before has ended. Throws `BUSY`. */
      ended(): Promise<void>
    }
  | { readonly by: 'server'; use(recorder: Recorder): void }
