/** Tells key presses that may be shortcuts from those that belong to a field or a dialog. */

/** Whether a key press may be a shortcut: no modifier, no open dialog, no text field. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  if (document.querySelector('dialog[open]')) return false
  return !(event.target instanceof Element && event.target.closest(TYPING))
}

const TYPING = 'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]'
