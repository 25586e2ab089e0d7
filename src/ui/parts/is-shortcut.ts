/** Tells key presses that may be shortcuts from those that belong to a field or a dialog. */

/** Whether a key press may be a shortcut: no modifier, no open dialog, no text field. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  if (document.querySelector('dialog[open]')) return false
  return !isTyping(event.target)
}

/** Whether keys pressed here are typed into a field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPING) !== null

const TYPING = 'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]'
