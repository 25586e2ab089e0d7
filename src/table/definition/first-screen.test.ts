import { describe, expect, test } from 'vitest'
import { columnOf, definitionOf, infer, tableOf } from '../../../test/table-of.ts'
import { formatterFor } from '../format.ts'
import type { Column, Table } from '../source/schema.ts'
import { inferTables } from './infer.ts'

const id = columnOf('id', { type: 'integer' })
const integer = (name: string, over: Partial<Column> = {}) =>
  columnOf(name, { type: 'integer', ...over })

/** A column of which these values were seen. */
const seen = (name: string, values: (string | number | null)[], over: Partial<Column> = {}) => {
  const sample = values.filter((value) => value !== null)
  const blanks = values.length - sample.filter((value) => value !== '').length
  return columnOf(name, { ...over, sample, sampled: { rows: values.length, blanks } })
}
const many = (value: (at: number) => string | number | null) =>
  Array.from({ length: 20 }, (_, at) => value(at))
const words = many((at) => `Word ${at}`)

const labelsOf = (columns: readonly Column[], over?: Partial<Table>) =>
  definitionOf(columns, over).labelColumns

describe('what names a row', () => {
  test.each<[string, Column[], string[], Partial<Table>?]>([
    [
      'the first and the last name of a person, before a title and an address',
      [columnOf('title'), columnOf('email'), columnOf('last_name'), columnOf('first_name')],
      ['first_name', 'last_name'],
    ],
    [
      'a name that has the name of its table before it',
      ['customers_id', 'customers_email', 'customers_firstname', 'customers_lastname'].map((name) =>
        columnOf(name),
      ),
      ['customers_firstname', 'customers_lastname'],
      { name: 'customers' },
    ],
    [
      'no name that most rows lack',
      [
        seen(
          'name',
          many((at) => (at < 8 ? `N${at}` : null)),
        ),
        seen('code', words),
      ],
      ['code'],
    ],
    [
      'no name that is one of a few',
      [
        seen(
          'name',
          many((at) => 'SML'[at % 3]!),
        ),
        seen('sku', words),
      ],
      ['sku'],
    ],
    [
      'no type, language, currency or state',
      ['type', 'language', 'currency', 'status', 'gender'].map((name) => seen(name, words)),
      [],
    ],
    [
      'no address of a machine, no queue and no error',
      ['ip_address', 'queue', 'exception', 'user_agent'].map((name) => seen(name, words)),
      [],
    ],
    [
      'no digits that mean nothing',
      [
        seen(
          'fingerprint',
          many((at) => `${at}d41d8cd98f00b204`),
        ),
      ],
      [],
    ],
    [
      'no long text',
      [
        seen(
          'story',
          many((at) => `${at} ${'word '.repeat(30)}`),
        ),
      ],
      [],
    ],
  ])('is %s', (_, columns, labels, over) =>
    expect(labelsOf([id, ...columns], over)).toEqual(labels),
  )

  test('is what a joining row joins', () => {
    const links = ['user_id', 'group_id'].map((name) => integer(name))
    const foreignKeys = [
      { columns: ['user_id'], table: 'users', references: ['id'] },
      { columns: ['group_id'], table: 'groups', references: ['id'] },
    ]
    expect(labelsOf(links, { key: ['user_id', 'group_id'], foreignKeys })).toEqual([
      'user_id',
      'group_id',
    ])
    const time = columnOf('created_at', { type: 'datetime' })
    const uniques = [['user_id', 'group_id']]
    expect(labelsOf([id, ...links, time], { foreignKeys, uniques })).toEqual([
      'user_id',
      'group_id',
    ])
    // Without a rule, there may be several rows for one pair.
    expect(labelsOf([id, ...links, time], { foreignKeys })).toEqual([])
    expect(labelsOf([id, ...links, integer('amount')], { foreignKeys, uniques })).toEqual([])
  })
})

describe('the first columns', () => {
  test('are key, label, state, amount, references and time, and what says little comes last', () => {
    const columns = [
      ...[
        id,
        seen(
          'legacy',
          many(() => null),
        ),
        seen(
          'site',
          many(() => 'main'),
        ),
      ],
      ...[
        columnOf('remark'),
        columnOf('created_at', { type: 'datetime' }),
        columnOf('updated_at', { type: 'datetime' }),
      ],
      ...[integer('customer_id'), columnOf('currency'), columnOf('total', { type: 'decimal' })],
      ...[columnOf('status', { allowed: ['open', 'paid'] }), columnOf('name'), columnOf('number')],
    ]
    const table = tableOf(columns, {
      estimate: 100,
      foreignKeys: [{ columns: ['customer_id'], table: 'customers', references: ['id'] }],
      uniques: [['number']],
    })
    expect(infer(table).defaultColumns).toEqual([
      ...['number', 'name', 'status', 'total', 'currency', 'customer_id', 'created_at'],
      ...['remark', 'updated_at', 'site', 'legacy'],
    ])
  })
})

test('declared columns are led by the key where nothing else names a row', () => {
  const columns = [id, columnOf('day', { type: 'date' }), integer('speed')]
  const shownOf = (shown: string[], labelColumn?: string) =>
    inferTables([tableOf(columns)], {
      strikes: { shown, ...(labelColumn !== undefined && { labelColumn }) },
    }).get('strikes')!.defaultColumns
  expect(shownOf(['day', 'speed', 'id'])).toEqual(['id', 'day', 'speed'])
  expect(shownOf(['day', 'speed'])).toEqual(['day', 'speed'])
  expect(shownOf(['day', 'speed', 'id'], 'speed')).toEqual(['speed', 'day', 'id'])
})

