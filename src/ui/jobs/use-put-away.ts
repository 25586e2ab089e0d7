/** Jobs that have ended and that a person has put away, in this tab alone. */

import { useCallback, useMemo, useState } from 'react'
import { useTimeZone } from '../../react/use-component.ts'

/** Where the tab keeps their ids. */
const PUT_AWAY = 'tablewire-put-away'
/** A job is told for an hour at most. */
const MOST = 100

export function usePutAway(): readonly [ids: ReadonlySet<string>, putAway: (id: string) => void] {
  // The server has no storage, so it is looked at once the page is hydrated.
  const isHydrated = useTimeZone() !== null
  const [added, setAdded] = useState<readonly string[]>([])
  const ids = useMemo(
    () => new Set(isHydrated ? [...kept(), ...added] : added),
    [isHydrated, added],
  )
  const putAway = useCallback((id: string) => {
    try {
      sessionStorage.setItem(PUT_AWAY, [...kept(), id].slice(-MOST).join(' '))
    } catch {
      // The browser allows no storage: then it is put away until the page is left.
    }
    setAdded((before) => [...before, id])
  }, [])
  return [ids, putAway]
}

function kept(): readonly string[] {
  try {
    return (sessionStorage.getItem(PUT_AWAY) ?? '').split(' ')
  } catch {
    return []
  }
}
