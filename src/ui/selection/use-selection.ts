/** The selection of a listing as the page uses it: kept for each table as long as the tab is open. */

import { useCallback, useEffect, useMemo, useRef } from 'react'
import { sameJson } from '../../protocol/json.ts'
import {
  ALL_SELECTED,
  isNone,
  NONE_SELECTED,
  type Selected,
  selectedIn,
  withRows,
} from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent } from '../../react/use-component.ts'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'

export type Selection = {
  readonly selected: Selected
  isSelected(key: string): boolean
  /** Adds rows or takes them out; says so where the selection would name too many. */
  pick(keys: readonly string[], isAdded: boolean): void
  /** Selects all that match, by the server's `setAllSelected`. */
  selectAll(): void
  /** Selects none, by the server's `clearSelected`. */
  clear(): void
}

/** What the tab keeps of a table: the selection, and the conditions that it was made under. */
type Kept = { readonly of: string; readonly selected: Selected }

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'of' in value && 'selected' in value

/** What `choose` has kept under a table's name. */
const keptIn = (value: unknown): Kept | undefined => (isKept(value) ? value : undefined)

/** `null` where rows cannot be selected. */
export function useSelection(id: string, view: TableView): Selection | null {
  const { data, set, call } = useComponent<TableComponent>(id)
  const { selection: words } = useMessages()
  const notify = useNotify()
  const { selected } = data
  const of = view.selection?.of
  const choose = useChoice(view, set, of)
  useKeptSelection(view, selected, choose)
  const selectAll = useCallback(() => {
    choose(ALL_SELECTED)
    void call.setAllSelected().catch(() => undefined)
  }, [choose, call])
  const clear = useCallback(() => {
    choose(NONE_SELECTED)
    void call.clearSelected().catch(() => undefined)
  }, [choose, call])
  const pick = useCallback(
    (keys: readonly string[], isAdded: boolean) => {
      const next = withRows(selected, keys, isAdded)
      if (next) choose(next)
      else notify(words.full, { label: words.allMatching, run: selectAll })
    },
    [selected, choose, notify, words, selectAll],
  )
  const isSelected = useMemo(() => selectedIn(selected), [selected])
  return useMemo(
    () => (of === undefined ? null : { selected, isSelected, pick, selectAll, clear }),
    [of, selected, isSelected, pick, selectAll, clear],
  )
}

type Set = ReturnType<typeof useComponent<TableComponent>>['set']

/** Changes the selection here; the next request takes it along. */
function useChoice({ name }: TableView, set: Set, of: string | undefined) {
  const { inTab } = useRuntime()
  return useCallback(
    (selected: Selected) => {
      if (of !== undefined) inTab.set(keptName(name), { of, selected } satisfies Kept)
      set('selected', selected, { fleeting: true })
    },
    [inTab, name, set, of],
  )
}

/** The name under which the tab keeps the selection of a table. */
export const keptName = (table: string) => `selection of ${table}`

/**
 * Under the same conditions, what the tab keeps is selected, whatever state a page is opened in or gone
 * back to. Under others, nothing is.
 */
function useKeptSelection(
  { name, selection, left }: TableView,
  selected: Selected,
  choose: (selected: Selected) => void,
): void {
  const { inTab } = useRuntime()
  const { selection: words } = useMessages()
  const notify = useNotify()
  const of = selection?.of
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (of === undefined) return
    const before = keptIn(inTab.get(keptName(name)))
    const isHere = shown.current !== undefined
    shown.current = of
    if (before?.of === of) {
      if (!sameJson(before.selected, selected)) choose(before.selected)
      return
    }
    inTab.set(keptName(name), { of, selected } satisfies Kept)
    if (!isHere || !before || isNone(before.selected)) return
    // What had not been sent yet was made under the other conditions, too.
    // Rows that were left are opened as a selection.
    const isLeft = left === undefined && sameJson(before.selected, selected)
    if (isLeft) choose(NONE_SELECTED)
    if (isLeft || isNone(selected))
      notify(words.cleared, { label: words.undo, run: () => choose(before.selected) })
  }, [inTab, name, of, left, selected, choose, notify, words])
}
