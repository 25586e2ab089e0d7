import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onLongPress } from './long-press.ts'

let page: EventTarget
let rows: EventTarget
let over: AbortController
let isOurs: boolean
const rested = vi.fn(() => isOurs)

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  rows = Object.assign(new EventTarget(), { ownerDocument: page })
  over = new AbortController()
  isOurs = true
  rested.mockClear()
  // Of an element, only its events and its document are used.
  onLongPress(rows as unknown as HTMLElement, rested, over.signal)
})
afterEach(() => {
  over.abort()
  vi.useRealTimers()
})

function send(on: EventTarget, name: string, facts: object = {}): Event {
  const event = new Event(name, { cancelable: true })
  on.dispatchEvent(
    Object.assign(event, {
      pointerType: 'touch',
      isPrimary: true,
      clientX: 5,
      clientY: 5,
      ...facts,
    }),
  )
  return event
}

test('a finger that rests is told once, and lifting it does nothing', () => {
  send(rows, 'pointerdown')
  vi.advanceTimersByTime(1000)
  expect(rested).toHaveBeenCalledTimes(1)
  expect(send(page, 'touchend').defaultPrevented).toBe(true)
  expect(send(page, 'touchend').defaultPrevented).toBe(false)
})

test.each([
  ['scrolls', 'pointermove', { clientY: 40 }],
  ['is lifted', 'pointerup', {}],
  ['is taken over by the browser', 'pointercancel', {}],
  ['has opened a menu already', 'contextmenu', {}],
])('one that %s is not', (_, name, facts) => {
  send(rows, 'pointerdown')
  send(page, name, facts)
  vi.advanceTimersByTime(1000)
  expect(rested).not.toHaveBeenCalled()
  expect(send(page, 'touchend').defaultPrevented).toBe(false)
})

test('a finger that trembles rests; a mouse and a second finger do not', () => {
  send(rows, 'pointerdown')
  send(page, 'pointermove', { clientX: 8 })
  vi.advanceTimersByTime(1000)
  expect(rested).toHaveBeenCalledTimes(1)
  for (const facts of [{ pointerType: 'mouse' }, { isPrimary: false }]) {
    send(rows, 'pointerdown', facts)
    vi.advanceTimersByTime(1000)
  }
  expect(rested).toHaveBeenCalledTimes(1)
})

test('where nothing was opened, lifting the finger does what it does', () => {
  isOurs = false
  send(rows, 'pointerdown')
  vi.advanceTimersByTime(1000)
  expect(send(page, 'touchend').defaultPrevented).toBe(false)
})
