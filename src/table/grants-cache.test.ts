import { expect, test } from 'vitest'
import type { Actor } from '../server/actor.ts'
import { createGrantsCache } from './grants-cache.ts'
import type { Grant, Policy } from './source/access.ts'
import { everything } from './source/predicate.ts'
import type { Table } from './source/schema.ts'

const tables = ['gates', 'flights'].map((name): Table => ({
  ...{
    name,
    kind: 'table',
    estimate: null,
    key: ['id'],
    uniqueKeys: [],
    foreignKeys: [],
    indexes: [],
  },
  columns: [],
}))

/** The actor object of a new request. */
const request = (id = 'ana'): Actor => ({ id, name: 'Ana', email: '', role: 'editor' })

function policyWith(grantOf: (actor: Actor, table: Table) => Grant) {
  let asked = 0
  const policy: Policy = {
    version: '1',
    grant(actor, table) {
      asked++
      return grantOf(actor, table)
    },
  }
  return { policy, asked: () => asked }
}

const newGrant = (): Grant => ({ actions: ['read'], rows: everything, readable: [], writable: [] })

test('a person finds what they saw before, as long as the policy grants the very same', () => {
  const granted = new Map(tables.map(({ name }) => [name, newGrant()]))
  const { policy } = policyWith((_actor, { name }) => granted.get(name) ?? newGrant())
  const cache = createGrantsCache(policy, tables)
  const first = cache.of(request())
  expect(cache.of(request())).toBe(first)
  expect(cache.of(request('ben'))).not.toBe(first)
  expect(cache.of(request('ben')).grants).toBe(first.grants)
  granted.set('gates', newGrant())
  const next = cache.of(request())
  expect(next).not.toBe(first)
  expect(next.policy.grant(request(), tables[0]!)).toBe(granted.get('gates'))
})

test('whoever has another role by now sees anew, whatever their id', () => {
  const granted = newGrant()
  const cache = createGrantsCache(policyWith(() => granted).policy, tables)
  const before = cache.of(request())
  expect(cache.of({ ...request(), role: 'viewer' })).not.toBe(before)
})

test('the policy is asked once for each table and request, and answers are those of the request', () => {
  const { policy, asked } = policyWith(newGrant)
  const cache = createGrantsCache(policy, tables)
  const actor = request()
  const seen = cache.of(actor)
  expect(cache.of(actor)).toBe(seen)
  for (const table of [...tables, ...tables])
    expect(seen.policy.grant(actor, table)).toBe(seen.policy.grant(actor, table))
  expect(asked()).toBe(2)
  expect(cache.of(request())).not.toBe(seen)
})

test('a refresh asks about the tables alone that those before it have needed', () => {
  const granted = new Map(tables.map(({ name }) => [name, newGrant()]))
  const { policy, asked } = policyWith((_actor, { name }) => granted.get(name) ?? newGrant())
  const cache = createGrantsCache(policy, tables)
  const refresh = () => cache.of(cache.refreshing(request()))
  const first = refresh()
  expect(asked()).toBe(0)
  first.policy.grant(request(), tables[1]!)
  expect(refresh()).toBe(first)
  expect(asked()).toBe(2)
  // What others are granted is compared, and not needed by the next refresh.
  expect(first.grants).toBe(cache.of(request('ben')).grants)
  const before = asked()
  expect(refresh()).toBe(first)
  expect(asked()).toBe(before + 1)

  granted.set('flights', newGrant())
  const next = refresh()
  expect(next).not.toBe(first)
  expect(next.policy.grant(request(), tables[1]!)).toBe(granted.get('flights'))
  expect(next.grants).not.toBe(first.grants)
})

test('what a refresh has needed later is compared by the next one, too', () => {
  const granted = new Map(tables.map(({ name }) => [name, newGrant()]))
  const { policy } = policyWith((_actor, { name }) => granted.get(name) ?? newGrant())
  const cache = createGrantsCache(policy, tables)
  const refresh = () => cache.of(cache.refreshing(request()))
  const first = refresh()
  first.policy.grant(request(), tables[0]!)
  expect(refresh()).toBe(first)
  first.policy.grant(request(), tables[1]!)
  granted.set('flights', newGrant())
  expect(refresh()).not.toBe(first)
})

test('people who have not asked for long are forgotten', () => {
  const granted = newGrant()
  const cache = createGrantsCache(policyWith(() => granted).policy, tables)
  const first = cache.of(request())
  for (let other = 0; other < 19; other++) cache.of(request(`p${other}`))
  expect(cache.of(request())).toBe(first)
  for (let other = 0; other < 20; other++) cache.of(request(`p${other}`))
  expect(cache.of(request())).not.toBe(first)
})

test('whoever is asked about in passing costs the tables in question alone, and no one what they saw', () => {
  const granted = newGrant()
  const { policy, asked } = policyWith(() => granted)
  const cache = createGrantsCache(policy, tables)
  const first = cache.of(request())
  const before = asked()
  for (let other = 0; other < 30; other++) {
    const actor = cache.inPassing(request(`p${other}`))
    for (const _ of ['once', 'again']) cache.of(actor).policy.grant(actor, tables[0]!)
  }
  expect(asked() - before).toBe(30)
  expect(cache.of(request())).toBe(first)
})
