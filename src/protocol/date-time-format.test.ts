import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import { formatDateTime, isDateTimeFormat, parseDateTime } from './date-time-format.ts'

const FORMATS = ['Y-m-d H:i', 'd.m.Y, h:i K', 'm/d/Y G:i K', 'YmdHi', 'H:i d/m/Y'] as const

test('without a format, moments are written as `Y-m-d H:i`', () => {
  expect(formatDateTime('2024-03-05T14:30')).toBe('2024-03-05 14:30')
  expect(parseDateTime(' 2024-03-05 14:30 ')).toBe('2024-03-05T14:30')
})

test('noon is 12 PM and midnight 12 AM, with and without a leading zero', () => {
  const at = (time: string) =>
    ['h:i K', 'G:i K'].map((clock) =>
      formatDateTime(`2024-03-05T${time}`, `Y-m-d ${clock}`).slice(11),
    )
  expect(at('12:00')).toEqual(['12:00 PM', '12:00 PM'])
  expect(at('00:05')).toEqual(['12:05 AM', '12:05 AM'])
  expect(at('09:05')).toEqual(['9:05 AM', '09:05 AM'])
  expect(parseDateTime('2024-03-05 12:00 am', 'Y-m-d h:i K')).toBe('2024-03-05T00:00')
  expect(parseDateTime('2024-03-05 12:00 PM', 'Y-m-d h:i K')).toBe('2024-03-05T12:00')
})

test.each(FORMATS)('what is written as %s reads the same', (format) => {
  const moment = fc.date({
    min: new Date('0001-01-01T00:00Z'),
    max: new Date('9999-12-31T23:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moment, (date) => {
      const iso = date.toISOString().slice(0, 16)
      expect(parseDateTime(formatDateTime(iso, format), format)).toBe(iso)
    }),
    { numRuns: runs(200) },
  )
})

test.each([
  ['2024-02-30 12:00', 'Y-m-d H:i'],
  ['2024-03-05 24:00', 'Y-m-d H:i'],
  ['2024-03-05 12:60', 'Y-m-d H:i'],
  ['2024-03-05 12:00:00', 'Y-m-d H:i'],
  ['2024-03-05', 'Y-m-d H:i'],
  ['2024-03-05 0:30 PM', 'Y-m-d h:i K'],
  ['2024-03-05 13:30 PM', 'Y-m-d h:i K'],
  ['2024-03-05 9:30', 'Y-m-d h:i K'],
])('%s is no moment as %s', (text, format) => {
  expect(parseDateTime(text, format)).toBeUndefined()
})

describe('a format', () => {
  test.each(FORMATS)('can be %s', (format) => expect(isDateTimeFormat(format)).toBe(true))

  test.each([
    'Y-m-d',
    'Y-m-d h:i',
    'Y-m-d H:i K',
    'Y-m-d H',
    'm-d H:i',
    'Y-m-d d H:i',
    'Y-m-d H:i:s',
  ])('cannot be %s', (format) => {
    expect(isDateTimeFormat(format)).toBe(false)
    expect(() => parseDateTime('2024-03-05 14:30', format)).toThrow(RangeError)
  })
})
