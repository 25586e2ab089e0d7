import { describe, expect, test } from 'vitest'
import type { Actor, Role } from '../../server/actor.ts'
import { Access } from '../../table/access.ts'
import { everything } from '../../table/predicate.ts'
import type { Column, Table } from '../../table/schema.ts'
import { rolePolicy } from './roles.ts'
import { isSecretName } from './secret-names.ts'

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
  columns: [
    column('id'),
    column('name'),
    column('password_hash'),
    column('age', { generated: true }),
  ],
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

  test.each([{ kind: 'view' as const }, { key: [] }])('nobody may change %j', (more) => {
    expect(grant('admin', table(more))).toMatchObject({ actions: ['read'], writable: [] })
  })

  test('a key stays, whatever it is called', () => {
    const tokens = table({ columns: [column('token'), column('secret')], key: ['token'] })
    expect(grant('viewer', tokens).readable).toEqual(['token'])
  })

  test('what looks secret can be neither read nor written', () => {
    const access = Access.grant(rolePolicy, actor('admin'), table())
    expect(access?.canRead('password_hash')).toBe(false)
    expect(access?.canWrite('password_hash')).toBe(false)
  })
})

test.each(
  (
    'password passwd Password PASSWORD user_password passwordHash password_digest password2 pwd ' +
    'secret clientSecret client-secret token access_token accessToken remember_token APIToken hash ' +
    'file_hash api_key apiKey APIKey APIKeyValue apikey private_key privateKey PrivateKeyPEM ' +
    'encryption_key signingKey user_pass recovery_codes totp_secret'
  ).split(' '),
)('%s looks secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each(
  (
    'id key keys key_id foreign_key primary_key sort_key keyboard monkey tokenizer tokenised ' +
    'secretary hashtag passenger boarding_pass compass bypass passport encrypted api private ' +
    'public_key_id2 salt name email'
  ).split(' '),
)('%s does not look secret', (name) => {
  expect(isSecretName(name)).toBe(false)
})
