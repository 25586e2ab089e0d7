import { expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import type { SourceTable } from '../tables.ts'
import { withKnownTypes } from './known-types.ts'
import { sql } from './sql.ts'

const flag = columnOf('flag', { type: 'integer', typeByDeclaration: 'boolean' })
const table = tableOf([columnOf('id', { type: 'integer' }), flag])
const of: SourceTable = {
  table,
  from: sql`t`,
  columns: new Map(table.columns.map((column) => [column.name, column])),
  locator: ['id'],
}
const seenAs = (type: 'boolean' | 'integer' | 'text') =>
  tableOf([columnOf('id', { type: 'integer' }), columnOf('flag', { type })])
const typeFor = (other: typeof table) => withKnownTypes(of, other).columns.get('flag')?.type

test('values are read by the declared type for whoever may know no other, and the same each time', () => {
  const restricted = seenAs('boolean')
  expect(typeFor(restricted)).toBe('boolean')
  expect(withKnownTypes(of, restricted)).toBe(withKnownTypes(of, restricted))
})

test('everybody else reads by what the rows have told', () => {
  expect(withKnownTypes(of, table)).toBe(of)
  expect(withKnownTypes(of, seenAs('integer'))).toBe(of)
})

test('a type that an access has from before the column changed is not believed', () => {
  expect(typeFor(seenAs('text'))).toBe('integer')
})
