import { expect, test } from 'vitest'
import { draftTime } from './draft-time.ts'

test('a draft says on which day of the last week it was typed, and when', () => {
  const now = new Date(2026, 10, 26, 9, 30)
  const at = (day: number) => draftTime(new Date(2026, 10, day, 14, 20).getTime(), now, 'en-GB')
  expect(at(24)).toEqual({ day: 'Tuesday', time: '14:20' })
  expect(at(26)).toEqual({ day: 'today', time: '14:20' })
  // A week ago, less some hours.
  expect(at(19)).toEqual({ day: 'Thursday', time: '14:20' })
})
