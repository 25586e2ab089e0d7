/** The edge of a column’s head: its width is dragged there, and changed by the arrow keys. */

import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { COLUMN_PX, type ColumnView } from '../../protocol/table-view.ts'
import type { ListingActions } from '../list/use-listing.ts'
import { useMessages } from '../parts/use-messages.ts'
import { bounded, STEP_PX } from './arrange.ts'
import { forwards, resize, showWidth } from './resize.ts'

type ColumnGripProps = {
  head: HTMLTableCellElement
  column: ColumnView
  actions: Pick<ListingActions, 'setWidths'>
}

export function ColumnGrip({ head, column: { name, label }, actions }: ColumnGripProps) {
  const { list } = useMessages()
  /** The width that was chosen last; `null`: as wide as it is. */
  const [chosen, setChosen] = useState<number | null>(null)
  const px = chosen ?? head.offsetWidth
  const keep = (next: number | null) => {
    setChosen(next)
    if (next !== null) showWidth(head, next)
    void actions.setWidths({ [name]: next })
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.focus()
    resize(head, event, { changed: setChosen, kept: keep })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: STEP_PX, ArrowLeft: -STEP_PX }[event.key]
    if (by !== undefined) keep(bounded(px + by * forwards()))
    else if (event.key === 'Home') keep(COLUMN_PX.least)
    else if (event.key === 'End') keep(COLUMN_PX.most)
    else if (event.key === 'Enter') keep(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span
      role="separator"
      className="colgrip"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={list.columnWidth(label)}
      aria-valuenow={px}
      aria-valuemin={COLUMN_PX.least}
      aria-valuemax={COLUMN_PX.most}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={() => keep(null)}
    />
  )
}
