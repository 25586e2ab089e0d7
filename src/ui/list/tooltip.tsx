/** One tooltip for a whole table: the full text of cells that are cut, and notes on heads. */

import { type RefObject, useEffect, useRef } from 'react'
import type { Messages } from '../../messages/messages.ts'
import { POPUP_OFFSET_PX, TOOLTIP } from '../../protocol/constants.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import { CUT_MARK } from './plain-text.tsx'

const TIP_ID = 'tip'

type Describe = (cell: HTMLElement) => { text: string; note: string } | null

export function Tooltip({ within }: { within: RefObject<HTMLElement | null> }) {
  const tip = useRef<HTMLDivElement>(null)
  const { cell } = useMessages()
  const { locale } = usePage()
  useEffect(() => {
    if (within.current && tip.current)
      return attach(within.current, tip.current, describer(cell, locale))
  }, [within, cell, locale])
  return <div ref={tip} id={TIP_ID} className="tip" role="tooltip" popover="manual" />
}

/** Returns the full text of a cell that is cut or has a note; `null` for others. */
function describer(words: Messages['cell'], locale: string): Describe {
  return (cell) => {
    const text = cell.textContent.trim()
    const length = Number(cell.dataset['length'] ?? 0)
    const parts = [cell, ...cell.querySelectorAll('.name')]
    const isCut = parts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    const { help, note: reason } = cell.dataset
    const said = [help, reason].filter(Boolean).join('\n')
    if (!isCut && length === 0 && said === '') return null
    const format = (count: number) => count.toLocaleString(locale)
    const shown = cell.textContent.length - CUT_MARK.length
    const note = length > 0 ? words.cut(format(shown), format(length)) : said
    return { text, note }
  }
}

/** Follows pointer and focus inside `root`; returns a cleanup function. */
function attach(root: HTMLElement, tip: HTMLElement, describe: Describe): () => void {
  let owner: HTMLElement | null = null
  let closing: ReturnType<typeof setTimeout> | undefined

  const hide = () => {
    if (!owner) return
    owner.removeAttribute('aria-describedby')
    owner = null
    tip.classList.remove('shown')
    closing = setTimeout(() => tip.hidePopover(), TOOLTIP.hideMs)
  }
  const show = (event: Event) => {
    const cell = (event.target as Element).closest<HTMLElement>('th, td')
    if (cell === owner) return
    hide()
    const said = cell && describe(cell)
    if (!said) return
    clearTimeout(closing)
    owner = cell
    owner.setAttribute('aria-describedby', TIP_ID)
    write(tip, said)
    tip.showPopover()
    place(tip, cell)
    tip.classList.add('shown')
  }
  const leave = (event: PointerEvent) => {
    const to = event.relatedTarget
    if (!(to instanceof Node && (tip.contains(to) || root.contains(to)))) hide()
  }
  const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()

  const stop = new AbortController()
  const { signal } = stop
  for (const name of ['pointerover', 'focusin']) root.addEventListener(name, show, { signal })
  for (const name of ['focusout', 'scroll'] as const) root.addEventListener(name, hide, { signal })
  for (const element of [root, tip]) element.addEventListener('pointerleave', leave, { signal })
  document.addEventListener('keydown', onKey, { signal })
  return () => {
    hide()
    clearTimeout(closing)
    stop.abort()
  }
}

function write(tip: HTMLElement, { text, note }: { text: string; note: string }): void {
  const small = document.createElement('small')
  small.textContent = note
  tip.replaceChildren(text, ...(note ? [small] : []))
}

/** Places it above the cell, or below if there is no room; always inside the window. */
function place(tip: HTMLElement, cell: HTMLElement): void {
  const [skid, distance] = TOOLTIP.offsetPx
  const at = cell.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const above = at.top - height - distance
  const most = document.documentElement.clientWidth - width - POPUP_OFFSET_PX
  const left = at.left + (at.width - width) / 2 + skid
  tip.style.left = `${Math.max(POPUP_OFFSET_PX, Math.min(left, most))}px`
  tip.style.top = `${above < POPUP_OFFSET_PX ? at.bottom + distance : above}px`
}
