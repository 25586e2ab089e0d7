/** Holds a refreshed view back and shows the earlier one, so that nothing moves where the person looks. */

import { useCallback, useEffect, useRef } from 'react'
import type { Serialized, Typed, TypesOf } from '../protocol/component-types.ts'
import type { Json } from '../protocol/json.ts'
import type { ComponentResponse } from '../protocol/wire.ts'
import { useRuntime } from './runtime-context.tsx'

/** What to show of a refreshed view for now; `null` shows all of it. */
export type HeldView<View = Json> = (shown: View, fresh: View) => View | null

/**
 * Lets `hold` say what to show of each refreshed view of the component, given the view that its state
 * belongs to; the answer to an action shows all. `hold` has to stay the same function. Returns what
 * shows all of the newest refresh, and whether it did: not while an update is in flight.
 */
export function useHeldView<Component extends Typed>(
  id: string,
  hold: HeldView<Serialized<TypesOf<Component>['view']>>,
): () => boolean {
  const component = useRuntime().component(id)
  const waiting = useRef<ComponentResponse | null>(null)
  useEffect(() => {
    // Views are what the definition's view returns; JSON does not carry their types.
    const viewFor = hold as unknown as HeldView
    component.screen((refresh, shown) => {
      const { view } = refresh.effects
      const now = view === undefined ? null : viewFor(shown, view)
      waiting.current = now === null ? null : refresh
      if (now !== null) component.showForNow(now)
      return now !== null
    })
    return () => component.screen(null)
  }, [component, hold])
  return useCallback(() => {
    const isShown = waiting.current !== null && component.show(waiting.current)
    if (isShown) waiting.current = null
    return isShown
  }, [component])
}
