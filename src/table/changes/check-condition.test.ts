/** What a check asks for is told where it is known for sure, and nothing of it where a column is hidden. */

import { expect, test } from 'vitest'
import { accessTo, columnOf, tableOf } from '../../../test/table-of.ts'
import { conditionOf } from './check-condition.ts'

const columns = ['id', 'total', 'paid', 'total_2'].map((name) => columnOf(name))
const checks = ['CHECK (paid <= total)', '(`total` > 0)', 'total_2 > 0', 'total_2 < 9']
const table = tableOf(columns, { checks })

const told = (about: string[], condition?: string, access = accessTo(table)) =>
  conditionOf({ status: 'refused', rule: 'check', columns: about, condition }, access)

test('a check is known by its columns, where it is the only one about them', () => {
  expect(told(['total', 'paid'])).toBe('paid <= total')
  expect(told(['total'])).toBe('total > 0')
  expect(told(['total_2'])).toBeUndefined()
  expect(told(['id'])).toBeUndefined()
})

test('what the engine says itself is told', () => {
  expect(told([], 'paid <=\n  total')).toBe('paid <= total')
})

test('nothing is told where a column is hidden', () => {
  const access = accessTo(table, { readable: ['id', 'total', 'paid'] })
  expect(told(['total'], undefined, access)).toBeUndefined()
  expect(told([], 'total_2 > 0', access)).toBeUndefined()
})
