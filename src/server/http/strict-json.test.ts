import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { parseStrictJson } from './strict-json.ts'

const DEPTH = 32
const parse = (text: string) => parseStrictJson(text, DEPTH)
const malformed = expect.objectContaining({ code: 'JSON_MALFORMED', status: 400 })

describe('strict JSON', () => {
  test.each([
    'null',
    ' [1, -0, 1.5e3, 5e-324] ',
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '["a","a",":","a:"]',
    '{"a":"a","b":"b"}',
    '"\\u2028\\ud83e\\udd89"',
    '{"":1," ":2,"\\u0000":3}',
    '9007199254740993',
    '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
  ])('reads %j as JSON.parse does', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  test.each([
    ['a key that stands twice', '{"a":1,"a":2}'],
    ['a key that stands twice, far apart', '{"a":1,"b":{"a":1,"c":[]},"a":2}'],
    ['a key that stands twice in a nested object', '[{"b":{"a":1,"a":1}}]'],
    ['a key that stands twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a key that stands twice, escaped in two ways', '{"/":1,"\\/":2}'],
    ['a key that stands twice, with space before its colon', '{"a" :1,"a"\n\t\r :2}'],
    ['an empty key that stands twice', '{"":1,"":2}'],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['__proto__, escaped', '{"__pr\\u006fto__":1}'],
    ['__proto__ in an array', '[{"a":[{"__proto__":1}]}]'],
    ['constructor', '{"constructor":{"prototype":{}}}'],
    ['prototype', '{"a":{"prototype":1}}'],
    ['infinity', '1e400'],
    ['infinity, negative and nested', '{"a":[-1e999]}'],
    ['half a character', '"\ud800"'],
    ['half a character, the other half', '["\udc00"]'],
    ['the halves in the wrong order', '"\udc00\ud800"'],
    ['half a character, escaped', '"\\ud800"'],
    ['half a character in a key, escaped', '{"a":{"\\udc00":1}}'],
    ['a byte order mark', '\ufeff{}'],
    ['trailing garbage', '{} x'],
    ['two values', '{}{}'],
    ['a trailing comma', '[1,]'],
    ['a comment', '[1 /* one */]'],
    ['single quotes', "{'a':1}"],
    ['a bare key', '{a:1}'],
    ['NaN', 'NaN'],
    ['Infinity', '[Infinity]'],
    ['undefined', 'undefined'],
    ['a hexadecimal number', '0x10'],
    ['a leading zero', '01'],
    ['a plus sign', '+1'],
    ['an open string', '"abc'],
    ['an open string that ends in a backslash', '"abc\\'],
    ['an open object', '{"a":1'],
    ['an open array', '['],
    ['too many closing brackets', ']]]]'],
    ['a raw line break in a string', '"a\nb"'],
    ['a bad escape', '{"\\x":1}'],
    ['nothing', ''],
    ['only space', ' \n'],
    ['one level too deep', `${'['.repeat(DEPTH + 1)}${']'.repeat(DEPTH + 1)}`],
    ['200,000 levels', '['.repeat(200_000)],
    ['200,000 levels of objects', '{"a":'.repeat(200_000)],
  ])('refuses %s', (_, text) => {
    expect(() => parse(text)).toThrow(malformed)
  })

  test('brackets and quotes within strings do not count', () => {
    const text = JSON.stringify(['['.repeat(100), '{"a":1,"a":2}', '\\"', '\\\\"'])
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  test('reads all JSON without forbidden keys as JSON.parse does', () => {
    const forbidden = /"(__proto__|constructor|prototype)":/
    const text = fc
      .oneof(
        fc.json({ stringUnit: 'binary', maxDepth: 12 }),
        fc.json({ stringUnit: 'grapheme' }),
        fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value, null, '\t')),
      )
      .filter((text) => !forbidden.test(text) && spellsWholeCharacters(text))
    fc.assert(
      fc.property(text, (text) => {
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: runs(3000) },
    )
  })

  test('takes no text that JSON.parse refuses', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n01-.eEtrufalsné') })
    fc.assert(
      fc.property(noise, (text) => {
        if (isJson(text)) return
        expect(() => parse(text)).toThrow(malformed)
      }),
      { numRuns: runs(5000) },
    )
  })
})

function spellsWholeCharacters(text: string): boolean {
  const keys = (value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [key, ...keys(inner)])
      : [String(value)]
  return keys(JSON.parse(text)).every((part) => part.isWellFormed())
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
