import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dayOf,
  daysBetween,
  lastDayOf,
  sameDayIn,
  startOfWeek,
  todayIn,
  weeksOf,
} from './days.ts'

test('only days that a calendar has', () => {
  expect(dayOf(2024, 2, 29)).toBe('2024-02-29')
  expect(dayOf(2023, 2, 29)).toBeNull()
  expect(dayOf(98, 1, 2)).toBe('0098-01-02')
  expect(dayOf(0, 1, 1)).toBeNull()
  expect(dayOf(Number.NaN, 1, 1)).toBeNull()
})

test('days and months beyond the ends of others, within the years of four digits', () => {
  expect(addDays('2023-12-31', 1)).toBe('2024-01-01')
  expect(addDays('2024-03-01', -1)).toBe('2024-02-29')
  expect(addDays('9999-12-31', 1)).toBe('9999-12-31')
  expect(addDays('0001-01-01', -1)).toBe('0001-01-01')
  expect(addMonths('2023-12', 1)).toBe('2024-01')
  expect(addMonths('2024-01', -13)).toBe('2022-12')
  expect(lastDayOf('1900-02')).toBe('1900-02-28')
  expect(sameDayIn('2023-02', '2023-01-31')).toBe('2023-02-28')
})

test('a range of the same day twice is one day', () => {
  expect(daysBetween('2024-03-05', '2024-03-05')).toBe(1)
  expect(daysBetween('1998-06-08', '2002-07-25')).toBe(1509)
})

test('weeks begin on the day that the server says', () => {
  expect(weeksOf('1998-06', 0)[0]).toEqual([
    null,
    '1998-06-01',
    '1998-06-02',
    '1998-06-03',
    '1998-06-04',
    '1998-06-05',
    '1998-06-06',
  ])
  expect(weeksOf('1998-06', 1)[0]?.[0]).toBe('1998-06-01')
  expect(weeksOf('2026-02', 0)).toHaveLength(4)
  expect(startOfWeek('1998-06-10', 0)).toBe('1998-06-07')
  expect(startOfWeek('1998-06-07', 1)).toBe('1998-06-01')
})

test('today depends on the zone', () => {
  const now = new Date('2024-03-05T23:30:00Z')
  expect(todayIn('UTC', now)).toBe('2024-03-05')
  expect(todayIn('Asia/Tokyo', now)).toBe('2024-03-06')
})
