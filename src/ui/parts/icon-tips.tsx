/** Tooltips of all buttons that show an icon alone: their names. */

import { useEffect, useRef } from 'react'
import { attachTooltip } from './tooltip.ts'

/** Draws the tooltip of the page's icon buttons. */
export function IconTips() {
  const tip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tip.current) return attachTooltip(document.body, tip.current, named)
  }, [])
  return <div ref={tip} id="icon-tip" className="tip" role="tooltip" popover="manual" />
}

const named = (target: Element) => {
  const owner = target.closest<HTMLElement>('.btn.icon[aria-label]')
  return owner && { owner, text: owner.ariaLabel ?? '', note: '', isName: true }
}
