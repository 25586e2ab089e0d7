import { describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { rolePolicy } from '../../admin/accounts/roles.ts'
import type { Actor } from '../../server/actor.ts'
import type { Grant, Policy } from '../source/access.ts'
import { everything, nothing } from '../source/predicate.ts'
import type { Roles, RowCondition } from './role.ts'
import { policyWithRoles } from './role-policy.ts'

const orders = tableOf(
  [
    columnOf('id', { type: 'integer', identity: true }),
    columnOf('region'),
    columnOf('status'),
    columnOf('notes'),
    columnOf('margin', { type: 'integer' }),
    columnOf('age', { type: 'integer', generated: true }),
  ],
  { name: 'orders', key: ['id'] },
)
const salaries = tableOf([columnOf('id'), columnOf('sum')], { name: 'salaries', key: ['id'] })

const sam: Actor = { id: 'sam', name: 'Sam', email: 'sam@example.org', role: 'support' }

function policyOf(tables: Roles[string]['tables'], base: Policy = rolePolicy) {
  const warned: string[] = []
  const policy = policyWithRoles(
    base,
    { support: { tables } },
    { tables: [orders, salaries], warn: (sentence) => warned.push(sentence) },
  )
  return { policy, warned, grant: (actor = sam, table = orders) => policy.grant(actor, table) }
}

const rowsOf = (rows: RowCondition, actor = sam) =>
  policyOf({ orders: { read: true, rows } }).grant(actor).rows

test('a role gets what it names, and nothing of other tables', () => {
  const { grant } = policyOf({
    orders: { read: ['region', 'status', 'notes', 'age'], update: ['status', 'notes'] },
  })
  expect(grant()).toEqual({
    actions: ['read', 'update'],
    rows: everything,
    readable: ['id', 'region', 'status', 'notes', 'age'],
    writable: ['status', 'notes'],
    creatable: [],
  })
  expect(grant(sam, salaries)).toMatchObject({ actions: [], rows: nothing, readable: [] })
})

test('true stands for all columns that are read and that the database lets be written', () => {
  const { grant } = policyOf({
    orders: { read: ['region', 'age'], create: true, update: true, delete: true },
  })
  expect(grant()).toMatchObject({
    actions: ['read', 'create', 'update', 'delete'],
    writable: ['id', 'region'],
    creatable: ['id', 'region'],
  })
})

test('new rows may be given other columns than those that are changed', () => {
  const { grant } = policyOf({ orders: { read: true, create: ['region'], update: ['status'] } })
  expect(grant()).toMatchObject({ creatable: ['region'], writable: ['status'] })
})

test('other people are granted what the policy says', () => {
  const { grant } = policyOf({ orders: { read: true } })
  for (const role of ['admin', 'viewer', 'clerk', 'constructor'])
    expect(grant({ ...sam, role })).toBe(rolePolicy.grant({ ...sam, role }, orders))
})

describe('the policy that stands', () => {
  const careful: Policy = {
    version: 'careful',
    grant(actor, table) {
      const grant = rolePolicy.grant(actor, table)
      return {
        ...grant,
        actions: grant.actions.filter((action) => action !== 'delete'),
        rows: { op: 'eq', column: 'status', value: 'open' },
        readable: grant.readable.filter((name) => name !== 'margin'),
        writable: grant.writable.filter((name) => name !== 'region'),
      }
    },
    tellsName: (_actor, { role }) => role === 'support',
  }

  test('is never exceeded', () => {
    const rows: RowCondition = { op: 'eq', column: 'region', value: 'south' }
    const all = { read: true, create: true, update: true, delete: true, rows } as const
    const { grant } = policyOf({ orders: all }, careful)
    expect(grant()).toEqual({
      actions: ['read', 'create', 'update'],
      rows: { op: 'and', all: [{ op: 'eq', column: 'status', value: 'open' }, rows] },
      readable: ['id', 'region', 'status', 'notes', 'age'],
      writable: ['id', 'status', 'notes'],
      creatable: ['id', 'status', 'notes'],
    })
  })

  test('is told that the role is defined, and by its own name', () => {
    const asked: Actor[] = []
    const policy: Policy = {
      version: '1',
      grant: (actor, table) => (asked.push(actor), rolePolicy.grant(actor, table)),
    }
    const { grant } = policyOf({ orders: { read: true } }, policy)
    grant()
    grant({ ...sam, role: 'editor' })
    expect(asked).toEqual([
      { ...sam, isDefined: true },
      { ...sam, role: 'editor' },
    ])
  })

  test('may give one grant for several tables', () => {
    const shared: Grant = {
      ...{ actions: ['read'], rows: everything, readable: ['id', 'sum'], writable: [] },
    }
    const policy: Policy = { version: '1', grant: () => shared }
    const { grant } = policyOf({ salaries: { read: true }, orders: { read: ['region'] } }, policy)
    expect(grant(sam, salaries).readable).toEqual(['id', 'sum'])
    expect(grant(sam, orders).readable).toEqual(['id'])
    const mine: RowCondition = { op: 'eq', column: 'id', value: () => 7 as never }
    const personal = policyOf(
      { salaries: { read: true, rows: mine }, orders: { read: ['region'], rows: mine } },
      policy,
    )
    expect(personal.grant(sam, salaries).readable).toEqual(['id', 'sum'])
    expect(personal.grant(sam, orders).readable).toEqual(['id'])
  })

  test('still decides who is told names', () => {
    const { policy } = policyOf({ orders: { read: true } }, careful)
    expect(policy.tellsName?.(sam, sam)).toBe(true)
    expect(policy.tellsName?.(sam, { ...sam, role: 'viewer' })).toBe(false)
  })
})

describe('the rows', () => {
  const mine = ({ actor }: { actor: Actor }) => (actor.id === 'sam' ? 'south' : undefined)

  test('depend on the person where the definition says so', () => {
    const condition: RowCondition = { op: 'eq', column: 'region', value: mine }
    expect(rowsOf(condition)).toEqual({ op: 'eq', column: 'region', value: 'south' })
    expect(rowsOf(condition, { ...sam, id: 'ann' })).toEqual(nothing)
  })

  test.each<RowCondition>([
    { op: 'not', of: { op: 'eq', column: 'region', value: mine } },
    {
      op: 'and',
      all: [
        { op: 'null', column: 'notes' },
        { op: 'gt', column: 'region', value: mine },
      ],
    },
    {
      op: 'not',
      of: {
        op: 'or',
        all: [
          { op: 'null', column: 'notes' },
          { op: 'starts', column: 'region', text: mine },
        ],
      },
    },
    {
      op: 'not',
      of: {
        op: 'and',
        all: [
          { op: 'null', column: 'notes' },
          { op: 'eq', column: 'region', value: mine },
        ],
      },
    },
    { op: 'in', column: 'region', values: () => undefined },
  ])('are none where a value is not known: %j', (condition) => {
    expect(rowsOf(condition, { ...sam, id: 'ann' })).toEqual(nothing)
  })

  test('are those of the other conditions where one of several is enough', () => {
    const known: RowCondition = { op: 'null', column: 'notes' }
    const condition: RowCondition = {
      op: 'or',
      all: [known, { op: 'eq', column: 'region', value: mine }],
    }
    expect(rowsOf(condition, { ...sam, id: 'ann' })).toEqual({ op: 'or', all: [known] })
  })

  test.each<[() => never, string]>([
    [() => 7 as never, 'returned what [region] does not hold.'],
    [() => Promise.resolve('south') as never, 'returned what [region] does not hold.'],
    [
      () => {
        throw new Error('no such person')
      },
      'failed: no such person',
    ],
  ])('are none, and it is said, where a function is mistaken', (value, why) => {
    const { grant, warned } = policyOf({
      orders: { read: true, rows: { op: 'eq', column: 'region', value } },
    })
    expect(grant().rows).toEqual(nothing)
    expect(warned).toEqual([`roles.support: a function in the rows of [orders] ${why}`])
  })
})

describe('the very same grant', () => {
  test('is given to everybody of the role for fixed rows', () => {
    const { grant } = policyOf({
      orders: { read: true, rows: { op: 'eq', column: 'region', value: 'south' } },
    })
    expect(grant()).toBe(grant({ ...sam, id: 'ann' }))
    const { grant: all } = policyOf({ orders: { read: true } })
    expect(all()).toBe(all({ ...sam, id: 'ann' }))
  })

  test('is given to people who have the same rows, and to no others', () => {
    const { grant } = policyOf({
      orders: {
        read: true,
        rows: { op: 'eq', column: 'region', value: ({ actor }) => actor.name },
      },
    })
    expect(grant()).toBe(grant({ ...sam, id: 'ann' }))
    expect(grant()).not.toBe(grant({ ...sam, name: 'Ann' }))
  })
})

test('another definition is another version', () => {
  const versions = [
    policyOf({ orders: { read: true } }),
    policyOf({ orders: { read: true, update: true } }),
    policyOf({ orders: { read: true, rows: { op: 'eq', column: 'margin', value: 1n } } }),
    policyOf({ orders: { read: true, rows: { op: 'eq', column: 'region', value: () => 'a' } } }),
    policyOf({ orders: { read: true, rows: { op: 'eq', column: 'region', value: () => 'b' } } }),
  ].map(({ policy }) => policy.version)
  expect(new Set(versions).size).toBe(versions.length)
  expect(policyWithRoles(rolePolicy, {}, { tables: [], warn: () => undefined })).toBe(rolePolicy)
})
