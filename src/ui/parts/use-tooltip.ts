/** Attaches a tooltip to what is drawn. */

import { type RefObject, useEffect, useRef } from 'react'
import { attachTooltip, type Describe } from './tooltip.ts'

type Element = RefObject<HTMLElement | null>

/**
 * Shows tips for what is inside `within`, or anywhere in the document, in the popover `tip`. `describe`
 * may be another function each time.
 */
export function useTooltip(tip: Element, describe: Describe, within?: Element): void {
  const current = useRef(describe)
  useEffect(() => {
    current.current = describe
  })
  useEffect(() => {
    const root = within ? within.current : document.body
    if (root && tip.current)
      return attachTooltip(root, tip.current, (target) => current.current(target))
  }, [tip, within])
}
