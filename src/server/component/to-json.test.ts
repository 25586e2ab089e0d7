import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { afterJson, toJsonText } from './to-json.ts'

const shown = (value: unknown) => afterJson(value, toJsonText('test', 'its view', value))

class Point {
  readonly x = 1
}

/** What JSON changes, or cannot be trusted to keep. */
const unlike = fc.constantFrom(
  ...[undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, new Date(0), new Point(), () => 1],
  ...[new Map([[1, 2]]), Object.create(null), Array.from({ length: 2 }), Symbol('sign')],
  ...[{ toJSON: () => 'written' }, Object.assign([1], { toJSON: () => 'written' })],
)

test('a view is shown as it comes out of JSON, whatever it holds', () => {
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      unlike,
      fc.array(tie('node')),
      fc.dictionary(fc.string(), tie('node')),
    ),
  })).node
  fc.assert(
    fc.property(value, (value) => {
      // Whether a number is `-0`, and a key holds `undefined`, counts too.
      expect(shown(value)).toStrictEqual(JSON.parse(JSON.stringify(value) ?? 'null'))
    }),
  )
})

const holes = Object.assign([1], { length: 3 })

test.each([[holes], [{ a: undefined }], [-0], [[Object.create(null)]], [undefined]])(
  '%o is shown as JSON writes it',
  (value) => expect(shown(value)).toStrictEqual(JSON.parse(JSON.stringify(value) ?? 'null')),
)

test('what JSON keeps as it is need not be parsed', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const view = { rows: [['1', 2, null, ['a', true]]], empty: {}, list: [] }
  const same = shown(view)
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
  expect(same).toBe(view)
})
