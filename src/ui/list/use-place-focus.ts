/** Keeps the focus in its place in a table when its row is replaced by another. */

import { useEffect } from 'react'
import { focusCell, focusedPlace } from './table-keys.ts'

export function usePlaceFocus(table: { readonly current: HTMLTableElement | null }): void {
  useEffect(() => {
    const element = table.current
    const body = element?.tBodies[0]
    if (!element || !body) return
    let last: { row: Element; place: NonNullable<ReturnType<typeof focusedPlace>> } | null = null
    const note = () => {
      const place = focusedPlace(element)
      const row = place && body.rows[place.row]
      last = row ? { row, place } : null
    }
    // An element that goes loses the focus as well: only a row that stays has been left.
    const forget = () => queueMicrotask(() => last?.row.isConnected && note())
    const keep = () => {
      if (!last || last.row.isConnected || document.activeElement !== document.body) return
      focusCell(element, last.place.row, last.place.cell)
    }
    const observer = new MutationObserver(keep)
    body.addEventListener('focusin', note)
    body.addEventListener('focusout', forget)
    observer.observe(body, { childList: true })
    note()
    return () => {
      // Applies the pending update now.
      keep()
      observer.disconnect()
      body.removeEventListener('focusin', note)
      body.removeEventListener('focusout', forget)
    }
  })
}
