/** Widths of columns that are stable while rows change, and grow where heads or uncut values need it. */

import { useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { KindMap } from '../kinds/kinds.ts'
import { type ColumnWidths, growColumns, measureColumns } from './column-widths.ts'

export function useColumnWidths(view: TableView, kinds: KindMap): ColumnWidths {
  const [measured, setMeasured] = useState(() => ({ view, widths: measureColumns(view, kinds) }))
  if (measured.view === view) return measured.widths
  const widths = growColumns(measured.widths, view, kinds)
  setMeasured({ view, widths })
  return widths
}
