/** Links to the page of corrections; where script runs, they open the same beside the list. */

import { createContext, type MouseEvent, useContext } from 'react'
import type { TableView } from '../../protocol/table-view.ts'

export type Correct = (column: string | null) => void

/** Default: links lead to the page. */
export const CorrectContext = createContext<Correct | null>(null)

/** What a link has that corrects a column, or the table. */
export function useCorrectLink(
  { correct: offer }: Pick<TableView, 'correct'>,
  column: string | null,
): { href: string; onClick(event: MouseEvent<HTMLElement>): void } {
  const correct = useContext(CorrectContext)
  const query = column === null ? '' : `?${new URLSearchParams({ column }).toString()}`
  return {
    href: `${offer?.href ?? ''}${query}`,
    onClick(event) {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0
      if (!correct || !isPlain) return
      event.preventDefault()
      event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
      correct(column)
    },
  }
}
