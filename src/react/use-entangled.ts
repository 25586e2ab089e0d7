/** Binds a property of a component to React like a state of its own. */

import { useCallback, useEffect } from 'react'
import { missingProperty } from '../client/call-error.ts'
import type { SetOptions } from '../client/component.ts'
import type { Typed, TypesOf, WritablePath, WritableValue } from '../protocol/component-types.ts'
import type { Json } from '../protocol/json.ts'
import { getPath } from '../protocol/path.ts'
import { useRuntime } from './runtime-context.tsx'
import { useStore } from './use-component.ts'

/** The value, and what changes it: to another value, or to what a function makes of the last one. */
export type Entangled<Value> = readonly [
  value: Value,
  setValue: (next: Value | ((last: Value) => Value)) => void,
]

/**
 * The property at `path`, as `useState` would hold it: what the person changes is seen at once and
 * sent with the next request, or by itself with `live`, `debounce` or `throttle`; what the server
 * changes is seen when it arrives. Logs an error if the component has no such property (spec §8).
 *
 * @example
 * const [isOpen, setOpen] = useEntangled<typeof panel, 'isOpen'>('panel', 'isOpen', { live: true })
 * return <Collapse open={isOpen}>…</Collapse>
 */
export function useEntangled<
  Component extends Typed,
  const Path extends WritablePath<TypesOf<Component>> = WritablePath<TypesOf<Component>>,
>(
  id: string,
  path: Path,
  options: SetOptions = {},
): Entangled<WritableValue<TypesOf<Component>, Path, Json | undefined>> {
  const property: unknown = useProperty(id, path, options)
  // The definition's schema made this value; JSON does not carry its type.
  return property as Entangled<WritableValue<TypesOf<Component>, Path, Json | undefined>>
}

type Next = Json | ((last: Json | undefined) => Json)

function useProperty(id: string, path: string, { live, debounce, throttle }: SetOptions) {
  const runtime = useRuntime()
  const component = runtime.component(id)
  const at = path.split('.')
  const value = useStore({
    subscribe: component.subscribe,
    getState: () => getPath(component.getState().data, at),
    getInitialState: () => getPath(component.getInitialState().data, at),
  })
  const isMissing = value === undefined
  useEffect(() => {
    if (isMissing) runtime.environment.logError(missingProperty(path, component.name))
  }, [isMissing, runtime, component, path])
  const setValue = useCallback(
    (next: Next) => {
      const last = () => getPath(component.getState().data, path.split('.'))
      component.set(path, typeof next === 'function' ? next(last()) : next, {
        ...(live !== undefined && { live }),
        ...(debounce !== undefined && { debounce }),
        ...(throttle !== undefined && { throttle }),
      })
    },
    [component, path, live, debounce, throttle],
  )
  return [value, setValue] as const
}
