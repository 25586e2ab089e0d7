/** Peeks at a row beside its list: what opens and closes it, and how it follows the focus in the table. */

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { TableView } from '../../protocol/table-view.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { useCommands } from '../commands/commands.tsx'
import type { Copying } from '../copying/use-copying.ts'
import { laterPart } from '../later-part.tsx'
import { questionOf } from '../list/question.ts'
import { focusCell, focusedPlace, focusedRow } from '../list/table-keys.ts'
import { isTyping } from '../parts/is-shortcut.ts'
import { useMessages } from '../parts/use-messages.ts'
import { keysOnPage } from '../selection/pick-cells.tsx'
import { markRow } from './mark-row.ts'
import { useBackCloses } from './use-back-closes.ts'

const PeekPanel = laterPart(async () => (await import('./peek-panel.tsx')).PeekPanel)

type Props = {
  /** Id of the listing. */
  component: string
  table: { readonly current: HTMLTableElement | null }
  view: TableView
  /** What holds the rows. */
  within: RefObject<HTMLElement | null>
  copying: Copying
}

/** Returns what opens a row, and the panel. */
export function usePeek({ component, table, view, within, copying }: Props) {
  const { keys } = useMessages()
  const { peek: words } = useBulkWords()
  const [row, setRow] = useState<string | null>(null)
  const isOpen = row !== null
  /** Where the row stands on the page, and the cell from which it was opened. */
  const last = useRef({ at: 0, cell: 0 })
  useEffect(() => {
    const at = keysOnPage(view).indexOf(row ?? '')
    if (at >= 0) last.current.at = at
  }, [row, view])
  /** Rows that answer another question are another list, whose rows may be peeked at anew. */
  const question = questionOf(view)
  const asked = useRef(question)
  useEffect(() => {
    if (asked.current === question) return
    asked.current = question
    setRow((open) => (open !== null && keysOnPage(view).includes(open) ? open : null))
  }, [question, view])
  const focusedKey = () => {
    const key = table.current && focusedRow(table.current)?.dataset['rowKey']
    return view.records && key != null && keysOnPage(view).includes(key) ? key : null
  }
  useEffect(() => {
    const { current: element } = table
    if (!isOpen || !element) return
    const follow = () => {
      last.current.cell = focusedPlace(element)?.cell ?? last.current.cell
      const key = focusedRow(element)?.dataset['rowKey']
      if (key !== undefined && keysOnPage(view).includes(key)) setRow(key)
    }
    element.addEventListener('focusin', follow)
    return () => element.removeEventListener('focusin', follow)
  }, [isOpen, table, view])
  useEffect(
    () => (row === null || !table.current ? undefined : markRow(table.current, row)),
    [row, table],
  )
  const focusRow = () => {
    const { current: element } = table
    if (!element || row === null) return
    const rows = [...(element.tBodies[0]?.rows ?? [])]
    const at = rows.findIndex(({ dataset }) => dataset['rowKey'] === row)
    focusCell(element, at, focusedPlace(element)?.cell ?? last.current.cell)
  }
  const shut = useCallback(() => setRow(null), [])
  const goBack = useBackCloses(isOpen, shut)
  const close = () => {
    const now = document.activeElement
    if (now === document.body || panelOf(within)?.contains(now)) focusRow()
    shut()
    goBack()
  }
  const step = (by: number) => {
    const all = keysOnPage(view)
    const at = all.indexOf(row ?? '')
    // In the place of a row that has gone stands the next one.
    const next = all[at < 0 ? last.current.at + Math.min(by, 0) : at + by]
    if (next !== undefined) setRow(next)
  }
  useCommands(keys.table, [
    {
      ...{ label: words.key, keys: 'Space', isKeyOnly: true },
      // A tick, a button and a field have the key for themselves.
      isAt: (target) =>
        (target.matches('tbody :is(td, th, a)') && table.current?.contains(target) === true) ||
        (panelOf(within)?.contains(target) === true && target.closest(CONTROL) === null),
      run() {
        if (isOpen) return close()
        last.current.cell = (table.current && focusedPlace(table.current)?.cell) ?? 0
        setRow(focusedKey())
      },
    },
    isOpen && {
      ...{ label: words.keyInto, keys: 'F6', isKeyOnly: true },
      run() {
        const panel = panelOf(within)
        if (panel?.contains(document.activeElement)) focusRow()
        else panel?.querySelector<HTMLElement>('[tabindex]')?.focus()
      },
    },
    isOpen && {
      ...{ label: words.key, keys: 'Escape', isKeyOnly: true },
      // In a field, the key is the field's.
      isAt: (target) =>
        !isTyping(target) && document.querySelector(':popover-open:not([role=tooltip])') === null,
      run: close,
    },
  ])
  const peek = useCallback((key: string) => setRow(key), [])
  const place = within.current?.parentElement
  return {
    peek,
    panel:
      isOpen &&
      place &&
      createPortal(
        <PeekPanel {...{ component, view, row, close, step }} copyLink={() => copying.link(row)} />,
        place,
      ),
  }
}

const CONTROL = 'a, button, input, select, textarea, summary, audio, video'

const panelOf = (within: Props['within']) =>
  within.current?.parentElement?.querySelector<HTMLElement>('.peek') ?? null
