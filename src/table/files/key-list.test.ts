import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { keyList, keysIn } from './key-list.ts'

const key = (name: string) => `kept/ab/${name.padEnd(22, '_')}-${name}.png`
const FORMS = ['json', 'array'] as const

test.each(FORMS)('whatever was written as %s is read as the same', (list) => {
  const letter = fc.constantFrom(...'{},"\\ NULnul\nö写')
  const item = fc.oneof(
    fc.array(letter, { minLength: 1, maxLength: 8 }).map((letters) => letters.join('')),
    fc.constantFrom(key('a'), key('ö'), 'https://example.org/a,b{c}.png'),
  )
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), (keys) => {
      expect(keysIn({ list }, keyList(keys, list))).toEqual(keys)
    }),
    { numRuns: runs(1000, 200) },
  )
})

test('an array is written as PostgreSQL writes it', () => {
  expect(keyList([key('a'), 'https://a.example/x', 'a,b', 'null', 'a"b\\c'], 'array')).toBe(
    `{${key('a')},https://a.example/x,"a,b","null","a\\"b\\\\c"}`,
  )
  expect(keysIn({ list: 'array' }, `{${key('a')},NULL,"NULL"}`)).toEqual([key('a'), 'NULL'])
  expect(keysIn({ list: 'array' }, '{}')).toEqual([])
})

test.each(FORMS)('of a list of %s that was cut, those are read that are whole', (list) => {
  const keys = ['a', 'b', 'c'].map(key)
  const whole = keyList(keys, list)
  for (let length = 1; length < whole.length; length++) {
    const read = keysIn({ list }, whole.slice(0, length))
    expect(read).toEqual(keys.slice(0, read.length))
  }
  expect(keysIn({ list }, whole.slice(0, -1)).length).toBeGreaterThanOrEqual(2)
})

test('a single key, an address and nothing are read in any column', () => {
  for (const list of [undefined, ...FORMS]) {
    expect(keysIn({ ...(list && { list }) }, key('a'))).toEqual([key('a')])
    expect(keysIn({ ...(list && { list }) }, '')).toEqual([])
    expect(keysIn({ ...(list && { list }) }, null)).toEqual([])
  }
  expect(keysIn({}, '["a"]')).toEqual(['["a"]'])
  expect(keysIn({ list: 'json' }, '[{"a": "b"}, "c", 1]')).toEqual(['c'])
})
