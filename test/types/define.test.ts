/** Types of declarations: tables and columns that do not exist do not compile. */

import { describe, expectTypeOf, test } from 'vitest'
import {
  type Actor,
  type AdminConfig,
  defineAdmin,
  defineTable,
  type RoleTable,
  type TableOptions,
} from '../../src/exports/index.ts'

/** As `tablewire types` writes it. */
type Database = {
  orders: { id: number; number: string; total: string | null; placed_at: string }
  'audit.log': { id: number; 'odd name': string }
}

describe('a configuration that knows its database', () => {
  test('takes the tables and columns that there are', () => {
    const config = defineAdmin<Database>({
      database: 'shop.sqlite',
      port: 0,
      trustProxy: '10.0.0.0/8',
      tables: {
        orders: {
          label: 'Orders',
          labelColumn: 'number',
          sort: ['-placed_at', 'number'],
          shown: ['number', 'total'],
          pageSize: 50,
          columns: {
            total: { kind: 'money', currency: { code: 'EUR' }, summary: 'mean' },
            id: { hidden: false },
          },
        },
        'audit.log': defineTable({ labelColumn: null, sort: '-odd name' }),
      },
    })
    expectTypeOf(config).toEqualTypeOf<AdminConfig<Database>>()
    expectTypeOf(config).toExtend<AdminConfig>()
  })

  test('does not compile with a table that is not there', () => {
    // @ts-expect-error There is no table `ordrs`.
    defineAdmin<Database>({ tables: { ordrs: {} } })
    // @ts-expect-error There is no table `ordrs`.
    defineAdmin<Database>({ tables: { ordrs: defineTable({}) } })
  })

  test('does not compile with a column that is not there, wherever it is named', () => {
    // @ts-expect-error There is no column `totl`.
    defineAdmin<Database>({ tables: { orders: { columns: { totl: {} } } } })
    // @ts-expect-error There is no column `totl`.
    defineAdmin<Database>({ tables: { orders: { labelColumn: 'totl' } } })
    // @ts-expect-error There is no column `totl`.
    defineAdmin<Database>({ tables: { orders: { sort: '-totl' } } })
    // @ts-expect-error There is no column `totl`.
    defineAdmin<Database>({ tables: { orders: { sort: ['number', 'totl'] } } })
    // @ts-expect-error There is no column `totl`.
    defineAdmin<Database>({ tables: { orders: { shown: ['totl'] } } })
    // @ts-expect-error That column is one of another table.
    defineAdmin<Database>({ tables: { orders: { labelColumn: 'odd name' } } })
  })

  test('gives conditional fields the row’s types', () => {
    defineAdmin<Database>({
      tables: {
        orders: {
          form: {
            sections: [{ title: 'Money', columns: ['total'] }],
            shown: {
              total(row) {
                expectTypeOf(row).toEqualTypeOf<Readonly<Partial<Database['orders']>>>()
                return row.number !== ''
              },
            },
          },
        },
      },
    })
    // @ts-expect-error There is no column `totl`.
    defineTable<Database['orders']>({ form: { sections: [{ title: 'x', columns: ['totl'] }] } })
    // @ts-expect-error There is no column `totl`.
    defineTable<Database['orders']>({ form: { shown: { totl: () => true } } })
    // @ts-expect-error There is no column `totl`.
    defineTable<Database['orders']>({ softDelete: 'totl' })
    // @ts-expect-error There is no column `totl`.
    defineTable<Database['orders']>({ key: ['number', 'totl'] })
    // @ts-expect-error Whether it is shown is yes or no.
    defineTable<Database['orders']>({ form: { shown: { total: ({ number }) => number } } })
  })

  test('does not compile with such a column inside defineTable either', () => {
    // @ts-expect-error There is no column `totl`.
    defineAdmin<Database>({ tables: { orders: defineTable({ columns: { totl: {} } }) } })
    // @ts-expect-error There is no column `totl`.
    defineAdmin<Database>({ tables: { orders: defineTable({ labelColumn: 'totl' }) } })
    // @ts-expect-error There is no column `totl`.
    defineAdmin<Database>({ tables: { orders: defineTable({ sort: 'totl' }) } })
  })

  test('does not compile with options that there are not', () => {
    // @ts-expect-error There is no option `lable`.
    defineAdmin<Database>({ tables: { orders: { lable: 'Orders' } } })
    // @ts-expect-error There is no option `format`.
    defineAdmin<Database>({ tables: { orders: { columns: { total: { format: String } } } } })
    // @ts-expect-error A currency is named by its code.
    defineTable<Database['orders']>({ columns: { total: { currency: { iso: 'EUR' } } } })
    // @ts-expect-error A kind is named by a text.
    defineAdmin<Database>({ tables: { orders: { columns: { total: { kind: 7 } } } } })
    // @ts-expect-error Pages have 25, 50 or 100 rows.
    defineAdmin<Database>({ tables: { orders: { pageSize: 40 } } })
    // @ts-expect-error There is no setting `prot`.
    defineAdmin<Database>({ prot: 80 })
  })
})

