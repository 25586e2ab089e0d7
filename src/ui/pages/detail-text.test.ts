/** Details of failures in words. */

import { expect, test } from 'vitest'
import { en } from '../../messages/en.ts'
import { detailText } from './detail-text.ts'

test.each([
  [null, ''],
  ['[colour]', 'The address says “colour”.'],
  ['[speed] cannot be sorted by.', '“speed” cannot be sorted by.'],
  ['Nothing in brackets.', 'Nothing in brackets.'],
  ['[a[b]]', '[a“b”]'],
])('%j reads %j', (detail, text) => {
  expect(detailText(detail, en.errorPage)).toBe(text)
})
