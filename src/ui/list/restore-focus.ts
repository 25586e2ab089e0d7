/** Restores the focus when a person comes back to a listing from one of its rows. */

import { useEffect } from 'react'
import { useMove } from '../../react/use-component.ts'
import { focusCell } from './table-keys.ts'

/** Focuses the row whose page the person comes from, if it is still shown. */
export function useRestoreFocus(table: { readonly current: HTMLTableElement | null }): void {
  const { kind, from: before } = useMove()
  useEffect(() => {
    const from = before?.split('?', 1)[0] ?? URL.parse(document.referrer)?.pathname
    if (from === undefined || !table.current) return
    if (kind === 'load' && document.activeElement !== document.body) return
    const rows = [...(table.current.tBodies[0]?.rows ?? [])]
    const links = rows.map((row) => row.querySelector<HTMLAnchorElement>('a.row-link'))
    const at = links.findIndex((link) => link?.pathname === from)
    if (at >= 0) focusCell(table.current, at, 0)
  }, [table, kind, before])
}
