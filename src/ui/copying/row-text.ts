/** A row of a list as text, as spreadsheets take it; the browser loads it with the menu. */

import { withoutFormulas } from '../../protocol/formulas.ts'
import type { TableView } from '../../protocol/table-view.ts'

/** A row as lines of tab-separated text and as a table of HTML, each with the heads of its columns. */
export type RowText = { readonly text: string; readonly html: string }

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
