/** Keeps keys that are pressed before the script that handles them has loaded, and replays them afterwards. */

// A script of its own, far smaller than the client's, so that it listens while that one is loading.

import { isShortcut } from './parts/is-shortcut.ts'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

const kept: Key[] = []
/** Whether what is kept is for a field that is about to open. */
let isForField = false

/** Whether the key opens the palette. */
const isPalette = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey

/**
 * A space and arrows scroll the page, unless they come after another key. Backspace is for a search alone,
 * here or in the palette.
 */
const isKept = (event: KeyboardEvent): boolean =>
  isPalette(event) ||
  (isForField && isOfField(event)) ||
  (isShortcut(event) &&
    (event.key === 'Backspace'
      ? kept.some(isSearch)
      : (isCharacter(event) && event.key !== ' ') || isAfterAnother(event)))

const isOfField = (event: KeyboardEvent): boolean =>
  isSelectAll(event) ||
  (isShortcut(event) && (isCharacter(event) || /^(Backspace|Enter|Tab)$/.test(event.key)))

/** In a field, where the list would take it for its rows. */
const isSelectAll = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'a' && (ctrlKey || metaKey)

const isCharacter = ({ key }: Key): boolean => key.length === 1

const isAfterAnother = ({ key }: Key): boolean =>
  kept.length > 0 && /^( |Arrow|End|Enter|Esc|Home|Page)/.test(key)

const isSearch = ({ key, ctrlKey, metaKey }: Key): boolean => key === '/' || ctrlKey || metaKey

function keep(event: KeyboardEvent): void {
  if (!isKept(event)) return
  event.preventDefault()
  const { key, ctrlKey, metaKey, shiftKey } = event
  kept.push({ key, ctrlKey, metaKey, shiftKey })
}

/** Keeps this key and what is pressed after it, until they are played or dropped. */
export function keepFrom(key: Key): void {
  kept.push(key)
  listen()
}

/** Keeps what is typed for a field that is about to open, until it is played; a press elsewhere drops it. */
export function keepForField(): void {
  isForField = true
  listen()
  document.addEventListener('pointerdown', dropEarlyKeys, { capture: true, once: true })
}

/** Before whatever else listens. */
const listen = () => document.addEventListener('keydown', keep, true)

/** Stops keeping keys, and returns those that were kept. */
export function dropEarlyKeys(): Key[] {
  isForField = false
  document.removeEventListener('keydown', keep, true)
  return kept.splice(0)
}

/** Stops keeping keys, and plays those that were kept, in order. */
export async function playEarlyKeys(): Promise<void> {
  for (const key of dropEarlyKeys()) {
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
  const isBack = key === 'Backspace'
  if (!target.dispatchEvent(event) || !(isBack || isCharacter(pressed))) return
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
  if (pressed.ctrlKey || pressed.metaKey) return target.select()
  const { selectionStart, selectionEnd, value } = target
  const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length]
  const from = isBack && start === end ? Math.max(0, end - 1) : start
  target.setRangeText(isBack ? '' : key, from, end, 'end')
  target.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

// The server draws what uses this, and has no keys.
if (typeof document !== 'undefined') listen()
