/** A table listing as the list page uses it: its view and its actions. */

import { useCallback, useEffect, useMemo, useState } from 'react'
import type { LiveComponent } from '../../client/component.ts'
import { type Calls, callsOf, type TypesOf } from '../../protocol/component-types.ts'
import { PROGRESS_BAR_DELAY_MS } from '../../protocol/constants.ts'
import type { Json } from '../../protocol/json.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import type { Field } from '../../react/field.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, useFailure } from '../../react/use-component.ts'
import { useKept } from '../../react/use-kept.ts'
import { useDelayed } from '../../react/use-delayed.ts'

type ListCalls = Calls<TypesOf<TableComponent>>

/** The listing's actions. Each resolves to its return value, or to `undefined` if it failed. */
export type ListingActions = {
  readonly [Name in keyof ListCalls]: (
    ...args: Parameters<ListCalls[Name]>
  ) => Promise<Awaited<ReturnType<ListCalls[Name]>> | undefined>
}

export type Listing = {
  view: TableView
  /** The search box, which may be ahead of `view.search`. */
  field: Field
  errors: readonly string[]
  /** Other rows have been loading for long enough to show it. */
  isWaiting: boolean
  actions: ListingActions
  search(text: string): void
  /** Gives up loading other rows; a search that was typed is taken back. */
  cancel(): void
}

export function useListing(id: string): Listing {
  const {
    view: drawn,
    errors,
    pending,
    set,
    call,
    field,
    cancel,
  } = useComponent<TableComponent>(id)
  const [waiting, setWaiting] = useState(0)
  const component = useRuntime().component(id)
  const actions = useMemo((): ListingActions => {
    const wait = async (promise: Promise<Json>) => {
      setWaiting((count) => count + 1)
      // The page's failure display says what went wrong.
      const settled = promise.catch(() => undefined)
      return settled.finally(() => setWaiting((count) => count - 1))
    }
    const callAndWait = (method: string, ...params: Json[]) =>
      wait(component.call(method, ...params))
    // Names and types are those of the calls, except that failures resolve to `undefined`.
    return callsOf<TypesOf<TableComponent>>(callAndWait as LiveComponent['call'])
  }, [component])
  const search = useCallback((value: string) => set('search', value, { live: true }), [set])
  const view = useTotal(drawn, call)
  const typed = field('search', { live: true })
  const isSearching = pending && typed.value.trim() !== view.search.trim()
  // While the server is unreachable, the current rows are not shown as stale.
  const isComing = useFailure() === null && (waiting > 0 || isSearching)
  return {
    view,
    field: typed,
    errors: Object.values(errors).flat(),
    isWaiting: useDelayed(isComing, PROGRESS_BAR_DELAY_MS),
    actions,
    search,
    cancel() {
      cancel()
      set('search', drawn.search)
    },
  }
}

/** Longest pause between two polls of a running count, ms. */
const LONGEST_PAUSE_MS = 4000

/**
 * The view with the best total so far. Polls for the total, less and less often, until it is final.
 * The poll is a query, so the rest of the listing neither waits for it nor redraws.
 */
function useTotal(view: TableView, call: ListCalls): TableView {
  const [counted, setCounted] = useKept(`total of ${view.name}`, {
    of: view,
    total: view.total,
    page: view.page,
  })
  useEffect(() => {
    if (!view.counting) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = 250
    let isOver = false
    const look = async (): Promise<void> => {
      // On failure, the count stays as it is; the page shows the error.
      const answer = await call.total().catch(() => undefined)
      if (isOver || !answer) return
      const { total, page, counting } = answer
      setCounted({ of: view, total, page })
      if (!counting) return
      timer = setTimeout(() => void look(), pause)
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [view, call, setCounted])
  return useMemo(
    () => (counted.of === view ? { ...view, total: counted.total, page: counted.page } : view),
    [counted, view],
  )
}
