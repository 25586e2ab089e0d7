import { expect, test } from 'vitest'
import {
  DEFAULT_MINUTES,
  hourOf,
  isAfternoon,
  minuteOf,
  momentIn,
  steppedHour,
  steppedMinute,
  textOf,
  two,
  withHalf,
  withHour,
  withMinute,
} from './moment.ts'

const at = (hour: number, minute = 0) => hour * 60 + minute
const clock = (minutes: number | null) =>
  minutes === null
    ? null
    : `${hourOf(minutes)}:${two(minuteOf(minutes))} ${isAfternoon(minutes) ? 'PM' : 'AM'}`

test('without a time it is 12:00 (spec §9)', () => {
  expect(DEFAULT_MINUTES).toBe(at(12))
  expect(momentIn('2024-03-05', 'Y-m-d H:i')).toEqual({ day: '2024-03-05', minutes: at(12) })
})

test('the clock has 12 hours: midnight and noon are 12 (spec §9)', () => {
  expect([0, 60, 719, 720, 780, 1439].map(clock)).toEqual([
    '12:00 AM',
    '1:00 AM',
    '11:59 AM',
    '12:00 PM',
    '1:00 PM',
    '11:59 PM',
  ])
})

test('hours step by 1, over noon and around midnight (spec §9)', () => {
  expect(clock(steppedHour(at(11, 30), 1))).toBe('12:30 PM')
  expect(clock(steppedHour(at(23, 30), 1))).toBe('12:30 AM')
  expect(clock(steppedHour(at(0, 30), -1))).toBe('11:30 PM')
})

test('minutes step by 5, to the next multiple, and take the hour along (spec §9)', () => {
  expect(clock(steppedMinute(at(12, 0), 1))).toBe('12:05 PM')
  expect(clock(steppedMinute(at(12, 3), 1))).toBe('12:05 PM')
  expect(clock(steppedMinute(at(12, 3), -1))).toBe('12:00 PM')
  expect(clock(steppedMinute(at(12, 55), 1))).toBe('1:00 PM')
  expect(clock(steppedMinute(at(23, 57), 1))).toBe('12:00 AM')
  expect(clock(steppedMinute(at(0), -1))).toBe('11:55 PM')
})

test('an hour is typed by either clock', () => {
  expect(clock(withHour(at(14, 30), '3'))).toBe('3:30 PM')
  expect(clock(withHour(at(9, 30), '12'))).toBe('12:30 AM')
  expect(clock(withHour(at(9, 30), '15'))).toBe('3:30 PM')
  expect(clock(withHour(at(14, 30), '0'))).toBe('12:30 AM')
  expect(['24', '', 'x', '123'].map((text) => withHour(at(9), text))).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test('a minute, and the half of the day, leave the rest', () => {
  expect(clock(withMinute(at(14, 30), '07'))).toBe('2:07 PM')
  expect(['60', '', '-1'].map((text) => withMinute(at(9), text))).toEqual([null, null, null])
  expect(clock(withHalf(at(14, 30), false))).toBe('2:30 AM')
  expect(clock(withHalf(at(0, 5), true))).toBe('12:05 PM')
})

test.each([
  ['2024-3-5 9:05', 'Y-m-d H:i', '2024-03-05 09:05'],
  ['2024-03-05T14:30', 'd.m.Y H:i', '05.03.2024 14:30'],
  ['5/3/2024, 2.30 pm', 'd.m.Y H:i', '05.03.2024 14:30'],
  ['03/05/2024 12:15 AM', 'm/d/Y h:i K', '03/05/2024 12:15 AM'],
  ['03/05/2024 14:15', 'm/d/Y h:i K', '03/05/2024 2:15 PM'],
  ['2024-03-05 9', 'Y-m-d H:i', '2024-03-05 09:00'],
])('%s is read in the order of %s', (text, format, meant) => {
  const moment = momentIn(text, format)
  expect(moment && textOf(moment, format)).toBe(meant)
})

test.each([
  '',
  'soon',
  '2024-02-30 12:00',
  '2024-03-05 25:00',
  '2024-03-05 13:00 pm',
  '2024-03-05 9:75',
])('“%s” is no moment', (text) => expect(momentIn(text, 'Y-m-d H:i')).toBeNull())
