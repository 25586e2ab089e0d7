/** What the rows of a list answer: rows that answer another question are other rows, not the same ones changed. */

import type { TableView } from '../../protocol/table-view.ts'

/** Names what the rows answer: conditions, order and columns, and the page. */
export const questionOf = ({ params, page, records }: TableView): string =>
  JSON.stringify([params, page.number, records?.from])
