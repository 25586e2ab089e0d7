/** Listens for the events of a component in React. */

import { useEffect, useRef } from 'react'
import type { EventsOf, Typed, TypesOf } from '../protocol/component-types.ts'
import { useRuntime } from './runtime-context.tsx'

/** What to do on each event, by its name. */
export type EventHandlers<Component extends Typed> = {
  readonly [Name in keyof EventsOf<TypesOf<Component>>]?: (
    detail: EventsOf<TypesOf<Component>>[Name],
  ) => void
}

/**
 * Runs a handler whenever a component on this page sends its event, after the answer was drawn.
 *
 * @example
 * useEvents<typeof repairs>({ chosen: ({ status }) => notify(`Now ${status}`) })
 */
export function useEvents<Component extends Typed>(handlers: EventHandlers<Component>): void {
  const runtime = useRuntime()
  const newest = useRef(handlers)
  useEffect(() => {
    newest.current = handlers
  })
  const names = Object.keys(handlers).toSorted().join('\n')
  useEffect(() => {
    const stops = names.split('\n').map((name) =>
      runtime.environment.onEvent(name, (detail) => {
        // The server has checked the detail by the event's schema.
        const byName = newest.current as { [name: string]: ((detail: unknown) => void) | undefined }
        byName[name]?.(detail)
      }),
    )
    return () => stops.forEach((stop) => stop())
  }, [runtime, names])
}
