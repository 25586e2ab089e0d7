import { expect, test } from 'vitest'
import { columnOf, infer, tableOf } from '../../../test/table-of.ts'
import { everything, nothing, type Predicate } from '../../table/source/predicate.ts'
import { conditionText } from './condition-text.ts'

const orders = infer(
  tableOf([columnOf('id'), columnOf('region'), columnOf('total', { type: 'integer' })], {
    name: 'orders',
  }),
)
const lines = infer(tableOf([columnOf('id'), columnOf('kind')], { name: 'order_lines' }))
const definitions = new Map([
  ['orders', orders],
  ['order_lines', lines],
])
const reader = { language: 'en', locale: 'en-US' }

const region: Predicate = { op: 'eq', column: 'region', value: 'south' }
const empty: Predicate = { op: 'null', column: 'total' }

test.each<[Predicate, string]>([
  [region, 'Region is “south”'],
  [{ op: 'eq', column: 'region', value: null }, 'Region is empty'],
  [{ op: 'gte', column: 'total', value: 7 }, 'Total is at least 7'],
  [
    { op: 'and', all: [region, { op: 'or', all: [empty, region] }] },
    'Region is “south” and (Total is empty or Region is “south”)',
  ],
  [{ op: 'and', all: [{ op: 'and', all: [empty] }] }, 'Total is empty'],
  [{ op: 'not', of: empty }, 'not (Total is empty)'],
  [{ op: 'in', column: 'total', values: [1, 2] }, 'Total is one of 1, 2'],
  [
    { op: 'in', column: 'total', values: Array.from({ length: 11 }, (_, i) => i) },
    'Total is one of 0, 1, 2, 3, 4, 5, 6, 7 and 3 more',
  ],
  [{ op: 'in', column: 'total', values: [] }, 'nothing holds'],
  [{ op: 'starts', column: 'region', text: 'so' }, 'Region starts with “so”'],
  [
    {
      ...{ op: 'referred', table: 'order_lines', columns: ['order_id'], references: ['id'] },
      where: { op: 'null', column: 'kind' },
    },
    'of some of its Order lines, Kind is empty',
  ],
  [everything, 'anything holds'],
  [nothing, 'nothing holds'],
])('%j', (condition, text) => {
  expect(conditionText(condition, 'orders', { definitions, reader })).toBe(text)
})
