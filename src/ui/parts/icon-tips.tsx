/** Tooltips of all buttons that show an icon alone: their names. */

import { useRef } from 'react'
import { useTooltip } from './use-tooltip.ts'

/** Draws the tooltip of the page's icon buttons. */
export function IconTips() {
  const tip = useRef<HTMLDivElement>(null)
  useTooltip(tip, named)
  return <div ref={tip} id="icon-tip" className="tip" role="tooltip" popover="manual" />
}

const named = (target: Element) => {
  const owner = target.closest<HTMLElement>('.btn.icon[aria-label], .chip > .out')
  return owner && { owner, text: owner.ariaLabel ?? '', note: '', isName: true }
}
