import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { bulkAction } from '../actions/bulk-action.ts'
import { assertDefinitions, checkDefinitions } from './check-definitions.ts'
import type { Kind } from './kind.ts'
import { DefinitionError, problemLines } from './problems.ts'

const orders = tableOf(
  [
    columnOf('id', { type: 'integer' }),
    columnOf('number'),
    columnOf('total', { type: 'decimal' }),
    columnOf('placed_at', { type: 'datetime' }),
    columnOf('customer_id', { type: 'integer' }),
    columnOf('secret_token'),
    columnOf('paid', { type: 'boolean' }),
    columnOf('data', { type: 'json' }),
    columnOf('scan', { type: 'binary' }),
    columnOf('tags', { array: true }),
    columnOf('odd name'),
    columnOf('-lead'),
  ],
  {
    name: 'orders',
    foreignKeys: [{ columns: ['customer_id'], table: 'customers', references: ['id'] }],
  },
)
const customers = tableOf([columnOf('id'), columnOf('name')], { name: 'customers' })
const audit = tableOf([columnOf('id')], { name: 'audit.log' })
const schema = { name: 'shop', engine: 'test', tables: [orders, customers, audit] }

const linesOf = (definitions: unknown) => problemLines(checkDefinitions(definitions, schema))
const ofOrders = (options: unknown) => linesOf({ orders: options })
const ofCustomers = (options: unknown) => linesOf({ customers: options })
const ofColumn = (name: string, options: unknown) => ofOrders({ columns: { [name]: options } })

test('only a date or a moment that may be NULL marks rows as deleted', () => {
  expect(ofOrders({ softDelete: false })).toEqual([])
  expect(ofOrders({ softDelete: 'placed_at' })).toEqual([])
  expect(ofOrders({ softDelete: 'number' })).toEqual([
    'tables.orders.softDelete: only a date or a moment that may be NULL can mark a row as deleted; whole numbers do, once some of the table count from 1970.',
  ])
  expect(ofOrders({ softDelete: 'placd_at' })).toEqual([
    'tables.orders.softDelete: there is no such column. Did you mean [placed_at]?',
  ])
})

test('values of whole numbers and of texts have names', () => {
  expect(ofColumn('customer_id', { values: { 0: 'Nobody', '-1': 'Anybody' } })).toEqual([])
  expect(ofColumn('number', { kind: 'status', values: { '': 'None', a: 'Alpha' } })).toEqual([])
  expect(ofColumn('customer_id', { values: { '01': 'Open' } })).toEqual([
    'tables.orders.columns.customer_id.values: [01] is no whole number.',
  ])
  expect(ofColumn('total', { values: { 1: 'Open' } })).toEqual([
    'tables.orders.columns.total.values: only values of whole numbers and of texts have names.',
  ])
  expect(ofColumn('number', { kind: 'text', values: { a: 'Alpha' } })).toEqual([
    'tables.orders.columns.number.values: only a column of the kind status has names of its values.',
  ])
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [at, `Name ${at}`]))
  for (const values of [{ 1: '' }, { 1: 2 }, many, ['Open']])
    expect(ofColumn('customer_id', { values })[0]).toContain(
      'expected an object with the names of at most 200 values',
    )
})

test('a key is declared for what has none, of columns that tell rows apart', () => {
  const view = { ...orders, name: 'open_orders', kind: 'view' as const, key: [] }
  const ofView = (options: unknown) =>
    problemLines(checkDefinitions({ open_orders: options }, { ...schema, tables: [view] }))
  expect(ofView({ key: ['id'] })).toEqual([])
  expect(ofView({ key: ['customer_id', 'number'], columns: { id: { hidden: true } } })).toEqual([])
  expect(ofView({ key: ['nummer', 'data', 'secret_token', 'id', 'id'] })).toEqual([
    'tables.open_orders.key[0]: there is no such column. Did you mean [number]?',
    'tables.open_orders.key[1]: a column of json tells no rows apart.',
    'tables.open_orders.key[2]: [secret_token] is hidden. Show it with tables.open_orders.columns.secret_token.hidden: false.',
    'tables.open_orders.key[4]: [id] appears twice.',
  ])
  expect(ofView({ key: ['id'], columns: { id: { hidden: true } } })).toEqual([
    'tables.open_orders.key[0]: [id] is hidden. Show it with tables.open_orders.columns.id.hidden: false.',
    expect.stringMatching(/a column of the key cannot be hidden/),
  ])
  expect(ofView({ key: ['id'], reorder: { column: 'total' } })).toEqual([
    'tables.open_orders.reorder: only rows whose key is the database’s own are put in order by hand.',
  ])
  expect(ofView({ key: [] })).toEqual([
    'tables.open_orders.key: expected a list of one column or more, not a list.',
  ])
  expect(ofOrders({ key: ['number'] })).toEqual([
    'tables.orders.key: the database has a key for [orders]: [id].',
  ])
})

