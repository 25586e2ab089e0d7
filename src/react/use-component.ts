/** Connects the runtime's stores to React; every store is read here. */

import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { ComponentState, LiveComponent, SetOptions } from '../client/component.ts'
import type { Failure } from '../client/failure.ts'
import type { Move } from '../client/navigation/moves.ts'
import {
  type Calls,
  callsOf,
  type ComponentTypes,
  type Serialized,
  type Typed,
  type TypesOf,
  type WritablePath,
  type WritableValue,
} from '../protocol/component-types.ts'
import type { Json } from '../protocol/json.ts'
import type { PageData } from '../protocol/page.ts'
import { type Field, fieldOf } from './field.ts'
import { useRuntime } from './runtime-context.tsx'

/** A component as React uses it: its typed view and state, and its actions. */
export type ReactComponent<Types extends ComponentTypes = ComponentTypes> = Omit<
  ComponentState,
  'view' | 'data'
> & {
  /** What the definition's view returns, as it has travelled: a date is a text here. */
  readonly view: Serialized<Types['view']>
  /** The state that the person sees: confirmed data, with unconfirmed edits on top. */
  readonly data: Types['state']
  /** The actions by name: each promise resolves to what the action returned, or rejects. */
  readonly call: Calls<Types>
  /**
   * The queries, cancelled once `signal` is aborted: their promises reject with the code `CANCELLED`,
   * and the server stops working on them. Other actions throw.
   */
  cancellable(signal: AbortSignal): Calls<Types>
  readonly refresh: LiveComponent['refresh']
  readonly cancel: LiveComponent['cancel']
  /** Edits a writable property by dotted path. The next request sends it, or with `live` its own. */
  set<Path extends WritablePath<Types>>(
    path: Path,
    value: WritableValue<Types, Path, Json>,
    options?: SetOptions,
  ): void
  /** A text field for the property at `path`, to spread over an `input` or a `textarea`. */
  field(path: WritablePath<Types>, options?: SetOptions): Field
}

export type Readable<Value> = {
  subscribe(listener: () => void): () => void
  getState(): Value
  getInitialState?(): Value
}

/** What the store holds; the caller renders again when that is another value. */
export const useStore = <Value>(store: Readable<Value>): Value =>
  useSyncExternalStore(store.subscribe, store.getState, store.getInitialState ?? store.getState)

/**
 * The component of that id; the caller renders again when it changes. Its types come from its
 * definition, through `import type`. Throws for an id that is not on the page.
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
  const cancellable = useCallback(
    (signal: AbortSignal) =>
      callsOf<TypesOf<Component>>((method, ...params) => component.ask(signal, method, ...params)),
    [component],
  )
  return {
    ...state,
    // The server's definition made these values; JSON does not carry their types.
    view: view as Serialized<TypesOf<Component>['view']>,
    // Nor does it carry the types of the state, which the definition's schemas check.
    data: data as TypesOf<Component>['state'],
    call,
    cancellable,
    refresh: component.refresh,
    cancel: component.cancel,
    // Schemas of the state put out JSON, so every writable value is JSON.
    set: component.set as ReactComponent<TypesOf<Component>>['set'],
    field: (path, options) => fieldOf(component, data, path, options),
  }
}

/** The page itself, updated by each visit in place. */
export const usePage = (): PageData => useStore(useRuntime())

/** The failure to show now, or `null` (spec §8). */
export const useFailure = (): Failure | null => useStore(useRuntime().failures)

/** How the person came to the page that is shown. */
export const useMove = (): Move => useStore(useRuntime().move)

/** Whether a page has been awaited for long enough to show it (spec §2). */
export const useIsWaiting = (): boolean => useStore(useRuntime().isWaiting)

const zone: Readable<string | null> = {
  subscribe: () => () => undefined,
  getState: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  getInitialState: () => null,
}

/** The reader's time zone; `null` on the server and until React has hydrated the page. */
export const useTimeZone = (): string | null => useStore(zone)
