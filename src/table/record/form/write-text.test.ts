import { describe, expect, test } from 'vitest'
import type { Column } from '../../source/schema.ts'
import { readText } from './read-text.ts'
import { writeText } from './write-text.ts'

const price = (scale?: number): Column => ({
  ...{ name: 'price', type: 'decimal', declared: 'numeric', nullable: false },
  ...{ generated: false, hasDefault: false, ...(scale !== undefined && { scale }) },
})

describe('the text of a number', () => {
  test.each([
    [62.5, 2, '62.50'],
    [7, 2, '7.00'],
    [-0.5, 3, '-0.500'],
    ['12345678901234567890.5', 2, '12345678901234567890.50'],
    [1250, -2, '1250'],
    [7, 0, '7'],
  ])('%s with %i digits after its point is %s, which is the same number', (value, scale, text) => {
    expect(writeText(value, price(scale))).toBe(text)
    const read = readText(price(scale), text, 'en')
    expect('value' in read && Number(read.value)).toBe(Number(value))
  })

  test('of a type without a number of digits stays as it is', () => {
    expect(writeText(62.5, price())).toBe('62.5')
    expect(writeText(Number.NaN, price(2))).toBe('NaN')
  })
})
