/** Tooltips of buttons: the names of those that show an icon alone, and why disabled ones are disabled. */

import { useRef } from 'react'
import type { Tip } from './tooltip.ts'
import { useTooltip } from './use-tooltip.ts'

/** Draws the tooltip of the page's buttons. */
export function IconTips() {
  const tip = useRef<HTMLDivElement>(null)
  useTooltip(tip, describe)
  return <div ref={tip} id="icon-tip" className="tip" role="tooltip" popover="manual" />
}

const describe = (target: Element): Tip | null => {
  const owner = target.closest<HTMLElement>('.btn[data-note], .btn.icon[aria-label], .chip > .out')
  if (!owner) return null
  const { note } = owner.dataset
  return { owner, text: note ?? owner.ariaLabel ?? '', note: '', isName: note === undefined }
}
