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
  /** Sends what has not been sent; resolves to whether nothing is left to send. */
  settle(): Promise<boolean>
}

/** Where `send` fails, the next attempt sends all of it again. */
export function useEntering(
  form: RefObject<HTMLFormElement | null>,
  send: (fields: EnteredFields) => Promise<unknown>,
): Entering {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isTyped, setTyped] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  const unsent = useRef(false)
  const settle = async () => {
    clearTimeout(timer.current)
    if (!unsent.current || !form.current) return true
    unsent.current = false
    try {
      await send(fieldsIn(form.current))
      setTyped(unsent.current)
      return true
    } catch {
      // The page's failure display says what went wrong.
      unsent.current = true
      return false
    }
  }
  return {
    isTyped,
    settle,
    enter() {
      unsent.current = true
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
