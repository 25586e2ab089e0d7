import { describe, expect, test } from 'vitest'
import { storedMoment, withMoment } from './stored-moment.ts'

const NOON = 12 * 60

describe('a moment that a calendar changes', () => {
  test.each([
    ['2024-03-05 14:30:59.123456', '2024-04-01 14:30:59.123456'],
    ['2024-03-05T14:30:00Z', '2024-04-01T14:30:00Z'],
    ['2024-03-05 14:30:00.125+02', '2024-04-01 14:30:00.125+02'],
    ['2024-03-05 14:30', '2024-04-01 14:30'],
  ])('%s keeps what was not touched', (text, expected) => {
    const { minutes } = storedMoment(text)!
    expect(withMoment(text, { day: '2024-04-01', minutes }, { hasTime: true })).toBe(expected)
  })

  test('keeps seconds and zone under another time', () => {
    const chosen = { day: '2024-03-05', minutes: 5 }
    const next = withMoment('2024-03-05 14:30:59.5+02', chosen, { hasTime: true })
    expect(next).toBe('2024-03-05 00:05:59.5+02')
  })

  test('keeps no offset where it told which of two equal times it was', () => {
    const second = '2024-11-03 01:30:00.5-05:00'
    const options = { hasTime: true, isOwnClock: true }
    const chosen = (day: string, minutes: number) => withMoment(second, { day, minutes }, options)
    expect(chosen('2024-11-04', 90)).toBe('2024-11-04 01:30:00.5')
    expect(chosen('2024-11-03', 95)).toBe('2024-11-03 01:35:00.5')
    expect(chosen('2024-11-03', 90)).toBe(second)
  })

  test('begins at noon where there is none, and has no time where the column has none', () => {
    expect(storedMoment('2024-03-05')).toEqual({ day: '2024-03-05', minutes: NOON })
    const chosen = { day: '2024-04-01', minutes: NOON }
    expect(withMoment(null, chosen, { hasTime: true })).toBe('2024-04-01 12:00:00')
    expect(withMoment('', chosen, { hasTime: false })).toBe('2024-04-01')
  })
})

test.each([null, '', 'soon', '5 March', 'infinity', '2024-03'])('%s is none', (text) =>
  expect(storedMoment(text)).toBeNull(),
)