describe('the first order', () => {
  const sortOf = (columns: Column[], over: Partial<Table> = {}) =>
    definitionOf([id, ...columns], { estimate: 100, ...over }).defaultSort.map(
      ({ column, descending }) => (descending ? '-' : '') + column,
    )
  const time = (name: string, over: Partial<Column> = {}) =>
    columnOf(name, { type: 'datetime', ...over })

  test.each<[string, Column[], string]>([
    ['by when rows were made', [time('updated_at'), time('created_at')], '-created_at'],
    ['by what took place', [time('due_date'), time('strike_date')], '-strike_date'],
    [
      'by a time that rises',
      [time('logged', { sample: many((at) => `2026-01-${10 + at}`) })],
      '-logged',
    ],
    [
      'by no deletion, end, change or plan',
      ['deleted_at', 'expires_at', 'updated_at', 'due_date', 'birth_date'].map((name) =>
        time(name),
      ),
      '-id',
    ],
    [
      'by no position within a parent',
      [
        seen(
          'position',
          many((at) => at % 3),
          { type: 'integer' },
        ),
      ],
      '-id',
    ],
    [
      'by a position among all',
      [
        seen(
          'position',
          many((at) => at),
          { type: 'integer' },
        ),
      ],
      'position',
    ],
  ])('is %s', (_, columns, sort) => expect(sortOf(columns)).toEqual([sort]))

  test('is by no time that must be sorted for in a large table', () => {
    expect(sortOf([time('created_at')], { estimate: 1_000_000 })).toEqual(['-id'])
    expect(sortOf([time('created_at')], { estimate: null })).toEqual(['-id'])
  })
})

describe('a reference that is not declared', () => {
  const users = tableOf([id, columnOf('name')], { name: 'app_users' })
  const groups = tableOf([id, columnOf('name')], { name: 'app_groups' })
  const columnIn = (column: Column, others = [users, groups], name = 'app_visits') =>
    infer(tableOf([id, column], { name }), others).columns.get(column.name)

  test('is guessed by the name of the table, with a prefix or without, where the types agree', () => {
    const link = { table: 'app_users', references: ['id'] }
    expect(columnIn(integer('user_id'))).toMatchObject({
      kind: 'relation',
      isGuess: true,
      relation: link,
    })
    expect(columnIn(integer('invited_by_user_id'))?.relation).toMatchObject(link)
    expect(columnIn(columnOf('user_id'))?.relation).toBeUndefined()
    expect(columnIn(integer('users'))?.relation).toBeUndefined()
    expect(
      columnIn(integer('batch_id'), [tableOf([id], { name: 'job_batches' })])?.relation,
    ).toBeUndefined()
  })

  test('is none beside a column that says of which table it is', () => {
    const columns = [id, integer('user_id'), columnOf('user_type')]
    const { columns: known } = infer(tableOf(columns, { name: 'app_visits' }), [users])
    expect(known.get('user_id')).toMatchObject({ kind: 'key', typedBy: 'user_type' })
  })
})

describe('the kind of a column', () => {
  const kindOf = (column: Column, over?: Partial<Table>) =>
    definitionOf([id, column], over).columns.get(column.name)?.kind
  const bits = many((at) => at % 2)

  test.each<[string, Column, string]>([
    [
      'seconds since 1970',
      seen(
        'created_unix',
        many((at) => 1_700_000_000 + at),
        { type: 'integer' },
      ),
      'datetime',
    ],
    [
      'milliseconds since 1970',
      seen(
        'seen_at',
        many((at) => 1_700_000_000_000 + at),
        { type: 'integer' },
      ),
      'datetime',
    ],
    [
      'numbers that only happen to be as large',
      seen(
        'size',
        many((at) => 1_700_000_000 + at),
        { type: 'integer' },
      ),
      'number',
    ],
    ['0 and 1', seen('notify', bits, { type: 'integer', declared: 'tinyint' }), 'boolean'],
    ['a count that is 0 or 1', seen('comment_count', bits, { type: 'integer' }), 'number'],
    ['charges', columnOf('late_charges', { type: 'decimal' }), 'money'],
    ['what is due', columnOf('total_due', { type: 'decimal' }), 'money'],
    ['a total without tax', columnOf('total_excl_tax', { type: 'decimal' }), 'money'],
    ['a number of jobs', integer('total_jobs'), 'number'],
    ['a rate', columnOf('fee_percentage', { type: 'decimal' }), 'number'],
    ['a phone', integer('phone'), 'key'],
    ['a code of goods', integer('ean'), 'key'],
    ['a short description', seen('description', words), 'text'],
    [
      'sentences that recur',
      seen(
        'status',
        many(
          (at) => `The order ${at % 2 ? 'is open' : 'has been paid'} and somebody has been told.`,
        ),
      ),
      'text',
    ],
  ])('of %s', (_, column, kind) => expect(kindOf(column)).toBe(kind))

  test('of a number that no two rows share is a key', () => {
    expect(kindOf(integer('number'))).toBe('number')
    expect(kindOf(integer('number'), { uniques: [['number']] })).toBe('key')
  })

  test('that counts from 1970 shows the moment', () => {
    const column = definitionOf([id, integer('created_unix')]).columns.get('created_unix')!
    const { cell } = formatterFor({ locale: 'en-GB', language: 'en' })
    expect(column.label).toBe('Created')
    expect(cell(column, 1_700_000_000)).toBe('14 Nov 2023, 22:13:20 UTC')
    expect(cell(column, 1_700_000_000_000)).toBe('14 Nov 2023, 22:13:20 UTC')
    expect(cell(column, 0)).toBe('0')
  })
})
