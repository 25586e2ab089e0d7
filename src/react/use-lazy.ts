/** A component whose view is read only when it is wanted. */

import { type RefObject, useEffect } from 'react'
import type { Typed, TypesOf } from '../protocol/component-types.ts'
import { useRuntime } from './runtime-context.tsx'
import { type ReactComponent, useComponent } from './use-component.ts'

export type LazyOptions = {
  /** Waits until this element is in the viewport. Default: asks at once. */
  readonly within?: RefObject<Element | null>
}

/**
 * A component that a page mounts with `lazy(…)`: `null` until its view has come. Draw a placeholder
 * meanwhile.
 *
 * @example
 * const history = useLazy<typeof chart>(components.history, { within: section })
 * return <section ref={section}>{history ? history.view.title : 'Loading…'}</section>
 */
export function useLazy<Component extends Typed>(
  id: string,
  { within }: LazyOptions = {},
): ReactComponent<TypesOf<Component>> | null {
  const runtime = useRuntime()
  const live = runtime.component(id)
  const component = useComponent<Component>(id)
  const { isDrawn } = component
  useEffect(() => {
    if (isDrawn) return
    const element = within?.current
    if (!element) return live.draw()
    return runtime.environment.onInView(element, (isInView) => {
      if (isInView) live.draw()
    })
  }, [isDrawn, live, runtime, within])
  return isDrawn ? component : null
}
