/** What the history shows of changes, as plain data: on its own page, and beside a record. */

import type { Typed } from './component-types.ts'

/** A field as it was and as it was made; `null` is NULL. */
export type FieldChange = {
  column: string
  label: string
  before: string | null
  after: string | null
  /** The change is one to many rows, which held several values before: `before` is `null`. */
  isMixed?: true
  /** The values are not shown to this person, or were too large to keep. */
  isUntold: boolean
}

/** Whether the change can be taken back, or why not. */
export type UndoView = { may: true } | { may: false; why: string }

/** What is said before the history of a row is erased. */
export type EraseView = { button: string; title: string; text: string }

export type EntryView = {
  id: string
  /** In UTC, to be shown until the reader's zone is known. */
  iso: string
  time: string
  /** The heading it stands under, such as “Today”. */
  day: string
  who: string
  /** On whose behalf it was done; `null` for one's own. */
  behalf: string | null
  /** How it came, such as “form”. */
  door: string
  /** What was done, in words, such as “Changed Strike 287288”. */
  what: string
  /**
   * The same without its end, so that the change of a field may follow: two texts, between which the row of `link`
   * stands, or one. Left out where that takes several sentences.
   */
  said?: string[]
  /** The fields of a change to one row; of one to many rows, those that are the same for all. */
  fields: FieldChange[]
  /** The row, where the change is about one that can be opened. */
  link: { href: string; label: string } | null
  /** Remarks, such as what a cascade took along, and by whom the change was taken back. */
  notes: string[]
  isUndone: boolean
  undo: UndoView
  /** Whether the reader may erase the history of the row, which has no page any more; `null` if not. */
  erase: EraseView | null
}

export type HistoryOption = { value: string; label: string }

/** A filter of the history: its name in the address, its choices, and the one that is made. */
export type HistoryFilter = {
  name: 'by' | 'table' | 'door' | 'since'
  label: string
  options: HistoryOption[]
  value: string
}

export type HistoryView = {
  entries: EntryView[]
  /** Whether the reader may erase the history of the row; `null` if not, or if there is none. */
  erase: EraseView | null
  /** Empty beside a record. */
  filters: HistoryFilter[]
  /** Addresses of the newest entries, and of those before the ones shown; `null` where there are none. */
  newestHref: string | null
  olderHref: string | null
  /** How long entries are kept, how many there are, and what is not among them, in sentences. */
  note: string
}

/** A row that stays as it is when a change is taken back, and why. */
export type LeftRowView = {
  label: string
  href: string | null
  why: string
  fields: { label: string; value: string | null }[]
}

/** What taking a change back would do. */
export type UndoPlanView = {
  id: string
  title: string
  /** Rows that would be changed back, and those that stay, in words. */
  lead: string
  left: LeftRowView[]
  /** Label of the button that does it; `null` where nothing can be changed back. */
  confirm: string | null
  /** The page that shows this plan. */
  href: string
}

export type UndoResult =
  | { status: 'done'; text: string; entry: string | null }
  | { status: 'refused'; text: string }

/** The types of the history component. */
export type HistoryComponent = Typed<{
  view: HistoryView
  state: object
  writable: never
  actions: {
    /** Puts the value that a field had before an entry back, as a change of its own. */
    restore: { args: [id: string, column: string]; returns: Promise<UndoResult> }
    /**
     * Forgets the history of the record, or of the row that an entry is about, for good; returns what to
     * tell the person.
     */
    erase: { args: [entry: string | null]; returns: Promise<string> }
  }
}>
