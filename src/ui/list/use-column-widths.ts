/** Widths of columns that are stable while rows change, and grow where heads or uncut values need it. */

import { useMemo, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { KindMap } from '../kinds/kinds.ts'
import type { SelectedSums } from '../selection/selected-sums.ts'
import { type ColumnWidths, growColumns, measureColumns } from './column-widths.ts'

/** `selected`: the sums that the foot shows instead of the page's, if it does. */
export function useColumnWidths(
  page: TableView,
  kinds: KindMap,
  selected: SelectedSums | null,
): ColumnWidths {
  const view = useMemo(() => (selected ? withSums(page, selected) : page), [page, selected])
  const [measured, setMeasured] = useState(() => ({ view, widths: measureColumns(view, kinds) }))
  if (measured.view === view) return measured.widths
  const widths = growColumns(measured.widths, view, kinds)
  setMeasured({ view, widths })
  return widths
}

const withSums = (view: TableView, { sums }: SelectedSums): TableView => ({
  ...view,
  sums: sums.map((sum) => ({
    ...sum,
    place: view.columns.findIndex(({ name }) => name === sum.column),
  })),
})
