import { expect, test } from 'vitest'
import { inOrder, readRange, sameRange } from './number-range.ts'
import { addNumbers } from '../../protocol/add-numbers.ts'
import { compareNumbers, readNumber, showNumber } from '../../protocol/numbers.ts'
import {
  isTwoNumbers,
  readNumberList,
  readTyped,
  writeTyped,
} from '../../protocol/typed-numbers.ts'

const EN = { locale: 'en-US' }
const DE = { locale: 'de-DE' }

test.each([
  ['', 'en-US', null],
  ['80', 'en-US', 80],
  [' 12,397,751 ', 'en-US', 12_397_751],
  ['-0.50', 'en-US', -0.5],
  ['−3', 'en-US', -3],
  ['1.234,5', 'de-DE', 1234.5],
  ['80.5', 'de-DE', 80.5],
  ['1 234,5', 'fr-FR', 1234.5],
  ['1,2,3', 'en-US', undefined],
  ['9223372036854775807', 'en-US', '9223372036854775807'],
  ['0.12345678901234567890', 'en-US', '0.12345678901234567890'],
  ['80 kt', 'en-US', undefined],
  ['1e5', 'en-US', undefined],
  ['-', 'en-US', undefined],
])('%j in %s is %j', (text, locale, number) => {
  expect(readNumber(text, locale)).toBe(number)
})

test('what is shown can be read again', () => {
  for (const locale of ['en-US', 'de-DE', 'fr-FR'])
    for (const number of [0, -1234.5, 12_397_751, '9223372036854775807', '-0.00000000000000000001'])
      expect(readNumber(showNumber(number, locale), locale), `${number} ${locale}`).toBe(number)
})

test('comparisons keep every digit', () => {
  expect(compareNumbers('9223372036854775807', '9223372036854775806')).toBe(1)
  expect(compareNumbers('0.10', 0.1)).toBe(0)
  expect(compareNumbers(-2, '-1.5')).toBe(-1)
})

test('sums keep every digit, and as many places as the longest number', () => {
  expect(addNumbers([])).toBe('0')
  expect(addNumbers(['0.10', '+0.2', '.5', 1])).toBe('1.80')
  expect(addNumbers(['-0.5', '0.25'])).toBe('-0.25')
  expect(addNumbers(['9223372036854775807', '0.00000000000000000001'])).toBe(
    '9223372036854775807.00000000000000000001',
  )
  expect(addNumbers(['1', 'NaN'])).toBeNull()
})

test('if max is below min, the two are swapped', () => {
  expect(inOrder({ min: 260, max: 80 })).toEqual({ min: 80, max: 260 })
  expect(inOrder({ min: '9223372036854775807', max: '9223372036854775806' })).toEqual({
    min: '9223372036854775806',
    max: '9223372036854775807',
  })
  expect(inOrder({ min: 5 })).toEqual({ min: 5, max: null })
})

test('a range says nothing while one of its fields is no number', () => {
  expect(readRange({ min: '80', max: 'x' }, EN)).toBeNull()
  expect(readRange({ min: '', max: '260' }, EN)).toEqual({ min: null, max: 260 })
})

test('the same range in other words is no update', () => {
  expect(sameRange({ min: 80 }, { min: '80.0', max: null })).toBe(true)
  expect(sameRange({ min: 80 }, { max: 80 })).toBe(false)
  expect(sameRange({}, { min: 0 })).toBe(false)
})

test.each([
  ['1.125', { ...DE, thousandths: true }, undefined],
  ['-7.777', { ...DE, thousandths: true }, undefined],
  ['1.125,0', { ...DE, thousandths: true }, 1125],
  ['1,125', { ...DE, thousandths: true }, 1.125],
  ['1125', { ...DE, thousandths: true }, 1125],
  // A whole number has no decimals, so the point can only stand after thousands.
  ['1.125', DE, 1125],
  ['1.125', { ...EN, thousandths: true }, 1.125],
])('%j of %j is read as %j', (text, signs, number) => {
  expect(readTyped(text, signs)).toBe(number)
  expect(isTwoNumbers(text, signs)).toBe(number === undefined)
})

test('a field shows no number that it would not take', () => {
  const signs = { ...DE, thousandths: true }
  for (const number of [7777, 777_777, -7777, 7_777_777, 1.125, '12.500'])
    expect(compareNumbers(readTyped(writeTyped(number, signs), signs) ?? 0, number)).toBe(0)
  expect(writeTyped(7777, signs)).toBe('7777')
  expect(writeTyped(7777, DE)).toBe('7.777')
})

test('commas separate numbers only where they do not stand before decimals', () => {
  expect(readNumberList('1,5; 2', DE)).toEqual(['1,5', '2'])
  expect(readNumberList('1,5; 2', EN)).toEqual(['1', '5', '2'])
  expect(readNumberList('1,5\n2', DE)).toEqual(['1,5', '2'])
})