test('a form names columns that there are, each once', () => {
  const form = {
    sections: [
      { title: 'One', columns: ['number', 'nothing'] },
      { title: 'Two', columns: ['total', 'number'] },
    ],
    shown: { totl: () => true, number: () => true },
  }
  expect(ofOrders({ form })).toEqual([
    expect.stringMatching(/form\.sections\[0\]\.columns\[1\]: there is no such column/),
    'tables.orders.form.sections[1].columns[1]: [number] appears twice.',
    'tables.orders.form.shown.totl: there is no such column. Did you mean [total]?',
  ])
  expect(ofOrders({ form: { sections: [{ title: 'One' }] } })).toEqual([
    expect.stringMatching(/^tables\.orders\.form: expected such as /),
  ])
  expect(ofOrders({ form: { shown: { number: true } } })).toHaveLength(1)
})

test('lines are of tables that refer to the key, each once', () => {
  const of = (lines: unknown) => ofCustomers({ form: { lines } })
  expect([of(false), of(['orders']), of([])]).toEqual([[], [], []])
  expect(of(['ordrs', 'orders', 'orders', 'customers'])).toEqual([
    'tables.customers.form.lines[0]: there is no such table. Did you mean [orders]?',
    'tables.customers.form.lines[2]: [orders] appears twice.',
    'tables.customers.form.lines[3]: [customers] does not refer to the key of [customers].',
  ])
  expect(of(true)).toEqual([expect.stringMatching(/^tables\.customers\.form: expected such as /)])
})

test('a field is that of a kind of one’s own which takes the column', () => {
  const kind: Kind = {
    name: 'rating',
    check: ({ type }, _table, tell) => void (type !== 'integer' && tell('no ratings.')),
  }
  const of = (columns: object) =>
    problemLines(checkDefinitions({ orders: { columns } }, schema, [kind]))
  expect(of({ customer_id: { field: 'rating' } })).toEqual([])
  expect(of({ number: { field: 'rating' } })).toEqual([
    'tables.orders.columns.number.field: no ratings.',
  ])
  expect(of({ customer_id: { field: 'ratng' } })).toEqual([
    expect.stringContaining('Did you mean [rating]?'),
  ])
  expect(ofColumn('total', { field: 'money' })).toEqual([
    'tables.orders.columns.total.field: expected a kind listed under kinds, not [money].',
  ])
})

test('what can be declared is no mistake', () => {
  expect(
    linesOf({
      orders: {
        label: 'Orders',
        help: 'What was bought.',
        hidden: false,
        labelColumn: 'number',
        sort: ['-placed_at', 'number', '-lead'],
        pageSize: 50,
        shown: ['number', 'total', 'secret_token'],
        columns: {
          id: { label: 'No.' },
          total: { label: 'Total', kind: 'money', unit: '€', help: 'With tax.', summary: 'sum' },
          number: { kind: 'status', sortable: false, searchable: false, unit: '' },
          customer_id: { kind: 'relation', searchable: true, sortable: true },
          secret_token: { hidden: false },
          data: { hidden: true, searchable: true },
          scan: { kind: 'binary', summary: 'none' },
          'odd name': {},
        },
        form: {
          sections: [{ title: 'Order', help: 'What it is.', columns: ['number', 'total'] }],
          shown: { total: () => true },
        },
      },
      customers: { hidden: true, labelColumn: null, sort: 'name' },
      'audit.log': { label: undefined, columns: undefined },
    }),
  ).toEqual([])
  expect(linesOf({})).toEqual([])
  expect(linesOf(undefined)).toEqual([])
})

