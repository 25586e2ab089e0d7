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
import { cellOf, exactOf, isCut, type Whole, wholeOf } from './cell-text.ts'
import type { rowText } from './row-text.ts'

export type Copying = {
  cell(place: CellPlace): void
  /** All columns that are shown, with their heads. */
  row(key: string, write: typeof rowText): void
  /** The address of the row's page. */
  link(key: string): void
}

/** `html`: absent for what is text only. */
type Copied = { readonly text: string; readonly html?: string }

/** What is cut in the list is copied whole, as far as it can be had. */
export function useCopying(component: string, view: TableView): Copying {
  const { call } = useComponent<TableComponent>(component)
  const { copying: words } = useBulkWords()
  const notify = useNotify()
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  const wholeText = useCallback(
    async (row: Row, column: string): Promise<Whole> => {
      const cell = cellOf(latest.current, row, column)
      if (isCut(cell)) return wholeOf(cell, await call.peekWhole(row[0], column))
      const view = latest.current.columns.find(({ name }) => name === column)
      return { text: view ? exactOf(cell, view) : '' }
    },
    [call],
  )
  return useMemo(() => {
    const put = async ({ text, html }: Copied, from: readonly Whole[] = []) => {
      const lacking = new Set(from.map(({ lacks }) => lacks))
      const done = lacking.has('row')
        ? words.rowGone
        : lacking.has('end')
          ? words.cut
          : words.copied
      notify((await copy(text, html)) ? done : words.notCopied)
    }
    // The page's failure display says why a value could not be read.
    const then = (work: Promise<void>) => void work.catch(() => undefined)
    const rowOf = (key: string) => latest.current.rows.find(([one]) => one === key)
    return {
      cell({ row: key, column }) {
        const row = rowOf(key)
        if (row) then(wholeText(row, column).then((whole) => put(whole, [whole])))
      },
      row(key, write) {
        const row = rowOf(key)
        const { columns } = latest.current
        if (!row) return
        const texts = Promise.all(columns.map(({ name }) => wholeText(row, name)))
        then(
          texts.then((found) =>
            put(
              write(
                columns,
                found.map(({ text }) => text),
              ),
              found,
            ),
          ),
        )
      },
      link(key) {
        then(put({ text: new URL(recordHref(latest.current.href, key, ''), location.href).href }))
      },
    }
  }, [notify, words, wholeText])
}
