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
  expect(Access.grant(policyOf({ readable: ['name'] }), actor, table, { warn })).toBeUndefined()
  expect(said).toEqual([
    expect.stringMatching(/hides the key column \[id\].*Make the column readable, or hide/),
  ])
})

test('another table is reached in the same name, and the policy is asked once', () => {
  const asked: string[] = []
  const policy = policyOf({})
  const other = tableOf([columnOf('id')], { name: 'other' })
  const related = (name: string) => {
    asked.push(name)
    return name === 'other' ? Access.grant(policy, actor, other) : undefined
  }
  const access = Access.grant(policy, actor, table, { related })!
  const found = [access.related('other'), access.related('other'), access.related('gone')]
  expect(found.map((one) => one?.table.name)).toEqual(['other', 'other', undefined])
  expect(asked).toEqual(['other', 'gone'])
  expect(Access.grant(policy, actor, table)!.related('other')).toBeUndefined()
})

test("another actor's access is never taken for one's own", () => {
  const policy = policyOf({})
  const somebody = Access.grant(policy, { ...actor, id: 'b' }, table)
  const access = Access.grant(policy, actor, table, { related: () => somebody })!
  expect(() => access.related('any')).toThrow(TypeError)
})
