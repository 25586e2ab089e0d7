/** Searches records as the person types; what they typed before is no longer searched. */

import { useEffect, useState } from 'react'
import type { FoundRecord, FoundView, ShellComponent } from '../../protocol/admin-view.ts'
import { LIVE_INPUT_DEBOUNCE_MS } from '../../protocol/constants.ts'
import { useComponent } from '../../react/use-component.ts'
import { holds } from './palette-items.ts'

export type Find = {
  /** What was found. While a longer text is searched: those of the last answer that hold it. */
  readonly records: readonly FoundRecord[]
  /** Names of tables that may be searched further; those of the last answer until the next one. */
  readonly lists: readonly string[]
  /** What was not searched, in a sentence. */
  readonly note: string | null
  /** Whether another try may find more. */
  readonly isPartial: boolean
  readonly isSearching: boolean
  readonly hasFailed: boolean
  again(): void
}

type Answer = FoundView & { readonly text: string; readonly tries: number }

const NOTHING: Answer = { text: '', tries: 0, records: [], note: null, isPartial: false, lists: [] }

export function useFind(shell: string, typed: string): Find {
  const text = typed.trim()
  const { cancellable } = useComponent<ShellComponent>(shell)
  const [last, setAnswer] = useState(NOTHING)
  const [failed, setFailed] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (text === '') return
    const stop = new AbortController()
    const ask = () =>
      cancellable(stop.signal)
        .find(text)
        .then(
          (found) => setAnswer({ ...found, text, tries }),
          () => !stop.signal.aborted && setFailed(text),
        )
    const timer = setTimeout(ask, LIVE_INPUT_DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
      setFailed(null)
    }
  }, [text, tries, cancellable])
  const answer = text === '' ? NOTHING : last
  const isCurrent = text === '' || (answer.text === text && answer.tries === tries)
  const isFitting = ({ label }: FoundRecord) => holds(label, text)
  return {
    records: isCurrent ? answer.records : answer.records.filter(isFitting),
    lists: answer.lists,
    note: isCurrent ? answer.note : null,
    isPartial: isCurrent && answer.isPartial,
    isSearching: !isCurrent && failed !== text,
    hasFailed: failed === text && text !== '',
    again: () => setTries((count) => count + 1),
  }
}
