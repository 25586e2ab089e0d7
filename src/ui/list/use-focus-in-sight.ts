/** Scrolls what the keyboard focuses in a table from under the cells that stay in their place. */

import { useEffect } from 'react'

type Table = { readonly current: HTMLTableElement | null }

/** A browser scrolls only to what is out of its window, not to what such a cell covers. */
export function useFocusInSight(table: Table): void {
  useEffect(() => {
    const element = table.current
    if (!element) return
    const reveal = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(':focus-visible'))
        target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    element.addEventListener('focusin', reveal)
    return () => element.removeEventListener('focusin', reveal)
  })
}
