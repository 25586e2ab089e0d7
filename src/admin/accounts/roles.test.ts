import { describe, expect, test } from 'vitest'
import type { Actor, Role } from '../../server/actor.ts'
import { everything, nothing } from '../../table/source/predicate.ts'
import type { Column, Table } from '../../table/source/schema.ts'
import { rolePolicy } from './roles.ts'

const column = (name: string, more: Partial<Column> = {}): Column => ({
  name,
  declared: 'TEXT',
  type: 'text',
  nullable: true,
  generated: false,
  hasDefault: false,
  ...more,
})

const table = (more: Partial<Table> = {}): Table => ({
  name: 'people',
  kind: 'table',
  columns: [column('id'), column('name'), column('age', { generated: true })],
  key: ['id'],
  foreignKeys: [],
  indexes: [],
  estimate: null,
  ...more,
})

const actor = (role: Role): Actor => ({ id: role, name: role, email: `${role}@example.org`, role })
const grant = (role: Role, of = table()) => rolePolicy.grant(actor(role), of)

describe('roles', () => {
  test.each(['admin', 'editor'] as const)('%s may change every row', (role) => {
    expect(grant(role)).toEqual({
      actions: ['read', 'create', 'update', 'delete'],
      rows: everything,
      readable: ['id', 'name', 'age'],
      writable: ['id', 'name'],
    })
  })

  test('viewer may only look', () => {
    expect(grant('viewer')).toMatchObject({
      actions: ['read'],
      readable: ['id', 'name', 'age'],
      writable: [],
    })
  })

  test.each(['clerk', 'constructor', ''])('%j, which is none, may do nothing', (role) => {
    expect(grant(role)).toEqual({ actions: [], rows: nothing, readable: [], writable: [] })
  })

  test.each([{ kind: 'view' as const }, { key: [] }])('nobody may change %j', (more) => {
    expect(grant('admin', table(more))).toMatchObject({ actions: ['read'], writable: [] })
  })
})
