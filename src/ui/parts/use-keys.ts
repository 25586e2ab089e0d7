/** Keyboard shortcuts: off while the person types, in dialogs, and with modifiers. */

import { useEffect, useRef } from 'react'

/** How long after the first key of a sequence the second may come, ms. */
const SEQUENCE_MS = 1000

/** The action of each key; `g h` is a sequence of two. */
export type KeyMap = { readonly [keys: string]: () => unknown }

/** Listens for the keys of `map` while the component is mounted. */
export function useKeys(map: KeyMap): void {
  const current = useRef(map)
  useEffect(() => {
    current.current = map
  })
  useEffect(() => listen(current), [])
}

function listen(map: { readonly current: KeyMap }): () => void {
  let before = { key: '', at: -Infinity }
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !isFree(event)) return
    const sequence = event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${event.key}` : ''
    before = { key: event.key, at: event.timeStamp }
    const action = map.current[sequence] ?? map.current[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/** Whether a key press may be a shortcut: no modifier, no open dialog, no text field. */
export function isFree(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  if (document.querySelector('dialog[open]')) return false
  return !(event.target instanceof Element && event.target.closest(TYPING))
}

const TYPING = 'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]'
