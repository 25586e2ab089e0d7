/** The tooltip of a table: the full text of cells that are cut, and notes on heads. */

import { type RefObject, useRef } from 'react'
import type { Messages } from '../../messages/messages.ts'
import { usePage } from '../../react/use-component.ts'
import type { Describe } from '../parts/tooltip.ts'
import { useMessages } from '../parts/use-messages.ts'
import { useTooltip } from '../parts/use-tooltip.ts'
import { CUT_MARK } from '../parts/plain-text.tsx'
import { spelled } from '../../protocol/signs.ts'

const TIP_ID = 'tip'

export function Tooltip({ within }: { within: RefObject<HTMLElement | null> }) {
  const tip = useRef<HTMLDivElement>(null)
  const { cell } = useMessages()
  const { locale } = usePage()
  useTooltip(tip, describer(cell, locale), within)
  return <div ref={tip} id={TIP_ID} className="tip" role="tooltip" popover="manual" />
}

/** Returns the full text of a cell that is cut, covered, shown in short or has a note; `null` for others. */
function describer(words: Messages['cell'], locale: string): Describe {
  return (target) => {
    const cell = target.closest<HTMLElement>('th, td')
    if (!cell) return null
    const text = spelled(cell.textContent.trim())
    const length = Number(cell.dataset['length'] ?? 0)
    const parts = [cell, ...cell.querySelectorAll('.name')]
    const isCut = isCovered(cell) || parts.some((one) => one.scrollWidth > one.clientWidth)
    const { help, note: reason, whole } = cell.dataset
    const said = [help, reason].filter(Boolean).join('\n')
    if (whole !== undefined) return { owner: cell, text: whole, note: said }
    if (!isCut && length === 0 && said === '') return null
    const format = (count: number) => count.toLocaleString(locale)
    const shown = cell.textContent.length - CUT_MARK.length
    const note = length > 0 ? words.cut(format(shown), format(length)) : said
    return { owner: cell, text, note }
  }
}

/** Width of the button of a head's menu, px. */
const MENU_PX = 24

/** Whether a title leaves no room for the button, which then stands over the end of it. */
function isCovered(cell: HTMLElement): boolean {
  const title = cell.matches('thead [data-column]') && cell.querySelector('.name')
  if (!title) return false
  const text = document.createRange()
  text.selectNodeContents(title)
  const [own, all] = [text.getBoundingClientRect(), cell.getBoundingClientRect()]
  return Math.max(own.left - all.left, all.right - own.right) < MENU_PX
}
