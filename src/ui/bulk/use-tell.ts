/** Tells what became of a bulk change, and marks what it has changed in the rows that are shown. */

import { useCallback, useEffect, useRef } from 'react'
import type { WriteResult } from '../../protocol/plan-view.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useTellDone } from '../history/use-undo.ts'
import { type ChangedCell, changedCells } from '../live/held-rows.ts'
import { type LiveMarks, markTable } from '../live/live-marks.ts'
import { useNotify } from '../parts/toasts.tsx'
import type { Selection } from '../selection/use-selection.ts'
import { isWritten } from './flow.ts'

/** Tells a result. `before` is the list as it was, and `selection` what is cleared; `null` where other rows were written. */
type Tell = (
  result: WriteResult,
  of: { readonly before: TableView; readonly selection: Selection | null },
) => void

/** `view`: the list as the server has drawn it last. */
export function useTell(view: TableView): Tell {
  const notify = useNotify()
  const tellDone = useTellDone()
  const mark = useMark()
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  return (result, { before, selection }) => {
    if (result.status === 'done') {
      tellDone(result.text, result.entry)
      // The view has come with the answer, and is drawn in a moment.
      setTimeout(() => mark(changedCells(before, latest.current)))
    } else notify(result.text)
    if (isWritten(result)) selection?.clear()
  }
}

type Mark = (cells: readonly ChangedCell[]) => void

/** Marks cells as those are that others have changed, also once the dialog has gone. */
function useMark(): Mark {
  const { environment } = useRuntime()
  const marks = useRef<LiveMarks>(null)
  useEffect(() => () => marks.current?.stop(), [])
  return useCallback(
    (cells) => {
      const within = document.querySelector('main')
      if (within) (marks.current ??= markTable(within, environment)).cells(cells)
    },
    [environment],
  )
}
