/** The arrow beside a link in a cell that takes changes, under the mouse: it follows the link. */

import { type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

type Props = {
  within: RefObject<HTMLElement | null>
  mayEdit(cell: Element): boolean
}

/** Links themselves are what keys and screen readers find. */
export function LinkArrow({ within, mayEdit }: Props) {
  const [link, setLink] = useState<HTMLAnchorElement | null>(null)
  useEffect(() => {
    const element = within.current
    if (!element) return
    const over = new AbortController()
    const { signal } = over
    const onOver = ({ target, pointerType }: PointerEvent) => {
      const cell = target instanceof Element ? target.closest('tbody td') : null
      const found = cell?.querySelector<HTMLAnchorElement>('a:not(.follow)')
      setLink(cell && found && pointerType !== 'touch' && mayEdit(cell) ? found : null)
    }
    element.addEventListener('pointerover', onOver, { signal })
    element.addEventListener('pointerleave', () => setLink(null), { signal })
    return () => over.abort()
  }, [within, mayEdit])
  const cell = link?.isConnected ? link.closest('td') : null
  // React owns what stands in the cell, and may replace all of it.
  const [host] = useState(() => document.createElement('span'))
  useEffect(() => {
    cell?.append(host)
    return () => host.remove()
  }, [cell, host])
  if (!link || !cell) return null
  return createPortal(
    <a
      className="follow"
      href={link.href}
      target={link.target || undefined}
      rel={link.rel || undefined}
      tabIndex={-1}
      aria-hidden="true"
    >
      ↗
    </a>,
    host,
  )
}
