/** The tooltip of the handles: which row each one moves, and by which keys. */

import { type RefObject, useRef } from 'react'
import { useTooltip } from '../parts/use-tooltip.ts'

type HandleTipsProps = { within: RefObject<HTMLElement | null>; keys: string }

export function HandleTips({ within, keys }: HandleTipsProps) {
  const tip = useRef<HTMLDivElement>(null)
  const describe = (target: Element) => {
    // A handle that is pressed has lifted its row, and the tip would cover where that goes.
    const owner = target.closest<HTMLElement>('.grip[aria-pressed=false]')
    return owner && { owner, text: owner.ariaLabel ?? '', note: keys, isForKeys: true }
  }
  useTooltip(tip, describe, within)
  return <div ref={tip} id="handle-tip" className="tip" role="tooltip" popover="manual" />
}