describe('a mistake is told by its place, with what was probably meant', () => {
  test.each<[unknown, string]>([
    [{ ordrs: {} }, 'tables.ordrs: there is no such table. Did you mean [orders]?'],
    [{ payments: {} }, 'tables.payments: there is no such table.'],
    [{ Audit_Log: {} }, 'tables.Audit_Log: there is no such table. Did you mean [audit.log]?'],
    [{ 'no table': {} }, 'tables["no table"]: there is no such table.'],
    [{ orders: 7 }, 'tables.orders: expected an object, not [7].'],
    [[], 'tables: expected an object with names of tables, not a list.'],
    [null, 'tables: expected an object with names of tables, not [null].'],
    ['orders', 'tables: expected an object with names of tables, not [orders].'],
    [new Map(), 'tables: expected an object with names of tables, not an object.'],
  ])('%j', (definitions, line) => expect(linesOf(definitions)).toEqual([line]))

  test.each<[object, string]>([
    [{ lable: 'x' }, 'lable: there is no such option. Did you mean [label]?'],
    [{ zoom: () => '' }, 'zoom: there is no such option.'],
    [{ label: '' }, 'label: expected a text of 1 to 100 characters, not [].'],
    [
      { label: 'x'.repeat(101) },
      `label: expected a text of 1 to 100 characters, not [${'x'.repeat(60)}…].`,
    ],
    [{ help: Symbol('x') }, 'help: expected a text of 1 to 1000 characters, not a symbol.'],
    [{ hidden: 'yes' }, 'hidden: expected true or false, not [yes].'],
    [{ pageSize: 40 }, 'pageSize: expected 25, 50 or 100, not [40].'],
    [{ labelColumn: 'numbr' }, 'labelColumn: there is no such column. Did you mean [number]?'],
    [
      { labelColumn: false },
      'labelColumn: expected the name of a column, a list of such names, or null, not [false].',
    ],
    [{ labelColumn: 'data' }, 'labelColumn: a column of json cannot name rows.'],
    [
      { labelColumn: 'secret_token' },
      'labelColumn: [secret_token] is hidden. Show it with tables.orders.columns.secret_token.hidden: false.',
    ],
    [{ sort: '-placedAt' }, 'sort: there is no such column. Did you mean [placed_at]?'],
    [{ sort: 'number,total' }, 'sort: there is no such column.'],
    [{ sort: ['id', '--lead', 'x'] }, 'sort[2]: there is no such column.'],
    [{ sort: ['id', '-id'] }, 'sort[1]: [id] appears twice.'],
    [{ sort: 'scan' }, 'sort: rows cannot be ordered by binary.'],
    [{ sort: {} }, "sort: expected such as 'name' or ['-placed_at', 'id'], not an object."],
    [
      { sort: ['id', 'number', 'total', 'paid', 'tags', 'customer_id'] },
      'sort: rows are ordered by at most 5 columns.',
    ],
    [{ shown: [] }, 'shown: expected a list of one column or more, not a list.'],
    [{ shown: ['id', 'nummber'] }, 'shown[1]: there is no such column. Did you mean [number]?'],
    [{ shown: ['id', 'id'] }, 'shown[1]: [id] appears twice.'],
    [{ columns: [] }, 'columns: expected an object with names of columns, not a list.'],
  ])('of a table: %j', (options, line) => {
    expect(ofOrders(options)).toEqual([`tables.orders.${line}`])
  })

  test.each<[string, unknown, string]>([
    ['totl', {}, 'totl: there is no such column. Did you mean [total]?'],
    ['odd nam', {}, '["odd nam"]: there is no such column. Did you mean [odd name]?'],
    [
      'odd name',
      { label: 1 },
      '["odd name"].label: expected a text of 1 to 100 characters, not [1].',
    ],
    ['total', 'Total', 'total: expected an object, not [Total].'],
    ['total', { labe: '' }, 'total.labe: there is no such option. Did you mean [label]?'],
    [
      'total',
      { unit: 'x'.repeat(13) },
      'total.unit: expected a text of at most 12 characters, not [xxxxxxxxxxxxx].',
    ],
    ['total', { currency: 'currensy' }, 'total.currency: there is no such column.'],
    ['total', { currency: 'secret_token' }, 'total.currency: [secret_token] is hidden.'],
    ['total', { currency: 'paid' }, 'total.currency: a column of boolean names no currencies.'],
    [
      'total',
      { currency: { code: 'EURO' } },
      'total.currency.code: ISO 4217 has no currency [EURO]. Did you mean [EUR]?',
    ],
    [
      'total',
      { currency: { code: 'eur' } },
      'total.currency.code: ISO 4217 has no currency [eur]. Did you mean [EUR]?',
    ],
    [
      'number',
      { currency: { code: 'EUR' } },
      'number.currency: only a column of money has it: add kind, such as money.',
    ],
    [
      'total',
      { currency: { iso: 'EUR' } },
      "total.currency: expected the name of a column, one currency such as { code: 'EUR' }, or false, not an object.",
    ],
    [
      'number',
      { currency: false },
      'number.currency: only a column of money has it: add kind, such as money.',
    ],
    [
      'total',
      { minorUnit: 'cents' },
      'total.minorUnit: only whole numbers count the smallest unit of a currency.',
    ],
    [
      'total',
      { minorUnit: '100' },
      'total.minorUnit: expected a word of 1 to 12 characters without digits, such as cents, or false, not [100].',
    ],
    ['total', { summary: true }, 'total.summary: expected sum, mean or none, not [true].'],
    ['paid', { summary: 'sum' }, 'paid.summary: a column of boolean has no sum.'],
    [
      'id',
      { hidden: true },
      'id.hidden: a column of the key cannot be hidden, because it stands in every address. Hide the table instead.',
    ],
    [
      'number',
      { kind: 'relation' },
      'number.kind: only a foreign key of one column can be shown as a relation.',
    ],
    ['number', { kind: 'binary' }, 'number.kind: a column of text holds no bytes.'],
    ['scan', { kind: 'text' }, 'scan.kind: bytes are shown by their size alone, as binary.'],
    ['data', { sortable: true }, 'data.sortable: rows cannot be ordered by json.'],
    ['paid', { searchable: true }, 'paid.searchable: a search cannot look into boolean.'],
    ['tags', { searchable: true }, 'tags.searchable: a search cannot look into a list of text.'],
  ])('of the column %s: %j', (name, options, line) => {
    const at = line.startsWith('[') ? line : `.${line}`
    expect(ofColumn(name, options)).toEqual([`tables.orders.columns${at}`])
  })

  test('of a kind, with all kinds that there are', () => {
    expect(ofColumn('total', { kind: 'monny' })).toEqual([
      expect.stringMatching(
        /^tables\.orders\.columns\.total\.kind: expected one of text, .*money.*, not \[monny\]\. Did you mean \[money\]\?$/,
      ),
    ])
  })
})

