import { expect, test } from 'vitest'
import { Access, type Grant, type Policy } from './access.ts'
import { everything } from './predicate.ts'
import { columnOf, tableOf } from '../../../test/table-of.ts'

const actor = { id: 'a', name: 'A', email: 'a@example.org', role: 'viewer' } as const
const table = tableOf([columnOf('id'), columnOf('name')])
const policyOf = (grant: Partial<Grant>): Policy => ({
  version: '1',
  grant: () => ({
    actions: ['read'],
    rows: everything,
    readable: ['id', 'name'],
    writable: [],
    ...grant,
  }),
})

test('without the right to read there is no access at all', () => {
  expect(
    Access.grant(policyOf({ actions: ['create', 'update', 'delete'] }), actor, table),
  ).toBeUndefined()
})

test('what is not granted is neither readable nor writable', () => {
  const access = Access.grant(policyOf({ readable: ['id'] }), actor, table)!
  expect([access.canRead('id'), access.canRead('name'), access.canWrite('id')]).toEqual([
    true,
    false,
    false,
  ])
  expect([access.may('read'), access.may('update')]).toEqual([true, false])
})

test('a policy that hides a key column hides the table, and is told what to do', () => {
  const said: string[] = []
  const warn = (sentence: string) => void said.push(sentence)
  expect(Access.grant(policyOf({ readable: ['name'] }), actor, table, warn)).toBeUndefined()
  expect(said).toEqual([
    expect.stringMatching(/hides the key column \[id\].*Make the column readable, or hide/),
  ])
})
