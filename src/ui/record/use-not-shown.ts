/** Which fields of a form are not shown, as the server says of what is typed. */

import { useEffect, useRef, useState } from 'react'
import type { Texts } from './edits.ts'
import type { FormPort } from './form-port.ts'

/** So long nothing is typed before the server is asked, ms. */
const PAUSE_MS = 150

/** `texts`: those of a save. */
export function useNotShown(
  port: Pick<FormPort, 'view' | 'notShown'>,
  texts: Texts,
): ReadonlySet<string> {
  const [answer, setAnswer] = useState<readonly string[] | null>(null)
  const { notShown, fields } = port.view
  const asked = notShown === null ? '{}' : JSON.stringify(texts)
  const latest = useRef({ port, texts })
  useEffect(() => {
    latest.current = { port, texts }
  })
  useEffect(() => {
    if (asked === '{}') return
    let isCurrent = true
    const timer = setTimeout(() => {
      latest.current.port.notShown(latest.current.texts).then(
        (names) => isCurrent && setAnswer(names),
        // What is shown stays; a save judges by itself.
        () => undefined,
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
    // What a colleague saves comes with the fields.
  }, [asked, fields])
  return new Set((asked === '{}' ? null : answer) ?? notShown ?? [])
}