test('all mistakes are told at once', () => {
  const definitions = {
    ordrs: { columns: { total: { lable: 'x' } } },
    orders: { labl: 1, sort: '-x', pageSize: 7, columns: { totl: {}, total: { kind: 'x' } } },
    customers: { columns: { id: { hidden: true }, name: 3 } },
  }
  const lines = linesOf(definitions)
  expect(lines.map((line) => line.slice(0, line.indexOf(':')))).toEqual([
    'tables.ordrs',
    'tables.ordrs.columns.total.lable',
    'tables.orders.labl',
    'tables.orders.pageSize',
    'tables.orders.columns.total.kind',
    'tables.orders.sort',
    'tables.orders.columns.totl',
    'tables.customers.columns.name',
    'tables.customers.columns.id.hidden',
  ])
  expect(() => assertDefinitions(definitions, schema)).toThrow(DefinitionError)
  expect(() => assertDefinitions(definitions, schema)).toThrow(lines.join('\n'))
})

describe('an object that is out to hurt', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']

  test.each(names)('has no table, option or column of the name %s', (name) => {
    const at = (path: string) => `${path}.${name}: there is no such`
    expect(linesOf({ [name]: {} })).toEqual([`${at('tables')} table.`])
    expect(ofOrders({ [name]: {} })).toEqual([`${at('tables.orders')} option.`])
    expect(ofColumn(name, {})).toEqual([`${at('tables.orders.columns')} column.`])
    expect(ofColumn('total', { [name]: 1 })).toEqual([
      `${at('tables.orders.columns.total')} option.`,
    ])
  })

  test.each(names)(
    'may well have a table and a column of the name %s, if the database has',
    (name) => {
      const odd = tableOf([columnOf('id'), columnOf(name)], { name })
      const tables = [odd]
      const definitions = { [name]: { labelColumn: name, columns: { [name]: { label: 'Odd' } } } }
      expect(checkDefinitions(definitions, { ...schema, tables })).toEqual([])
      expect(checkDefinitions({}, { ...schema, tables })).toEqual([])
    },
  )

  test('is not believed for what it inherits', () => {
    expect(linesOf(Object.create({ orders: 7 }))).toHaveLength(1)
    expect(ofOrders(Object.create({ label: 7 }))).toHaveLength(1)
    expect(linesOf(Object.assign(Object.create(null), { orders: {} }))).toEqual([])
  })

  test('may refer to itself', () => {
    const ring: Record<string, unknown> = {}
    Object.assign(ring, { orders: ring, columns: ring, label: ring, total: ring, sort: [ring] })
    expect(linesOf(ring).length).toBeGreaterThan(3)
  })

  test.each([
    Symbol('x'),
    () => 1,
    new Date(0),
    new Proxy({}, {}),
    Number.NaN,
    -0,
    [[]],
    new Map(),
  ])('may be anything at any place (%#)', (value) => {
    const lines = [value, { orders: value }, { orders: { label: value, columns: value } }]
      .concat([{ orders: { columns: { total: value } } }])
      .flatMap(linesOf)
    for (const line of lines) expect(line).toMatch(/^tables.*: \S.*\.$/)
  })
})

