import { expect, test } from 'vitest'
import { endedAs } from './line-ends.ts'

test.each<[stored: string | null, text: string, ended: string]>([
  ['a\r\nb', 'a\nbc\n', 'a\r\nbc\r\n'],
  ['a\r\nb', 'a\r\nb', 'a\r\nb'],
  ['a\nb', 'a\nbc', 'a\nbc'],
  // Of two kinds nobody knows which one is meant.
  ['a\r\nb\nc', 'a\nb\nc', 'a\nb\nc'],
  ['\n\r\n', 'x\n', 'x\n'],
  ['a', 'a\nb', 'a\nb'],
  [null, 'a\nb', 'a\nb'],
])('beside %j, %j is stored as %j', (stored, text, ended) => {
  expect(endedAs(text, stored)).toBe(ended)
})
