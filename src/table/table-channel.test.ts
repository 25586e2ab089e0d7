import { expect, test } from 'vitest'
import { admin, columnOf, tableOf } from '../../test/table-of.ts'
import { sourceSchema } from '../../test/schema-source.ts'
import { createCatalog } from './catalog.ts'
import type { Grant, Policy } from './source/access.ts'
import { everything, type Predicate } from './source/predicate.ts'
import type { Table } from './source/schema.ts'
import { listChannels, recordChannels } from './table-channel.ts'

const table = (name: string, ...refersTo: string[]): Table =>
  tableOf(
    [
      columnOf('id', { type: 'integer' }),
      columnOf('name'),
      ...refersTo.map((other) => columnOf(`${other}_id`, { type: 'integer' })),
    ],
    {
      name,
      foreignKeys: refersTo.map((other) => ({
        ...{ columns: [`${other}_id`], table: other, references: ['id'] },
      })),
    },
  )

const someone = (name: string): Predicate => ({
  ...{ op: 'related', column: 'id', table: name, references: 'id', where: everything },
})

type Given = {
  /** What the policy asks of rows, by table, and the tables that it hides. */
  readonly rows?: Readonly<Record<string, Predicate>>
  readonly hidden?: readonly string[]
  /** What a list asks of rows. Default: a record is shown. */
  readonly where?: Predicate
  /** The columns that the list shows. Default: none. */
  readonly shown?: readonly string[]
}

/** The channels of a record, or of a list, without what their names begin with. */
async function channels(
  name: string,
  tables: readonly Table[],
  { rows = {}, hidden = [], where, shown = [] }: Given = {},
): Promise<readonly string[]> {
  const policy: Policy = {
    version: '1',
    grant(_actor, { name, columns }): Grant {
      const readable = columns.map((column) => column.name)
      const actions = hidden.includes(name) ? [] : (['read'] as const)
      return { actions, rows: rows[name] ?? everything, readable, writable: [] }
    },
  }
  const catalog = await createCatalog(sourceSchema(tables), policy)
  const open = catalog.open(admin, name)
  const columns = shown.flatMap((one) => open.definition.columns.get(one) ?? [])
  const names = where ? listChannels(open, where, columns) : recordChannels(open)
  return names.map((one) => one.replace('private-table.', ''))
}

const orders = [
  ...[table('orders', 'customers'), table('customers', 'regions'), table('regions')],
  ...[table('lines', 'orders', 'products'), table('products', 'makers'), table('makers')],
  table('elsewhere'),
]

test('a list hears of its table, of those it refers to, and of those whose rows it is filtered by', async () => {
  const list = (name: string, where = everything) => channels(name, orders, { where })
  expect(await list('orders')).toEqual(['orders', 'customers'])
  expect(await list('elsewhere')).toEqual(['elsewhere'])
  const where: Predicate = {
    ...{ op: 'referred', table: 'lines', columns: ['orders_id'], references: ['id'] },
    where: everything,
  }
  expect(await list('orders', { op: 'not', of: where })).toEqual([
    ...['orders', 'customers', 'lines', 'products'],
  ])
})

test('a record hears of the rows that refer to it, too', async () => {
  expect(await channels('orders', orders)).toEqual(['orders', 'customers', 'lines', 'products'])
  expect(await channels('elsewhere', orders)).toEqual(['elsewhere'])
})

test('a record whose type and id name a row of any table hears of every write, its list where it shows them', async () => {
  const notes = tableOf(
    [columnOf('id', { type: 'integer' }), columnOf('about_type'), columnOf('about_id')],
    { name: 'notes' },
  )
  expect(await channels('notes', [...orders, notes])).toEqual(['notes', 'of.any'])
  const list = (...shown: string[]) =>
    channels('notes', [...orders, notes], { where: everything, shown })
  expect(await list('id', 'about_type')).toEqual(['notes'])
  expect(await list('id', 'about_id')).toEqual(['notes', 'of.any'])
  expect(await list('id')).toEqual(['notes'])
})

test('both hear of what the policy looks into for any of these, however far that goes', async () => {
  const rows = { customers: someone('teams'), teams: someone('staff'), regions: someone('makers') }
  const tables = [...orders, table('teams'), table('staff')]
  const list = ['orders', 'customers', 'teams', 'staff']
  expect(await channels('orders', tables, { rows, where: everything })).toEqual(list)
  expect(await channels('orders', tables, { rows })).toEqual([...list, 'lines', 'products'])
})

test('none asks to hear of tables that its reader may not see', async () => {
  const given = { rows: { orders: someone('teams') }, hidden: ['customers', 'teams'] }
  expect(await channels('orders', [...orders, table('teams')], given)).toEqual([
    ...['orders', 'lines', 'products'],
  ])
})

test('where these are many, or have long names, it hears of every write', async () => {
  const many = Array.from({ length: 21 }, (_, at) => `other${at}`)
  const others = many.map((name) => table(name))
  expect(await channels('busy', [table('busy', ...many), ...others])).toEqual(['busy', 'of.any'])
  const long = 'x'.repeat(200)
  expect(await channels('short', [table('short', long), table(long)])).toEqual(['short', 'of.any'])
  expect(await channels(long, [table('short', long), table(long)])).toEqual([])
})

test('where policies go in a circle, it hears of every write, and the query says what is wrong', async () => {
  const rows = { orders: someone('teams'), teams: someone('orders') }
  const tables = [...orders, table('teams')]
  for (const where of [undefined, everything, someone('teams')])
    expect(await channels('orders', tables, { rows, ...(where && { where }) })).toEqual([
      ...['orders', 'of.any'],
    ])
})
