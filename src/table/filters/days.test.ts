import { expect, test } from 'vitest'
import { addDays, clockAt, dayAt, momentOf, presetDays, startOfDay } from './days.ts'

const iso = (ms: number) => new Date(ms).toISOString()

test.each([
  ['2024-03-05', 'UTC', '2024-03-05T00:00:00.000Z'],
  ['2024-03-31', 'Europe/Vienna', '2024-03-30T23:00:00.000Z'],
  ['2024-04-01', 'Europe/Vienna', '2024-03-31T22:00:00.000Z'],
  ['2024-10-27', 'Europe/Vienna', '2024-10-26T22:00:00.000Z'],
  ['2024-10-28', 'Europe/Vienna', '2024-10-27T23:00:00.000Z'],
  ['2024-03-05', 'Asia/Kathmandu', '2024-03-04T18:15:00.000Z'],
  ['2024-03-05', 'Pacific/Kiritimati', '2024-03-04T10:00:00.000Z'],
  ['2024-03-05', 'Pacific/Pago_Pago', '2024-03-05T11:00:00.000Z'],
  // The clock skips midnight, and shows it twice.
  ['2024-03-10', 'America/Havana', '2024-03-10T05:00:00.000Z'],
  ['2024-11-03', 'America/Havana', '2024-11-03T04:00:00.000Z'],
])('the day %s in %s begins at %s', (day, zone, start) =>
  expect(iso(startOfDay(day, zone))).toBe(start),
)

test('a day is as long as it is on the clock, and no moment is in two', () => {
  const hours = (day: string, zone: string) =>
    (startOfDay(addDays(day, 1), zone) - startOfDay(day, zone)) / 3_600_000
  expect(hours('2024-03-31', 'Europe/Vienna')).toBe(23)
  expect(hours('2024-10-27', 'Europe/Vienna')).toBe(25)
  expect(hours('2024-10-28', 'Europe/Vienna')).toBe(24)
  expect(hours('2024-03-10', 'America/Havana')).toBe(23)
  // Samoa skipped a whole day.
  expect(hours('2011-12-30', 'Pacific/Apia')).toBe(0)
})

/** When clocks go back, and by how many minutes. */
const CHANGES = [
  ['America/New_York', '2024-11-03T06:00:00Z', 60],
  ['Europe/Vienna', '2024-10-27T01:00:00Z', 60],
  ['America/St_Johns', '2024-11-03T04:30:00Z', 60],
  ['America/Havana', '2024-11-03T05:00:00Z', 60],
  ['Australia/Lord_Howe', '2024-04-06T15:00:00Z', 30],
] as const

test.each(CHANGES)(
  'a time that clocks in %s show twice is the first of the two',
  (zone, at, length) => {
    const change = Date.parse(at)
    for (let minute = -length; minute < 2 * length; minute += 1) {
      const ms = change + minute * 60_000
      const [day = '', time = ''] = new Date(clockAt(ms, zone))
        .toISOString()
        .slice(0, 16)
        .split('T')
      const isSecond = minute >= 0 && minute < length
      expect(iso(momentOf(day, time, zone)), time).toBe(iso(isSecond ? ms - length * 60_000 : ms))
    }
  },
)

test('a time that clocks skip is the first moment after it', () => {
  const zone = 'Europe/Vienna'
  for (const time of ['02:00', '02:15', '02:30', '02:59'])
    expect(iso(momentOf('2024-03-31', time, zone)), time).toBe('2024-03-31T01:00:00.000Z')
})

test('which day it is depends on the zone', () => {
  const moment = Date.parse('2024-03-05T23:30:00Z')
  expect(dayAt(moment)).toBe('2024-03-05')
  expect(dayAt(moment, 'Europe/Vienna')).toBe('2024-03-06')
  expect(dayAt(moment, 'America/New_York')).toBe('2024-03-05')
})

test.each([
  ['today', '2024-03-01', '2024-03-01'],
  ['yesterday', '2024-02-29', '2024-02-29'],
  ['thisWeek', '2024-02-25', '2024-03-02'],
  ['lastWeek', '2024-02-18', '2024-02-24'],
  ['last7days', '2024-02-24', '2024-03-01'],
  ['last30days', '2024-02-01', '2024-03-01'],
  ['thisMonth', '2024-03-01', '2024-03-31'],
  ['lastMonth', '2024-02-01', '2024-02-29'],
  ['thisYear', '2024-01-01', '2024-12-31'],
  ['lastYear', '2023-01-01', '2023-12-31'],
] as const)('on 1 March 2024, %s is %s to %s', (preset, first, last) =>
  expect(presetDays(preset, '2024-03-01')).toEqual([first, last]),
)
