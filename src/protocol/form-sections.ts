/** What a form shows and saves of rows that belong to its row: lines, and links to rows of another table. */

import type { FieldConflict, FieldInput, FieldTexts } from './form-view.ts'

/** Most lines of a row that its form shows. */
export const LINES_MAX = 100

/** Begins the names of new lines, which no key does. */
export const NEW_LINE = 'new '

/** Rows of another table that belong to the row: they are changed in its form, and saved with it. */
export type LinesView = {
  /** Tells it from the others. */
  name: string
  label: string
  /** The list of them; `null` for a new row. */
  href: string | null
  /** As a new line begins. A line has the fields of all. */
  fields: FieldInput[]
  /** Fields that new lines, or stored ones, show and do not ask: who may add lines may not change them all. */
  locked: { added: string[]; stored: string[] }
  /** Columns that are shown and not asked. */
  fixed: { name: string; label: string }[]
  /** Columns whose values are added up under the lines; amounts of money have cents, or no fraction at all. */
  sums: { name: string; isMoney: boolean }[]
  rows: LineView[]
  /** New lines that a copy of a row begins with; `key` is the form's own name for each. */
  copied: LineView[]
  /** How many there are, in words, where they are too many for a form, which then shows none; `null` if it shows all. */
  tooMany: string | null
  may: { add: boolean; change: boolean; remove: boolean; order: boolean }
}

export type LineView = {
  key: string
  /** By column, also of those that are not asked. */
  texts: FieldTexts
  /** What related rows are called, by column. */
  labels: FieldTexts
  /** Columns that are not asked in this line, such as those with very long texts. */
  fixed?: string[]
}

/** Rows of a joining table: the rows of another table that the row is linked to. */
export type LinksView = {
  name: string
  label: string
  href: string | null
  /** How another row is chosen. */
  field: FieldInput
  /** The rows that it is linked to, by the value that refers to each. */
  chips: { text: string; label: string | null }[]
  tooMany: string | null
  may: { add: boolean; remove: boolean }
}

/** A line as it is saved. */
export type SavedLine = {
  /** The form's own name for it, by which problems are told. */
  id: string
  /** `null` for a new one. */
  key: string | null
  isRemoved: boolean
  /** The fields that were changed, and what was seen; of a line that is removed, what was seen of all fields. */
  texts: FieldTexts
  seen: FieldTexts
}

/** Lines that were changed, and their order where that was. */
export type SavedLines = {
  lines: SavedLine[]
  /** The keys as they stood, and all ids as they are to stand; `null` to leave the order as it is. */
  order: { seen: string[]; ids: string[] } | null
}

/** Links that are made and taken away, by the value that refers to the other row. */
export type SavedLinks = { added: string[]; removed: string[] }

/** By section. */
export type SavedSections = {
  lines: { [section: string]: SavedLines }
  links: { [section: string]: SavedLinks }
}

/** Keys of lines that were saved, by section and the form's own name for them; left out where that is their key. */
export type SavedKeys = { [section: string]: { [id: string]: string } }

/** What stands in the way of saving one line. */
export type LineProblems = {
  /** By column; `''` is about the whole line. */
  errors: { [column: string]: string[] }
  conflicts: FieldConflict[]
}

/** What stands in the way, by section and id; `''` is about the section. */
export type SectionProblems = { [section: string]: { [id: string]: LineProblems } }
