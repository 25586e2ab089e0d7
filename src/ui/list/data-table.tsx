/** The table itself: native markup with explicit roles, so that cards at 390 px keep them. */

import { memo, type Ref, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { useKinds } from '../kinds/kinds-context.tsx'
import { growColumns, measureColumns } from './column-widths.ts'
import { drawnColumns } from './drawn-columns.ts'
import { type Sort, TableHead } from './table-head.tsx'
import { TableRows, TableSums } from './table-rows.tsx'

type DataTableProps = { view: TableView; sort: Sort; ref: Ref<HTMLTableElement> }

/** Redraws only when the server's view changes, not while someone types. */
export const DataTable = memo(({ view, sort, ref }: DataTableProps) => {
  const kinds = useKinds()
  const [measured, setMeasured] = useState(() => ({ view, widths: measureColumns(view, kinds) }))
  const widths =
    measured.view === view ? measured.widths : growColumns(measured.widths, view, kinds)
  if (measured.view !== view) setMeasured({ view, widths })
  const columns = drawnColumns(view, kinds)
  return (
    <table ref={ref} className="tw" role="table" aria-label={view.label}>
      <colgroup>
        {columns.map(({ column }) => (
          <col key={column.name} className={`w-${widths[column.name]}`} />
        ))}
        <col />
      </colgroup>
      <TableHead columns={columns} isFull={view.orderFull ?? false} sort={sort} />
      <TableRows columns={columns} view={view} />
      <TableSums view={view} columns={columns} />
    </table>
  )
})
DataTable.displayName = 'DataTable'
