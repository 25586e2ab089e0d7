/** The keys and commands of a list, and where the focus goes after each of them. */

import { type RefObject, useEffect, useRef } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { useBulk } from '../bulk/use-bulk.tsx'
import { useCells } from '../cells/cell-work.tsx'
import { useCommands } from '../commands/commands.tsx'
import { useCopyKey } from '../copying/use-copy-key.ts'
import { useCopying } from '../copying/use-copying.ts'
import { JobsStrip } from '../jobs/jobs-strip.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useExportCheck } from '../selection/export-check.ts'
import { EXPORT_FORM } from '../selection/pick-cells.tsx'
import { usePeek } from '../peek/use-peek.tsx'
import { SelectionWork } from '../selection/selection-work.tsx'
import type { Selecting } from '../selection/use-selecting.ts'
import { FilterMenuTrigger } from './filter-menu-trigger.tsx'
import type { FiltersOpen } from './filters-region.tsx'
import { LinkArrow } from './link-arrow.tsx'
import { DISPLAY_ID } from './menu-ids.ts'
import { useRestoreFocus } from './restore-focus.ts'
import {
  cellCommands,
  type EditCell,
  focusCell,
  focusedPlace,
  moveInTable,
  openFilterMenu,
} from './table-keys.ts'
import { Tooltip } from './tooltip.tsx'
import { useChipFocus } from './use-chip-focus.ts'
import { useFocusInSight } from './use-focus-in-sight.ts'
import type { ListingActions } from './use-listing.ts'
import { usePlaceFocus } from './use-place-focus.ts'
import { useSheetFocus } from './use-sheet-focus.ts'

type Table = { readonly current: HTMLTableElement | null }

type ListCommandsProps = {
  /** Id of the listing. */
  component: string
  table: Table
  view: TableView
  actions: ListingActions
  panel: FiltersOpen
  selecting: Selecting
  /** What holds the rows. */
  within: RefObject<HTMLElement | null>
}

export function ListCommands(props: ListCommandsProps) {
  const { selecting } = props
  const returnTo = useRef<number | null>(null)
  const { edit, mayEdit, editors } = useCells(props)
  const bulk = useBulk(props)
  const copying = useCopying(props.component, props.view)
  const { peek, panel } = usePeek({ ...props, copying })
  useExportCheck(props.component, selecting.selected)
  useListCommands(props, edit, returnTo)
  useCopyKey(props.table, copying)
  useReturnFocus(props.table, props.view, returnTo)
  useRestoreFocus(props.table)
  usePlaceFocus(props.table)
  useFocusInSight(props.table)
  useChipFocus()
  useSheetFocus()
  return (
    <>
      {editors}
      {bulk.parts}
      {panel}
      <JobsStrip />
      {props.view.rows.length > 0 && (
        <>
          <FilterMenuTrigger
            {...props}
            {...{ edit, mayEdit }}
            row={bulk.row}
            {...{ peek, copying }}
          />
          <LinkArrow within={props.within} mayEdit={mayEdit} />
          <Tooltip within={props.within} />
          {selecting.selection && (
            <SelectionWork {...props} {...selecting} selection={selecting.selection} />
          )}
        </>
      )}
    </>
  )
}

/** After a key has turned the page, focuses the first of the new rows. */
function useReturnFocus(
  table: Table,
  { rows }: TableView,
  returnRef: RefObject<number | null>,
): void {
  const first = rows[0]?.[0]
  useEffect(() => {
    if (returnRef.current !== null) returnFocus(table.current, returnRef.current)
    returnRef.current = null
  }, [first, table, returnRef])
}

/** Notes in `returnRef` the place in a row that has the focus when a key turns the page. */
function useListCommands(
  { table, view: { page, rows, filters, reorder, exportable }, actions, panel }: ListCommandsProps,
  edit: EditCell,
  returnRef: RefObject<number | null>,
): void {
  const { keys, list, selection: words } = useMessages()
  const move = (rows: number) => () => table.current && moveInTable(table.current, { rows })
  const turn = (place: 'previous' | 'next') => () => {
    if (page[place] === undefined) return
    returnRef.current = (table.current && focusedPlace(table.current)?.cell) ?? null
    void actions.turnPage(place)
  }
  const openDisplay = () => document.getElementById(DISPLAY_ID)?.click()
  const row = { label: keys.rows, isKeyOnly: true }
  const hasRows = rows.length > 0
  // At either end, both keys are listed.
  const hasPages = page.next !== undefined || page.previous !== undefined
  useCommands(keys.table, [
    filters.offers.length > 0 && {
      ...{ label: keys.filters, keys: 'f', icon: 'filters' },
      run: () => panel.enter(),
    },
    (filters.offers.length > 0 || hasRows) && {
      ...{ label: keys.filterHere, keys: '.', isKeyOnly: true },
      isAt: (target) => table.current?.contains(target) ?? false,
      run: openFilterMenu,
    },
    { label: keys.display, keys: 'v', icon: 'display', run: openDisplay },
    hasRows && { ...row, keys: 'j', run: move(1) },
    hasRows && { ...row, keys: 'k', run: move(-1) },
    ...(hasRows ? cellCommands(table, keys, edit) : []),
    hasPages && {
      ...{ label: list.nextPage, line: keys.pages, keys: ']', icon: 'next' },
      ...{ isKeyOnly: page.next === undefined, run: turn('next') },
    },
    hasPages && {
      ...{ label: list.previousPage, line: keys.pages, keys: '[', icon: 'previous' },
      ...{ isKeyOnly: page.previous === undefined, run: turn('previous') },
    },
    reorder &&
      reorder.obstacle === undefined && {
        ...{ label: list.reorder, icon: 'reorder' },
        run: () => actions.enableReordering(),
      },
    exportable && { label: words.exportCsv, icon: 'export', run: pressExport('submit') },
    exportable && { label: words.exportOther, icon: 'export', run: pressExport('button') },
    filters.chips.length > 0 && {
      label: list.clearFilters,
      icon: 'close',
      run: () => actions.removeFilter(null),
    },
  ])
}

/** Exports as the page's menu does. */
const pressExport = (type: 'submit' | 'button') => () =>
  document.querySelector<HTMLElement>(`#${EXPORT_FORM} [type=${type}]`)?.click()

/** After paging, focuses the first row, unless the person has moved the focus elsewhere. */
function returnFocus(table: HTMLTableElement | null, cell: number): void {
  const now = document.activeElement
  if (table && (now === null || now === document.body || table.contains(now)))
    focusCell(table, 0, cell)
}
