import { expect, test } from 'vitest'
import { judgeScreens } from './first-screens.ts'

/** How many of the tables have the first screen that is expected of them. */
const AT_LEAST = 1

test('tables of eight applications open with the label, columns, order and kinds expected', async () => {
  const judged = await judgeScreens('known')
  const holding = judged.filter(({ wrong }) => wrong.length === 0)
  expect(judged).toHaveLength(100)
  expect(holding.length).toBeGreaterThanOrEqual(AT_LEAST)
})
