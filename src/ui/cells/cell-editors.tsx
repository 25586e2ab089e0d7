/** The cells of a list that are being edited, and what the foot says of them; loaded on first use. */

import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { type HeldView, useHeldView } from '../../react/use-held-view.ts'
import { capsOf } from '../commands/key-caps.ts'
import { isMac } from '../commands/is-mac.ts'
import { holdRows } from '../live/hold-rows.ts'
import { isOwnChange, pinnedRows } from '../live/holding.ts'
import { Icon } from '../parts/icon.tsx'
import { LeavingGuard } from '../parts/leaving-guard.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { NewRelated } from '../record/new-related.tsx'
import { RelatedForm } from '../record/related-form.ts'
import { useIsLive } from '../use-loaded.ts'
import { CellEditor, type CellState, type Refused } from './cell-editor.tsx'
import { CLEAR_KEYS } from './cell-keys.ts'
import type { OpenCell } from './cell-work.tsx'
import type { CellPlace } from './places.ts'

type Props = {
  /** Id of the listing. */
  component: string
  table: { readonly current: HTMLTableElement | null }
  view: TableView
  open: readonly OpenCell[]
  close(place: CellPlace): void
}

export function CellEditors({ component, table, view, open, close }: Props) {
  const { cells } = useMessages()
  const [states, setStates] = useState<ReadonlyMap<string, CellState>>(new Map())
  const tell = useCallback(
    (place: CellPlace, state: CellState | null) =>
      setStates((all) => {
        const others = [...all].filter(([id]) => id !== idOf(place))
        return new Map(state ? [...others, [idOf(place), state]] : others)
      }),
    [],
  )
  const all = [...states.values()]
  const refused = all.flatMap(({ refused }) => refused ?? [])
  const isDirty = all.some((state) => state.isDirty)
  usePins(component, table)
  return (
    <>
      {!useIsLive() && <Holding component={component} />}
      <RelatedForm value={NewRelated}>
        {open.map((one) => (
          <CellEditor key={idOf(one)} {...{ component, table, view, tell, close }} place={one} />
        ))}
      </RelatedForm>
      {open.length > 0 && <Foot refused={refused} canClear={all.some((state) => state.canClear)} />}
      <LeavingGuard unsaved={isDirty ? cells.leaving : null} />
    </>
  )
}

const idOf = ({ row, column }: CellPlace): string => JSON.stringify([row, column])

/** Rows that were edited stay where they are until the person has left the table. */
function usePins(component: string, table: Props['table']): void {
  const list = useRuntime().component(component)
  useEffect(() => {
    const settle = () => {
      if (pinnedRows.size === 0) return
      pinnedRows.clear()
      void list.refresh()
    }
    const isWithin = (target: EventTarget | null) =>
      target instanceof Element && target.closest('.scroller')?.contains(table.current) === true
    const onTurn = ({ target }: Event) => {
      if (!isWithin(target)) settle()
    }
    document.addEventListener('focusin', onTurn)
    document.addEventListener('pointerdown', onTurn)
    return () => {
      document.removeEventListener('focusin', onTurn)
      document.removeEventListener('pointerdown', onTurn)
      pinnedRows.clear()
    }
  }, [list, table])
}

/** In a list that is not live, nothing else holds rows in their places. */
function Holding({ component }: Pick<Props, 'component'>) {
  useHeldView<TableComponent>(component, holdPinned)
  return null
}

const holdPinned: HeldView<TableView> = (shown, fresh) =>
  pinnedRows.size > 0 && !isOwnChange() ? holdRows(shown, fresh) : null

/** The keys of the editor in place of the rows per page, or the values that were not saved. */
function Foot({ refused, canClear }: { refused: readonly Refused[]; canClear: boolean }) {
  const { cell, cells } = useMessages()
  const [foot] = useState(() => document.querySelector('.foot'))
  if (!foot) return null
  const [first] = refused
  const content = first ? (
    <span className="cell-foot bad" role="status">
      <Icon name="warning" />
      <Shown text={cells.notSaved(refused.length, first.name)} />
      <button type="button" className="plain" onClick={first.focus}>
        {cells.goTo}
      </button>
    </span>
  ) : (
    <span className="cell-foot" aria-hidden="true">
      <kbd>↵</kbd> {cells.saveDown} <kbd>Tab</kbd> {cells.saveNext} <kbd>Esc</kbd> {cells.putBack}
      {canClear && (
        <>
          {' '}
          {capsOf(CLEAR_KEYS, isMac()).map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}{' '}
          {cell.null}
        </>
      )}
    </span>
  )
  return createPortal(content, foot)
}
