/** What a record page shows, as plain data; and where a row has its page. */

import type { Typed } from './component-types.ts'
import type { Tone, Total } from './table-view.ts'

/** The address of a row's page: its listing's address, its key as text, and a query or `''`. */
export const recordHref = (list: string, key: string, query: string): string =>
  `${list}/records/${encodeURIComponent(key)}${query}`

/** How a moment on the world's clock is written, in whichever zone. */
export const MOMENT_FORMAT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const

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
  /** `text` is in UTC, for as long as the reader's zone is not known. */
  | { is: 'moment'; iso: string; text: string }
  /** Much text. `length` is that of all of it, as text; `shown` that of what is there, where cut. */
  | { is: 'long'; text: string; length: string; shown?: string; isCode: boolean }
  /** Bytes: how many, and the first of them as hexadecimal lines. */
  | { is: 'bytes'; size: string; first: string; isAll: boolean }
  /** Of a kind of one's own: what its browser half draws with, and a text for want of that half. */
  | { is: 'own'; kind: string; text: string; more?: string }

export type FieldView = {
  name: string
  label: string
  /** What it is about, in words of the database or of its definition. */
  help?: string
  unit?: string
  value: FieldValue
  /** What else there is to know about the value, such as its zone. */
  note?: string
}

/** Rows that refer to this one, in the listing that shows them. */
export type RelatedView = { label: string; href: string; count: Total }

export type RecordView = {
  table: string
  tableLabel: string
  /** The row's name, or its table and key where nothing names it. */
  label: string
  /** The key as people write it. */
  key: string
  fields: FieldView[]
  related: RelatedView[]
  /** The list that one came from, at the place it was; else the table's own. */
  listHref: string
  previous?: string
  next?: string
  /** Something was not found out in time: asked for again, the view may have it. */
  isPartial: boolean
  /** Why the row cannot be changed, in words, or `null` where it can. */
  readOnly: string | null
}

/** What stands in place of a row that has gone, or may not be seen any more. */
export type GoneView = { table: string; tableLabel: string; label: null; listHref: string }

/** The record as the browser knows it. */
export type RecordComponent = Typed<{
  view: RecordView | GoneView
  state: object
  writable: never
  actions: { refresh: { args: []; returns: void } }
}>
