/** All that a list page shows of its selection. */

import { useEffect, useMemo, useRef, useState } from 'react'
import { isNone, NONE_SELECTED, type Selected } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useComponent, usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import { type Answers, NO_ANSWERS } from './answers.ts'
import { type CountText, countText } from './selected-count.ts'
import type { SelectedSums } from './selected-sums.ts'
import { type Selection, useSelection } from './use-selection.ts'

export type Selecting = {
  /** `null` where rows cannot be selected. */
  readonly selection: Selection | null
  readonly selected: Selected
  readonly count: CountText
  /** What the foot says; `null` while none are selected. */
  readonly foot: SelectedSums | null
  /** Whether the region is left out, because nothing is selected. */
  readonly isHidden: boolean
  /** Takes the server's answers. */
  tell(answers: Answers): void
}

export function useSelecting(id: string, view: TableView): Selecting {
  const messages = useMessages()
  const { locale } = usePage()
  const { data } = useComponent<TableComponent>(id)
  const selection = useSelection(id, view)
  const selected = selection?.selected ?? NONE_SELECTED
  const [{ counted, sums }, tell] = useState(NO_ANSWERS)
  const count = countText(selected, view.total, counted, messages, locale)
  const { text } = count
  const isEmpty = isNone(selected)
  const foot = useMemo(() => (isEmpty ? null : { text, sums }), [isEmpty, text, sums])
  const isHidden = isEmpty && data.hideBulkActionsWhenEmpty
  return { selection, selected, count, foot, isHidden, tell }
}

type Table = { readonly current: HTMLTableElement | null }

/** Selects what was ticked before script ran. */
export function useEarlyTicks(table: Table, selection: Selection | null): void {
  const first = useRef(selection)
  useEffect(() => {
    const ticked = table.current?.querySelectorAll<HTMLInputElement>('tbody .pick input:checked')
    const keys = [...(ticked ?? [])].map(({ value }) => value)
    if (keys.length > 0) first.current?.pick(keys, true)
  }, [table])
}
