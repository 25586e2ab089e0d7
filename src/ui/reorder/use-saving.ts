/** Saves an order, undoes what was saved, and makes room between its positions. */

import { useState } from 'react'
import type { ReorderMode, ReorderResult } from '../../protocol/reorder.ts'
import { usePage } from '../../react/use-component.ts'
import type { Listing } from '../list/use-listing.ts'
import { useTellDone } from '../history/use-undo.ts'
import { useNotify } from '../parts/toasts.tsx'
import type { Order } from './use-order.ts'
import { say } from '../parts/say.ts'

export type Saving = ReturnType<typeof useSaving>

export function useSaving(
  order: Order,
  { actions }: Listing,
  { words, keyName, column }: ReorderMode,
  tell: (text: string) => void,
) {
  const notify = useNotify()
  const tellDone = useTellDone()
  const { locale } = usePage()
  const [result, setResult] = useState<ReorderResult | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function save(isAnyway: boolean): Promise<void> {
    setBusy(true)
    setResult(null)
    const moves = await order.finalMoves()
    if (moves.length === 0) {
      setBusy(false)
      return void actions.disableReordering()
    }
    // The page's failure display says what went wrong.
    const saved = await order.save(keyName, column, isAnyway).catch(() => null)
    setBusy(false)
    setResult(saved)
    if (saved?.status === 'done') {
      const count = moves.length.toLocaleString(locale)
      order.forget()
      tellDone(
        moves.length === 1 ? (words['savedOne'] ?? '') : say(words['saved'], count),
        saved.entry,
      )
    }
    if (saved?.status === 'missing') order.drop(saved.keys)
    if (saved?.status === 'conflict') tell(words['conflict'] ?? '')
  }

  return {
    result,
    isBusy,
    save,
    lookAgain() {
      setResult(null)
      order.lookAgain()
    },
    async spaceOut() {
      setBusy(true)
      const spaced = await actions.spaceOutPositions()
      setBusy(false)
      setResult(spaced?.status === 'done' ? null : (spaced ?? null))
      if (spaced?.status === 'done') notify(words['spacedOut'] ?? '')
    },
  }
}
