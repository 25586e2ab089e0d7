/** The ticks of rows: one in each row, and one in the head for the page. */

import { type ChangeEvent, useCallback, useEffect, useRef } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { RowsView } from '../list/row-markup-context.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { Selection } from './use-selection.ts'

/** Id of the form that ticks belong to before script runs: it exports the rows that are ticked. */
export const EXPORT_FORM = 'export-form'
/** Id of the tick in the head. */
export const PICK_PAGE = 'pick-page'

/** Ticks a row, or takes its tick away. */
export type PickRow = (event: ChangeEvent<HTMLInputElement>) => void

type PickCellProps = {
  rowKey: string
  label: string
  /** `none`: the row cannot be selected by itself. */
  ticks: 'on' | 'off' | 'none'
  pick: PickRow
}

/** The whole cell is the target. */
export function PickCell({ rowKey, label, ticks, pick }: PickCellProps) {
  const { selection } = useMessages()
  return (
    <td role="cell" className="pick">
      {ticks !== 'none' && (
        <label>
          <input
            type="checkbox"
            name="key"
            value={rowKey}
            form={EXPORT_FORM}
            autoComplete="off"
            aria-label={selection.row(label)}
            checked={ticks === 'on'}
            onChange={pick}
          />
        </label>
      )}
    </td>
  )
}

/** Ticks one row, or with Shift all rows between it and the one before. */
export function useRangePick(view: RowsView, selection: Selection | null): PickRow {
  const newest = useRef({ view, selection })
  const last = useRef<string>(undefined)
  useEffect(() => {
    newest.current = { view, selection }
  })
  return useCallback(({ target, nativeEvent }) => {
    const { view, selection } = newest.current
    const { value: key, checked } = target
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
    const keys = keysOnPage(view)
    const [from, to] = [keys.indexOf(last.current ?? key), keys.indexOf(key)].toSorted(
      (a, b) => a - b,
    )
    const isBetween = isRange && from !== undefined && to !== undefined && from >= 0
    selection?.pick(isBetween ? keys.slice(from, to + 1) : [key], checked)
    last.current = key
  }, [])
}

/** The keys of the page's rows that can be selected. */
export function keysOnPage({ rows, records }: Pick<TableView, 'rows' | 'records'>): string[] {
  const except = new Set(records?.except)
  return rows.flatMap(([key], place) => (except.has(place) ? [] : key))
}

/** Adds the rows of the page, or takes them out where all are selected. */
export function pickPage(view: TableView, { isSelected, pick }: Selection): void {
  const keys = keysOnPage(view)
  pick(keys, !keys.every(isSelected))
}

export function PickPage({ view, selection }: { view: TableView; selection: Selection }) {
  const { selection: words } = useMessages()
  const keys = keysOnPage(view)
  const picked = keys.filter(selection.isSelected).length
  const isMixed = picked > 0 && picked < keys.length
  return (
    <th scope="col" role="columnheader" className="pick">
      <label>
        <input
          id={PICK_PAGE}
          type="checkbox"
          className="needs-script"
          autoComplete="off"
          aria-label={words.page}
          checked={picked > 0 && !isMixed}
          ref={(input) => {
            if (input) input.indeterminate = isMixed
          }}
          onChange={() => pickPage(view, selection)}
        />
      </label>
    </th>
  )
}
