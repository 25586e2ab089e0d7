/** Where a popup has to move to stay inside of the viewport. */

import { expect, test } from 'vitest'
import { shiftInside } from './keep-popups-inside.ts'

test.each([
  ['inside', 100, 300, 0],
  ['exactly 5 px from both edges', 5, 995, 0],
  ['before the start', -20, 180, 25],
  ['too near to the start', 2, 202, 3],
  ['beyond the end', 900, 1100, -105],
  ['larger than the viewport: its start is seen', 10, 1300, -5],
])('%s', (_, start, end, shift) => {
  expect(shiftInside(start, end, 1000)).toBe(shift)
})
