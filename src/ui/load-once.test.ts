import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AGAIN_MS, loadOnce, loadUntilItComes } from './load-once.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A part that fails to come the first two times. */
function failingTwice() {
  let asked = 0
  const part = loadOnce(async () => {
    if (++asked < 3) throw new Error('It is not there.')
    return 'part'
  })
  return { part, asked: () => asked }
}

test('a part that does not come is asked for again until it does, and that is told', async () => {
  const { part, asked } = failingTwice()
  const [came, failed] = [vi.fn(), vi.fn()]
  loadUntilItComes(part, came, failed)
  await vi.advanceTimersByTimeAsync(AGAIN_MS - 1)
  expect([asked(), failed.mock.calls.length, came.mock.calls]).toEqual([1, 1, []])
  await vi.advanceTimersByTimeAsync(AGAIN_MS + 1)
  expect([asked(), failed.mock.calls.length, came.mock.calls]).toEqual([3, 2, [['part']]])
  await vi.advanceTimersByTimeAsync(10 * AGAIN_MS)
  expect([asked(), part.now()]).toEqual([3, 'part'])
})

test('nobody asks for a part that is no longer drawn', async () => {
  const { part, asked } = failingTwice()
  const stop = loadUntilItComes(part, vi.fn(), vi.fn())
  await vi.advanceTimersByTimeAsync(0)
  stop()
  await vi.advanceTimersByTimeAsync(10 * AGAIN_MS)
  expect(asked()).toBe(1)
})
