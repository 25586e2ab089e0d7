/** A tooltip for many elements, by one set of listeners: on hover, focus and long press (spec §9). */

import { POPUP_OFFSET_PX, TOOLTIP } from '../../protocol/constants.ts'

/** What a tooltip says, and about which element. */
export type Tip = {
  readonly owner: HTMLElement
  readonly text: string
  /** A second line in small print; empty for none. */
  readonly note: string
  /** Where it stands. Default: above the owner, or below it where there is no room. */
  readonly side?: 'inline-end'
  /** Whether it is about keys alone, so that a finger never opens it. */
  readonly isForKeys?: boolean
  /** Whether it only repeats the owner's name, which screen readers have said already. */
  readonly isName?: boolean
}

/** The tip for what the pointer or focus is on; `null` for none. */
export type Describe = (target: Element) => Tip | null

/** How long a finger rests on an element before its tooltip shows, ms. */
const LONG_PRESS_MS = 500

/** Shows tips for what is inside `root`, in the popover `tip`; returns a cleanup function. */
export function attachTooltip(root: HTMLElement, tip: HTMLElement, describe: Describe): () => void {
  let owner: HTMLElement | null = null
  let closing: ReturnType<typeof setTimeout> | undefined
  let pressing: ReturnType<typeof setTimeout> | undefined
  /** Whether a scroll may be that of the focus, which brings what it comes to into sight. */
  let isRevealing = false
  /** Whether a finger was the last to act: what its touch moves the focus to says nothing of keys. */
  let isByTouch = false

  const hide = () => {
    clearTimeout(pressing)
    if (!owner) return
    if (owner.getAttribute('aria-describedby') === tip.id) owner.removeAttribute('aria-describedby')
    owner = null
    tip.classList.remove('shown')
    closing = setTimeout(() => tip.hidePopover(), TOOLTIP.hideMs)
  }
  const show = (target: EventTarget | null) => {
    const said = target instanceof Element ? describe(target) : null
    if (said?.owner === owner && owner) return
    hide()
    if (!said || (said.isForKeys && isByTouch)) return
    write(tip, said)
    if (!opens(tip)) return
    clearTimeout(closing)
    owner = said.owner
    if (!said.isName) owner.setAttribute('aria-describedby', tip.id)
    place(tip, said)
    tip.classList.add('shown')
  }
  const onOver = ({ pointerType, buttons, target }: PointerEvent) => {
    // A finger is over whatever it scrolls: it has to rest. A pressed button drags something.
    if (pointerType !== 'touch' && buttons === 0) show(target)
  }
  const onDown = ({ pointerType, target }: PointerEvent) => {
    isByTouch = pointerType === 'touch'
    hide()
    if (!isByTouch) return
    pressing = setTimeout(() => show(target), LONG_PRESS_MS)
  }
  const leave = (event: PointerEvent) => {
    const to = event.relatedTarget
    if (!(to instanceof Node && (tip.contains(to) || root.contains(to)))) hide()
  }
  const stop = () => clearTimeout(pressing)
  // A click focuses a button too, and its tooltip would cover what it opens.
  const focused = () => {
    const { activeElement: on } = document
    return root.contains(on) && on?.matches(':focus-visible') ? on : null
  }
  const onFocus = () => {
    if (!focused()) return
    show(focused())
    isRevealing = true
    // The browser tells of a scroll in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => (isRevealing = false)))
  }
  const onScroll = () => {
    hide()
    if (isRevealing) show(focused())
  }
  const onKey = (event: KeyboardEvent) => {
    isByTouch = false
    if (event.key === 'Escape') hide()
  }

  const over = new AbortController()
  const { signal } = over
  root.addEventListener('pointerover', onOver, { signal })
  root.addEventListener('pointerdown', onDown, { signal })
  root.addEventListener('focusin', onFocus, { signal })
  root.addEventListener('focusout', hide, { signal })
  root.addEventListener('scroll', onScroll, { signal, capture: true })
  for (const name of ['pointerup', 'pointercancel'] as const)
    root.addEventListener(name, stop, { signal })
  for (const element of [root, tip]) element.addEventListener('pointerleave', leave, { signal })
  document.addEventListener('keydown', onKey, { signal })
  // The pointer or the focus may rest on something since before this script came.
  if (matchMedia('(hover: hover)').matches)
    show([...root.querySelectorAll(':hover')].at(-1) ?? null)
  if (!owner) show(focused())
  return () => {
    hide()
    clearTimeout(closing)
    over.abort()
  }
}

/** A browser refuses while it closes another popover and moves the focus back. */
function opens(tip: HTMLElement): boolean {
  try {
    tip.showPopover()
    return true
  } catch {
    return false
  }
}

function write(tip: HTMLElement, { text, note }: Tip): void {
  const small = document.createElement('small')
  small.textContent = note
  tip.replaceChildren(text, ...(note ? [small] : []))
}

/** Places it beside its owner. */
function place(tip: HTMLElement, { owner, side }: Tip): void {
  const { clientWidth, clientHeight, dir } = document.documentElement
  const { left, top } = placeOf({
    ...{ at: owner.getBoundingClientRect(), tip: tip.getBoundingClientRect() },
    ...{ window: { width: clientWidth, height: clientHeight } },
    ...{ isBeside: side !== undefined, isRtl: dir === 'rtl' },
  })
  tip.style.left = `${left}px`
  tip.style.top = `${top}px`
}

type Size = { readonly width: number; readonly height: number }
type Box = Size & { readonly [edge in 'left' | 'right' | 'top' | 'bottom']: number }
type Placing = {
  readonly at: Box
  readonly tip: Size
  readonly window: Size
  readonly isBeside: boolean
  readonly isRtl: boolean
}

/** Where a tooltip stands: above what it is about, or below where there is no room, or beside; always inside the window. */
export function placeOf({ at, tip, window, isBeside, isRtl }: Placing) {
  const [skid, distance] = TOOLTIP.offsetPx
  const within = (value: number, most: number) =>
    Math.max(POPUP_OFFSET_PX, Math.min(value, most - POPUP_OFFSET_PX))
  const beside = isRtl ? at.left - tip.width - distance : at.right + distance
  const above = at.top - tip.height - distance
  const left = isBeside ? beside : at.left + (at.width - tip.width) / 2 + skid
  const middle = at.top + (at.height - tip.height) / 2 + skid
  const over = above < POPUP_OFFSET_PX ? at.bottom + distance : above
  return {
    left: within(left, window.width - tip.width),
    top: within(isBeside ? middle : over, window.height - tip.height),
  }
}
