import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { prettyJson } from './pretty-json.ts'

test('sets objects and lists in lines', () => {
  expect(prettyJson('{"a":[1,{"b":null}],"c":{},"d":[ ]}')).toBe(`{
  "a": [
    1,
    {
      "b": null
    }
  ],
  "c": {},
  "d": []
}`)
})

test('does what JSON.stringify does, whatever the blanks', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\n\t '), (value, blank) => {
      const text = JSON.stringify(value, null, blank)
      expect(prettyJson(`${blank}${text}${blank}`)).toBe(JSON.stringify(value, null, 2))
    }),
    { numRuns: runs(2000) },
  )
})

test('changes no digit, no escape and no order', () => {
  const text = String.raw`{"n":12345678901234567890.10,"n":1e400,"s":"\u00e9\"\\","e":""}`
  expect(prettyJson(text)?.replaceAll(/\n */g, '').replaceAll(': ', ':')).toBe(text)
})

test.each(['', 'x', '{"a":1', "{'a':1}", '{"a":1} x', '[1,]', '"\\x"', 'NaN'])(
  'leaves alone what is no JSON: %j',
  (text) => expect(prettyJson(text)).toBe(null),
)

test('takes a time that grows with the text, not with its square', () => {
  const text = `[${'[1],{},'.repeat(100_000)}0]`
  expect(prettyJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
})

test('does not grow beyond reason', () => {
  const depth = 20_000
  expect(prettyJson('['.repeat(depth) + ']'.repeat(depth))).toBe(null)
})
