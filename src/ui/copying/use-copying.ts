/** Copies cells, rows and links of a list, and says so. */

import { useCallback, useEffect, useMemo, useRef } from 'react'
import { recordHref } from '../../protocol/record-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import type { Row, TableView } from '../../protocol/table-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import type { CellPlace } from '../cells/places.ts'
import { useNotify } from '../parts/toasts.tsx'
import { copy } from './copy.ts'
import { cellOf, isCut, rowText, textOf } from './row-text.ts'

export type Copying = {
  cell(place: CellPlace): void
  /** All columns that are shown, with their heads. */
  row(key: string): void
  /** The address of the row's page. */
  link(key: string): void
}

/** What is cut in the list is copied whole. */
export function useCopying(component: string, view: TableView): Copying {
  const { call } = useComponent<TableComponent>(component)
  const { copying: words } = useBulkWords()
  const notify = useNotify()
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  const wholeText = useCallback(
    async (row: Row, column: string): Promise<string> => {
      const cell = cellOf(latest.current, row, column)
      const whole = isCut(cell) && (await call.peekWhole(row[0], column))
      return whole && 'text' in whole ? whole.text : textOf(cell)
    },
    [call],
  )
  return useMemo(() => {
    const put = async (...texts: Parameters<typeof copy>) =>
      notify((await copy(...texts)) ? words.copied : words.notCopied)
    // The page's failure display says why a value could not be read.
    const then = (work: Promise<void>) => void work.catch(() => undefined)
    const rowOf = (key: string) => latest.current.rows.find(([one]) => one === key)
    return {
      cell({ row: key, column }) {
        const row = rowOf(key)
        if (row) then(wholeText(row, column).then((text) => put(text)))
      },
      row(key) {
        const row = rowOf(key)
        const { columns } = latest.current
        if (!row) return
        const texts = Promise.all(columns.map(({ name }) => wholeText(row, name)))
        then(
          texts.then((found) => {
            const { text, html } = rowText(columns, found)
            return put(text, html)
          }),
        )
      },
      link(key) {
        then(put(new URL(recordHref(latest.current.href, key, ''), location.href).href))
      },
    }
  }, [notify, words, wholeText])
}
