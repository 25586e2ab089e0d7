/** Sends what a form holds while it is filled in. */

import { type RefObject, useEffect, useRef, useState } from 'react'
import type { EnteredFields } from '../../protocol/corrections-view.ts'

/** Pause in typing after which it is sent, ms. */
const PAUSE_MS = 300

export type Entering = {
  /** Something was entered that is not sent yet. */
  isTyped: boolean
  /** A field has changed. */
  enter(): void
  /** Sends what has not been sent. */
  settle(): Promise<void>
}

/** `send` may fail: the next change sends all of it again. */
export function useEntering(
  form: RefObject<HTMLFormElement | null>,
  send: (fields: EnteredFields) => Promise<unknown>,
): Entering {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isTyped, setTyped] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  const settle = async () => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    if (form.current) await send(fieldsIn(form.current)).catch(() => undefined)
    setTyped(timer.current !== undefined)
  }
  return {
    isTyped,
    settle,
    enter() {
      setTyped(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void settle(), PAUSE_MS)
    },
  }
}

/** The controls by name, as the form would post them. */
function fieldsIn(form: HTMLFormElement): EnteredFields {
  const fields: EnteredFields = {}
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') (fields[name] ??= []).push(value)
  return fields
}
