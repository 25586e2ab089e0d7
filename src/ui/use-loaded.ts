/** What a component uses once its script has come, and does without until then. */

import { useEffect, useState } from 'react'
import { usePage } from '../react/use-component.ts'
import type { Loadable } from './load-once.ts'

/** `undefined` until it has come. */
export function useLoaded<Part>(part: Loadable<Part>): Part | undefined {
  const [loaded, setLoaded] = useState(part.now)
  useEffect(() => {
    // Everything else works without it; a reload tries again.
    if (!loaded)
      part.load().then(
        (found) => setLoaded(() => found),
        () => undefined,
      )
  }, [loaded, part])
  return loaded
}

/** Whether anything on the page listens to events. */
export const useIsLive = (): boolean => usePage().components.some(({ channels }) => channels)