describe('actions on rows', () => {
  const run = () => undefined

  test('need a name and what they do, and may ask for more', () => {
    const input = v.object({ reason: v.string() })
    const refund = bulkAction({ label: 'Refund', input, confirm: 'Sure?', run })
    const confirm = (rows: number) => `Archive ${rows}?`
    const actions = { refund, 'archive all': bulkAction({ label: 'Archive', confirm, run }) }
    expect(ofOrders({ actions })).toEqual([])
  })

  test.each([
    [[], 'tables.orders.actions: expected an object with names of actions, not a list.'],
    [
      { a: run },
      'tables.orders.actions.a: expected an action, as bulkAction makes it, not a function.',
    ],
    [{ a: { run } }, 'tables.orders.actions.a: an action needs [label].'],
    [{ a: { label: 'A' } }, 'tables.orders.actions.a: an action needs [run].'],
    [
      { a: { label: '', run } },
      'tables.orders.actions.a.label: expected a text of 1 to 100 characters, not [].',
    ],
    [{ a: { label: 'A', run: 7 } }, 'tables.orders.actions.a.run: expected a function, not [7].'],
    [
      { a: { label: 'A', run, input: { reason: 'text' } } },
      'tables.orders.actions.a.input: expected a schema, such as v.object({ … }) of Valibot, not an object.',
    ],
    [
      { a: { label: 'A', run, input: v.object({ who: v.array(v.string()) }) } },
      'tables.orders.actions.a.input: No form can be made of the schema: its field [who] is of type [array].',
    ],
    [
      { a: { label: 'A', run, confirm: true } },
      'tables.orders.actions.a.confirm: expected a text, or a function of the number of rows, not [true].',
    ],
    [
      { 'a b': { label: 'A', run, confrim: 'Sure?' } },
      'tables.orders.actions["a b"].confrim: there is no such option. Did you mean [confirm]?',
    ],
  ])('%j is told', (actions, line) => expect(ofOrders({ actions })).toEqual([line]))
})
