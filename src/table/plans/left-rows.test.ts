import { expect, test } from 'vitest'
import { accessTo, columnOf, infer, noOthers, tableOf } from '../../../test/table-of.ts'
import { rowKeys } from '../row-keys.ts'
import type { Column } from '../source/schema.ts'
import { Refusals } from './refusals.ts'
import { leftBehind, mostLeft, roomFor } from './left-rows.ts'

const hrefOver = (columns: readonly Column[]) => {
  const table = tableOf([columnOf('id', { type: 'integer' }), ...columns], { name: 'notes' })
  const definition = infer(table)
  const open = { definition, access: accessTo(table), keys: rowKeys(table) }
  const opened = { ...open, relations: new Map(), others: noOthers, takesChanges: true }
  const reader = { locale: 'en-US', language: 'en' }
  return leftBehind({ open: opened, reader, href: (name) => `/tables/${name}` }, 'p1', 3)?.href
}

test('the link to rows that were left shows also those that are marked as deleted', () => {
  expect(hrefOver([])).toBe('/tables/notes?left=p1')
  const mark = columnOf('deleted_at', { type: 'datetime', nullable: true })
  expect(hrefOver([mark])).toBe('/tables/notes?left=p1&deleted=shown')
})

test('what sealing has kept leaves less room for what a run keeps', () => {
  const open = { definition: infer(tableOf([columnOf('id', { type: 'integer' })])) }
  const most = mostLeft(open)
  expect(roomFor(open, most - 3)).toBe(3)
  expect(roomFor(open, most + 3)).toBe(0)
  const refusals = new Refusals(0)
  refusals.add([1], 'Not yours')
  expect(refusals.rows).toEqual([])
  expect(refusals.told).toEqual([{ key: [1], reason: 'Not yours' }])
})
