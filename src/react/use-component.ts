/** The one seam between the runtime and React: every store is read here. */

import { useMemo, useSyncExternalStore } from 'react'
import type { ComponentState, LiveComponent, SetOptions } from '../client/component.ts'
import type { Failure } from '../client/failure.ts'
import {
  type Calls,
  callsOf,
  type ComponentTypes,
  type Typed,
  type TypesOf,
  type WritablePath,
  type WritableValue,
} from '../protocol/component-types.ts'
import type { Json } from '../protocol/json.ts'
import type { PageData } from '../protocol/page.ts'
import { type Field, fieldOf } from './field.ts'
import { useRuntime } from './runtime-context.tsx'

/** A component as React draws it: its state, typed view, and what can be asked of it. */
export type ReactComponent<Types extends ComponentTypes = ComponentTypes> = Omit<
  ComponentState,
  'view' | 'data'
> & {
  readonly view: Types['view']
  /** What the person sees: confirmed state, with edits that the server has not confirmed. */
  readonly data: Types['state']
  /** The actions by name: each promise settles with what the action returned. */
  readonly call: Calls<Types>
  readonly refresh: LiveComponent['refresh']
  /** Edits a writable property by dotted path; it travels with the next request, or by itself. */
  set<Path extends WritablePath<Types>>(
    path: Path,
    value: WritableValue<Types, Path, Json>,
    options?: SetOptions,
  ): void
  /** A text field for the property at `path`, to spread over an `input` or a `textarea`. */
  field(path: WritablePath<Types>, options?: SetOptions): Field
}

type Store<Value> = {
  subscribe(listener: () => void): () => void
  getState(): Value
  getInitialState?(): Value
}

const useStore = <Value>(store: Store<Value>): Value =>
  useSyncExternalStore(store.subscribe, store.getState, store.getInitialState ?? store.getState)

/**
 * The component of that id, drawn again whenever it changes. Its types come from its definition,
 * of which `import type` is enough; throws for an id that is not on the page.
 *
 * @example
 * import type { tally } from './tally.ts'
 *
 * const { view, call } = useComponent<typeof tally>('tally')
 * return <button onClick={() => call.add(1)}>{view.count}</button>
 *
 * @example
 * const { field } = useComponent<typeof note>('note')
 * return <input {...field('title', { live: true })} />
 */
export function useComponent<Component extends Typed>(
  id: string,
): ReactComponent<TypesOf<Component>> {
  const component = useRuntime().component(id)
  const { view, data, ...state } = useStore(component)
  const call = useMemo(() => callsOf<TypesOf<Component>>(component.call), [component])
  return {
    ...state,
    // The definition on the server is their only author; the wire cannot carry their types.
    view: view as TypesOf<Component>['view'],
    data: data as TypesOf<Component>['state'],
    call,
    refresh: component.refresh,
    // A writable property holds JSON, as its schema on the server says.
    set: component.set as ReactComponent<TypesOf<Component>>['set'],
    field: (path, options) => fieldOf(component, data, path, options),
  }
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
