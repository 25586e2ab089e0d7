import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeTableName, encodeTableName } from './table-name.ts'

const read = (segment: string) => decodeTableName(decodeURIComponent(segment))

test.each([
  ['orders', 'orders'],
  ['Order Details', 'Order%20Details'],
  ['a.b', 'a.b'],
  ['...', '...'],
  ['50%', '50%25'],
  ['~', '~'],
  ['a~b', 'a~b'],
  ['~2e', '~2e'],
  ['ü', '%C3%BC'],
  ['.', '~2E'],
  ['..', '~2E~2E'],
  ['a/b', 'a~2Fb'],
  ['/', '~2F'],
  ['../..', '..~2F..'],
  ['a\\b', 'a~5Cb'],
  ['~2F', '~7E2F'],
  ['~~7E', '~~7E7E'],
])('the table %j is at %s', (name, segment) => {
  expect(encodeTableName(name)).toBe(segment)
  expect(read(segment)).toBe(name)
})

test('every name has an address of its own, which nothing resolves', () => {
  const part = fc.constantFrom('.', '/', '\\', '~', '2', 'E', 'F', '5', 'C', '7', '%', 'a', 'ü')
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const name = parts.join('')
      const segment = encodeTableName(name)
      expect(read(segment)).toBe(name)
      const path = `/tables/${segment}/records/1`
      expect(new URL(path, 'http://localhost').pathname).toBe(path)
      expect(decodeURIComponent(segment)).not.toMatch(/[/\\]/)
    }),
  )
})

test.each(['.', '..', 'a/b', 'a\\b', '/'])('%j is no spelling of a name', (segment) => {
  expect(decodeTableName(segment)).toBe(null)
})

test('a segment is read only if the name is written so', () => {
  const part = fc.constantFrom('~', '2', 'E', 'F', '5', 'C', '7', '.', 'a')
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const segment = parts.join('')
      const name = decodeTableName(segment)
      if (name !== null) expect(decodeURIComponent(encodeTableName(name))).toBe(segment)
    }),
  )
})
