import { expect, test } from 'vitest'
import { fileSize } from './file-size.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [2_440_000, '2.4 MB'],
  [123_400_000, '123 MB'],
  [5_000_000_000_000, '5,000 GB'],
])('%s bytes are %j', (bytes, text) => {
  expect(fileSize(bytes, 'en-US')).toBe(text)
})

test('of another locale, they are in its format', () => {
  expect(fileSize(2_440_000, 'de')).toBe('2,4 MB')
})
