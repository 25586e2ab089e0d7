/** A table listing as the list page uses it: what it shows and what can be asked of it. */

import { useCallback, useEffect, useState } from 'react'
import type { LiveComponent } from '../../client/component.ts'
import { PROGRESS_BAR_DELAY_MS } from '../../protocol/constants.ts'
import type { Json } from '../../protocol/json.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { Field } from '../../react/field.ts'
import { useComponent, useFailure } from '../../react/use-component.ts'
import { useDelayed } from '../parts/use-delayed.ts'

/** Asks for an action; settles when it is done: with what it returns, or nothing where it failed. */
export type Ask = (method: string, ...params: Json[]) => Promise<unknown>

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
  const { view, errors, pending, set, call, field } = useComponent<TableView>(id)
  const [asked, setAsked] = useState(0)
  const ask = useCallback<Ask>(
    (method, ...params) => {
      setAsked((count) => count + 1)
      // Why it went wrong is shown by the failures of the page.
      const settled = call(method, ...params).catch(() => undefined)
      return settled.finally(() => setAsked((count) => count - 1))
    },
    [call],
  )
  const search = useCallback((value: string) => set('search', value, { live: true }), [set])
  useTotal(view, call)
  const typed = field('search', { live: true })
  const isSearching = pending && typed.value.trim() !== view.search.trim()
  // While the server cannot be reached, the rows that are there are the ones to read.
  const isComing = useFailure() === null && (asked > 0 || isSearching)
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
 * Asks, ever more rarely, how many rows there are until that is as exact as it gets. The server
 * counts in the background and answers at once, so that nothing else of the listing has to wait.
 */
function useTotal({ name, search, filters, total }: TableView, call: LiveComponent['call']): void {
  const counted = total.kind === 'exact' ? null : JSON.stringify([name, search, filters?.all ?? []])
  useEffect(() => {
    if (counted === null) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = 250
    let isOver = false
    const look = async (): Promise<void> => {
      // A failure is shown by the page; the count is then left as it is.
      const isSettled = await call('refreshTotal').catch(() => true)
      if (isOver || isSettled === true) return
      timer = setTimeout(() => void look(), pause)
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [counted, call])
}
