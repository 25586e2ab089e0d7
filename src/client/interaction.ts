/** Tells whether a person interacts with the page, so that nothing live moves meanwhile. */

/**
 * What must not change under the pointer or the focus: tables, and whatever else is marked. Anywhere
 * else, only a pressed button, an open menu or dialog, or a drag counts.
 */
const REGION = 'table, [data-yields]'
/** Menus that are open, dialogs, and what must not change at all while it is there. */
const OPEN = ':popover-open:not([role=tooltip]), dialog[open], [data-yields=always]'

export type Interaction = {
  /** Looks again now: what is on the page may have changed without an event. */
  look(): void
  stop(): void
}

/** Calls `changed` whenever the person begins or stops interacting with the page. */
export function watchInteraction(changed: (isInteracting: boolean) => void): Interaction {
  let isInteracting = false
  /** A mouse or pen; a finger is nowhere unless it presses. */
  let isOver = false
  let isPressed = false
  let isDragging = false
  const stop = new AbortController()

  function look(): void {
    const isFocused = document.activeElement?.closest(REGION) != null
    const now =
      isOver || isPressed || isDragging || isFocused || document.querySelector(OPEN) !== null
    if (now === isInteracting) return
    isInteracting = now
    changed(now)
  }

  function on<Name extends keyof DocumentEventMap>(
    names: readonly Name[],
    see: (event: DocumentEventMap[Name]) => void = () => {},
  ): void {
    const listener = (event: DocumentEventMap[Name]) => {
      see(event)
      // Once the event has done its work: the next element has the focus, or the menu is closed.
      queueMicrotask(look)
    }
    const options = { capture: true, passive: true, signal: stop.signal }
    for (const name of names) document.addEventListener(name, listener, options)
  }

  on(['pointerover'], ({ target, pointerType }) => {
    isOver = pointerType !== 'touch' && target instanceof Element && target.closest(REGION) !== null
  })
  on(['pointerdown'], () => void (isPressed = true))
  // Where the browser's own menu opens on press, no `pointerup` follows.
  on(['pointerup', 'pointercancel', 'contextmenu'], () => void (isPressed = false))
  document.addEventListener(
    'pointermove',
    ({ buttons }) => {
      if (!isPressed || buttons !== 0) return
      isPressed = false
      look()
    },
    { capture: true, passive: true, signal: stop.signal },
  )
  on(['dragstart'], () => void (isDragging = true))
  on(['dragend', 'drop'], () => void ([isDragging, isPressed] = [false, false]))
  on(['focusin', 'focusout', 'toggle', 'close', 'keyup'])
  // The pointer has left the window.
  document.documentElement.addEventListener(
    'pointerleave',
    () => {
      isOver = false
      look()
    },
    { signal: stop.signal },
  )
  look()
  return { look, stop: () => stop.abort() }
}
