/** What only the server knows of a selection: how many of its rows still match, and their sums. */

import { useEffect, useRef, useState } from 'react'
import { isNone, keysOf, type Selected } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { SelectionSum, TableComponent } from '../../protocol/table-component.ts'
import { useComponent } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { Counted } from './selected-count.ts'
import { type Answers, NO_ANSWERS } from './answers.ts'

/** How long the selection rests before its sums are asked for, ms. */
const REST_MS = 250

/**
 * Asks for the count when the rows may have changed, and whenever some of the rows no longer match;
 * what is ticked on the page matches. Asks for sums where the page has some.
 */
export function useAnswers(
  id: string,
  view: TableView,
  selected: Selected,
  tell: (answers: Answers) => void,
): void {
  const { cancellable } = useComponent<TableComponent>(id)
  const { selection: words } = useMessages()
  const [counted, setCounted] = useState<Counted | null>(null)
  const [sums, setSums] = useState<{ of: Selected; sums: readonly SelectionSum[] } | null>(null)
  const asked = useRef(view)
  useEffect(() => {
    if (isNone(selected)) asked.current = view
    if (keysOf(selected).length === 0 || asked.current === view) return
    const stop = new AbortController()
    const answered = (count: Counted['count']) => {
      const isWhole = 'count' in count && count.count === keysOf(selected).length
      if (isWhole) asked.current = view
      setCounted({ of: selected, count })
    }
    // Without an answer, the rows that were picked stay the count.
    cancellable(stop.signal)
      .selectedCount(selected)
      .then(answered, () => undefined)
    return () => stop.abort()
  }, [view, selected, cancellable])
  const hasSums = view.sums !== undefined && !isNone(selected)
  useEffect(() => {
    if (!hasSums) return
    const stop = new AbortController()
    const names = view.columns.map(({ name }) => name)
    const late = (view.sums ?? []).map(({ place, kind }) => ({
      ...{ column: names[place] ?? '', kind, text: words.sumsLate, isReason: true as const },
    }))
    const ask = () =>
      cancellable(stop.signal)
        .selectedSums(selected, names)
        .then(
          (found) => setSums({ of: selected, sums: found }),
          // What is shown of the page stays where it is, with a word in place of each sum.
          () => !stop.signal.aborted && setSums({ of: selected, sums: late }),
        )
    const timer = setTimeout(ask, REST_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [hasSums, view, selected, cancellable, words])
  const own = sums?.of === selected ? sums.sums : NO_ANSWERS.sums
  useEffect(() => tell({ counted, sums: own }), [tell, counted, own])
}
