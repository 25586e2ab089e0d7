/** Begins to edit cells of a list, by Enter, F2, a double click or a paste; loads the editors for that. */

import { useCallback, useEffect, useState } from 'react'
import { isPlainClick } from '../../client/navigation/is-ours.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { keepForField } from '../early-keys.ts'
import { laterPart } from '../later-part.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { type CellPlace, placeOf } from './places.ts'

const CellEditors = laterPart(async () => (await import('./cell-editors.tsx')).CellEditors)

/** A cell that is being edited, and the text that its editor begins with. Default: what is stored. */
export type OpenCell = CellPlace & { readonly text?: string }

type Table = { readonly current: HTMLTableElement | null }

type Props = {
  /** Id of the listing. */
  component: string
  table: Table
  view: TableView
}

/** Returns the editors that are open, and what opens one. */
export function useCells({ component, table, view }: Props) {
  const notify = useNotify()
  const isOffered = usePage().components.some(({ id }) => id === 'cells') && view.readOnly === null
  const [open, setOpen] = useState<readonly OpenCell[] | null>(null)
  /** Why the cell takes no changes; `null` if it does. */
  const obstacle = useCallback(
    ({ column }: CellPlace) =>
      isOffered ? (view.columns.find(({ name }) => name === column)?.fixed ?? null) : view.readOnly,
    [isOffered, view],
  )
  const edit = useCallback(
    (cell: Element, { text, orSay }: { text?: string; orSay: boolean }): boolean => {
      const place = placeOf(cell)
      // Rows of a view may have no keys.
      const why = place ? obstacle(place) : view.readOnly
      if (why !== null && orSay) notify(why)
      if (why !== null || !isOffered || !place) return false
      if (open?.some((one) => isSame(one, place))) return true
      keepForField()
      setOpen((all) => [...(all ?? []), { ...place, ...(text !== undefined && { text }) }])
      return true
    },
    [open, obstacle, notify, isOffered, view],
  )
  const mayEdit = useCallback(
    (cell: Element): boolean => {
      const place = isOffered ? placeOf(cell) : null
      return place !== null && obstacle(place) === null
    },
    [isOffered, obstacle],
  )
  useEffect(() => {
    const shown = table.current
    shown?.toggleAttribute('data-edits', isOffered)
    const cellAt = ({ target }: MouseEvent) =>
      target instanceof Element ? target.closest<HTMLElement>('tbody :is(td, th):not(.pick)') : null
    // F2, Enter and arrows go on from the cell that was pressed.
    const onPress = (event: MouseEvent) => {
      const cell = cellAt(event)
      const on = event.target instanceof Element && event.target.closest('a, button, .in')
      if (!cell || (on && !isForCell(on, event, mayEdit(cell)))) return
      if (on) event.preventDefault()
      cell.tabIndex = -1
      cell.focus({ preventScroll: true })
    }
    const onDouble = (event: MouseEvent) => {
      const cell = cellAt(event)
      // The first click has followed the link.
      if (!cell || (event.target instanceof Element && event.target.closest('a.row-link'))) return
      // What is selected in a list that takes no changes may be copied.
      if (edit(cell, { orSay: true })) getSelection()?.removeAllRanges()
    }
    const onPaste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event
      const text = clipboardData?.getData('text/plain').replace(/\r?\n$/, '')
      const isCell = target instanceof HTMLTableCellElement
      if (isCell && text && edit(target, { text, orSay: true })) event.preventDefault()
    }
    shown?.addEventListener('click', onPress)
    shown?.addEventListener('dblclick', onDouble)
    shown?.addEventListener('paste', onPaste)
    return () => {
      shown?.removeEventListener('click', onPress)
      shown?.removeEventListener('dblclick', onDouble)
      shown?.removeEventListener('paste', onPaste)
    }
  }, [table, isOffered, edit, mayEdit])
  const close = useCallback(
    (place: CellPlace) => setOpen((all) => all?.filter((one) => !isSame(one, place)) ?? null),
    [],
  )
  // Once used, it stays: rows that were edited keep their places until the person leaves the table.
  const editors = open && <CellEditors {...{ component, table, view, open, close }} />
  return { edit, mayEdit, editors }
}

/**
 * Whether a click on a link chooses its cell, so that two edit it. Fingers and keys follow links, and so do clicks
 * with Ctrl or Cmd, and all on the row's own link.
 */
const isForCell = (on: Element, event: MouseEvent, isEdited: boolean): boolean =>
  isEdited &&
  on.matches('td a:not(.follow)') &&
  event.detail > 0 &&
  isPlainClick(event) &&
  !(event instanceof PointerEvent && event.pointerType === 'touch')

const isSame = (one: CellPlace, other: CellPlace): boolean =>
  one.row === other.row && one.column === other.column
