/** Moves through the cells of a table by keyboard, with the browser's own focus. */

import type { Command } from '../commands/registry.ts'
import type { PageMessages } from '../../messages/messages.ts'

type Step = { rows?: number; cells?: number }

const FAR = Infinity

const STEPS = {
  ArrowDown: ['rows', { rows: 1 }],
  ArrowUp: ['rows', { rows: -1 }],
  ArrowLeft: ['cells', { cells: -1 }],
  ArrowRight: ['cells', { cells: 1 }],
  Home: ['ends', { cells: -FAR }],
  End: ['ends', { cells: FAR }],
  'Mod+Home': ['farRows', { rows: -FAR }],
  'Mod+End': ['farRows', { rows: FAR }],
  PageDown: ['tenRows', { rows: 10 }],
  PageUp: ['tenRows', { rows: -10 }],
} as const satisfies { readonly [keys: string]: readonly [keyof PageMessages['keys'], Step] }

/** Edits a cell; returns whether it takes changes. `orSay`: whether to say why, if it does not. */
export type EditCell = (cell: Element, how: { readonly orSay: boolean }) => boolean

/**
 * Arrow and paging keys move the focus once a cell of the table has it; otherwise they scroll, but that
 * the first ↓ on a page focuses the first row. Enter edits the cell, or else opens its link, or the row.
 */
export function cellCommands(
  table: { readonly current: HTMLTableElement | null },
  names: PageMessages['keys'],
  edit: EditCell,
): Command[] {
  const isAt = (target: Element) =>
    target instanceof HTMLTableCellElement && (table.current?.contains(target) ?? false)
  // A page begins with the focus nowhere, or on its title.
  const isFresh = (target: Element) => scrollY === 0 && target.matches('body, h1')
  const steps = Object.entries(STEPS).map(([keys, [line, step]]): Command => ({
    ...{ label: names[line], keys, isKeyOnly: true },
    isAt: (target) => isAt(target) || (keys === 'ArrowDown' && isFresh(target)),
    run: () => table.current && moveInTable(table.current, mirrored(table.current, keys, step)),
  }))
  const onCell = (keys: string, label: string, run: (cell: Element) => unknown): Command => ({
    ...{ label, keys, isKeyOnly: true, isAt },
    run: () => document.activeElement && run(document.activeElement),
  })
  return [
    ...steps,
    onCell('Enter', names.enter, (cell) => edit(cell, { orSay: false }) || openCell(cell)),
    onCell('Mod+Enter', names.open, (cell) => rowLink(cell)?.click()),
    onCell('F2', names.edit, (cell) => edit(cell, { orSay: true })),
  ]
}

/** Where text runs from right to left, the next cell stands to the left. */
function mirrored(table: HTMLTableElement, keys: string, step: Step): Step {
  const isMirrored = keys.startsWith('Arrow') && getComputedStyle(table).direction === 'rtl'
  return { ...step, cells: (step.cells ?? 0) * (isMirrored ? -1 : 1) }
}

const rowLink = (cell: Element) =>
  cell.closest('tr')?.querySelector<HTMLElement>('a.row-link') ?? null

const openCell = (cell: Element): void => (cell.querySelector('a') ?? rowLink(cell))?.click()

/** Focuses the cell at this distance; the first cell if none had the focus. */
export function moveInTable(table: HTMLTableElement, { rows = 0, cells = 0 }: Step): void {
  const at = focusedPlace(table)
  focusCell(table, at ? at.row + rows : 0, at ? at.cell + cells : 0)
}

/** The place of the focus in the rows of `table`, or `null`. */
export function focusedPlace(table: HTMLTableElement): { row: number; cell: number } | null {
  const cell = document.activeElement?.closest<HTMLTableCellElement>('tbody :is(th, td)')
  const row = bodyRows(table).findIndex((candidate) => cell && candidate.contains(cell))
  // A tick stands before the first cell.
  return cell && row >= 0
    ? { row, cell: Math.max(0, visibleCells(bodyRows(table)[row]).indexOf(cell)) }
    : null
}

/** The row of `table` that has the focus, or `null`. */
export function focusedRow(table: HTMLTableElement): HTMLTableRowElement | null {
  const row = document.activeElement?.closest<HTMLTableRowElement>('tbody tr') ?? null
  return row && table.contains(row) ? row : null
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
  [...(row?.cells ?? [])].filter(
    (cell) => !cell.matches('.pick, .fill') && cell.offsetParent !== null,
  )

/** Opens the menu of the head or the cell that has the focus, or in which a link has it. */
export const openFilterMenu = (): void =>
  void document.activeElement
    ?.closest('td, th')
    ?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
