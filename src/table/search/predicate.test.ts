import { describe, expect, test } from 'vitest'
import { accessTo, columnOf, infer, noOthers, tableOf } from '../../../test/table-of.ts'
import { inferTables } from '../definition/infer.ts'
import { nothing, type Predicate } from '../source/predicate.ts'
import type { OpenTable, Relation } from '../catalog.ts'
import { searchPredicate } from './predicate.ts'

const columns = [
  columnOf('id', { type: 'integer' }),
  columnOf('name'),
  columnOf('secret'),
  columnOf('cost', { type: 'decimal' }),
  columnOf('active', { type: 'boolean' }),
  columnOf('photo', { type: 'binary' }),
  columnOf('airport_id', { type: 'integer' }),
]
// Without a key, so that each column can be hidden by itself.
const table = tableOf(columns, { key: [] })
const definition = infer(table)
const airports = tableOf([columnOf('code'), columnOf('name')], { name: 'airports', key: ['code'] })
const readable = ['id', 'name', 'cost', 'active', 'photo', 'airport_id']

function search(
  text: string,
  { columns = readable, relations = new Map<string, Relation>(), others = noOthers } = {},
) {
  const access = accessTo(table, { readable: columns })
  return searchPredicate(text, { definition, access, relations, others }, { locale: 'en', now: 0 })
}
const any = (...all: Predicate[]): Predicate => ({ op: 'or', all })
const contains = (column: string, text: string): Predicate => ({ op: 'contains', column, text })
const eq = (column: string, value: number | bigint): Predicate => ({ op: 'eq', column, value })

describe('a search', () => {
  test('looks into the texts that may be read, and into no other', () => {
    expect(search('owl')).toEqual(any(contains('name', 'owl')))
    expect(search('owl', { columns: ['name', 'secret'] })).toEqual(
      any(contains('name', 'owl'), contains('secret', 'owl')),
    )
  })

  test('finds nothing where nothing may be read', () => {
    expect(search('owl', { columns: [] })).toEqual(nothing)
    expect(search('owl', { columns: ['photo', 'active'] })).toEqual(nothing)
  })

  test('for a number finds those equal to it as well', () => {
    expect(search('42')).toEqual(
      any(eq('id', 42), contains('name', '42'), eq('cost', 42), eq('airport_id', 42)),
    )
  })

  test('takes grouping commas for what they are', () => {
    expect(search('1,234,567', { columns: ['id'] })).toEqual(any(eq('id', 1_234_567)))
    expect(search('1,234.5', { columns: ['cost'] })).toEqual(any(eq('cost', 1234.5)))
    expect(search('1,23', { columns: ['id'] })).toEqual(nothing)
  })

  test('keeps every digit of a 64-bit integer, and asks for nothing beyond', () => {
    expect(search('9223372036854775807', { columns: ['id'] })).toEqual(
      any(eq('id', 9223372036854775807n)),
    )
    expect(search('-9223372036854775808', { columns: ['id'] })).toEqual(
      any(eq('id', -9223372036854775808n)),
    )
    expect(search('9223372036854775808', { columns: ['id'] })).toEqual(nothing)
  })

  test.each(['1.5', '1e5', '0x1', '--1', '"1 2"', '', '-', '.5'])('%j is no integer', (text) => {
    expect(search(text, { columns: ['id'] })).toEqual(nothing)
  })

  test('looks into the label of a related row instead of its key', () => {
    const relation = { access: accessTo(airports), references: 'code', label: 'name' }
    expect(
      search('42', { columns: ['airport_id'], relations: new Map([['airport_id', relation]]) }),
    ).toEqual(
      any({
        op: 'related',
        column: 'airport_id',
        ...{ table: 'airports', references: 'code' },
        where: any(contains('name', '42')),
      }),
    )
  })

  test('looks into no column of a related row that is declared not to be searched', () => {
    const relation = { access: accessTo(airports), references: 'code', label: 'name' }
    const relations = new Map([['airport_id', relation]])
    const where = (columns: { readonly [name: string]: { readonly searchable: false } }) => {
      const other = inferTables([airports], { airports: { columns } }).get('airports')!
      const opened = { definition: other, access: relation.access }
      const others = { ...noOthers, find: () => opened as OpenTable }
      return search('x', { columns: ['airport_id'], relations, others })
    }
    expect(JSON.stringify(where({}))).toContain('"name"')
    expect(where({ code: { searchable: false } })).toMatchObject({
      all: [{ where: any(contains('name', 'x')) }],
    })
    expect(where({ name: { searchable: false } })).toMatchObject({
      all: [{ where: any(contains('code', 'x')) }],
    })
    const none = { code: { searchable: false }, name: { searchable: false } } as const
    expect(where(none)).toEqual(nothing)
  })

  test('of a related row is not made where the column that refers to it may not be read', () => {
    const relation = { access: accessTo(airports), references: 'code', label: 'name' }
    expect(
      search('x', { columns: ['name'], relations: new Map([['airport_id', relation]]) }),
    ).toEqual(any(contains('name', 'x')))
  })

  test('looks into no column that is declared not to be searched', () => {
    const options = Object.fromEntries(readable.map((name) => [name, { searchable: false }]))
    const closed = inferTables([table], { [table.name]: { columns: options } }).get(table.name)!
    const relation = { access: accessTo(airports), references: 'code', label: 'name' }
    const relations = new Map([['airport_id', relation]])
    const open = { definition: closed, access: accessTo(table, { readable }), relations }
    expect(searchPredicate('42', { ...open, others: noOthers }, { locale: 'en', now: 0 })).toEqual(
      nothing,
    )
  })

  test('takes the text as it is, whatever it means elsewhere', () => {
    for (const text of ["';drop--", '%', '_', '\\', '*', '"', '\0'])
      expect(search(text, { columns: ['name'] })).toEqual(any(contains('name', text)))
  })

  test('of several words finds each in any column, and phrases as they stand', () => {
    const both = (columns: string[]): Predicate => ({
      op: 'and',
      all: ['owl', '42'].map((word) => any(...columns.map((column) => contains(column, word)))),
    })
    expect(search('owl 42', { columns: ['name', 'secret'] })).toEqual(both(['name', 'secret']))
    expect(search('"owl 42"', { columns: ['name'] })).toEqual(any(contains('name', 'owl 42')))
    expect(search('owl 42', { columns: ['id'] })).toEqual({
      op: 'and',
      all: [nothing, any(eq('id', 42))],
    })
  })
})
