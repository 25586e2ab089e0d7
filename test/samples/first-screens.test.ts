import { expect, test } from 'vitest'
import { judgeScreens } from './first-screens.ts'

/** The tables whose first screen is not as expected; the expectations stand as they were written. */
const MISSED = [
  // Two columns that the expectation forgot are empty, and come after those that it names.
  'laravel users',
  'solidus spree_prices',
  // The id of a session is hidden, as it is a secret.
  'laravel sessions',
  // An email address is trusted before a user name.
  'wagtail auth_user',
]

test('of 100 tables of eight applications, at least 95 open as expected', async () => {
  const judged = await judgeScreens('known')
  const missed = judged.filter(({ wrong }) => wrong.length > 0)
  expect(judged).toHaveLength(100)
  expect(missed.map(({ table }) => table).toSorted()).toEqual(MISSED.toSorted())
  expect(judged.length - missed.length).toBeGreaterThanOrEqual(95)
})
