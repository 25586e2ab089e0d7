/** The table itself: native markup with explicit roles, so that cards at 390 px keep them. */

import { memo, type RefObject, useMemo } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { useKinds } from '../kinds/kinds-context.tsx'
import { PickPage } from '../selection/pick-cells.tsx'
import type { SelectedSums } from '../selection/selected-sums.ts'
import type { Selection } from '../selection/use-selection.ts'
import { columnTracks, useTracks } from './column-tracks.ts'
import { drawnColumns } from './drawn-columns.ts'
import { type Sort, TableHead } from './table-head.tsx'
import { TableSums } from './sums.tsx'
import { questionOf } from './question.ts'
import { TableRows } from './table-rows.tsx'
import { useColumnWidths } from './use-column-widths.ts'

type DataTableProps = {
  component: string
  view: TableView
  sort: Sort
  /** `null` where rows cannot be selected. */
  selection: Selection | null
  /** What the foot says of the selected rows; `null` while none are selected. */
  selected: SelectedSums | null
  /** Whether these are the rows that the page was opened with. */
  isFirst: boolean
  ref: RefObject<HTMLTableElement | null>
}

/** The width of the ticks, rem; see `.pick` in `table.css`. */
const PICK_REM = 2.75

/** Redraws only when the server's view changes, not while someone types. */
export const DataTable = memo(function DataTable({
  component,
  view,
  sort,
  selection,
  selected,
  isFirst,
  ref,
}: DataTableProps) {
  const kinds = useKinds()
  const widths = useColumnWidths(view, kinds, selected)
  const { columns: views } = view
  const columns = useMemo(() => drawnColumns({ columns: views }, kinds), [views, kinds])
  useTracks(ref, component, columnTracks(views, widths, view.selection ? PICK_REM : 0))
  return (
    <table ref={ref} className="tw" role="table" aria-label={view.label} data-component={component}>
      <TableHead
        component={component}
        columns={columns}
        isFull={view.orderFull ?? false}
        sort={sort}
        hasMenus={view.records !== undefined}
        pick={selection && <PickPage view={view} selection={selection} />}
      />
      <TableRows {...{ columns, view, selection, isFirst }} question={questionOf(view)} />
      <TableSums view={view} columns={columns} selected={selected} />
    </table>
  )
})
