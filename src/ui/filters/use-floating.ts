/** A list below its field, over the page, that moves nothing. */

import { useEffect, useRef } from 'react'

/** Shows the element as a popover while it is wanted, below its field. */
export function useFloating(isShown: boolean) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return
    element.togglePopover(isShown)
    if (isShown && !CSS.supports('position-area', 'block-end')) placeBelow(element)
  }, [isShown])
  return list
}

/** For browsers without anchor positioning (see filters.css). */
function placeBelow(list: HTMLElement): void {
  const field = list.parentElement?.getBoundingClientRect()
  if (!field) return
  list.style.left = `${field.left}px`
  list.style.top = `${field.bottom}px`
  list.style.width = `${field.width}px`
}
