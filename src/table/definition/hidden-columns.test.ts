import { expect, test } from 'vitest'
import { admin, columnOf, tableOf } from '../../../test/table-of.ts'
import type { Grant, Policy } from '../source/access.ts'
import { type Catalog, createCatalog } from '../catalog.ts'
import type { Definitions } from './define-table.ts'
import { everything } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'
import { DefinitionError } from './problems.ts'
import type { Table } from '../source/schema.ts'

const users = tableOf([columnOf('id'), columnOf('name'), columnOf('api_key')], { name: 'users' })
const visits = tableOf([columnOf('id'), columnOf('user_id'), columnOf('page')], {
  name: 'visits',
  foreignKeys: [{ columns: ['user_id'], table: 'users', references: ['id'] }],
})
const source = {
  describe: async () => ({ name: 'test', engine: 'none', tables: [users, visits] }),
} satisfies Partial<RowSource> as unknown as RowSource

/** Returns the same grant object for a table every time, as a policy with a cache does. */
const grants = new Map(
  [users, visits].map(({ name, columns }): [string, Grant] => {
    const names = columns.map((column) => column.name)
    return [
      name,
      { actions: ['read', 'update'], rows: everything, readable: names, writable: names },
    ]
  }),
)
const policy: Policy = { version: '1', grant: (_actor, { name }) => grants.get(name)! }

const catalogWith = (definitions: Definitions = {}) =>
  createCatalog(source, policy, { definitions })

test('what looks secret is out of reach, though the policy grants it', async () => {
  const catalog = await catalogWith()
  const { access, definition } = catalog.open(admin, 'users')
  expect([access.canRead('api_key'), access.canWrite('api_key')]).toEqual([false, false])
  expect([access.canRead('name'), access.canWrite('name')]).toEqual([true, true])
  expect(definition.columns.get('api_key')?.hidden).toBe(true)
  expect(catalog.policy.grant(admin, users).readable).toEqual(['id', 'name'])
  expect(catalog.policy.version).toBe('1')
})

test('what is declared to be shown is as the policy says', async () => {
  const catalog = await catalogWith({ users: { columns: { api_key: { hidden: false } } } })
  expect(catalog.open(admin, 'users').access.canRead('api_key')).toBe(true)
})

test('a hidden column is neither shown, nor the name of a row elsewhere', async () => {
  const hidden = await catalogWith({ users: { columns: { name: { hidden: true } } } })
  expect(hidden.open(admin, 'users').access.canRead('name')).toBe(false)
  const labelIn = (catalog: Catalog) =>
    catalog.open(admin, 'visits').relations.get('user_id')?.label
  expect([labelIn(await catalogWith()), labelIn(hidden)]).toEqual(['name', 'id'])
})

test('a hidden table is not there, and shows through no other', async () => {
  const catalog = await catalogWith({ users: { hidden: true } })
  expect(() => catalog.open(admin, 'users')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  expect(catalog.readable(admin).map(({ table }) => table.name)).toEqual(['visits'])
  expect(catalog.open(admin, 'visits').relations.size).toBe(0)
})

test('grants are narrowed once, and left alone where nothing is hidden', async () => {
  const shown = { user_id: { hidden: false }, page: { hidden: false } }
  const { policy } = await catalogWith({ visits: { columns: shown } })
  expect(policy.grant(admin, users)).toBe(policy.grant(admin, users))
  expect(policy.grant(admin, visits)).toBe(grants.get('visits'))
})

test('an administrator who is told what is hidden costs the policy no second question', async () => {
  const asked: string[] = []
  const counting: Policy = {
    version: '1',
    grant(_actor, { name }) {
      asked.push(name)
      return { ...grants.get(name)! }
    },
  }
  const catalog = await createCatalog(source, counting)
  const person = { ...admin }
  asked.length = 0
  expect(catalog.open(person, 'users').hiddenColumns).toMatchObject([{ name: 'api_key' }])
  catalog.open(person, 'visits')
  expect(asked.toSorted()).toEqual(['users', 'visits'])
})

test('a catalog is not made of definitions with mistakes', async () => {
  const made = catalogWith({ nope: {}, users: { columns: { nam: {} } } })
  await expect(made).rejects.toThrow(DefinitionError)
  await expect(made).rejects.toMatchObject({
    problems: [{ path: 'tables.nope' }, { path: 'tables.users.columns.nam' }],
  })
})

test('what a database does not write through a view is not granted, whatever the policy says', async () => {
  const seen = tableOf([columnOf('id'), columnOf('name')], { name: 'seen', kind: 'view', key: [] })
  const granted = async (takes: Table['takes'], definitions: Definitions) => {
    const tables = [{ ...seen, ...(takes && { takes }) }]
    const views = { describe: async () => ({ name: 'test', engine: 'none', tables }) }
    const all: Policy = {
      version: '1',
      grant: () => ({
        ...{ actions: ['read', 'create', 'update', 'delete'], rows: everything },
        ...{ readable: ['id', 'name'], writable: ['id', 'name'] },
      }),
    }
    const catalog = await createCatalog(views as unknown as RowSource, all, { definitions })
    const { access } = catalog.open(admin, 'seen')
    return [...access.grant.actions, ...access.grant.writable]
  }
  const declared = { seen: { key: ['id'] } }
  expect(await granted(['update', 'delete'], {})).toEqual(['read'])
  expect(await granted(undefined, declared)).toEqual(['read'])
  expect(await granted(['update', 'delete'], declared)).toEqual([
    ...['read', 'update', 'delete', 'id', 'name'],
  ])
  expect(await granted(['update'], { seen: { key: ['id'], write: false } })).toEqual(['read'])
})
