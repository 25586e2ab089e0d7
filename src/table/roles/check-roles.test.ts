import { describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { problemLines } from '../definition/problems.ts'
import { checkRoles } from './check-roles.ts'

const orders = tableOf(
  [
    columnOf('id', { type: 'integer', identity: true, nullable: false }),
    columnOf('number', { nullable: false }),
    columnOf('region'),
    columnOf('status'),
    columnOf('total', { type: 'decimal' }),
    columnOf('secret_token'),
    columnOf('age', { type: 'integer', generated: true }),
    columnOf('customer_id', { type: 'integer' }),
  ],
  {
    name: 'orders',
    key: ['id'],
    foreignKeys: [{ columns: ['customer_id'], table: 'customers', references: ['id'] }],
  },
)
const customers = tableOf([columnOf('id', { type: 'integer' }), columnOf('name')], {
  name: 'customers',
  key: ['id'],
})
const schema = { name: 'shop', engine: 'test', tables: [orders, customers] }

const linesOf = (roles: unknown, definitions?: unknown) =>
  problemLines(checkRoles(roles, { schema, definitions }))
const ofOrders = (options: object) =>
  linesOf({ support: { tables: { orders: { read: true, ...options } } } })
const ofRows = (rows: unknown, more: object = {}) =>
  linesOf({ support: { tables: { orders: { read: true, rows }, ...more } } })
const at = 'roles.support.tables.orders'

test('roles without mistakes are taken', () => {
  const rows = {
    op: 'or',
    all: [
      { op: 'eq', column: 'region', value: () => 'south' },
      { op: 'in', column: 'status', values: ['open', 'paid'] },
      { op: 'not', of: { op: 'null', column: 'total' } },
      { op: 'gte', column: 'total', value: '10.50' },
      { op: 'starts', column: 'number', text: 'A' },
      {
        ...{ op: 'related', column: 'customer_id', table: 'customers', references: 'id' },
        where: { op: 'contains', column: 'name', text: () => 'x' },
      },
    ],
  }
  const roles = {
    support: {
      label: 'Support',
      help: 'For the desk.',
      tables: {
        orders: {
          ...{ read: ['number', 'region', 'status'], create: ['number'], update: ['status'] },
          ...{ delete: false, rows },
        },
        customers: { read: true },
      },
    },
    'night shift': { tables: {} },
  }
  expect(linesOf(roles)).toEqual([])
  expect(linesOf(undefined)).toEqual([])
})

test('names of roles, and what a role has', () => {
  expect(linesOf([])).toEqual(['roles: expected an object with names of roles, not a list.'])
  expect(linesOf({ admin: { tables: {} }, '': { tables: {} }, support: 7 })).toEqual([
    'roles.admin: there is a role [admin] already. Choose another name.',
    'roles[""]: the name of a role has 1 to 64 characters.',
    'roles.support: expected an object, not [7].',
  ])
  expect(linesOf({ support: { tabels: {}, label: '' } })).toEqual([
    'roles.support.tabels: there is no such option. Did you mean [tables]?',
    'roles.support.label: expected a text of 1 to 100 characters, not [].',
    'roles.support: name its tables: add tables.',
  ])
})

test('tables and columns that are not there are named, and where', () => {
  expect(linesOf({ support: { tables: { ordrs: { read: true } } } })).toEqual([
    'roles.support.tables.ordrs: there is no such table. Did you mean [orders]?',
  ])
  expect(ofOrders({ update: ['statsu'] })).toEqual([
    `${at}.update[0]: there is no such column. Did you mean [status]?`,
  ])
  expect(ofOrders({ read: undefined })).toEqual([
    `${at}: say what it reads: add read: true, or a list of columns.`,
  ])
  expect(ofOrders({ read: false, delete: 'no', udpate: true })).toEqual([
    `${at}.read: expected true, or a list of one column or more, not [false].`,
    `${at}.delete: expected true or false, not [no].`,
    `${at}.udpate: there is no such option. Did you mean [update]?`,
  ])
})

test('columns that cannot be had', () => {
  expect(ofOrders({ read: ['number', 'secret_token', 'number'] })).toEqual([
    `${at}.read[1]: [secret_token] is hidden. Show it with tables.orders.columns.secret_token.hidden: false.`,
    `${at}.read[2]: [number] appears twice.`,
  ])
  const shown = { orders: { columns: { secret_token: { hidden: false } } } }
  const read = ['secret_token']
  expect(linesOf({ support: { tables: { orders: { read } } } }, shown)).toEqual([])
  expect(ofOrders({ read: ['status'], update: ['status', 'total', 'id', 'age'] })).toEqual([
    `${at}.update[1]: the role does not read [total]. Add it to ${at}.read.`,
    `${at}.update[3]: [age] is written by the database itself.`,
  ])
})

test('a new row that would lack a value', () => {
  expect(ofOrders({ create: ['region'] })).toEqual([
    `${at}.create: a new row needs [number]. Add it to ${at}.create.`,
  ])
  expect(ofOrders({ read: ['region'], create: true })).toEqual([
    `${at}.create: a new row needs [number]. Add it to ${at}.read.`,
  ])
})

describe('conditions on rows', () => {
  test.each<[unknown, string]>([
    [
      'south',
      ".rows: expected a condition, such as { op: 'eq', column: 'region', value: 'south' }, not [south].",
    ],
    [
      { op: 'equal', column: 'region', value: 'x' },
      '.rows.op: expected one of and, or, not, null, eq, lt, lte, gt, gte, in, contains, starts, related, referred, not [equal].',
    ],
    [
      { op: 'eq', column: 'regoin', value: 'x' },
      '.rows.column: there is no such column. Did you mean [region]?',
    ],
    [{ op: 'eq', column: 'region' }, '.rows: a condition [eq] needs [value].'],
    [
      { op: 'eq', column: 'region', value: 7 },
      '.rows.value: expected a value of text, or a function that returns one, not [7].',
    ],
    [
      { op: 'eq', column: 'region', value: null },
      ".rows.value: rows without a value are found by { op: 'null' }.",
    ],
    [
      { op: 'in', column: 'total', values: [1, true] },
      '.rows.values[1]: expected a value of decimal, or a function that returns one, not [true].',
    ],
    [
      { op: 'contains', column: 'total', text: '1' },
      '.rows.column: no text is searched in a column of decimal.',
    ],
    [
      { op: 'and', all: [{ op: 'not', of: 7 }] },
      ".rows.all[0].of: expected a condition, such as { op: 'eq', column: 'region', value: 'south' }, not [7].",
    ],
    [{ op: 'null', colum: 'region' }, '.rows: a condition [null] needs [column].'],
  ])('%j', (rows, line) => {
    expect(ofRows(rows)[0]).toBe(at + line)
  })

  const related = {
    ...{ op: 'related', column: 'customer_id', table: 'customers', references: 'id' },
    where: { op: 'eq', column: 'nam', value: 'x' },
  }

  test('read other tables only as far as the role does', () => {
    expect(ofRows(related)).toEqual([
      `${at}.rows.table: the role sees no row of [customers]. Name the table in roles.support.tables.customers.`,
      `${at}.rows.where.column: there is no such column. Did you mean [name]?`,
    ])
  })

  test('do not go round in a circle', () => {
    const rows = { ...related, where: { op: 'null', column: 'name' } }
    const back = {
      ...{ op: 'referred', table: 'orders', columns: ['customer_id'], references: ['id'] },
      where: { op: 'null', column: 'region' },
    }
    expect(ofRows(rows, { customers: { read: true } })).toEqual([])
    expect(ofRows(rows, { customers: { read: true, rows: back } })).toEqual([
      `${at}.rows: the conditions of [orders], [customers] refer to one another in a circle.`,
    ])
  })
})
