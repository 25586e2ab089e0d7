/** Gives a component a part of the script that is loaded later: `undefined` until it has come. */

import { useEffect, useState } from 'react'
import { usePage } from '../react/use-component.ts'
import { type Loadable, loadUntilItComes } from './load-once.ts'

/** `undefined` until it has come, and `null` while it has failed to: then it is asked for again. */
export function useLoaded<Part>(part: Loadable<Part>): Part | null | undefined {
  const [loaded, setLoaded] = useState<Part | null | undefined>(part.now)
  useEffect(
    () =>
      loadUntilItComes(
        part,
        (found) => setLoaded(() => found),
        () => setLoaded(null),
      ),
    [part],
  )
  return loaded
}

/** Whether anything on the page listens to events. */
export const useIsLive = (): boolean => usePage().components.some(({ channels }) => channels)
