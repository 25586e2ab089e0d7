/** The browser half of a kind of column: how it draws cells, values and fields. */

import type { ComponentType } from 'react'
import type { FieldInput } from '../../protocol/form-view.ts'
import type { ColumnLayout } from '../../protocol/table-view.ts'

/** The props of a component that draws a value; all of them come from the server. */
export type KindProps = {
  readonly text: string
  /** What the server added to the text; a number is the full length of a text that it cut. */
  readonly more: string | number | null
  readonly column: {
    readonly name: string
    readonly label: string
    readonly unit?: string | undefined
    /** The page may load the pictures that its values are addresses of. */
    readonly loads?: true | undefined
    /** The values of the page begin alike, so that one without room should show its end. */
    readonly endsTell?: true | undefined
  }
}

/** The props of a component that draws a field. */
export type KindFieldProps = {
  /** What the field holds, as it is stored; `null` is NULL. */
  readonly text: string | null
  /** Takes what is entered; the server reads it as it reads any text of the column. */
  readonly set: (text: string | null) => void
  /** The column as the form asks it: its label, its choices, and whether it takes NULL. */
  readonly column: FieldInput
  /** What stands there while it is NULL, such as the database's default. */
  readonly placeholder: string | undefined
  /** For the element that takes the input: with it, label, help, problems and focus are its own. */
  readonly input: {
    readonly id: string
    readonly name: string
    readonly className: string
    readonly 'aria-label': string | undefined
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': true | undefined
    readonly 'aria-required': true | undefined
  }
}

/**
 * The browser half of a kind. NULL, empty text, forbidden values and text that was cut look the same
 * for all kinds. Without a drawing of its own, a kind shows the text.
 *
 * @example
 * export const rating: ClientKind = {
 *   cell: ({ text, more }) => <span className="stars" aria-label={`${more} of 5`}>{text}</span>,
 *   inLink: true,
 * }
 */
export type ClientKind = {
  /**
   * Draws a cell, on the server too, so that it shows without script. It may use the hooks of the
   * page, but not `useId`: the server draws each cell separately.
   */
  readonly cell?: ComponentType<KindProps>
  /** Draws the value on a record page. Default: as in a cell. */
  readonly value?: ComponentType<KindProps>
  /** Draws the field for entering a value, in forms and in cells. Default: by the type of the column. */
  readonly field?: ComponentType<KindFieldProps>
  /** Which texts are drawn by `cell`; the others stay text. Default: all. */
  readonly fits?: (text: string) => boolean
  /**
   * Whether `cell` also draws the column that names the row, inside its link (so it must not contain
   * one), and replaces the link to a related row. Default: false.
   */
  readonly inLink?: boolean
  /**
   * Lets the server draw cells from templates, many times faster. `text`: cells differ only in their
   * text. A function: maps `more` to one of a few values that are drawn alike. Default: React draws
   * each cell.
   */
  readonly template?: 'text' | ((more: string | undefined) => string)
  /** The layout of the column, unless the server sends one. */
  readonly layout?: ColumnLayout
}

/** Browser halves by the names of their kinds. */
export type ClientKinds = { readonly [kind: string]: ClientKind }
