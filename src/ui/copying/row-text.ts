/** Cells and rows of a list as text: what is shown of them, as spreadsheets take it. */

import { withoutFormulas } from '../../protocol/formulas.ts'
import type { FieldValue } from '../../protocol/record-view.ts'
import { type Cell, type Row, SAME_AS_KEY, type TableView } from '../../protocol/table-view.ts'

/** A row as lines of tab-separated text and as a table of HTML, each with the heads of its columns. */
export type RowText = { readonly text: string; readonly html: string }

/** The cell of a column in a row; `null` where there is none. */
export function cellOf({ columns }: TableView, [key, , ...cells]: Row, column: string): Cell {
  const cell = cells[columns.findIndex(({ name }) => name === column)] ?? null
  return cell === SAME_AS_KEY ? key : cell
}

/** What is shown of it; nothing for NULL and for what is hidden. */
export const textOf = (cell: Cell): string =>
  typeof cell === 'string' ? cell : Array.isArray(cell) ? cell[0] : ''

/** Whether only the beginning is there. */
export const isCut = (cell: Cell): boolean => Array.isArray(cell) && typeof cell[1] === 'number'

/** The text of a cell, and what of it could not be had: its end, or all that the list does not show, as the row has gone. */
export type Whole = { readonly text: string; readonly lacks?: 'end' | 'row' }

/** `value`: what was read of a cell that is cut; `null` if its row is gone. */
export function wholeOf(cell: Cell, value: FieldValue | null): Whole {
  if (value === null) return { text: textOf(cell), lacks: 'row' }
  if (!('text' in value)) return { text: textOf(cell), lacks: 'end' }
  const isWhole = value.is !== 'long' || value.shown === undefined
  return isWhole ? { text: value.text } : { text: value.text, lacks: 'end' }
}

/** `texts`: one for each of the columns. */
export function rowText(columns: TableView['columns'], texts: readonly string[]): RowText {
  const heads = columns.map(({ label, unit }) =>
    unit === undefined ? label : `${label} (${unit})`,
  )
  const line = (cells: readonly string[]) =>
    cells.map((text) => quoted(withoutFormulas(text, SHOWN_NUMBER))).join('\t')
  const cells = (tag: 'th' | 'td', all: readonly string[]) =>
    `<tr>${all.map((text) => `<${tag} style="white-space:pre-wrap">${inHtml(text)}</${tag}>`).join('')}</tr>`
  return {
    text: `${line(heads)}\n${line(texts)}`,
    html: `<table>${cells('th', heads)}${cells('td', texts)}</table>`,
  }
}

/** A number as it is shown: signs before figures are those of numbers. */
const SHOWN_NUMBER = /^[+-]?[\d.,'\s]+%?$/

const quoted = (text: string): string =>
  /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Blanks before a formula do not keep it from being run there. */
function inHtml(text: string): string {
  const begun = text.trimStart()
  const safe = withoutFormulas(begun, SHOWN_NUMBER)
  return escaped(safe === begun ? text : safe).replaceAll(/\r\n|\r|\n/g, LINE_BREAK)
}

/** Excel would begin another row, but for the style. */
const LINE_BREAK = '<br style="mso-data-placement:same-cell">'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
