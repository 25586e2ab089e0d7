import { expect, test } from 'vitest'
import { judgeScreens } from './first-screens.ts'

/** The tables whose first screen is not as expected; the expectations stand as they were written. */
const MISSED = {
  known: [
    // Two columns that the expectation forgot are empty, and come after those that it names.
    'laravel users',
    'solidus spree_prices',
    // The id of a session is hidden, as it is a secret.
    'laravel sessions',
  ],
  kept: [
    'lobsters users',
    // Sentences in texts of any length, shorter than those that are shown quieter.
    'lobsters moderations',
    // A short id that people do not know stands first, as a number would, or after the key.
    'lobsters stories',
    'lobsters comments',
    // The day on which it begins stands before its type.
    'saleor discount_voucher',
    // The one amount of the table is the same in all rows, and keeps its place.
    'synthea immunizations',
  ],
}

async function missed(set: 'known' | 'kept') {
  const judged = await judgeScreens(set)
  const wrong = judged.filter((one) => one.wrong.length > 0)
  expect(wrong.map(({ table }) => table).toSorted()).toEqual(MISSED[set].toSorted())
  return [judged.length - wrong.length, judged.length] as const
}

test('of 100 tables of eight applications, at least 95 open as expected', async () => {
  const [holding, all] = await missed('known')
  expect(all).toBe(100)
  expect(holding).toBeGreaterThanOrEqual(95)
})

test('of 30 tables of applications that no rule was written for, those open that are known to', async () => {
  expect(await missed('kept')).toEqual([24, 30])
})
