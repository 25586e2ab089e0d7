import { expect, test } from 'vitest'
import { DATE_PRESETS } from '../../protocol/filters.ts'
import { parseDay } from './date-format.ts'
import { dayRange, presetDays, rangeIn, sentRange } from './date-range.ts'

test('the dates are sent in the format of the server, whichever came first', () => {
  expect(sentRange(dayRange('2002-07-25', '1998-06-08'), 'Y-m-d')).toEqual({
    minDate: '1998-06-08',
    maxDate: '2002-07-25',
  })
  expect(sentRange(dayRange('1998-06-08', '1998-06-08'), 'd.m.Y')).toEqual({
    minDate: '08.06.1998',
    maxDate: '08.06.1998',
  })
})

test('what is typed may miss zeros, and have other signs between its numbers', () => {
  expect(parseDay(' 1998-6-8 ', 'd.m.Y')).toBe('1998-06-08')
  expect(parseDay('8/6/1998', 'd.m.Y')).toBe('1998-06-08')
  expect(parseDay('6/8/1998', 'm/d/Y')).toBe('1998-06-08')
  for (const text of ['', '1998', '31.2.1998', '8.6.98', 'x8.6.1998', '8.6.1998.1'])
    expect(parseDay(text, 'd.m.Y'), text).toBeNull()
})

test('what is typed may be written as cells show it in the reader’s language', () => {
  const day = '1998-06-08'
  for (const locale of ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'pt-BR', 'ja-JP']) {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    expect(parseDay(format.format(Date.parse(day)), 'Y-m-d', locale), locale).toBe(day)
  }
  // The format of the server goes first.
  expect(parseDay('06.08.1998', 'm.d.Y', 'de-DE')).toBe(day)
  expect(parseDay('Jun 31, 1998', 'Y-m-d', 'en-US')).toBeNull()
})

test('a value is read in its format; a preset is no range', () => {
  expect(rangeIn({ minDate: '08.06.1998', maxDate: '25.07.2002' }, 'd.m.Y')).toEqual({
    first: '1998-06-08',
    last: '2002-07-25',
  })
  expect(rangeIn({ preset: 'today' }, 'Y-m-d')).toBeNull()
  expect(rangeIn(undefined, 'Y-m-d')).toBeNull()
})

test('presets are relative to today', () => {
  const days = DATE_PRESETS.map((preset) => Object.values(presetDays(preset, '2024-03-30', 0)))
  expect(days).toEqual([
    ['2024-03-30', '2024-03-30'],
    ['2024-03-29', '2024-03-29'],
    ['2024-03-24', '2024-03-30'],
    ['2024-03-17', '2024-03-23'],
    ['2024-03-24', '2024-03-30'],
    ['2024-03-01', '2024-03-30'],
    ['2024-03-01', '2024-03-31'],
    ['2024-02-01', '2024-02-29'],
    ['2024-01-01', '2024-12-31'],
    ['2023-01-01', '2023-12-31'],
  ])
})
