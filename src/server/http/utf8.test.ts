import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8 } from './utf8.ts'

test('every text is encoded as Buffer.from encodes it, and none changes an earlier one', () => {
  const given = fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 5 })
  fc.assert(
    fc.property(given, fc.nat(3), (texts, lone) => {
      // Half of a surrogate pair is replaced.
      const all = [...texts, '\ud83d'.repeat(lone)]
      const encoded = all.map(utf8)
      expect(encoded).toEqual(all.map((text) => Buffer.from(text)))
    }),
  )
})

test.each([349_525, 349_526, 1_048_576, 2_000_000])(
  'a text of %i characters is whole',
  (length) => {
    for (const sign of ['a', 'ü', '€']) {
      const text = sign.repeat(length)
      expect(utf8(text).equals(Buffer.from(text))).toBe(true)
    }
  },
)
