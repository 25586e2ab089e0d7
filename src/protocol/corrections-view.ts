/** How administrators correct what is inferred of a table and of its columns: on a page, and beside the list. */

import type { Typed } from './component-types.ts'

/** `group`: the name of those that it stands among, after the others. */
export type CorrectionChoice = { value: string; label: string; group?: string }

/** A column of the table, which may stand in the list. */
export type CorrectedColumn = {
  name: string
  label: string
  /** Its kind and unit, in words. */
  about: string
  /** Where the column itself is corrected. */
  href: string
  isShown: boolean
}

type Field = {
  /** The name of its controls in the form. */
  part: string
  label: string
  /** What was read of the database, as a sentence; empty where code declares it. */
  read: string
  /** Who has corrected it and when, as a sentence; `null` where nobody has. */
  by: string | null
  /** Sent to take the correction back; `null` where there is none. */
  back: string | null
  hint: string | null
  /** Why what was entered is refused, in sentences; empty where it is not. */
  error: string
  /** Holds what was entered and refused, so that it is not saved. */
  isUnsaved: boolean
  /** Where code says it, as a sentence, and what: such a field is not changed here. */
  fixed: { where: string; value: string } | null
}

/** `rows`: how many hold the value, in words, if that is known; `wrong`: which of both is refused. */
export type ValueName = {
  stored: string
  name: string
  rows: string | null
  wrong: 'stored' | 'named' | null
}

export type CorrectionField = Field &
  (
    | { kind: 'text'; value: string; max: number }
    | { kind: 'choice'; value: string; options: CorrectionChoice[] }
    /** Several columns, one after the other: an empty text is none. */
    | { kind: 'choices'; values: string[]; options: CorrectionChoice[] }
    | {
        kind: 'order'
        terms: { column: string; descending: boolean }[]
        options: CorrectionChoice[]
      }
    | { kind: 'columns'; columns: CorrectedColumn[] }
    /** Stored values, and what people call them; empty ones are room for more. */
    | { kind: 'names'; names: ValueName[]; max: number }
  )

export type CorrectionsView = {
  /** Where its forms are posted. */
  action: string
  title: string
  /** Names in the database, such as `speed_kt, integer`. */
  named: string
  /** The column that it is about; `null` for the table. */
  column: string | null
  /** The page of the whole table; `null` on that page itself. */
  whole: { label: string; href: string } | null
  /** The list, where all of it shows. */
  list: { label: string; href: string }
  /** What has just been done. */
  done: string | null
  /** Why what was entered is refused. */
  error: string | null
  /** Corrections that are not in effect, and what takes each back. */
  ignored: { text: string; back: string }[]
  /** What the fields held when the page was drawn, as JSON, so that only what was changed is saved. */
  seen: string
  fields: CorrectionField[]
}

/** What stands beside the list while its table is corrected. */
export type CorrectingView<Words> = {
  view: CorrectionsView
  /** How many options of the table and its columns are not saved. */
  unsaved: number
  /** Those of them that suit, as `previewCorrections` of the list takes them. */
  preview: string
  /** Whether somebody has corrected anything of it. */
  isCorrected: boolean
  words: Words
}

/** The controls of a form by name, as the browser would post them. */
export type EnteredFields = { [name: string]: string[] }

/** `refused`: the fields say why; a message says what else there is to know. */
export type CorrectionsSaved =
  | { status: 'saved' }
  | { status: 'refused' }
  | { status: 'conflict'; message: string }

/** `Words`: the copy that comes with it. */
export type CorrectionsComponent<Words = { [name: string]: string }> = Typed<{
  view: CorrectingView<Words>
  state: {}
  writable: never
  actions: {
    /** Goes on to a column, or to the table. */
    show: { args: [column: string | null]; returns: Promise<void> }
    /** What the fields of a column, or of the table, hold now. */
    enter: { args: [column: string | null, fields: EnteredFields]; returns: void }
    /** An option of it is as it was read. */
    putBack: { args: [part: string]; returns: void }
    /** All of the table and its columns is as it was read. */
    putAllBack: { args: []; returns: Promise<void> }
    /** Forgets what is not saved. */
    drop: { args: []; returns: void }
    save: { args: []; returns: Promise<CorrectionsSaved> }
  }
}>
