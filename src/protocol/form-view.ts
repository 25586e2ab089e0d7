/** What a form shows of a row that is created or changed, as plain data, and what saving it answers. */

import type { Typed } from './component-types.ts'
import type { Tone } from './table-view.ts'
import type { UploadedFile } from './upload.ts'
import type {
  LinesView,
  LinksView,
  SavedKeys,
  SavedSections,
  SectionProblems,
} from './form-sections.ts'

/** How a value is entered. Every control holds a text; `null` is NULL. */
export type FieldControl =
  /** `suggestions`: texts that are stored already; any other is taken as well. */
  | { is: 'text'; suggestions?: string[] }
  | { is: 'long' }
  | { is: 'number' }
  | { is: 'yes-no' }
  /** `labels` are those of options that people are shown otherwise than they are stored; `tones`, of those that are states. */
  | {
      is: 'choice'
      options: string[]
      labels?: { [option: string]: string }
      tones?: { [option: string]: Tone }
    }
  | { is: 'date' }
  | { is: 'time' }
  | { is: 'moment' }
  | { is: 'json' }
  /**
   * A file, or a list of some. `accept`: types and endings of names that are taken; left out where all types are.
   * The text is the path of an upload or what is stored; of a list, the JSON of several, each of which is either.
   */
  | {
      is: 'file'
      accept?: string[]
      maxBytes: number
      isList?: true
      maxFiles?: number
      stored: StoredFile[]
    }
  /**
   * A row of another table: its label, and the table's label. `label` is `null` where there is none; `create` is
   * what creates a row there, in words, and `null` where nobody may.
   */
  | { is: 'relation'; label: string | null; table: string; create: string | null }

/**
 * A file that a row holds: `path` stands for it in the text, `href` is where it can be read, `picture` where a small
 * picture of it is; `size` is in bytes, where it is known.
 */
export type StoredFile = {
  path: string
  name: string
  type: string
  size?: number
  href?: string
  picture?: string
}

export type FieldInput = {
  name: string
  label: string
  help?: string
  unit?: string
  control: FieldControl
  /** The custom kind whose field takes its values, where the browser has one. */
  kind?: string
  /** As it is stored, or as it will be for a new row. */
  text: string | null
  /** It holds a value that nobody is shown; what is written replaces it. */
  isMasked?: boolean
  /** What is typed here is a secret, or may be one: no draft keeps it. */
  isSecret?: boolean
  /** Whether it takes NULL, and whether it takes an empty text besides. */
  nullable: boolean
  takesEmpty: boolean
  required: boolean
  /** Most characters, where the type limits them. */
  maxLength?: number
  /** The database's own default, where it stands in for a value that is not given. */
  default?: string
  /** A remark, such as the time zone of the value. */
  note?: string
  /** How its text is read, such as in which currency; absent where it is what is stored. */
  reading?: string
}

/** A field that is shown and not asked, and why. */
export type FixedField = { name: string; label: string; text: string | null; why: string }

/** Fields under a title, in order. */
export type SectionView = { title: string; help?: string; fields: string[] }

export type FormView = {
  table: string
  /** Id of the person whose drafts the form may offer. */
  draftsOf: string
  tableLabel: string
  title: string
  isNew: boolean
  fields: FieldInput[]
  fixed: FixedField[]
  /** Fields that none of them names come last. */
  sections: SectionView[]
  /** Fields that are not shown while nothing is edited; `null` if all always are. */
  notShown: string[] | null
  /** Rows of other tables that are saved with the row. */
  lines: LinesView[]
  links: LinksView[]
  /** The copy of these, where there are any. */
  words: { [name: string]: string }
  /** Why nothing can be saved now, in a sentence; `null` where it can. */
  obstacle: string | null
  /** Where to go without saving. */
  backHref: string
  /** The row is gone, so there is nothing to change. */
  isGone: boolean
}

/** A field that somebody else has changed, too: what it holds now. */
export type FieldConflict = {
  column: string
  label: string
  theirs: string | null
  /** The label of the row that `theirs` refers to. */
  theirLabel?: string
  /** Who has changed it, and when, in a sentence; `null` where nobody knows. */
  who: string | null
}

export type SaveResult =
  | {
      status: 'saved'
      text: string
      entry: string | null
      href: string
      /** Of lines, where there are any. */
      keys?: SavedKeys
    }
  | {
      status: 'refused'
      /** By column; `''` is about the whole row. */
      errors: { [column: string]: string[] }
      conflicts: FieldConflict[]
      /** Of lines and links, where there are any. */
      sections?: SectionProblems
    }

/** What hangs on a row: rows that refer to it, and what becomes of them when it goes. */
export type HangingView = {
  title: string
  /** A sentence for each table, and the list of its rows. */
  lines: { text: string; href: string }[]
  /** Whether the database refuses to delete the row while these are there. */
  isRefused: boolean
  /** Whether the row can be brought back, in a sentence; `null` where no history is kept. */
  afterwards: string | null
  /** Marking the row instead, in words; absent where it cannot be. */
  mark?: { does: string; otherwise: string; button: string; deleteButton: string }
}

