import { expect, test } from 'vitest'
import { secretReason } from '../../src/table/definition/secret-columns.ts'
import { judgedColumns } from './public-schemas.ts'

const judged = judgedColumns().map((one) => ({
  ...one,
  isHidden: secretReason(one.column, one.table, [one.table]) !== undefined,
}))
const secrets = judged.filter(({ isSecret }) => isSecret)
const open = judged.filter(({ isSecret }) => !isSecret)
const titles = (columns: typeof judged) => columns.map(({ title }) => title)

test('there are enough names to judge by', () => {
  expect(secrets.length).toBeGreaterThanOrEqual(200)
  expect(open.length).toBeGreaterThanOrEqual(200)
  expect(new Set(titles(judged)).size).toBe(judged.length)
})

test('no secret of a public schema is missed', () => {
  expect(titles(secrets.filter(({ isHidden }) => !isHidden))).toEqual([])
})

test('at most one in fifty of all that is no secret is hidden', () => {
  const wrong = titles(open.filter(({ isHidden }) => isHidden))
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(Math.floor(secrets.length / 50))
})
