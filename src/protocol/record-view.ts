/** What a record page shows, as plain data, and the address of a row's page. */

import type { Typed } from './component-types.ts'
import type { HangingView, MarkResult, RemoveResult } from './form-view.ts'
import type { BulkActions, BulkOffer, SealResult } from './plan-view.ts'
import type { ColumnView, HiddenView, Row, Tone, Total } from './table-view.ts'

/** The address of a row's page: its listing's address, its key as text, and a query or `''`. */
export const recordHref = (list: string, key: string, query: string): string =>
  `${list}/records/${encodeURIComponent(key)}${query}`

/** The address of a file that a row holds in a column. */
export const fileHref = (list: string, key: string, column: string, id?: string): string =>
  [`${recordHref(list, key, '')}/files/${encodeURIComponent(column)}`, id].filter(Boolean).join('/')

/** How large a copy of a picture is asked for: as lists, the page of a row, and its preview show it. */
export type PictureSize = 'small' | 'medium' | 'large'

/** The address of a copy of the picture that is at the address of a file. */
export const pictureHref = (href: string, size: PictureSize): string => `${href}?size=${size}`

/** The query of a record's address that leads back to a list, by the list's own query. */
export const fromQuery = (from: string): string =>
  from === '' ? '' : `?from=${encodeURIComponent(from)}`

/** The query of the address of a row's form, by the query of the list that it was opened from. */
export const editQuery = (from: string): string =>
  `?edit=on${from === '' ? '' : `&from=${encodeURIComponent(from)}`}`

/** Format of a moment that has a time zone. */
export const MOMENT_FORMAT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const

/** An address, and what leads to it in words. */
export type Download = { href: string; text: string }

/** A file: one that is not there any more has no `href`. */
export type FileView = {
  name: string
  href?: string
  /** Its size, or what has become of it, in words. */
  note?: string
  isPicture?: true
  /** Only its address is held: it lies on another host, from which nothing is loaded. */
  isElsewhere?: true
}

/** The value of one field, whole. */
export type FieldValue =
  | { is: 'null' }
  | { is: 'empty' }
  | { is: 'no-access' }
  | { is: 'text'; text: string }
  /** Text with an address that is safe to open: `mailto:`, `http:` or `https:`. */
  | { is: 'link'; text: string; href: string }
  /** Another row; without `href` where it has no page. */
  | { is: 'record'; text: string; href?: string }
  | { is: 'status'; text: string; tone: Tone }
  | { is: 'colour'; text: string }
  /** `text` is in UTC, to be shown until the reader's zone is known. */
  | { is: 'moment'; iso: string; text: string }
  /** Long text. `length` is its full length, formatted; `shown` that of `text`, if it was cut. */
  | { is: 'long'; text: string; length: string; shown?: string; isCode: boolean }
  /** Bytes: how many, the first of them as hexadecimal lines, and where they are downloaded. */
  | { is: 'bytes'; size: string; first: string; isAll: boolean; download?: Download }
  /** Files that the row holds, in order. */
  | { is: 'files'; files: FileView[] }
  /** A custom kind. Its browser half draws `text` and `more`; without that half, `text` is shown. */
  | { is: 'own'; kind: string; text: string; more?: string }

export type FieldView = {
  name: string
  label: string
  /** What the column is about: `help` of its definition, else the database's comment. */
  help?: string
  unit?: string
  value: FieldValue
  /** A remark on the value, such as how it is stored. */
  note?: string
  /** A number or an amount: those of a section end under one another. */
  isFigure?: true
}

/** Fields that stand together; the title is `null` where a row has few. */
export type FieldsView = {
  title: string | null
  help?: string
  /** About their times: where the first of a row are without a time zone. */
  note?: string
  fields: FieldView[]
}

/** The first of some rows, as a line each: what names the row, then a date and what else tells of it. */
export type RelatedPage = {
  columns: ColumnView[]
  rows: Row[]
  /** Places of the rows without a page, where there are any. */
  except?: number[]
  /** Whether these are all. */
  isAll: boolean
  /** How many columns, the first ones, make the name of a row together. Default: 1. */
  names?: number
}

/** Rows that refer to this one: the listing that shows them, and the first of them. */
export type RelatedView = {
  label: string
  href: string
  /** Address of the table's listing, which those of its rows begin with. */
  list: string
  count: Total
  /** Absent where there are none, or where they were not read in time. */
  first?: RelatedPage
}

/** What surrounds a row: counts of the rows that refer to it, and its neighbours in the list. */
export type AroundView = {
  related: RelatedView[]
  previous?: string
  next?: string
  /** Its place in the list, such as “7 of 48”; absent where it is not known. */
  place?: string
}

export type RecordView = AroundView & {
  table: string
  tableLabel: string
  /** The row's name, or its table and key where nothing names it. */
  label: string
  /** What tells a row without a name from others, such as its airport and its day; absent where there is nothing. */
  tells?: string
  /** The key as people write it. */
  key: string
  /** All fields, in order. */
  sections: FieldsView[]
  /** Columns that are hidden from everybody, told to administrators; absent where there are none. */
  hidden?: HiddenView
  /** The list that the person came from, at the same place; else the table's list. */
  listHref: string
  /** Some of what surrounds the row was not read in time; `around` waits for it. */
  isPartial: boolean
  /** Why the row cannot be changed, in words, or `null` where it can. */
  readOnly: string | null
  /** What hangs on the row, where the page asks whether to delete it. */
  hanging?: HangingView
  /** Where the row is edited, and where a copy of it begins; absent where the person may not. */
  editHref?: string
  copyHref?: string
  /** Whether the person may delete it, and whether they may mark it as deleted, which it is not yet. */
  mayDelete: boolean
  mayMark: boolean
  /** Actions of the table's own that the person may run on it; absent where there are none. */
  own?: NonNullable<BulkOffer['own']>
  /** Says that the row is marked as deleted, and whether the person may restore it. */
  marked?: { text: string; mayRestore: boolean }
}

/** Shown in place of a row that was deleted, or that the actor may not see any more. */
export type GoneView = {
  table: string
  tableLabel: string
  label: null
  listHref: string
  /** By whom it was deleted, and when, in a sentence; `null` where nobody may know. */
  how: string | null
}

/** A row as it is peeked at beside its list, and the channels whose events mean that it may have changed. */
export type PeekView = { row: RecordView | GoneView; channels: string[] }

/** The types of the record component. */
export type RecordComponent = Typed<{
  view: RecordView | GoneView
  state: object
  writable: never
  actions: Pick<BulkActions, 'bulkForm' | 'writePlan' | 'dropPlan'> & {
    around: { args: []; returns: Promise<AroundView | null> }
    /** A query: the whole value of a field of which only the beginning is shown; `null` if the row is gone. */
    whole: { args: [name: string]; returns: Promise<FieldValue | null> }
    /** A query: what hangs on the row. */
    hanging: { args: []; returns: Promise<HangingView> }
    remove: { args: []; returns: Promise<RemoveResult> }
    /** Marks the row as deleted; `false` restores it. */
    mark: { args: [isDeleted: boolean]; returns: Promise<MarkResult> }
    /** A query: plans an action of the table's own on the row; the texts are those of its form. */
    seal: {
      args: [name: string, texts: { [field: string]: string | null }]
      returns: Promise<SealResult>
    }
  }
}>
