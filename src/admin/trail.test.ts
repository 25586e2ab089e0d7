import { expect, test } from 'vitest'
import { infer } from '../../test/table-of.ts'
import type { Table } from '../table/schema.ts'
import { tableTrail } from './trail.ts'

const orders: Table = {
  name: 'orders',
  kind: 'table',
  columns: [],
  key: [],
  foreignKeys: [],
  indexes: [],
  estimate: null,
}

test('a table of the default schema stands alone', () => {
  expect(tableTrail(infer(orders), '/tables/orders')).toEqual([
    { label: 'Orders', href: '/tables/orders' },
  ])
})

test('a schema that is not the default one stands before its table, without a link', () => {
  const definition = { ...infer({ ...orders, name: 'a b.orders', schema: 'a b' }), label: 'O' }
  expect(tableTrail(definition, '/tables/a%20b.orders')).toEqual([
    { label: 'a b' },
    { label: 'O', href: '/tables/a%20b.orders' },
  ])
})
