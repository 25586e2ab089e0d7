/** Keeps the keys that are pressed before the page is hydrated, and plays them afterwards. */

// A script of its own, far smaller than the client's, so that it listens while that one is loading.

import { isShortcut } from './parts/is-shortcut.ts'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>

let kept: Key[] = []

/** Whether the key opens the palette. */
const isPalette = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey

/** A space scrolls the page, unless a search has begun, here or in the palette. */
const isKept = (event: KeyboardEvent): boolean =>
  isPalette(event) ||
  (isShortcut(event) && event.key.length === 1 && (event.key !== ' ' || kept.some(isSearch)))

const isSearch = ({ key, ctrlKey, metaKey }: Key): boolean => key === '/' || ctrlKey || metaKey

function keep(event: KeyboardEvent): void {
  if (!isKept(event)) return
  event.preventDefault()
  const { key, ctrlKey, metaKey } = event
  kept.push({ key, ctrlKey, metaKey })
}

/** Stops keeping keys, and plays those that were kept, in order. */
export async function playEarlyKeys(): Promise<void> {
  document.removeEventListener('keydown', keep)
  const keys = kept
  kept = []
  for (const key of keys) {
    press(key)
    // Lets React draw what the key has opened, which the next one may be for.
    await Promise.resolve()
  }
}

/** Presses a key where the focus is: one that was kept before it types into the search, say. */
function press(pressed: Key): void {
  const { key } = pressed
  const target = document.activeElement ?? document.body
  const event = new KeyboardEvent('keydown', { ...pressed, bubbles: true, cancelable: true })
  if (!target.dispatchEvent(event) || !(target instanceof HTMLInputElement)) return
  const { selectionStart, selectionEnd, value } = target
  const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length]
  target.setRangeText(key, start, end, 'end')
  target.dispatchEvent(
    new InputEvent('input', { data: key, inputType: 'insertText', bubbles: true }),
  )
}

document.addEventListener('keydown', keep)
