/** Lets the server draw the rows of a page faster than React does. */

import { createContext } from 'react'
import type { PageMessages } from '../../messages/messages.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { DrawnColumn } from './drawn-columns.ts'

/** What the rows of a page show. */
export type RowsView = Pick<
  TableView,
  'rows' | 'records' | 'href' | 'selection' | 'markedKeys' | 'found'
>

/** Draws the rows as HTML, byte for byte as React would. */
export type RowMarkup = (
  columns: readonly DrawnColumn[],
  view: RowsView,
  messages: PageMessages,
) => string

/** `null` in the browser, which hydrates the server's rows. */
export const RowMarkupContext = createContext<RowMarkup | null>(null)
