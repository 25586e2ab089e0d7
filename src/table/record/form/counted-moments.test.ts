import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/tier.ts'
import { countText, readCount } from './counted-moments.ts'

const ZONES = [
  undefined,
  'UTC',
  'Europe/Vienna',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
]
const [FIRST, LAST] = [883_612_800, 4_102_444_799]

test.each([1, 1000])('what is drawn of a count of %i ms is read as the same count', (unit) => {
  const counts = fc.integer({ min: (FIRST * 1000) / unit, max: (LAST * 1000) / unit })
  // The hours around a change of the clocks.
  const changes = fc.integer({ min: 1_792_880_000_000 / unit, max: 1_792_900_000_000 / unit })
  fc.assert(
    fc.property(fc.oneof(counts, changes), fc.constantFrom(...ZONES), (count, zone) => {
      const text = countText(count, zone)
      expect(text).toBeDefined()
      expect(readCount(text ?? '', unit, zone)).toEqual({ value: count })
    }),
    { numRuns: runs(300) },
  )
})

test('of a time that clocks show twice the first has no offset, and the second has one', () => {
  const change = Date.parse('2024-11-03T06:00:00Z') / 1000
  const [zone, hour] = ['America/New_York', 3600]
  fc.assert(
    fc.property(fc.integer({ min: 0, max: hour - 1 }), (second) => {
      const [first, again] = [change - hour + second, change + second]
      const text = countText(first, zone) ?? ''
      expect(text).toMatch(/^2024-11-03 01:\d\d:\d\d$/)
      expect(countText(again, zone)).toBe(`${text}-05:00`)
      expect(readCount(text, 1000, zone)).toEqual({ value: first })
      expect(readCount(`${text}-05:00`, 1000, zone)).toEqual({ value: again })
    }),
    { numRuns: runs(200) },
  )
})

test('numbers that are no moments have no such text', () => {
  for (const value of [null, 0, -1, 5, 883_612_799, 'soon', new Uint8Array([1])])
    expect(countText(value, 'UTC')).toBeUndefined()
  expect(countText(1_709_645_400n, 'UTC')).toBe('2024-03-05 13:30:00')
})

test('an offset that is typed counts before the zone of the reader', () => {
  const zone = 'Europe/Vienna'
  const value = 1_709_645_400
  for (const text of [
    ...['2024-03-05 14:30', '2024-03-05 14:30:00', ' 2024-03-05T13:30Z ', '2024-03-05 13:30 UTC'],
    ...['2024-03-05 08:30-05', '2024-03-05 19:00:00.000+05:30', '2024-03-05 19:00 +0530'],
  ])
    expect(readCount(text, 1000, zone), text).toEqual({ value })
})

test.each([
  ['', 'moment'],
  ['14:30', 'moment'],
  ['2024-03-05 24:00', 'moment'],
  ['2024-03-05 14:60', 'moment'],
  ['infinity', 'moment'],
  // Clocks of the zone skip it.
  ['2024-03-31 02:30', 'moment'],
  ['2024-03-05 14:30:00.0001', 'digits'],
  ['1997-12-31', 'countedYears'],
  ['2100-02-01', 'countedYears'],
  // In milliseconds it would be shown as a day of 2024.
  ['1970-01-20 18:54:05', 'countedYears'],
])('%j is no count: %s', (text, problem) => {
  expect(readCount(text, 1, 'Europe/Vienna')).toEqual({ problem })
})
