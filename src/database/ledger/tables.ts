/** The tables of the ledger, as Kysely types them; names are `tablewire_…` in SQL. */

import type { EntryState, HookState } from '../../table/changes/ledger.ts'
import type { Door } from '../../table/source/ledger-entry.ts'

/** One change. */
export type ChangeRow = {
  id: string
  /** Milliseconds since 1970. */
  at: number
  byId: string
  byName: string
  behalfId: string | null
  behalfName: string | null
  door: Door
  /** The entry that this one takes back. */
  undoes: string | null
  state: EntryState
  hook: HookState
  /** `Recorded` as JSON: what was written by table, and what the images lack. */
  recorded: string
  /** The job of which it is a step, the number of that, and `EntryStep` as JSON; `null` for other changes. */
  jobId: string | null
  jobStep: number | null
  step: string | null
}

/** Images of rows of one table, in the order in which they were written. */
export type ImageRow = {
  changeId: string
  /** Place of the chunk in the change, from 0. */
  place: number
  tableName: string
  /** JSON, as `image-codec.ts` writes it, or `set-codec.ts` where there are keys. */
  images: string
  /** Of a set of images, the least and the greatest key; `null` where each row has a key of its own. */
  firstKey: string | null
  lastKey: string | null
}

/** A change that tables are yet to be told of. */
export type HookRow = {
  changeId: string
  /** The node that tells of it, until `until`, ms; afterwards any node may. */
  node: string
  until: number
  /** How often it was told in vain. */
  failures: number
}

/** Which rows a change is about. */
export type KeyRow = { tableName: string; rowKey: string; changeId: string }

/** A value that is too large for an image. */
export type ValueRow = { digest: string; bytes: Uint8Array; isText: number }

/** That somebody had the history of a row forgotten. */
export type ErasureRow = {
  id: string
  at: number
  byId: string
  byName: string
  tableName: string
  /** A digest of the key, which may be personal itself. */
  rowDigest: string
}

export type LedgerTables = {
  tablewireChanges: ChangeRow
  tablewireChangeImages: ImageRow
  tablewireChangeKeys: KeyRow
  tablewireChangeValues: ValueRow
  tablewireErasures: ErasureRow
  tablewireHooks: HookRow
}
