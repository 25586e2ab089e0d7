/** Moves through the cells of a table by keyboard, with the browser's own focus. */

import type { KeyboardEvent } from 'react'

type Step = { rows?: number; cells?: number }

const FAR = Infinity

const KEYS: { readonly [key: string]: Step } = {
  ArrowUp: { rows: -1 },
  ArrowDown: { rows: 1 },
  ArrowLeft: { cells: -1 },
  ArrowRight: { cells: 1 },
  Home: { cells: -FAR },
  End: { cells: FAR },
  'Ctrl+Home': { rows: -FAR },
  'Ctrl+End': { rows: FAR },
  PageUp: { rows: -10 },
  PageDown: { rows: 10 },
}

/**
 * Arrow and paging keys move the focus once a cell has it; otherwise they scroll. Enter opens the
 * cell's link, or the row.
 */
export function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget, target } = event
  if (key === 'Enter' && target instanceof HTMLTableCellElement) return openCell(target)
  const step = KEYS[ctrlKey || metaKey ? `Ctrl+${key}` : key]
  const table = currentTarget.querySelector('table')
  if (!step || altKey || shiftKey || !table || !(target instanceof HTMLTableCellElement)) return
  event.preventDefault()
  const isMirrored = key.startsWith('Arrow') && getComputedStyle(table).direction === 'rtl'
  moveInTable(table, { ...step, cells: (step.cells ?? 0) * (isMirrored ? -1 : 1) })
}

function openCell(cell: HTMLTableCellElement): void {
  const link = cell.querySelector('a') ?? cell.closest('tr')?.querySelector('a.row-link')
  if (link instanceof HTMLElement) link.click()
}

/** Focuses the cell at this distance; the first cell if none had the focus. */
export function moveInTable(table: HTMLTableElement, { rows = 0, cells = 0 }: Step): void {
  const at = focusedPlace(table)
  focusCell(table, at ? at.row + rows : 0, at ? at.cell + cells : 0)
}

/** The place of the focus in the rows of `table`, or `null`. */
export function focusedPlace(table: HTMLTableElement): { row: number; cell: number } | null {
  const cell = document.activeElement?.closest<HTMLTableCellElement>('tbody :is(th, td)')
  const row = bodyRows(table).findIndex((candidate) => cell && candidate.contains(cell))
  return cell && row >= 0 ? { row, cell: visibleCells(bodyRows(table)[row]).indexOf(cell) } : null
}

/** Focuses that cell, or the nearest one in the table. */
export function focusCell(table: HTMLTableElement, row: number, cell: number): void {
  const target = nearest(visibleCells(nearest(bodyRows(table), row)), cell)
  if (!target) return
  target.tabIndex = -1
  target.focus()
}

const nearest = <Item>(items: readonly Item[], place: number): Item | undefined =>
  items[Math.max(0, Math.min(place, items.length - 1))]

const bodyRows = (table: HTMLTableElement): HTMLTableRowElement[] => [
  ...(table.tBodies[0]?.rows ?? []),
]

const visibleCells = (row: HTMLTableRowElement | undefined): HTMLTableCellElement[] =>
  [...(row?.cells ?? [])].filter((cell) => !cell.ariaHidden && cell.offsetParent !== null)
