/** The newest day of a column: where its calendar opens while no day is chosen. */

import { useEffect, useRef, useState } from 'react'
import { isDay } from '../../protocol/date-format.ts'
import type { Ask } from './control.ts'
import type { Day } from './days.ts'

/** How long an open calendar waits for it, ms: then it shows today. */
const PATIENCE_MS = 400

type Newest = {
  /** `null` if it is not known. */
  readonly day: Day | null
  /** Whether a calendar need not wait for it any more. */
  readonly isSettled: boolean
  /** Somebody comes near. */
  wish(): void
}

/** `isOpen`: a calendar waits for it. It is that of all rows, so it is asked for once. */
export function useNewest(key: string, ask: Ask | undefined, isOpen: boolean): Newest {
  const [isWanted, setWanted] = useState(false)
  const [day, setDay] = useState<Day | null | undefined>(ask ? undefined : null)
  const current = useRef(ask)
  const settle = (found: Day | null) => setDay((known) => (known === undefined ? found : known))
  if (isOpen && !isWanted) setWanted(true)
  useEffect(() => {
    if (!isWanted || !current.current) return
    const stop = new AbortController()
    current.current.bounds(key, stop.signal).then(
      ({ max }) => settle(dayIn(max)),
      () => !stop.signal.aborted && settle(null),
    )
    return () => stop.abort()
  }, [isWanted, key])
  const isWaiting = isOpen && day === undefined
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(settle, PATIENCE_MS, null)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return { day: day ?? null, isSettled: day !== undefined, wish: () => setWanted(true) }
}

function dayIn(value: string | null): Day | null {
  const day = value?.slice(0, 10) ?? ''
  return isDay(day) ? day : null
}
