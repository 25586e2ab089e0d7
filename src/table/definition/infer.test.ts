import { describe, expect, test } from 'vitest'
import { columnOf, definitionOf, infer, tableOf } from '../../../test/table-of.ts'
import type { Definitions, TableOptions } from './define-table.ts'
import { inferTables } from './infer.ts'
import type { Column, Table } from '../source/schema.ts'

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
    [columnOf('photo_url'), 'image'],
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

  test('of yes or no leaves the “is” out of the label, unless another column is called so', () => {
    const asked = columnOf('is_published', { type: 'boolean' })
    expect(kindOf(asked)?.label).toBe('Published')
    const both = definitionOf([id, asked, columnOf('published', { type: 'boolean' })])
    expect([...both.columns.values()].map(({ label }) => label)).toEqual([
      ...['ID', 'Is published', 'Published'],
    ])
    const at = columnOf('published_at', { type: 'datetime' })
    const labels = [...definitionOf([id, asked, at]).columns.values()].map(({ label }) => label)
    expect(labels).toEqual(['ID', 'Is published', 'Published'])
    expect(kindOf(columnOf('is', { type: 'boolean' }))?.label).toBe('Is')
    expect(kindOf(columnOf('is_a'))?.label).toBe('Is a')
  })

  test('of a foreign key is a relation, when it is a single column', () => {
    const column = columnOf('airport_id', { type: 'integer' })
    const foreignKeys = [{ columns: ['airport_id'], table: 'airports', references: ['id'] }]
    expect(kindOf(column, { foreignKeys })).toMatchObject({
      kind: 'relation',
      label: 'Airport',
      sortable: true,
      showsLabels: true,
    })
    const pair = [{ columns: ['airport_id', 'id'], table: 'airports', references: ['id', 'no'] }]
    expect(kindOf(column, { foreignKeys: pair })?.kind).toBe('key')
  })

  test('that is a text and refers to rows shown by their name is sorted by its key', () => {
    const column = columnOf('size_code')
    const foreignKeys = [{ columns: ['size_code'], table: 'sizes', references: ['code'] }]
    const table = tableOf([id, column], { foreignKeys })
    const showsLabels = (...columns: Column[]) =>
      infer(table, [tableOf(columns, { name: 'sizes', key: ['code'] })]).columns.get('size_code')
        ?.showsLabels
    expect(showsLabels(columnOf('code'), columnOf('name'))).toBe(true)
    expect(showsLabels(columnOf('code'))).toBeUndefined()
    expect(showsLabels(columnOf('code', { type: 'integer' }))).toBeUndefined()
  })

  test('of arrays is sorted by where the database has an order for them', () => {
    const sortable = (order: Partial<Column>) =>
      kindOf(columnOf('sizes', { array: true, ...order }))?.sortable
    expect(sortable({})).toBe(true)
    expect(sortable({ isUnordered: true })).toBe(false)
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
    expect(kindOf(columnOf('unit_price', { type: 'decimal' }))).toMatchObject({ summary: 'mean' })
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
    expect(kindOf(columnOf('photo_url'))?.label).toBe('Photo')
    expect(kindOf(columnOf('callback_url'))?.label).toBe('Callback URL')
  })
})

