/** Restores the focus when a person comes back to a listing from one of its rows. */

import { useEffect } from 'react'
import { focusCell } from './table-keys.ts'

/** Focuses the row whose page the person comes from, if it is still shown. */
export function useRestoreFocus(table: { readonly current: HTMLTableElement | null }): void {
  useEffect(() => {
    const from = URL.parse(document.referrer)?.pathname
    if (from === undefined || !table.current || document.activeElement !== document.body) return
    const rows = [...(table.current.tBodies[0]?.rows ?? [])]
    const links = rows.map((row) => row.querySelector<HTMLAnchorElement>('a.row-link'))
    const at = links.findIndex((link) => link?.pathname === from)
    if (at >= 0) focusCell(table.current, at, 0)
  }, [table])
}
