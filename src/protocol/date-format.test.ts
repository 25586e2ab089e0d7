import { expect, test } from 'vitest'
import { formatDate, isDateFormat, parseDate } from './date-format.ts'

test.each(['Y-m-d', 'd.m.Y', 'm/d/Y', 'd. m. Y'])('days written as %s come back', (format) => {
  for (const day of ['0001-01-01', '2024-02-29', '9999-12-31'])
    expect(parseDate(formatDate(day, format), format)).toBe(day)
})

test.each([
  ['2024-02-30', 'Y-m-d'],
  ['2023-02-29', 'Y-m-d'],
  ['2024-13-01', 'Y-m-d'],
  ['2024-3-5', 'Y-m-d'],
  ['0000-01-01', 'Y-m-d'],
  ['05.03.2024', 'Y-m-d'],
  ['2024-03-05T00:00', 'Y-m-d'],
  ['05x03x2024', 'd.m.Y'],
  ['', 'Y-m-d'],
])('%j is no day written as %s', (text, format) => expect(parseDate(text, format)).toBeUndefined())

test('a format names year, month and day once each, and separates them', () => {
  expect(['Y-m-d', 'd.m.Y', 'm/d/Y'].every(isDateFormat)).toBe(true)
  expect(['Ymd', 'Y-m', 'Y-m-m', 'Y-m-d H', 'y-m-d', ''].some(isDateFormat)).toBe(false)
})