describe('roles of a database that is known', () => {
  test('name its tables and columns, and values of their types', () => {
    const config = defineAdmin<Database>({
      roles: {
        support: {
          label: 'Support',
          tables: {
            orders: {
              read: true,
              update: ['total'],
              rows: {
                op: 'and',
                all: [
                  {
                    op: 'eq',
                    column: 'number',
                    value({ actor }) {
                      expectTypeOf(actor).toEqualTypeOf<Actor>()
                      return actor.id === '' ? undefined : actor.email
                    },
                  },
                  { op: 'in', column: 'id', values: [1, 2] },
                  { op: 'not', of: { op: 'null', column: 'total' } },
                  {
                    op: 'referred',
                    table: 'audit.log',
                    columns: ['id'],
                    references: ['id'],
                    where: { op: 'starts', column: 'odd name', text: 'x' },
                  },
                ],
              },
            },
            'audit.log': { read: ['odd name'] },
          },
        },
      },
    })
    expectTypeOf(config).toExtend<AdminConfig>()
  })

  const orders = (role: RoleTable<Database['orders'], Database>) => role

  test('do not compile with names that there are not', () => {
    // @ts-expect-error There is no table `ordrs`.
    defineAdmin<Database>({ roles: { support: { tables: { ordrs: { read: true } } } } })
    // @ts-expect-error There is no column `totl`.
    orders({ read: ['totl'] })
    // @ts-expect-error There is no column `totl`.
    orders({ read: true, update: ['totl'] })
    // @ts-expect-error There is no column `totl`.
    orders({ read: true, rows: { op: 'null', column: 'totl' } })
    // @ts-expect-error There is no option `updates`.
    orders({ read: true, updates: true })
    // @ts-expect-error Somebody has to say what is read.
    orders({ update: true })
  })

  test('do not compile with values of another type', () => {
    // @ts-expect-error A number is a text here.
    orders({ read: true, rows: { op: 'eq', column: 'number', value: 7 } })
    // @ts-expect-error An id is no text.
    orders({ read: true, rows: { op: 'eq', column: 'id', value: () => '7' } })
    // @ts-expect-error Nobody waits for a value.
    orders({ read: true, rows: { op: 'eq', column: 'number', value: async () => 'x' } })
    // @ts-expect-error NULL is found by `null`.
    orders({ read: true, rows: { op: 'eq', column: 'total', value: null } })
  })

  test('take any names without the type of the database', () => {
    const rows = {
      op: 'eq',
      column: 'x',
      value: ({ actor }: { actor: Actor }) => actor.id,
    } as const
    const config = defineAdmin({ roles: { support: { tables: { a: { read: ['b'], rows } } } } })
    expectTypeOf(config).toEqualTypeOf<AdminConfig>()
  })
})

describe('a table in a file of its own', () => {
  test('knows its columns by the type of its row', () => {
    const orders = defineTable<Database['orders']>({ labelColumn: 'number', sort: '-total' })
    expectTypeOf(orders).toEqualTypeOf<TableOptions<Database['orders']>>()
    expectTypeOf(defineAdmin<Database>({ tables: { orders } })).toExtend<AdminConfig>()
    // @ts-expect-error There is no column `totl`.
    defineTable<Database['orders']>({ columns: { totl: {} } })
    // @ts-expect-error There is no table `ordrs`.
    expectTypeOf<Database['ordrs']>()
  })

  test('is not that of another table', () => {
    const log = defineTable<Database['audit.log']>({ labelColumn: 'odd name' })
    // @ts-expect-error The log has columns that orders have not.
    defineAdmin<Database>({ tables: { orders: log } })
  })
})

describe('without the type of the database', () => {
  test('any names compile, and options do as ever', () => {
    const orders = defineTable({ labelColumn: 'number', columns: { totl: { kind: 'money' } } })
    expectTypeOf(orders).toEqualTypeOf<TableOptions>()
    const config = defineAdmin({ tables: { orders, ordrs: { sort: ['-x'], shown: ['y'] } } })
    expectTypeOf(config).toEqualTypeOf<AdminConfig>()
    // @ts-expect-error A kind is named by a text.
    defineTable({ columns: { total: { kind: 7 } } })
    // @ts-expect-error There is no option `lable`.
    defineAdmin({ tables: { orders: { lable: 'x' } } })
  })
})

test('the type of a database may be an interface, as other tools write it', () => {
  interface Order {
    id: number
    total: string
  }
  interface DB {
    orders: Order
  }
  expectTypeOf(
    defineAdmin<DB>({ tables: { orders: { labelColumn: 'total' } } }),
  ).toExtend<AdminConfig>()
  // @ts-expect-error There is no column `totl`.
  defineAdmin<DB>({ tables: { orders: { labelColumn: 'totl' } } })
})
