/** What a bulk action asks for, the plan that is confirmed, and what became of it, as plain data. */

import type { FieldInput } from './form-view.ts'
import type { Selected } from './selection.ts'

/** How a field of all selected rows is changed. `set` takes the field's text, `null` for NULL. */
export type FieldEdit =
  | { how: 'set'; text: string | null }
  /** A number as it is typed. */
  | { how: 'add' | 'multiply'; text: string }
  | { how: 'append'; text: string }
  | { how: 'replace'; text: string; with: string }
  /** The name of another column of the same type. */
  | { how: 'copy'; column: string }
  /** The present moment, day or time of day. */
  | { how: 'now' }

export type EditHow = FieldEdit['how']

/** What is asked for the selected rows. */
export type BulkAsk =
  | { do: 'edit'; fields: { [column: string]: FieldEdit } }
  | { do: 'delete' }
  /** Marks the rows as deleted, where the table has a column for that, or takes the mark away. */
  | { do: 'mark' | 'restore' }
  /** An action of the table's own, and the texts of its form. */
  | { do: 'own'; name: string; texts: { [field: string]: string | null } }

/** What a person may do with selected rows of a list; absent from its view where that is nothing but an export. */
export type BulkOffer = {
  edit?: true
  delete?: true
  mark?: true
  restore?: true
  own?: { name: string; label: string; hasForm: boolean }[]
}

/** A field that can be changed for all selected rows, and how. */
export type BulkField = FieldInput & {
  hows: EditHow[]
  /** The columns that can be copied into it. */
  from: { name: string; label: string }[]
}

/** A line of figures: what it says, and a number that is ready to show. */
export type PlanLine = { text: string; count: string }

/** A value before and after, ready to show; `null` is NULL. `after` is absent where the row goes. */
export type PlanChange = {
  column: string
  label: string
  before: string | null
  after?: string | null
}

/** A sentence; of one row, also where those are listed that refer to it. */
export type HangingLine = { text: string; href?: string }

export type PlanRow = { key: string; label: string; changes: PlanChange[] }

/** What is sealed: exactly these rows are written, or nothing. Everything is ready to show. */
export type PlanView = {
  /** Names the plan to the server; it is used once, by this person, and says nothing else. */
  handle: string
  /** Such as “Set Status to Closed on 48,210 strikes”. */
  title: string
  /** Whether it was asked of one row, which the title names. */
  isOne?: true
  /** How many rows are to be written, as a number and as text; the button says “Write 48,210 rows”. */
  rows: number
  rowsText: string
  /** The sum above the line: what matches, and what is refused. */
  figures: PlanLine[]
  /** Each value that is replaced, by what, in how many rows; the most frequent first. */
  changes: { label: string; before: string | null; after: string | null; count: string }[]
  /** Values that are not listed. */
  moreChanges: string | null
  sample: PlanRow[]
  /** Rows that are not written, and why: the first of them, and how many there are of each reason. */
  refused: { reasons: PlanLine[]; rows: { key: string; label: string; reason: string }[] }
  /** What hangs on rows that are deleted, table by table. */
  hanging: HangingLine[]
  /** When it was sealed, until when it can be written, and how it can be undone, in sentences. */
  seal: string
  /** What must be typed to write it; `null` where it is small. */
  typed: string | null
  /** Written at once, or by a job that goes on when the page is closed. */
  runs: 'at-once' | 'job'
  /** The button, in words. */
  write: string
  /** Whether it can be tried first. */
  canTry: boolean
}

/** Why none of the rows can be written, however often it is asked. */
export type Refusal = {
  /** Such as “Order 1 cannot be deleted”. */
  title: string
  /** Reasons, in sentences, of one row. */
  reasons: string[]
  /** The rows for which the database keeps the one that was to go. */
  hanging: HangingLine[]
  /** Of several rows: how many there are of each reason, and the first of them. */
  refused: PlanView['refused']
}

/** What became of sealing. */
export type SealResult =
  | { status: 'sealed'; plan: PlanView }
  /** By field; `''` is about the whole. `refusal`: where each of the rows is refused. */
  | { status: 'refused'; errors: { [field: string]: string[] }; refusal?: Refusal }

/** What the database really did when the plan was tried and rolled back. */
export type TryResult =
  | { status: 'tried'; text: string; tables: PlanLine[]; sample: PlanRow[] }
  | { status: 'refused'; text: string; rows: { key: string; label: string; reason: string }[] }

export type WriteResult =
  | { status: 'done'; text: string; entry: string | null; rows: number; left: LeftBehind | null }
  /** A job writes it. */
  | { status: 'started'; text: string; job: string }
  /** Nothing was written: the rows that match are others now, or some hold something else than was shown. */
  | {
      status: 'changed'
      text: string
      came: { count: string; rows: { key: string; label: string }[] }
      went: { count: string; rows: { key: string; label: string }[] }
      differ: { count: string; rows: { key: string; label: string }[] }
    }
  /** An action of the table's own did only part of it, or nobody knows how much; with the first rows that it refused. */
  | {
      status: 'partly'
      text: string
      rows: { key: string; label: string; reason: string }[]
      left: LeftBehind | null
    }
  /** Nothing was written. */
  | { status: 'refused'; text: string; rows: { key: string; label: string; reason: string }[] }
  /** The plan is not there any more, is somebody else's, or asks for an action that takes it no more. */
  | { status: 'gone'; text: string }

/** Rows that were not written, to be opened as a selection. */
export type LeftBehind = { text: string; href: string }

/** What a list says that shows the rows that a plan has left. */
export type LeftView = {
  title: string
  /** The most frequent reasons, how many rows each has, where they are shown alone, and whether they are. */
  reasons: { text: string; count: string; href: string; isShown: boolean }[]
  /** How many others there are, all of them less frequent; `null` where there is none. */
  otherReasons: string | null
  /** Where all rows of the table are shown. */
  allHref: string
  /** Where the rows of all reasons are shown; `null` where they are. */
  wholeHref: string | null
  /** Asks the same for the rows that are selected. */
  again: { label: string; ask: BulkAsk } | null
}

/** The actions of the list about bulk changes. */
export type BulkActions = {
  /** A query: the fields that can be changed for these rows. */
  bulkFields: { args: []; returns: Promise<BulkField[]> }
  /** A query: the form of an action of the table's own. */
  bulkForm: { args: [name: string]; returns: Promise<FieldInput[]> }
  seal: { args: [selected: Selected, ask: BulkAsk]; returns: Promise<SealResult> }
  /** Writes nothing. */
  tryPlan: { args: [handle: string]; returns: Promise<TryResult> }
  /** `typed`: what was typed to confirm it, where the plan asks for that. */
  writePlan: { args: [handle: string, typed: string | null]; returns: Promise<WriteResult> }
  /** Forgets a plan that is not written. */
  dropPlan: { args: [handle: string]; returns: Promise<void> }
}
