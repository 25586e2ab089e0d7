/** Scrolls a table so that the fixed column does not cover what the keyboard focuses. */

import { useEffect } from 'react'

type Table = { readonly current: HTMLTableElement | null }

/** A browser scrolls only to what is out of its window, not to what that column covers. */
export function useFocusInSight(table: Table): void {
  useEffect(() => {
    const element = table.current
    if (!element) return
    const reveal = ({ target }: FocusEvent) => {
      if (!(target instanceof Element && target.matches(':focus-visible'))) return
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const [first, second] = target.closest('tr')?.cells ?? []
      const stays = first?.matches('.pick') ? second : first
      if (!stays || stays.contains(target) || first?.contains(target)) return
      const [over, own] = [stays.getBoundingClientRect(), target.getBoundingClientRect()]
      const isRtl = document.documentElement.dir === 'rtl'
      const covered = isRtl ? own.right - over.left : over.right - own.left
      if (covered > 0) element.parentElement?.scrollBy({ left: isRtl ? covered : -covered })
    }
    element.addEventListener('focusin', reveal)
    return () => element.removeEventListener('focusin', reveal)
  })
}
