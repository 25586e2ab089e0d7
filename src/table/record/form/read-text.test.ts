import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnOf } from '../../../../test/table-of.ts'
import type { Column } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'
import { readDrawn, readText } from './read-text.ts'
import { writeText } from './write-text.ts'

const read = (type: Column['type'], text: string | null, locale = 'en-US') =>
  readText(columnOf('x', { type }), text, locale)

describe('a text in a field', () => {
  test.each<[type: Column['type'], text: string | null, value: Value]>([
    ['text', '', ''],
    ['text', ' padded ', ' padded '],
    ['text', null, null],
    ['integer', '', null],
    ['integer', '9007199254740993', 9007199254740993n],
    ['integer', '-1,234', -1234],
    ['decimal', '0.1', 0.1],
    ['decimal', '0.10', '0.10'],
    ['decimal', '1,234.50', '1234.50'],
    ['decimal', '12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['float', '1e300', 1e300],
    ['float', '-Infinity', -Infinity],
    ['float', 'NaN', Number.NaN],
    ['float', '-0', -0],
    ['float', '0.1', 0.1],
    ['float', '1e+23', 1e23],
    ['boolean', 'true', true],
    ['boolean', '0', false],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', 'infinity', 'infinity'],
    ['time', '07:35', '07:35'],
    ['time', '-838:59:59.5', '-838:59:59.5'],
    ['date', '5874897-12-31', '5874897-12-31'],
    ['date', '0044-03-15 BC', '0044-03-15 BC'],
    ['datetime', '0044-03-15 12:00:00 BC', '0044-03-15 12:00:00 BC'],
    ['datetime', '2024-02-29 07:35:00.123456', '2024-02-29 07:35:00.123456'],
    ['datetime', '2024-02-29 07:35:00.123456+02', '2024-02-29 07:35:00.123456+02'],
    ['json', ' {"a": 1e400} ', ' {"a": 1e400} '],
  ])('of %s: %s is %s', (type, text, value) => {
    expect(read(type, text)).toEqual({ value })
  })

  test.each<[type: Column['type'], text: string, problem: string]>([
    ['integer', '1.5', 'whole'],
    ['integer', 'one', 'number'],
    ['decimal', '1.2.3', 'number'],
    ['float', '0.1234567890123456789', 'digits'],
    ['float', '1e400', 'digits'],
    ['float', 'one', 'number'],
    ['time', '839:00', 'time'],
    ['date', '12345-02-30', 'date'],
    ['date', '02/03/2024', 'date'],
    ['date', '2023-02-29', 'date'],
    ['datetime', '2024-02-29 25:00', 'moment'],
    ['datetime', '3 March 2024', 'moment'],
    ['time', '7.35', 'time'],
    ['json', '{a: 1}', 'json'],
    ['boolean', 'maybe', 'yesNo'],
    ['binary', 'ff', 'bytes'],
  ])('of %s: %s is refused, never guessed', (type, text, problem) => {
    expect(read(type, text)).toEqual({ problem })
  })

  test('keeps as many digits as the column does', () => {
    const decimal = columnOf('x', { type: 'decimal', scale: 2 })
    expect(readText(decimal, '0.10', 'en-US')).toEqual({ value: 0.1 })
    const single = columnOf('x', { type: 'float', isSingle: true })
    expect(readText(single, '0.1', 'en-US')).toEqual({ value: 0.1 })
    expect(readText(single, '16777217', 'en-US')).toEqual({ problem: 'digits' })
  })

  test('is a number as the reader writes it', () => {
    expect(read('decimal', '1.234,5', 'de-DE')).toEqual({ value: 1234.5 })
    expect(read('decimal', '1234.5', 'de-DE')).toEqual({ value: 1234.5 })
    expect(read('integer', '1.234', 'de-DE')).toEqual({ value: 1234 })
    expect(read('decimal', '1234.567', 'de-DE')).toEqual({ value: 1234.567 })
    expect(read('float', '0.125', 'es-ES')).toEqual({ value: 0.125 })
    expect(read('decimal', '1,234', 'en-US')).toEqual({ value: 1234 })
    expect(read('decimal', '1234,567', 'en-US')).toEqual({ problem: 'number' })
  })

  test.each(['de-DE', 'es-ES'])('with a point that is one of two in %s is refused', (locale) => {
    for (const text of ['7.777', '-1.125', ' 999.000 ']) {
      expect(read('decimal', text, locale)).toEqual({ problem: 'ambiguous' })
      expect(read('float', text, locale)).toEqual({ problem: 'ambiguous' })
    }
    const cents = columnOf('x', { type: 'decimal', scale: 2 })
    expect(readText(cents, '1.234', locale)).toEqual({ value: 1234 })
  })
})

test.each<[type: Column['type'], value: Value]>([
  ['integer', 2n ** 63n - 1n],
  ['integer', -1],
  ['decimal', '-0.000000000000000000001'],
  ['float', 5e-324],
  ['float', Number.NaN],
  ['boolean', true],
  ['text', ''],
  ['text', null],
  ['datetime', '2024-02-29 07:35:00.123456+02'],
])('of %s: %s comes back as it was', (type, value) => {
  const written = readText(columnOf('x', { type }), writeText(value), 'de-AT')
  expect(written).toEqual({ value })
})

const LOCALES = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'de-CH', 'pl-PL', 'hi-IN']

test.each(LOCALES)('what a field was drawn with is read as it was in %s', (locale) => {
  const decimals = fc
    .tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.nat(6))
    .map(([digits, places]) => digits / 10 ** places)
    .filter((number) => !Object.is(number, -0))
  const value = fc.oneof(fc.constantFrom(7.777, -1.125, 999.001), decimals)
  const scale = fc.option(fc.nat(4), { nil: undefined })
  fc.assert(
    fc.property(value, scale, fc.constantFrom('decimal', 'float'), (number, places, type) => {
      const column = columnOf('x', { type, ...(places !== undefined && { scale: places }) })
      const text = writeText(number, column)
      expect(readDrawn(column, text, locale), text ?? '').toEqual({ value: number })
    }),
  )
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (number) => {
      const column = columnOf('x', { type: 'float' })
      expect(readDrawn(column, writeText(number), locale)).toEqual({ value: number })
    }),
  )
})

test.each([
  ['Feb 29, 2024', 'en-US', '2024-02-29'],
  ['29 Feb 2024', 'en-GB', '2024-02-29'],
  ['29.02.2024', 'de-DE', '2024-02-29'],
  ['5.3.2024', 'de-DE', '2024-03-05'],
])('a day may be typed as its cell shows it: %s in %s', (text, locale, day) => {
  expect(readText(columnOf('day', { type: 'date' }), text, locale)).toEqual({ value: day })
})

test.each([
  ['03/05/2024', 'en-US'],
  ['Feb 30, 2024', 'en-US'],
  ['Feb 29, 2024, 2:30 PM', 'en-US'],
  ['5/3/2024', 'de-DE'],
])('a day that is written otherwise is not guessed: %s in %s', (text, locale) => {
  const column = columnOf('day', { type: 'date' })
  expect(readText(column, text, locale)).toEqual({ problem: 'date' })
})
