/** Gives the focus to the next filter when the one that had it is removed, or to the button “Filters”. */

import { useEffect, useRef } from 'react'
import { FILTERS_FORM } from './filters-region.tsx'

const REMOVING = '.chips button:not(.name)'

export function useChipFocus(): void {
  const left = useRef<{ button: Element; place: number } | null>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const all = removing()
      const place = all.findIndex((one) => one === target)
      const button = all[place]
      left.current = button ? { button, place } : null
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    if (!left.current || left.current.button.isConnected) return
    const { place } = left.current
    left.current = null
    if (document.activeElement !== document.body) return
    const others = removing()
    const next = others[Math.min(place, others.length - 1)]
    ;(next ?? document.querySelector<HTMLElement>(`#${FILTERS_FORM} button`))?.focus()
  })
}

const removing = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(REMOVING)]
