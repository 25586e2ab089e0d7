/** Delays a loading state, so that short waits show nothing. */

import { useEffect, useState } from 'react'

/** Whether `active` has been true for `delay` milliseconds without a break. */
export function useDelayed(active: boolean, delay: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!active || delay === 0) return
    const timer = setTimeout(() => setLate(true), delay)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [active, delay])
  return active && (late || delay === 0)
}
