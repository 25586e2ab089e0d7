/** Attaches a tooltip to what is drawn, as soon as the script of tooltips has come. */

import { type RefObject, useEffect, useRef } from 'react'
import { loadOnce } from '../load-once.ts'
import { useLoaded } from '../use-loaded.ts'
import type { Describe } from './tooltip.ts'

const tooltips = loadOnce(() => import('./tooltip.ts'))

type Element = RefObject<HTMLElement | null>

/**
 * Shows tips for what is inside `within`, or anywhere in the document, in the popover `tip`. `describe`
 * may be another function each time.
 */
export function useTooltip(tip: Element, describe: Describe, within?: Element): void {
  const loaded = useLoaded(tooltips)
  const current = useRef(describe)
  useEffect(() => {
    current.current = describe
  })
  useEffect(() => {
    const root = within ? within.current : document.body
    if (loaded && root && tip.current)
      return loaded.attachTooltip(root, tip.current, (target) => current.current(target))
  }, [loaded, tip, within])
}
