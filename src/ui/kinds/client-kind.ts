/** What a kind of column is in the browser: how its cells, values and fields are drawn. */

import type { ComponentType } from 'react'
import type { ColumnLayout } from '../../protocol/table-view.ts'

/** What the drawing of a value is given; all of it is the server's. */
export type KindProps = {
  readonly text: string
  /** What the server added to the text; a number is the length of a text that was cut. */
  readonly more: string | number | null
  readonly column: {
    readonly name: string
    readonly label: string
    readonly unit?: string | undefined
  }
}

/** What the drawing of a field is given besides: forms come with a later version. */
export type KindFieldProps = KindProps & {
  /** Takes what was entered, as the server is to read it. */
  readonly set: (text: string) => void
}

/**
 * The browser half of a kind. NULL, empty text and what may not be seen are drawn alike for all
 * kinds, and so is text that was cut; for everything else that is left out, the text itself stands.
 *
 * @example
 * export const rating: ClientKind = {
 *   cell: ({ text, more }) => <span className="stars" aria-label={`${more} of 5`}>{text}</span>,
 *   inLink: true,
 * }
 */
export type ClientKind = {
  /**
   * Draws a cell, on the server too, so it reads without script. It may use the hooks of the page,
   * but not `useId`: the server draws each cell by itself.
   */
  readonly cell?: ComponentType<KindProps>
  /** Draws the value on a record page. Default: as in a cell. */
  readonly value?: ComponentType<KindProps>
  /** Draws the field that a value is entered in. Nothing uses this yet. */
  readonly field?: ComponentType<KindFieldProps>
  /** Which texts are drawn by `cell`; the others stay text. Default: all. */
  readonly fits?: (text: string) => boolean
  /**
   * Whether `cell` also draws in the column that names the row and where the value stands for
   * another row; the former is a link, so the drawing may hold none. Default: false.
   */
  readonly inLink?: boolean
  /**
   * Lets the server draw cells from templates, many times faster: `text`, where they differ in
   * their text alone; or a function that answers with a `more` that is drawn like the one given,
   * where few are told apart. Default: React draws each cell.
   */
  readonly template?: 'text' | ((more: string | undefined) => string)
  /** How the column takes its place, unless the server says it. */
  readonly layout?: ColumnLayout
}

/** Browser halves by the names of their kinds. */
export type ClientKinds = { readonly [kind: string]: ClientKind }
