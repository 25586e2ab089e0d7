/** What may be chosen in a filter: asked for as the person types; what was asked before is cancelled. */

import { useEffect, useRef, useState } from 'react'
import { LIVE_INPUT_DEBOUNCE_MS } from '../../protocol/constants.ts'
import type { Ask, Choices } from './control.ts'

export type Found = {
  readonly found: Choices | null
  readonly isWaiting: boolean
  readonly hasFailed: boolean
  again(): void
}

type Question = (text: string, signal: AbortSignal) => Promise<Choices>

/** `about` names what is asked, besides the text; `null` asks nothing. Keeps what was found before. */
export function useChoices(about: string | null, text: string, ask: Question): Found {
  const [found, setFound] = useState<{ of: string; choices: Choices } | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const of = about === null ? null : `${about} ${text}`
  // Another function in each drawing, which asks the same.
  const current = useRef(ask)
  useEffect(() => {
    current.current = ask
  })
  useEffect(() => {
    if (of === null) return
    const stop = new AbortController()
    const begin = () =>
      current.current(text, stop.signal).then(
        (choices) => setFound({ of, choices }),
        () => !stop.signal.aborted && setFailed(of),
      )
    const timer = setTimeout(begin, text === '' ? 0 : LIVE_INPUT_DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
      setFailed(null)
    }
  }, [of, text, tries])
  return {
    found: found?.choices ?? null,
    isWaiting: of !== null && found?.of !== of && failed !== of,
    hasFailed: of !== null && failed === of,
    again: () => setTries((count) => count + 1),
  }
}

const NOBODY: Ask = {
  version: '',
  facets: async () => ({ choices: [], hasMore: false }),
  related: async () => ({ choices: [], hasMore: false }),
  offers: async () => [],
  bounds: async () => ({ min: null, max: null }),
}

/** The component to ask; without one, every answer is empty. */
export const asked = (ask: Ask | undefined): Ask => ask ?? NOBODY

/** The text of a value as it stands in an address (see `encodeText`). */
export const decodeText = (value: string): string =>
  value === '%'
    ? ''
    : value.replace(/%(2[5cf])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
