/** Lets a person put the rows of a list in order: `order.ts` in React. */

import { useEffect, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useComponent } from '../../react/use-component.ts'
import { useKept } from '../../react/use-kept.ts'
import { createOrder, pageOf, START } from './order.ts'

export type Order = ReturnType<typeof useOrder>

/** `isHeld`: whether a row is lifted, so that rows must not change meanwhile. */
export function useOrder(component: string, view: TableView, isHeld: () => boolean) {
  const { call } = useComponent<TableComponent>(component)
  const [made, keep] = useKept(`moves of ${view.name}`, START)
  const [page, draw] = useState(() => pageOf(view))
  const [order] = useState(() => createOrder(made, view, call, { isHeld, keep, draw }))
  const { size } = view.page
  useEffect(() => order.follow(view, call))
  useEffect(() => order.stop, [order])
  return {
    ...order,
    page,
    moves: made.moves,
    /** Number of the page that is shown. */
    number: Math.floor(page.start / size) + 1,
    pages: page.count === null ? null : Math.max(1, Math.ceil(page.count / size)),
    canTakeBack: made.past.length > 0,
    call,
  }
}
