/** Whether a key is pressed in the open menu of a test: its Escape closes that menu alone. */

export const isInOpenMenu = (target: EventTarget): boolean =>
  target instanceof Element &&
  CSS.supports('selector(:open)') &&
  target.closest('select')?.matches(':open') === true
