/** Coming back to a listing from the page of one of its rows. */

import { useEffect } from 'react'
import { focusCell } from './table-keys.ts'

/** Leads to the row whose page one comes from, where it is still among these. */
export function useWayBack(table: { readonly current: HTMLTableElement | null }): void {
  useEffect(() => {
    const from = URL.parse(document.referrer)?.pathname
    if (from === undefined || !table.current || document.activeElement !== document.body) return
    const rows = [...(table.current.tBodies[0]?.rows ?? [])]
    const links = rows.map((row) => row.querySelector<HTMLAnchorElement>('a.row-link'))
    const at = links.findIndex((link) => link?.pathname === from)
    if (at >= 0) focusCell(table.current, at, 0)
  }, [table])
}
