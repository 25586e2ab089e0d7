/** Keeps menus inside of the viewport, 5 px from its edges (spec §9). */

import { POPUP_OFFSET_PX } from '../../protocol/constants.ts'

/** How far to move what lies from `start` to `end`, so that it is inside; its start comes first. */
export function shiftInside(start: number, end: number, size: number): number {
  const beyond = Math.max(0, end - (size - POPUP_OFFSET_PX))
  return Math.max(POPUP_OFFSET_PX - start, -beyond) + 0
}

/** CSS anchors each menu to its button; this moves it as far as the viewport demands. */
function keepInside(menu: HTMLElement): void {
  menu.style.translate = ''
  const { left, right, top, bottom } = menu.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const [x, y] = [shiftInside(left, right, clientWidth), shiftInside(top, bottom, clientHeight)]
  if (x !== 0 || y !== 0) menu.style.translate = `${x}px ${y}px`
}

/** Watches the menus of the document; returns what stops it. */
export function keepPopupsInside(): () => void {
  // What a menu holds may come after it has opened.
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes) if (target instanceof HTMLElement) keepInside(target)
  })
  const onToggle = (event: Event) => {
    const { target: menu } = event
    if (!(event instanceof ToggleEvent && menu instanceof HTMLElement && menu.matches('.menu')))
      return
    if (event.newState !== 'open') return sizes.unobserve(menu)
    keepInside(menu)
    sizes.observe(menu)
  }
  const opened = () => document.querySelectorAll<HTMLElement>('.menu:popover-open')
  const onResize = () => opened().forEach(keepInside)
  // They may have opened before this was loaded.
  for (const menu of opened()) sizes.observe(menu)
  // The event does not bubble.
  document.addEventListener('toggle', onToggle, true)
  addEventListener('resize', onResize)
  return () => {
    document.removeEventListener('toggle', onToggle, true)
    removeEventListener('resize', onResize)
    sizes.disconnect()
  }
}
