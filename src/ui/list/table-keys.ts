/** Moving through the cells of a table by keyboard; the focus is the browser's own. */

import type { KeyboardEvent } from 'react'

type Step = { rows?: number; cells?: number }

const ARROWS: { readonly [key: string]: Step } = {
  ArrowUp: { rows: -1 },
  ArrowDown: { rows: 1 },
  ArrowLeft: { cells: -1 },
  ArrowRight: { cells: 1 },
}

/** Arrow keys move once a cell has the focus; otherwise they scroll. */
export function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = ARROWS[event.key]
  const table = event.currentTarget.querySelector('table')
  if (!step || !table || !(event.target instanceof HTMLTableCellElement)) return
  event.preventDefault()
  const sign = getComputedStyle(table).direction === 'rtl' ? -1 : 1
  moveInTable(table, { ...step, cells: (step.cells ?? 0) * sign })
}

/** Focuses the cell so many rows and cells away; the first one where none had the focus. */
export function moveInTable(table: HTMLTableElement, { rows = 0, cells = 0 }: Step): void {
  const from = document.activeElement?.closest<HTMLTableCellElement>('tbody :is(th, td)')
  const all = [...table.tBodies[0]!.rows]
  const row = from ? all.findIndex((candidate) => candidate.contains(from)) + rows : 0
  const place = from ? visibleCells(all[row - rows]).indexOf(from) + cells : 0
  const target = visibleCells(all[row])[Math.max(0, place)]
  if (!target) return
  target.tabIndex = -1
  target.focus()
}

const visibleCells = (row: HTMLTableRowElement | undefined): HTMLTableCellElement[] =>
  [...(row?.cells ?? [])].filter((cell) => !cell.ariaHidden && cell.offsetParent !== null)
