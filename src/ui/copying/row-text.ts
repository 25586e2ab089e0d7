/** Cells and rows of a list as text: what is shown of them, as spreadsheets take it. */

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

/** `texts`: one for each of the columns. */
export function rowText(columns: TableView['columns'], texts: readonly string[]): RowText {
  const heads = columns.map(({ label, unit }) =>
    unit === undefined ? label : `${label} (${unit})`,
  )
  const safe = texts.map(withoutFormula)
  const line = (cells: readonly string[]) => cells.map(quoted).join('\t')
  const cells = (tag: 'th' | 'td', all: readonly string[]) =>
    `<tr>${all.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`
  return {
    text: `${line(heads)}\n${line(safe)}`,
    html: `<table>${cells('th', heads)}${cells('td', safe)}</table>`,
  }
}

/** Spreadsheets run a cell that begins like a formula; signs before figures are those of numbers. */
const withoutFormula = (text: string): string =>
  /^[=+\-@＝＋－＠]/.test(text) && !/^[+-]?[\d.,'\s]+%?$/.test(text) ? `'${text}` : text

const quoted = (text: string): string =>
  /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
