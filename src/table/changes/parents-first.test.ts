import { describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import type { ForeignKey, Schema } from '../source/schema.ts'
import { childrenFirst, parentsFirst } from './parents-first.ts'

const link = (column: string, table: string): ForeignKey => ({
  ...{ columns: [column], table, references: ['id'] },
})
const schema: Schema = {
  name: 'shop',
  engine: 'SQLite 3',
  tables: [
    tableOf([columnOf('id')], { name: 'lines', foreignKeys: [link('order_id', 'orders')] }),
    tableOf([columnOf('id')], { name: 'orders', foreignKeys: [link('customer_id', 'customers')] }),
    tableOf([columnOf('id')], { name: 'customers', foreignKeys: [link('boss_id', 'customers')] }),
    tableOf([columnOf('id')], { name: 'hens', foreignKeys: [link('egg_id', 'eggs')] }),
    tableOf([columnOf('id')], { name: 'eggs', foreignKeys: [link('hen_id', 'hens')] }),
  ],
}
const inserts = (table: string, ...rows: { id: number; boss_id?: number }[]) => ({
  table,
  rows: rows.map((insert) => ({ insert })),
})
const names = (changes: readonly { table: string }[]) => changes.map(({ table }) => table)

describe('rows that come back', () => {
  test('come after those that they refer to, also where a table between them is not changed', () => {
    const changes = [inserts('lines', { id: 1 }), inserts('customers', { id: 2 })]
    expect(names(parentsFirst(schema, changes))).toEqual(['customers', 'lines'])
  })

  test('of a tree come after the row above them', () => {
    const tree = inserts('customers', { id: 3, boss_id: 2 }, { id: 2, boss_id: 1 }, { id: 1 })
    const [sorted] = parentsFirst(schema, [tree])
    expect(sorted?.rows).toEqual(tree.rows.toReversed())
  })

  test('of a circle come all the same', () => {
    const circle = inserts('customers', { id: 1, boss_id: 2 }, { id: 2, boss_id: 1 })
    expect(parentsFirst(schema, [circle])[0]?.rows).toHaveLength(2)
    const both = [inserts('hens', { id: 1 }), inserts('eggs', { id: 2 })]
    expect(names(parentsFirst(schema, both)).toSorted()).toEqual(['eggs', 'hens'])
  })
})

test('rows that go do so before those that they refer to', () => {
  const changes = [inserts('customers', { id: 2 }), inserts('lines', { id: 1 })]
  expect(names(childrenFirst(schema, changes))).toEqual(['lines', 'customers'])
})
