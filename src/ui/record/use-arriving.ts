/** The fields of a form whose files are on their way: saving waits for them. */

import { useCallback, useRef, useState } from 'react'

export type Arriving = ReadonlyMap<string, 'sending' | 'failed'>

export function useArriving() {
  const [arriving, setAll] = useState<Arriving>(new Map())
  const latest = useRef<Arriving>(arriving)
  /** Saves that wait for files. */
  const waiting = useRef<(() => void)[]>([])
  const setArriving = useCallback((column: string, as: 'sending' | 'failed' | null) => {
    const others = [...latest.current].filter(([name]) => name !== column)
    latest.current = new Map(as === null ? others : [...others, [column, as]])
    setAll(latest.current)
    if (!isSending(latest.current)) for (const go of waiting.current.splice(0)) go()
  }, [])
  /** Whether all files are there, once none is on its way any more. */
  async function arrived(): Promise<boolean> {
    if (isSending(latest.current))
      await new Promise<void>((resolve) => waiting.current.push(resolve))
    return latest.current.size === 0
  }
  return { arriving, setArriving, arrived }
}

const isSending = (arriving: Arriving): boolean => [...arriving.values()].includes('sending')
