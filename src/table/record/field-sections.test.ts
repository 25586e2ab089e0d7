/** Which fields stand together, as they are declared and as they are inferred. */

import { describe, expect, test } from 'vitest'
import { accessTo, columnOf, tableOf } from '../../../test/table-of.ts'
import type { FormOptions } from '../definition/define-table.ts'
import { inferTables } from '../definition/infer.ts'
import type { Table } from '../source/schema.ts'
import { fieldSections } from './field-sections.ts'

function sections(table: Table, form?: FormOptions): string[] {
  const declared = form === undefined ? {} : { [table.name]: { form } }
  const definition = inferTables([table], declared).get(table.name)!
  const open = { definition, access: accessTo(table) }
  return fieldSections(open, { locale: 'en', language: 'en' }).map(
    ({ title, fields }) => `${title}: ${fields.join(' ')}`,
  )
}

const integer = (name: string) => columnOf(name, { type: 'integer' })
const moment = (name: string) => columnOf(name, { type: 'datetime' })
const link = (column: string) => ({ columns: [column], table: 'people', references: ['id'] })

const orders = tableOf(
  [
    ...[integer('id'), columnOf('phase'), columnOf('name'), integer('customer_id')],
    ...[integer('seller_id'), columnOf('total', { type: 'decimal' }), integer('weight_kg')],
    ...[moment('created_at'), integer('updated_by'), columnOf('ordered_on', { type: 'date' })],
    ...[moment('shipped_at'), columnOf('notes'), columnOf('extra', { type: 'json' })],
    ...[columnOf('stripe_id'), columnOf('file_hash'), integer('shop_id')],
    moment('deleted_at'),
  ],
  { name: 'orders', foreignKeys: [link('customer_id'), link('seller_id'), link('updated_by')] },
)

describe('the sections of a row', () => {
  test('go from what names it to what only machines need', () => {
    expect(sections(orders)).toEqual([
      'General: name phase stripe_id',
      'Figures: total weight_kg',
      'Refers to: customer_id seller_id',
      'Dates and times: ordered_on shipped_at',
      'Texts: notes extra',
      'Row: id created_at updated_by file_hash shop_id deleted_at',
    ])
  })

  test('are none where fields are few', () => {
    expect(sections({ ...orders, columns: orders.columns.slice(0, 8) })).toEqual([])
    expect(sections({ ...orders, columns: orders.columns.slice(0, 9) })).not.toEqual([])
  })

  test('of one field only are not made, but for texts and the row itself', () => {
    const few = ['id', 'name', 'phase', 'customer_id', 'total', 'ordered_on', 'notes']
    const columns = orders.columns.filter(({ name }) => few.includes(name))
    const more = [columnOf('place'), columnOf('colour')]
    expect(sections({ ...orders, columns: [...columns, ...more] })).toEqual([
      'General: name phase customer_id total ordered_on place colour',
      'Texts: notes',
      'Row: id',
    ])
  })

  test('hold a key that refers to other rows as a reference', () => {
    const columns = [integer('customer_id'), integer('seller_id'), ...orders.columns.slice(5, 12)]
    const joining = { ...orders, columns, key: ['customer_id', 'seller_id'] }
    expect(sections(joining)).toContain('Refers to: customer_id seller_id')
  })

  test('are those that are declared, then the others', () => {
    const form = { sections: [{ title: 'Money', columns: ['total', 'weight_kg'] }] }
    expect(sections({ ...orders, columns: orders.columns.slice(0, 8) }, form)).toEqual([
      'Money: total weight_kg',
      'More: name phase customer_id seller_id',
      'Row: id created_at',
    ])
  })
})
