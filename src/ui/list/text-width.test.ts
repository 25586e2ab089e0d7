/** Widths of texts, against those measured in Chromium with the font, digits in whole pixels. */

import { expect, test } from 'vitest'
import { textWidth } from './text-width.ts'

test.each([
  ['2002-07-25 07:35:00', 133.2],
  ['636,405', 51.7],
  ['Unknown bird, medium', 133.1],
  ['Barksdale Air Force Base', 142.6],
  ['Northwest Airlines', 106],
])('%s is about %d px', (text, px) => {
  expect(textWidth(text)).toBeGreaterThan(px * 0.99)
  expect(textWidth(text)).toBeLessThan(px * 1.01)
})

test('full-width letters count for what they are', () => {
  expect(textWidth('東京')).toBe(26)
  expect(textWidth('😀')).toBe(13)
  expect(textWidth('★★★★★')).toBe(65)
})
