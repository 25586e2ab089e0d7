/** Keeps the Tab key within a sheet, which on a phone lies over the rest of the page. */

import { useEffect } from 'react'

const SHEET = ':is([popover]:popover-open[role=dialog], [data-open] .filters)'
const FIELDS = ':is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled)'

export function useSheetFocus(): void {
  useEffect(() => {
    const goRound = (event: KeyboardEvent) => {
      if (event.key !== 'Tab' || !matchMedia('(max-width: 640px)').matches) return
      const sheet = document.activeElement?.closest(SHEET)
      const stops = [...(sheet?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].filter(isStop)
      const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]]
      if (!from || from !== document.activeElement) return
      event.preventDefault()
      to?.focus()
    }
    document.addEventListener('keydown', goRound)
    return () => document.removeEventListener('keydown', goRound)
  }, [])
}

/** Of several choices, the key stops at the chosen one. */
const isStop = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 &&
  element.checkVisibility({ visibilityProperty: true }) &&
  !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked)
