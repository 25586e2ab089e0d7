/** A finger that rests on something, where the browser does not tell of it as Safari on iOS does not. */

/** Later than a browser's own `contextmenu`, which then counts, ms. */
const REST_MS = 600
/** A finger that moves further scrolls, px. */
const STILL_PX = 10

/** Calls `rested` with where the finger rests. If that answers true, lifting the finger does nothing. */
export function onLongPress(
  root: HTMLElement,
  rested: (press: PointerEvent) => boolean,
  signal: AbortSignal,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let press: PointerEvent | null = null
  const stop = () => {
    clearTimeout(timer)
    press = null
  }
  const onDown = (event: PointerEvent) => {
    stop()
    if (event.pointerType !== 'touch' || !event.isPrimary) return
    press = event
    timer = setTimeout(() => rested(event) && dropTap(all), REST_MS)
  }
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    if (press && Math.hypot(clientX - press.clientX, clientY - press.clientY) > STILL_PX) stop()
  }
  const { ownerDocument: all } = root
  root.addEventListener('pointerdown', onDown, { signal, capture: true })
  all.addEventListener('pointermove', onMove, { signal, passive: true })
  for (const name of ['pointerup', 'pointercancel', 'contextmenu'] as const)
    all.addEventListener(name, stop, { signal, capture: true })
  signal.addEventListener('abort', stop)
}

/** Neither clicks nor focuses. */
function dropTap(all: Document): void {
  const drop = (event: Event) => event.preventDefault()
  all.addEventListener('touchend', drop, { once: true, capture: true, passive: false })
}
