import { expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { inferTables } from '../../table/definition/infer.ts'
import type { Table } from '../../table/source/schema.ts'
import { mostInteresting } from './most-interesting.ts'

const id = columnOf('id', { type: 'integer' })
const link = (column: string, table: string) => ({ columns: [column], table, references: ['id'] })
const customers = tableOf([id, columnOf('name')], { name: 'customers', estimate: 900 })
const orders = tableOf(
  [
    id,
    columnOf('number'),
    columnOf('customer_id', { type: 'integer' }),
    columnOf('status', { allowed: ['open', 'paid'] }),
    columnOf('created_at', { type: 'datetime' }),
  ],
  { name: 'orders', estimate: 4000, foreignKeys: [link('customer_id', 'customers')] },
)
const lines = tableOf(
  [
    id,
    columnOf('order_id', { type: 'integer' }),
    columnOf('product_id', { type: 'integer' }),
    columnOf('created_at', { type: 'datetime' }),
  ],
  {
    name: 'order_lines',
    estimate: 9_000_000,
    foreignKeys: [link('order_id', 'orders'), link('product_id', 'products')],
  },
)
const products = tableOf([id, columnOf('name')], { name: 'products', estimate: 500 })

const firstOf = (...tables: Table[]) =>
  mostInteresting([...inferTables(tables).values()])?.table.name

test('the table that is opened first is where work is done, not the largest table of details', () => {
  expect(firstOf(customers, orders, lines, products)).toBe('orders')
  expect(firstOf(lines, products)).toBe('products')
  expect(firstOf()).toBeUndefined()
})

test('a view is opened first only where there are no tables', () => {
  const view = { ...orders, name: 'open_orders', kind: 'view' } as const
  expect(firstOf(view, customers)).toBe('customers')
  expect(firstOf(view)).toBe('open_orders')
})
