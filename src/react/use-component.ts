/** The one seam between the runtime and React: every store is read here. */

import { useSyncExternalStore } from 'react'
import type { ComponentState, LiveComponent, SetOptions } from '../client/component.ts'
import type { Failure } from '../client/failure.ts'
import type { PageData } from '../protocol/page.ts'
import { type Field, fieldOf } from './field.ts'
import { useRuntime } from './runtime-context.tsx'

/** A component as React draws it: its state, typed view, and what can be asked of it. */
export type ReactComponent<View> = Omit<ComponentState, 'view'> & {
  readonly view: View
  readonly set: LiveComponent['set']
  readonly call: LiveComponent['call']
  /** A text field for the property at `path`, to spread over an `input` or a `textarea`. */
  field(path: string, options?: SetOptions): Field
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
 *
 * @example
 * const { field } = useComponent<NoteView>('note')
 * return <input {...field('title', { live: true })} />
 */
export function useComponent<View>(id: string): ReactComponent<View> {
  const component = useRuntime().component(id)
  const state = useStore(component)
  // The definition on the server is the view's only author; the wire cannot carry its type.
  const { set, call } = component
  const field: ReactComponent<View>['field'] = (path, options) =>
    fieldOf(component, state.data, path, options)
  return { ...state, view: state.view as View, set, call, field }
}

/** The page itself, anew after each visit in place. */
export const usePage = (): PageData => useStore(useRuntime())

/** The failure to show at the moment, or `null` (spec §8). */
export const useFailure = (): Failure | null => useStore(useRuntime().failures)

const zone: Store<string | null> = {
  subscribe: () => () => undefined,
  getState: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  getInitialState: () => null,
}

/** The reader's time zone; `null` on the server and until React has taken the page over. */
export const useTimeZone = (): string | null => useStore(zone)
