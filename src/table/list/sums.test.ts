import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatterFor } from '../format.ts'
import { currencyText, fixedText, meanText, sumText, summaryOfFixed } from './sums.ts'
import type { Value } from '../source/value.ts'

const en = formatterFor({ locale: 'en-US', language: 'en' })
const sum = (values: readonly Value[]) => sumText(values, en)

test('means of money are to the cent, however large', () => {
  expect(meanText(['30.50', '6.50'], en, true)).toBe('18.50')
  expect(meanText([1000, 1001, 1001], en, true)).toBe('1,000.67')
})

test('sums of money have the digits that money has', () => {
  expect(sumText(['457.30'], en, true)).toBe('457.30')
  expect(sumText(['457.30', '0.205'], en, true)).toBe('457.505')
  expect(sumText(['457', '3'], en, true)).toBe('460')
})
const mean = (values: readonly Value[]) => meanText(values, en)

describe('the sum', () => {
  test.each<[readonly Value[], string | null]>([
    [[], null],
    [[null, null], null],
    [['n/a'], null],
    [[0], '0'],
    [[1, 2, null], '3'],
    [[0.1, 0.2], '0.3'],
    [['0.10', '0.2'], '0.3'],
    [['99999999999999999999.99', '0.01'], '100,000,000,000,000,000,000'],
    [[9223372036854775807n, 1], '9,223,372,036,854,775,808'],
    [[-0.5, 0.25], '-0.25'],
    [['-0.05', '-0.05'], '-0.1'],
    [[-1, 1], '0'],
    [['1.5', 'n/a', 2], '3.5'],
    [[0.0000001, 1], '1.0000001'],
    [[1e21, 1], '1,000,000,000,000,000,000,001'],
    [[-2.5e-7, '0.00000025'], '0'],
  ])('of %s is %s', (values, text) => expect(sum(values)).toBe(text))

  test('is exact for all decimals', () => {
    const cents = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
    const written = (value: bigint) => {
      const digits = String(value < 0n ? -value : value).padStart(3, '0')
      return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
    }
    const expected = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 100 }), (values) => {
        const total = values.reduce((sum, value) => sum + value, 0n)
        const text = total === 0n ? '0' : expected.format(written(total) as unknown as number)
        expect(sum(values.map(written))).toBe(text)
      }),
    )
  })

  test('is exact for doubles with few digits, which themselves are not', () => {
    const tenths = fc.integer({ min: -10_000_000, max: 10_000_000 })
    fc.assert(
      fc.property(fc.array(tenths, { minLength: 1, maxLength: 100 }), (values) => {
        const total = values.reduce((sum, value) => sum + value, 0)
        expect(sum(values.map((value) => value / 100))).toBe(
          en.number(total === 0 ? 0 : total / 100),
        )
      }),
    )
  })

  test('does not depend on the order', () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
    )
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        expect(sum(values.toReversed())).toBe(sum(values))
      }),
    )
  })
})

describe('the mean', () => {
  test.each<[readonly Value[], string | null]>([
    [[], null],
    [[null], null],
    [[1, 2], '1.5'],
    [[1, null, 3], '2'],
    [[1, 1, 2], '1.33'],
    [[100, 201], '151'],
    [['1.005'], '1.01'],
    [[-5, 5], '0'],
  ])('of %j is %j', (values, text) => expect(mean(values)).toBe(text))
})

describe('amounts of one currency', () => {
  const euro = { fixedCurrency: { code: 'EUR', digits: 2 } }
  const [sums, means] = [
    { ...euro, summary: 'sum' } as const,
    { ...euro, summary: 'mean' } as const,
  ]

  test.each<[readonly Value[], string, string]>([
    [[0.25, 0.125], '0.375', '0.375'],
    // As doubles, and as a column without a scale adds them up.
    [[0.1, 0.2], '0.30000000000000004', '0.30'],
    [['1234567890123.25', '1'], '1234567890124.25', '1,234,567,890,124.25'],
    [[12], '12', '12.00'],
  ])('%s have the same sum whoever adds them up', (values, sum, text) => {
    expect(summaryOfFixed(sums, values, en).text).toBe(text)
    expect(fixedText(sums, { sum, count: values.length }, en)).toBe(text)
    const scaled = { ...sums, digits: 2 }
    expect(summaryOfFixed(scaled, values, en).text).toBe(
      fixedText(scaled, { sum, count: values.length }, en),
    )
  })

  test('a mean that is rounded to zero has no sign', () => {
    const cents = { ...means, minorUnit: 'cents' }
    expect(summaryOfFixed(cents, [-1, 0, 0], en).text).toBe('0.00')
    expect(fixedText(means, { sum: '-0.001', count: 1 }, en)).toBe('0.00')
    expect(fixedText({ ...sums, digits: 2 }, { sum: '-0.001', count: 1 }, en)).toBe('0.00')
    const beside = { summary: 'mean', minorUnit: 'cents' } as const
    expect(currencyText(beside, { sum: '-1', count: 3, currency: 'EUR' }, en)).toBe('€0.00')
    expect(meanText([-0.001], en)).toBe('0')
    expect(fixedText(cents, { sum: '-51', count: 1 }, en)).toBe('-0.51')
  })
})
