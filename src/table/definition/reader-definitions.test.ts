import { describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import type { Grant } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import type { Table } from '../source/schema.ts'
import { BUILT_IN } from './kinds.ts'
import { createReaderDefinitions, type Grants } from './reader-definitions.ts'

const uuid = '0b617200-0000-4000-8000-000000000001'
const makers = tableOf(
  [columnOf('id', { type: 'integer' }), columnOf('mark', { sample: [uuid] }), columnOf('alias')],
  {
    name: 'makers',
  },
)
const parts = tableOf(
  [
    columnOf('id'),
    columnOf('art', { sample: ['https://a.example/1.png'] }),
    columnOf('due', { type: 'date', typeByDeclaration: 'text', sample: ['2026-01-02'] }),
    columnOf('phase', { sample: ['open', 'open', 'done', 'done'], distinct: 2 }),
    columnOf('maker_id'),
  ],
  {
    name: 'parts',
    estimate: 7,
    foreignKeys: [{ columns: ['maker_id'], table: 'makers', references: ['mark'] }],
  },
)
const definitions = createReaderDefinitions([makers, parts], {}, BUILT_IN)

const all = ({ columns }: Table): Grant => ({
  actions: ['read'],
  rows: everything,
  readable: columns.map(({ name }) => name),
  writable: [],
})
const some = (table: Table): Grant => ({ ...all(table), rows: { op: 'null', column: 'id' } })
const none = (table: Table): Grant => ({ ...all(table), actions: [] })
const kindsFor = (grants: Grants) =>
  [...definitions.of('parts', grants)!.columns.values()].map(({ kind }) => kind)

test('whoever may see everything is told what the rows tell', () => {
  expect(definitions.of('parts', all)).toBe(definitions.whole.get('parts'))
  expect(kindsFor(all)).toEqual(['key', 'image', 'date', 'status', 'relation'])
})

describe('whoever may see some rows only', () => {
  test('is told what schema and names tell', () => {
    expect(kindsFor(some)).toEqual(['key', 'text', 'text', 'text', 'relation'])
    const { table } = definitions.of('parts', some)!
    expect(table.estimate).toBeNull()
    for (const { sample, distinct, typeByDeclaration } of table.columns)
      expect([sample, distinct, typeByDeclaration]).toEqual([undefined, undefined, undefined])
  })

  test('has the definition that the rest of the declaration and the schema make', () => {
    const bare = [makers, parts].map((table) => ({
      ...table,
      columns: table.columns.map(({ name, type }) =>
        columnOf(name, { type: type === 'integer' ? type : 'text' }),
      ),
    }))
    const other = createReaderDefinitions(bare, {}, BUILT_IN).whole.get('parts')
    expect(definitions.of('parts', some)?.columns).toEqual(other?.columns)
  })

  test('is given the same definition each time', () => {
    expect(definitions.of('parts', some)).toBe(definitions.of('parts', some))
  })
})

test('the values of a column that is hidden from a reader have no part in what the reader is told', () => {
  const grants = (table: Table) => ({ ...all(table), readable: ['id', 'due', 'phase', 'maker_id'] })
  expect(kindsFor(grants)).toEqual(['key', 'text', 'date', 'status', 'relation'])
})

test('what names the rows of another table is told by what may be seen of that one', () => {
  const showsLabels = (grants: Grants) =>
    definitions.of('parts', grants)?.columns.get('maker_id')?.showsLabels ?? false
  // `mark` is shown only where it names rows, as a UUID does not.
  expect(showsLabels(all)).toBe(true)
  expect(showsLabels((table) => (table.name === 'makers' ? some(table) : all(table)))).toBe(false)
  expect(showsLabels((table) => (table.name === 'makers' ? none(table) : all(table)))).toBe(false)
})

test('there is no definition of a table that is not there', () => {
  expect(definitions.of('nowhere', all)).toBeUndefined()
})
