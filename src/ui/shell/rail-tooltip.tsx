/** The tooltip of the collapsed sidebar: the name of an entry, to the right of it (spec §2, §9). */

import { type RefObject, useEffect, useRef } from 'react'
import { TOOLTIP } from '../../protocol/constants.ts'
import type { Describe } from '../parts/tooltip.ts'
import { useTooltip } from '../parts/use-tooltip.ts'

/** What has a name that the collapsed sidebar hides. */
const NAMED = '.rail.collapsed :is(li a, summary, .do, .person)'

/** In the top layer, as the sidebar would cut it. */
export function RailTooltip({ rail }: { rail: RefObject<HTMLElement | null> }) {
  const tip = useRef<HTMLDivElement>(null)
  useTooltip(tip, hiddenName, rail)
  useEffect(() => {
    if (tip.current) tip.current.style.zIndex = String(TOOLTIP.navigationZIndex)
  }, [])
  return <div ref={tip} id="rail-tip" className="tip beside" role="tooltip" popover="manual" />
}

const hiddenName: Describe = (target) => {
  const owner = target.closest<HTMLElement>(NAMED)
  const text = owner?.querySelector('.name')?.textContent ?? ''
  return owner && { owner, text, note: '', side: 'inline-end', isName: true }
}
