import { describe, expect, test } from 'vitest'
import { codeOf, SIGN, spelled } from './signs.ts'

const SIGNS = new RegExp(SIGN, 'gu')
const marked = (text: string) => text.match(SIGNS)?.map(codeOf) ?? []

test.each([
  ['marks that turn text around', '\u202a\u202e\u2066\u2069\u200e\u061c', 6],
  ['characters without width', 'a\u200bb\u2060c\ufeff', 3],
  ['joiners where nothing is joined', 'x\u200dy\u200cz', 2],
  ['controls', 'a\u0000\u001b\u0085', 3],
  ['letters and blanks that nobody sees', '\u3164\u115f\u2800\u034f', 4],
  ['separators of lines and paragraphs', '\u2028\u2029', 2],
  ['tags that follow no flag', 'a\u{e0041}', 1],
  ['soft hyphens', 'co\u00adop', 1],
])('%s are marked', (_, text, count) => expect(marked(text)).toHaveLength(count))

test.each([
  ['line breaks and tabs', 'a\tb\r\nc'],
  ['families of emoji', '👩‍👩‍👧 ❤️‍🔥 🧑🏽‍💻'],
  ['flags', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['Persian words', 'می‌خواهم'],
  ['Indian words', 'क्‍ष ക്‍ഷ'],
  ['signs of Arabic numbers', '\u0601\u06dd'],
  ['accents', 'e\u0301 ñ Č'],
  ['words of one script', 'Привет Ελλάδα admin Wi-Fi сеть'],
  ['Japanese beside Latin', '日本語text カナ'],
  ['units', '10 μm 5 kΩ ΔT λx'],
])('%s are not', (_, text) => expect(marked(text)).toEqual([]))

describe('letters of other scripts', () => {
  test.each([
    ['\u0430dmin', ['U+0430']],
    ['pay\u0440al', ['U+0440']],
    ['G\u03bf\u03bfgle', ['U+03BF']],
    ['a\u0301\u0441', ['U+0441']],
    ['user_1\u0430', ['U+0430']],
  ])('are marked in %s', (text, signs) => expect(marked(text)).toEqual(signs))
})

test('in plain text, signs are spelled', () => {
  expect(spelled('paid\u202e 100')).toBe('paid[U+202E] 100')
  expect(spelled('co\u00adop 👩‍👩‍👧')).toBe('coop 👩‍👩‍👧')
})
