/** The fields of a form whose files are on their way: saving waits for them. */

import { useCallback, useRef, useState } from 'react'

/** What has become of the files of a field that have not arrived. */
export type ArrivingFile =
  | { readonly is: 'sending'; readonly name: string; readonly percent: number }
  /** `count`: how many were refused, or have failed. */
  | { readonly is: 'failed'; readonly count: number }

export type Arriving = ReadonlyMap<string, ArrivingFile>

export function useArriving() {
  const [arriving, setAll] = useState<Arriving>(new Map())
  const latest = useRef<Arriving>(arriving)
  /** Saves that wait for files. */
  const waiting = useRef<(() => void)[]>([])
  const setArriving = useCallback((column: string, as: ArrivingFile | null) => {
    const others = [...latest.current].filter(([name]) => name !== column)
    latest.current = new Map(as === null ? others : [...others, [column, as]])
    setAll(latest.current)
    if (!isSending(latest.current)) for (const go of waiting.current.splice(0)) go()
  }, [])
  /**
   * Waits until no file is on its way. Answers with the fields that were waited for, or `null` if a file
   * could not be sent.
   */
  async function arrived(): Promise<readonly string[] | null> {
    const awaited = [...latest.current.keys()]
    if (isSending(latest.current))
      await new Promise<void>((resolve) => waiting.current.push(resolve))
    return latest.current.size === 0 ? awaited : null
  }
  return { arriving, setArriving, arrived }
}

const isSending = (arriving: Arriving): boolean =>
  [...arriving.values()].some(({ is }) => is === 'sending')
