/** How the server draws the rows of a page, where it has a faster way than React. */

import { createContext } from 'react'
import type { PageMessages } from '../../messages/messages.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { DrawnColumn } from './drawn-columns.ts'

/** What the rows of a page show. */
export type RowsView = Pick<TableView, 'rows' | 'records' | 'href'>

/** The rows as HTML, to the byte what React would make of them. */
export type RowMarkup = (
  columns: readonly DrawnColumn[],
  view: RowsView,
  messages: PageMessages,
) => string

/** `null` in the browser, which takes over what it finds. */
export const RowMarkupContext = createContext<RowMarkup | null>(null)
