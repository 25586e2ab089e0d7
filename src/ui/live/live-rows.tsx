/** Makes a list live: marks what others change in its rows, and says how many new ones wait. */

import { useCallback, useEffect, useRef } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { usePage } from '../../react/use-component.ts'
import { type HeldView, useHeldView } from '../../react/use-held-view.ts'
import { focusHeading } from '../parts/focus-heading.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { appended, changedCells } from './held-rows.ts'
import { holdRows } from './hold-rows.ts'
import { isOwnChange } from './holding.ts'
import { type LiveMarks, markTable } from './live-marks.ts'

type LiveRowsProps = {
  /** Id of the listing. */
  component: string
  view: TableView
}

const NONE = { came: [], gone: [] } as const

export function LiveRows({ component, view }: LiveRowsProps) {
  const { live } = useMessages()
  const { locale } = usePage()
  const { came, gone } = view.waiting ?? NONE
  const marks = useMarks()
  const showAll = useHeldView<TableComponent>(component, useHeldRows(marks))
  useEffect(() => marks.current?.gone(gone, live.gone), [marks, gone, live])
  const show = () => {
    // The answer to an action that is under way will show them.
    if (!showAll()) return
    marks.current?.rows(came)
    focusHeading()
  }
  const count = came.length.toLocaleString(locale)
  const isPageful = came.length >= view.page.size
  return (
    <span role="status">
      {came.length > 0 && (
        <button type="button" className="btn fresh" onClick={show}>
          <Icon name="up" />
          {live.came({ count: came.length, text: isPageful ? live.atLeast(count) : count })}
        </button>
      )}
    </span>
  )
}

type MarksRef = { readonly current: LiveMarks | null }

/** The marks of the table, from the first drawing to the last. */
function useMarks(): MarksRef {
  const marks = useRef<LiveMarks | null>(null)
  const { environment } = useRuntime()
  useEffect(() => {
    const made = markTable(document.querySelector('main') ?? document.body, environment)
    marks.current = made
    return made.stop
  }, [environment])
  return marks
}

/** Marks what each refresh changes; rows that wait are compared with what was last shown of them. */
function useHeldRows(marks: MarksRef): HeldView<TableView> {
  const seen = useRef<{ readonly of: TableView; readonly fresh: TableView } | null>(null)
  return useCallback(
    (shown, fresh) => {
      const before = seen.current?.of === shown ? seen.current.fresh : shown
      seen.current = { of: shown, fresh }
      marks.current?.cells(changedCells(before, fresh))
      const held = isOwnChange() ? null : holdRows(shown, fresh)
      if (!held) marks.current?.rows(appended(shown, fresh))
      return held
    },
    [marks],
  )
}
