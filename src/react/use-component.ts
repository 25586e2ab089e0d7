/** The one seam between the runtime and React: every store is read here. */

import { useSyncExternalStore } from 'react'
import type { ComponentState, LiveComponent } from '../client/component.ts'
import type { Failure } from '../client/failure.ts'
import type { PageData } from '../protocol/page.ts'
import { useRuntime } from './runtime-context.tsx'

/** A component as React draws it: its state, typed view, and what can be asked of it. */
export type ReactComponent<View> = Omit<ComponentState, 'view'> & {
  readonly view: View
  readonly set: LiveComponent['set']
  readonly call: LiveComponent['call']
}

type Store<Value> = {
  subscribe(listener: () => void): () => void
  getState(): Value
  getInitialState?(): Value
}

const useStore = <Value>(store: Store<Value>): Value =>
  useSyncExternalStore(store.subscribe, store.getState, store.getInitialState ?? store.getState)

/**
 * The component of that id, drawn again whenever it changes.
 * `View` is what its definition's `view` returns; throws for an id that is not on the page.
 *
 * @example
 * const { view, call } = useComponent<TallyView>('tally')
 * return <button onClick={() => call('add', 1)}>{view.count}</button>
 */
export function useComponent<View>(id: string): ReactComponent<View> {
  const component = useRuntime().component(id)
  const state = useStore(component)
  // The definition on the server is the view's only author; the wire cannot carry its type.
  return { ...state, view: state.view as View, set: component.set, call: component.call }
}

/** The page itself, anew after each visit in place. */
export const usePage = (): PageData => useStore(useRuntime())

/** The failure to show at the moment, or `null` (spec §8). */
export const useFailure = (): Failure | null => useStore(useRuntime().failures)
