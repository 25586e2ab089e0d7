import { describe, expect, test } from 'vitest'
import { columnOf, definitionOf, tableOf } from '../../test/table-of.ts'
import { inferLabelColumn, inferTable } from './infer.ts'
import type { Column, Table } from './schema.ts'

const id = columnOf('id', { type: 'integer' })
const kindOf = (column: Column, over?: Partial<Table>) =>
  definitionOf([id, column], over).columns.get(column.name)
const dated = {
  indexes: [
    { name: 'i', columns: [{ name: 'day', descending: false }], unique: false, partial: false },
  ],
}

describe('the kind of a column', () => {
  test.each<[Column, string]>([
    [id, 'key'],
    [columnOf('name'), 'text'],
    [columnOf('description'), 'longtext'],
    [columnOf('contactEmail'), 'email'],
    [columnOf('homepage'), 'link'],
    [columnOf('photo_url'), 'link'],
    [columnOf('status', { allowed: ['open', 'closed'] }), 'status'],
    [columnOf('status'), 'text'],
    [columnOf('notes', { allowed: ['a'] }), 'text'],
    [columnOf('count', { type: 'integer' }), 'number'],
    [columnOf('legacy_id', { type: 'integer' }), 'key'],
    [columnOf('model_year', { type: 'integer' }), 'key'],
    [columnOf('total_cost', { type: 'decimal' }), 'money'],
    [columnOf('repair_usd', { type: 'float' }), 'money'],
    [columnOf('cost_km', { type: 'float' }), 'number'],
    [columnOf('active', { type: 'boolean' }), 'boolean'],
    [columnOf('day', { type: 'date' }), 'date'],
    [columnOf('data', { type: 'json' }), 'json'],
    [columnOf('photo', { type: 'binary' }), 'binary'],
  ])('of %j is %s', (column, kind) => expect(kindOf(column)?.kind).toBe(kind))

  test('of a foreign key is a relation, when it is a single column', () => {
    const column = columnOf('airport_id', { type: 'integer' })
    const foreignKeys = [{ columns: ['airport_id'], table: 'airports', references: ['id'] }]
    expect(kindOf(column, { foreignKeys })).toMatchObject({
      kind: 'relation',
      label: 'Airport',
      sortable: false,
    })
    const pair = [{ columns: ['airport_id', 'id'], table: 'airports', references: ['id', 'no'] }]
    expect(kindOf(column, { foreignKeys: pair })?.kind).toBe('key')
  })

  test('that is a text and refers to rows shown by their name is not sorted by', () => {
    const column = columnOf('size_code')
    const foreignKeys = [{ columns: ['size_code'], table: 'sizes', references: ['code'] }]
    const table = tableOf([id, column], { foreignKeys })
    const isSortable = (...columns: Column[]) =>
      inferTable(table, [table, tableOf(columns, { name: 'sizes', key: ['code'] })]).columns.get(
        'size_code',
      )?.sortable
    expect(isSortable(columnOf('code'), columnOf('name'))).toBe(false)
    expect(isSortable(columnOf('code'))).toBe(true)
    expect(isSortable(columnOf('code', { type: 'integer' }))).toBe(true)
  })

  test('of the key column is a key, though its name says otherwise', () => {
    expect(
      definitionOf([columnOf('price', { type: 'integer' })], { key: ['price'] }).columns.get(
        'price',
      )?.kind,
    ).toBe('key')
  })
})

describe('a column', () => {
  test('has its unit in the head, and the mean or the sum under it', () => {
    expect(kindOf(columnOf('height_ft', { type: 'integer' }))).toMatchObject({
      label: 'Height',
      unit: 'ft',
      summary: 'mean',
    })
    expect(kindOf(columnOf('cost_usd', { type: 'integer' }))).toMatchObject({
      label: 'Cost',
      unit: '$',
      summary: 'sum',
    })
    expect(kindOf(columnOf('birds', { type: 'integer' }))).not.toHaveProperty('summary')
  })

  test('that holds documents or bytes is not sorted by', () => {
    expect(kindOf(columnOf('data', { type: 'json' }))).toMatchObject({
      sortable: false,
      searchable: true,
    })
    expect(kindOf(columnOf('photo', { type: 'binary' }))).toMatchObject({
      sortable: false,
      searchable: false,
    })
  })

  test('named for a moment loses the ending that only says so', () => {
    expect(kindOf(columnOf('created_at', { type: 'datetime' }))?.label).toBe('Created')
    expect(kindOf(columnOf('looked_at'))?.label).toBe('Looked at')
  })
})

describe('the label column', () => {
  test.each<[string, Column[], string | undefined]>([
    ['one called name', [columnOf('code'), columnOf('name')], 'name'],
    ['one that ends in name', [columnOf('code2'), columnOf('lastName')], 'lastName'],
    ['the first short text', [columnOf('notes'), columnOf('species')], 'species'],
    ['none that lists its values', [columnOf('status', { allowed: ['a'] })], undefined],
    ['none without a text', [id], undefined],
  ])('is %s', (_, columns, name) => expect(inferLabelColumn(tableOf(columns))).toBe(name))

  test('is no foreign key', () => {
    const foreignKeys = [{ columns: ['name'], table: 'names', references: ['name'] }]
    expect(inferLabelColumn(tableOf([columnOf('name'), columnOf('text')], { foreignKeys }))).toBe(
      'text',
    )
  })
})

describe('the first order', () => {
  const position = columnOf('sort_order', { type: 'integer' })
  const day = columnOf('day', { type: 'date' })

  test.each<[string, Column[], Partial<Table>, object[]]>([
    ['by hand', [id, day, position], dated, [{ column: 'sort_order', descending: false }]],
    [
      'newest first, where an index serves it',
      [id, day],
      dated,
      [{ column: 'day', descending: true }],
    ],
    ['by key, where none does', [id, day], {}, [{ column: 'id', descending: false }]],
    ['none without a key', [day], { key: [] }, []],
    [
      'by the whole key',
      [id, day],
      { key: ['id', 'day'] },
      [
        { column: 'id', descending: false },
        { column: 'day', descending: false },
      ],
    ],
  ])('is %s', (_, columns, over, sort) =>
    expect(inferTable(tableOf(columns, over)).defaultSort).toEqual(sort),
  )

  test('does not trust an index that holds some rows only', () => {
    const indexes = dated.indexes.map((index) => ({ ...index, partial: true }))
    expect(inferTable(tableOf([id, day], { indexes })).defaultSort).toEqual([
      { column: 'id', descending: false },
    ])
  })
})

describe('the first columns', () => {
  test('are the label, then the others, without the bare key, documents last', () => {
    const columns = [id, columnOf('data', { type: 'json' }), columnOf('size'), columnOf('name')]
    expect(definitionOf(columns).defaultColumns).toEqual(['name', 'size', 'data'])
  })

  test('hold the key where nothing else names a row', () => {
    const columns = [id, columnOf('size', { type: 'integer' })]
    expect(definitionOf(columns).defaultColumns).toEqual(['id', 'size'])
  })

  test('are not more than fit', () => {
    const columns = Array.from({ length: 40 }, (_, at) => columnOf(`column_${at}`))
    expect(definitionOf(columns).defaultColumns).toHaveLength(12)
  })
})

test('a table without columns is still a table', () => {
  expect(definitionOf([], { key: [] })).toMatchObject({
    label: 'Strikes',
    labelColumn: undefined,
    defaultSort: [],
    defaultColumns: [],
  })
})