export type RemoveResult =
  | { status: 'removed'; text: string; entry: string | null; href: string }
  | { status: 'refused'; text: string }

/** What became of marking a row as deleted, or of restoring it. */
export type MarkResult =
  | { status: 'done'; text: string; entry: string | null }
  | { status: 'refused'; text: string }

/** Texts of fields by column; `null` is NULL. */
export type FieldTexts = { [column: string]: string | null }

/** The `reading` of fields by column, as they were when texts were typed into them; those of sections as in `suggest`. */
export type FieldReadings = { [column: string]: string }

/** A row that a field may refer to: its key as the field's text, and its label. */
export type RelatedRow = { text: string; label: string; isRecent?: boolean }

/** What became of a row that was created beside a form; `row` is `null` where its writer may not see it. */
export type RelatedResult =
  | { status: 'created'; text: string; entry: string | null; row: RelatedRow | null }
  | Extract<SaveResult, { status: 'refused' }>

/** About the tables that columns refer to. The column of a section's field stands after the section's name and a slash. */
type RelatedActions = {
  /** A query: rows whose label holds the text. `within`: a column whose table the column is of. */
  suggest: {
    args: [column: string, text: string, within: string | null]
    returns: Promise<RelatedRow[]>
  }
  /** A query: the form of a new row, which begins with that name. */
  newRelated: { args: [column: string, name: string]; returns: FormView }
  createRelated: {
    args: [column: string, texts: FieldTexts, readings?: FieldReadings | undefined]
    returns: Promise<RelatedResult>
  }
  /** A query: which fields of that form are not shown. */
  relatedNotShown: { args: [column: string, texts: FieldTexts]; returns: Promise<string[]> }
}

/** The types of the form component. */
export type FormComponent = Typed<{
  view: FormView
  /** Files that were uploaded and not saved, by column. */
  state: { files: { [column: string]: UploadedFile[] } }
  writable: never
  actions: {
    /**
     * Only the fields that were changed, and what each held when the person began to; and what was changed
     * in the sections, `null` for nothing.
     */
    save: {
      args: [
        changed: FieldTexts,
        seen: FieldTexts,
        sections: SavedSections | null,
        readings?: FieldReadings | undefined,
      ]
      returns: Promise<SaveResult>
    }
    /** A query: who last changed fields, and when, a sentence each. */
    authors: { args: [columns: string[]]; returns: Promise<{ [column: string]: string }> }
    /** A query: which fields are not shown, once these are changed. */
    notShown: { args: [changed: FieldTexts]; returns: Promise<string[]> }
  } & RelatedActions
}>

/** A cell as it is edited, or why it cannot be. */
export type CellField =
  /** `keys`: what keys do in it, in words. */
  { is: 'input'; field: FieldInput; keys: string } | { is: 'fixed'; why: string }

/** The types of the component behind the cells of a list. */
export type CellsComponent = Typed<{
  view: object
  state: object
  writable: never
  actions: {
    cell: { args: [key: string, column: string]; returns: Promise<CellField> }
    save: {
      args: [
        key: string,
        changed: FieldTexts,
        seen: FieldTexts,
        readings?: FieldReadings | undefined,
      ]
      returns: Promise<SaveResult>
    }
  } & RelatedActions
}>

/** Names of a form's fields as they are posted without script, each before its column; the others stand alone. */
export const POSTED = {
  text: 'set.',
  none: 'none.',
  empty: 'empty.',
  stays: 'stays.',
  shown: 'shown',
  mark: 'mark',
  /** What stands before those of a line is `lineNames`. */
  lines: 'lines',
  removed: 'removed',
} as const

/** Stands before the names of a line's fields. */
export const lineNames = (section: string, id: string): string => `line.${section}/${id}/`

/** What a form held when it was drawn, for the server to tell what was touched. */
export type FormShown = {
  [column: string]: {
    /** What the person has seen stored. */
    seen: string | null
    /** What the field holds, where that is something else, such as what was typed before. */
    held?: string | null
    /** What it shows in place of a key. */
    label?: string
    /** How it is read. */
    reading?: string
    /** What others have stored since, if the person has been asked which one stays. */
    told?: string | null
  }
}

/** What the lines of a form held when it was drawn, by section and id; of those that may be added as well. */
export type LinesShown = {
  [section: string]: { [id: string]: { isNew: boolean; fields: FormShown } }
}

/** A form that was posted without script and not saved: what was typed, and what stands in the way. */
export type PostedForm = {
  texts: FieldTexts
  seen: FieldTexts
  /** By column; `''` is about the whole row. */
  errors: { [column: string]: string[] }
  /** Who has changed the fields that others have changed as well. */
  authors: FieldTexts
  /** What was typed into lines, by section, and what stands in the way. */
  lines: { [section: string]: PostedLine[] }
  problems: SectionProblems
}

/** A line that was touched without script. */
export type PostedLine = {
  id: string
  isNew: boolean
  isRemoved: boolean
  texts: FieldTexts
  seen: FieldTexts
}