describe('the label column', () => {
  test.each<[string, Column[], string | undefined]>([
    ['one called name', [columnOf('code'), columnOf('name')], 'name'],
    [
      'the number that the rows have',
      [columnOf('phone_number'), columnOf('strike_number')],
      'strike_number',
    ],
    [
      'the first text, though others have a number',
      [columnOf('city'), columnOf('phone_number')],
      'city',
    ],
    [
      'no UUID',
      [columnOf('ref', { sample: ['0b6172c4-4d6f-4a55-9a7b-000000000001'] }), columnOf('city')],
      'city',
    ],
    ['no picture and no link', [columnOf('avatar'), columnOf('website'), columnOf('city')], 'city'],
    ['no part of an address', [columnOf('billing_city'), columnOf('billing_zip')], undefined],
    ['one called like the table', [columnOf('code2'), columnOf('strike')], 'strike'],
    ['one that ends in name', [columnOf('code2'), columnOf('lastName')], 'lastName'],
    ['the first short text', [columnOf('notes'), columnOf('species')], 'species'],
    ['none that lists its values', [columnOf('status', { allowed: ['a'] })], undefined],
    ['none without a text', [id], undefined],
  ])('is %s', (_, columns, name) => expect(definitionOf(columns).labelColumn).toBe(name))

  test('is no foreign key', () => {
    const foreignKeys = [{ columns: ['name'], table: 'names', references: ['name'] }]
    expect(definitionOf([columnOf('name'), columnOf('text')], { foreignKeys }).labelColumn).toBe(
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
    ['by key, where none does', [id, day], {}, [{ column: 'id', descending: true }]],
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
    expect(definitionOf(columns, over).defaultSort).toEqual(sort),
  )

  test('does not trust an index that holds some rows only', () => {
    const indexes = dated.indexes.map((index) => ({ ...index, partial: true }))
    expect(definitionOf([id, day], { indexes }).defaultSort).toEqual([
      { column: 'id', descending: true },
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

describe('what the database says', () => {
  test('in a comment is help', () => {
    const column = columnOf('size', { comment: ' In hectares. \n' })
    expect(kindOf(column, { comment: 'All fields.' })?.help).toBe('In hectares.')
    expect(definitionOf([id], { comment: 'All fields.' }).help).toBe('All fields.')
    expect(definitionOf([id], { comment: '  ' })).not.toHaveProperty('help')
  })

  test('of a list of values is that a search cannot look into it', () => {
    expect(kindOf(columnOf('tags', { array: true }))?.searchable).toBe(false)
    expect(kindOf(columnOf('tags', { array: true, isListed: true }))?.searchable).toBe(true)
  })
})

describe('what looks secret', () => {
  const columns = [id, columnOf('token'), columnOf('city'), columnOf('password')]

  test('is hidden, shown to nobody, and names no row', () => {
    const definition = definitionOf(columns)
    const hidden = [...definition.columns.values()].filter(({ hidden }) => hidden)
    expect(hidden.map(({ name }) => name)).toEqual(['token', 'password'])
    expect(definition).toMatchObject({ labelColumn: 'city', defaultColumns: ['city'] })
  })

  test('and is declared hidden orders no rows', () => {
    const tables = [tableOf([id, columnOf('position', { type: 'integer' })])]
    const sortWith = (hidden: boolean) =>
      inferTables(tables, { strikes: { columns: { position: { hidden } } } }).get('strikes')
        ?.defaultSort[0]?.column
    expect([sortWith(false), sortWith(true)]).toEqual(['position', 'id'])
  })
})

describe('what marks a row as deleted', () => {
  const marks = (column: Column, options: TableOptions = {}) =>
    inferTables([tableOf([columnOf('id'), column])], { strikes: options }).get('strikes')
      ?.softDelete

  test.each(['deleted_at', 'deletedAt', 'deleted_on', 'DELETED_AT'])('is %s', (name) => {
    expect(marks(columnOf(name, { type: 'datetime' }))).toBe(name)
  })

  test.each([
    ['that holds no moment', columnOf('deleted_at')],
    ['that is never NULL', columnOf('deleted_at', { type: 'datetime', nullable: false })],
    ['of another name', columnOf('archived_at', { type: 'datetime' })],
    ['that tells who', columnOf('deleted_by', { type: 'datetime' })],
  ])('is no column %s', (_what, column) => {
    expect(marks(column)).toBeUndefined()
  })

  test('counts seconds or milliseconds from 1970, as others of its table where it has no value yet', () => {
    const counts = (name: string, sample: number[] = []) =>
      columnOf(name, { type: 'integer', sample })
    expect(marks(counts('deleted_at', [1_764_000_000]))).toBe('deleted_at')
    expect(marks(counts('deleted_at', [1_764_000_000_000]))).toBe('deleted_at')
    expect(marks(counts('deleted_at', [1]))).toBeUndefined()
    expect(marks(counts('deleted_at'))).toBeUndefined()
    const table = tableOf([counts('deleted_at'), counts('created_at', [1_764_000_000_000])])
    expect(inferTables([table], {}).get('strikes')?.softDelete).toBe('deleted_at')
  })

  test('is declared, or nothing', () => {
    const archived = columnOf('archived_at', { type: 'datetime' })
    expect(marks(archived, { softDelete: 'archived_at' })).toBe('archived_at')
    expect(marks(columnOf('deleted_at', { type: 'datetime' }), { softDelete: false })).toBe(
      undefined,
    )
  })
})

describe('what is declared', () => {
  const orders = tableOf(
    [
      id,
      columnOf('number'),
      columnOf('total', { type: 'decimal' }),
      columnOf('weight_kg', { type: 'decimal' }),
      columnOf('placed_at', { type: 'datetime' }),
      columnOf('customer_id', { type: 'integer' }),
      columnOf('secret_token'),
    ],
    {
      name: 'orders',
      comment: 'From the database.',
      foreignKeys: [{ columns: ['customer_id'], table: 'customers', references: ['id'] }],
    },
  )
  const customers = tableOf([id, columnOf('name'), columnOf('vat')], { name: 'customers' })
  const declare = (options: TableOptions, others: Definitions = {}) =>
    inferTables([orders, customers], { orders: options, ...others }).get('orders')!

  test('of nothing changes nothing', () => {
    const bare = infer(orders, [customers])
    expect(declare({})).toEqual(bare)
    const open = { label: undefined, sort: undefined, columns: { id: {}, total: undefined } }
    expect(declare(open)).toEqual(bare)
    expect(inferTables([orders, customers]).get('orders')).toEqual(bare)
  })

  test('of a table stands in place of what was inferred', () => {
    expect(
      declare({
        label: 'Sales',
        help: 'Ours.',
        hidden: true,
        labelColumn: 'customer_id',
        sort: ['-placed_at', 'number'],
        pageSize: 100,
        shown: ['total', 'number'],
      }),
    ).toMatchObject({
      label: 'Sales',
      help: 'Ours.',
      hidden: true,
      labelColumn: 'customer_id',
      defaultSort: [
        { column: 'placed_at', descending: true },
        { column: 'number', descending: false },
      ],
      pageSize: 100,
      defaultColumns: ['total', 'number'],
    })
  })

  test('of the label comes first among the columns, where others are not declared', () => {
    expect(
      declare({ labelColumn: 'secret_token', columns: { secret_token: { hidden: false } } }),
    ).toMatchObject({
      defaultColumns: ['secret_token', 'total', 'customer_id', 'number', 'weight_kg', 'placed_at'],
    })
    expect(declare({ labelColumn: null })).toMatchObject({ labelColumn: undefined })
  })

  test('of a column stands in place of what was inferred, and the rest follows from it', () => {
    const columns = declare({
      columns: {
        number: { label: 'No.', kind: 'money', unit: '€', help: 'Ours.', searchable: false },
        total: { summary: 'none', sortable: false },
        weight_kg: { unit: '', summary: 'sum' },
        customer_id: { kind: 'key' },
        placed_at: { kind: 'text', hidden: true },
      },
    }).columns
    expect(columns.get('number')).toEqual({
      name: 'number',
      label: 'No.',
      kind: 'money',
      unit: '€',
      help: 'Ours.',
      hidden: false,
      sortable: true,
      searchable: false,
      summary: 'sum',
    })
    expect(columns.get('total')).toMatchObject({ kind: 'money', sortable: false })
    expect(columns.get('total')).not.toHaveProperty('summary')
    expect(columns.get('weight_kg')).toMatchObject({ label: 'Weight kg', summary: 'sum' })
    expect(columns.get('weight_kg')).not.toHaveProperty('unit')
    expect(columns.get('customer_id')).toMatchObject({ label: 'Customer ID', sortable: true })
    expect(columns.get('customer_id')).not.toHaveProperty('relation')
    expect(columns.get('placed_at')).toMatchObject({ label: 'Placed at', hidden: true })
  })

  test('of a table that others refer to is known to them', () => {
    expect(declare({}).columns.get('customer_id')?.showsLabels).toBe(true)
    const nameless = declare({}, { customers: { labelColumn: null } })
    expect(nameless.columns.get('customer_id')?.showsLabels).toBeUndefined()
  })

  test.each(['__proto__', 'constructor', 'toString'])(
    'and what every object has by itself are not the same: %s',
    (name) => {
      const odd = tableOf([id, columnOf(name)], { name })
      expect(infer(odd)).toMatchObject({ label: expect.any(String), hidden: false })
      const declared = Object.fromEntries([
        [name, { label: 'Odd', columns: Object.fromEntries([[name, { label: 'One' }]]) }],
      ])
      const definition = inferTables([odd], declared).get(name)!
      expect(definition.label).toBe('Odd')
      expect(definition.columns.get(name)?.label).toBe('One')
    },
  )
})
