import { expect, test } from 'vitest'
import { infer } from '../../../test/table-of.ts'
import type { Table } from '../../table/source/schema.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'

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
  expect(tableBreadcrumbs(infer(orders), '/tables/orders')).toEqual([
    { label: 'Orders', href: '/tables/orders' },
  ])
})

test('a schema that is not the default one stands before its table, without a link', () => {
  const definition = { ...infer({ ...orders, name: 'a b.orders', schema: 'a b' }), label: 'O' }
  expect(tableBreadcrumbs(definition, '/tables/a%20b.orders')).toEqual([
    { label: 'a b' },
    { label: 'O', href: '/tables/a%20b.orders' },
  ])
})
