/** The guess of widths, against widths measured in Chromium with the font. */

import { expect, test } from 'vitest'
import { textWidth } from './text-width.ts'

test.each([
  ['2002-07-25', 70],
  ['636,405', 48],
  ['Unknown bird, small', 117],
  ['Barksdale Air Force Base', 145],
  ['American Airlines', 101],
])('%s is about %d px', (text, px) => {
  expect(textWidth(text)).toBeGreaterThan(px * 0.96)
  expect(textWidth(text)).toBeLessThan(px * 1.12)
})

test('full-width letters count for what they are', () => {
  expect(textWidth('東京')).toBe(26)
  expect(textWidth('😀')).toBe(13)
  expect(textWidth('★★★★★')).toBe(65)
})
