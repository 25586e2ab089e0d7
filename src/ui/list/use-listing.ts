/** A table listing as the list page uses it: what it shows and what can be asked of it. */

import { useCallback, useEffect, useMemo, useState } from 'react'
import type { LiveComponent } from '../../client/component.ts'
import { type Calls, callsOf, type TypesOf } from '../../protocol/component-types.ts'
import { PROGRESS_BAR_DELAY_MS } from '../../protocol/constants.ts'
import type { Json } from '../../protocol/json.ts'
import type { TableComponent, TableView } from '../../protocol/table-view.ts'
import type { Field } from '../../react/field.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, useFailure } from '../../react/use-component.ts'
import { useDelayed } from '../parts/use-delayed.ts'

type ListCalls = Calls<TypesOf<TableComponent>>

/** The listing's actions. Each settles with what it returns, or with nothing where it failed. */
export type Ask = {
  readonly [Name in keyof ListCalls]: (
    ...args: Parameters<ListCalls[Name]>
  ) => Promise<Awaited<ReturnType<ListCalls[Name]>> | undefined>
}

export type Listing = {
  view: TableView
  /** The search as it is typed, which may be ahead of `view.search`. */
  field: Field
  errors: readonly string[]
  /** Other rows have been on their way for so long that it should be seen. */
  isWaiting: boolean
  ask: Ask
  search(text: string): void
}

export function useListing(id: string): Listing {
  const { view: drawn, errors, pending, set, call, field } = useComponent<TableComponent>(id)
  const [waiting, setWaiting] = useState(0)
  const component = useRuntime().component(id)
  const ask = useMemo((): Ask => {
    const wait = async (asked: Promise<Json>) => {
      setWaiting((count) => count + 1)
      // Why it went wrong is shown by the failures of the page.
      const settled = asked.catch(() => undefined)
      return settled.finally(() => setWaiting((count) => count - 1))
    }
    // Names and types are those of the calls; only failures are taken out.
    const asked = (method: string, ...params: Json[]) => wait(component.call(method, ...params))
    return callsOf<TypesOf<TableComponent>>(asked as LiveComponent['call'])
  }, [component])
  const search = useCallback((value: string) => set('search', value, { live: true }), [set])
  const view = useTotal(drawn, call)
  const typed = field('search', { live: true })
  const isSearching = pending && typed.value.trim() !== view.search.trim()
  // While the server cannot be reached, the rows that are there are the ones to read.
  const isComing = useFailure() === null && (waiting > 0 || isSearching)
  return {
    view,
    field: typed,
    errors: Object.values(errors).flat(),
    isWaiting: useDelayed(isComing, PROGRESS_BAR_DELAY_MS),
    ask,
    search,
  }
}

/** Longest pause between two looks at a count that is still going on, ms. */
const LONGEST_PAUSE_MS = 4000

/**
 * The view with the best total there is. It is asked for ever more rarely until it is as exact as it
 * gets: a query, so that nothing else of the listing waits for it and nothing else is drawn.
 */
function useTotal(view: TableView, call: ListCalls): TableView {
  const [counted, setCounted] = useState({ of: view, total: view.total, page: view.page })
  useEffect(() => {
    if (!view.counting) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = 250
    let isOver = false
    const look = async (): Promise<void> => {
      // A failure is shown by the page; the count is then left as it is.
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
  }, [view, call])
  return useMemo(
    () => (counted.of === view ? { ...view, total: counted.total, page: counted.page } : view),
    [counted, view],
  )
}
