/** Which fields of a form are not shown, as the server says of what is typed. */

import { useEffect, useRef, useState } from 'react'
import type { FormComponent, FormView } from '../../protocol/form-view.ts'
import { useComponent } from '../../react/use-component.ts'
import type { Texts } from './edits.ts'

/** So long nothing is typed before the server is asked, ms. */
const PAUSE_MS = 150

/** `texts`: those of a save. */
export function useNotShown(component: string, view: FormView, texts: Texts): ReadonlySet<string> {
  const { call } = useComponent<FormComponent>(component)
  const [answer, setAnswer] = useState<readonly string[] | null>(null)
  const { notShown, fields } = view
  const asked = notShown === null ? '{}' : JSON.stringify(texts)
  const latest = useRef(texts)
  useEffect(() => {
    latest.current = texts
  })
  useEffect(() => {
    if (asked === '{}') return
    let isCurrent = true
    const timer = setTimeout(() => {
      call.notShown(latest.current).then(
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
  }, [call, asked, fields])
  return new Set((asked === '{}' ? null : answer) ?? notShown ?? [])
}
