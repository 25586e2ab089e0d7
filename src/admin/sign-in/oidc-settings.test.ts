import { expect, test } from 'vitest'
import { readOidcSettings } from './oidc-settings.ts'

const env = {
  OIDC_ISSUER: 'https://id.example.org/realms/one',
  OIDC_CLIENT_ID: 'tablewire',
  OIDC_CLIENT_SECRET: 'secret',
}
const roles = { admin: 'admins', viewer: true } as const
const known = ['admin', 'editor', 'viewer', 'support']

test('the environment says where, and the definition who', () => {
  expect(readOidcSettings({ roles }, env, known)).toEqual({
    issuer: new URL(env.OIDC_ISSUER),
    ...{ clientId: 'tablewire', clientSecret: 'secret', name: 'id.example.org', scopes: [] },
    ...{ claim: 'groups', roles, trustsAddresses: false },
  })
})

test('the environment counts before the definition', () => {
  const more = { OIDC_NAME: 'Us', OIDC_CLAIM: 'roles', OIDC_ROLES: '{"support":["s","t"]}' }
  const options = { roles, name: 'Them', claim: 'groups', issuer: 'https://other.example.org' }
  expect(readOidcSettings(options, { ...env, ...more }, known)).toMatchObject({
    ...{ issuer: new URL(env.OIDC_ISSUER), name: 'Us', claim: 'roles' },
    roles: { support: ['s', 't'] },
  })
})

test.each([
  'https://id.example.org',
  'https://10.0.0.5:8443/one',
  'http://localhost:8080',
  'http://127.0.0.1:1',
  'http://[::1]:1',
])('the issuer %s', (OIDC_ISSUER) => {
  expect(readOidcSettings({ roles }, { ...env, OIDC_ISSUER }, known)?.issuer.href).toContain(
    OIDC_ISSUER,
  )
})

const ADDRESS = 'it must be like https://id.example.org, or http: on this machine.'

test.each([
  [{ OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID is missing'],
  [{ OIDC_CLIENT_SECRET: undefined }, 'OIDC_CLIENT_SECRET is missing'],
  [{ OIDC_ISSUER: 'id.example.org' }, ADDRESS],
  [{ OIDC_ISSUER: 'http://id.example.org' }, ADDRESS],
  [{ OIDC_ISSUER: 'http://10.0.0.5' }, ADDRESS],
  [{ OIDC_ISSUER: 'http://127.evil.example' }, ADDRESS],
  [{ OIDC_ISSUER: 'http://localhost.evil.example' }, ADDRESS],
  [{ OIDC_ISSUER: 'ftp://localhost' }, ADDRESS],
  [{ OIDC_ISSUER: 'https://ana@id.example.org' }, ADDRESS],
  [{ OIDC_ISSUER: 'https://id.example.org/?a' }, ADDRESS],
  [{ OIDC_ISSUER: 'https://id.example.org/.well-known/openid-configuration' }, ADDRESS],
  [{ OIDC_ROLES: '{}' }, 'nothing says who may come in by it'],
  [{ OIDC_ROLES: 'admin' }, 'OIDC_ROLES is [admin]; it must be JSON'],
  [{ OIDC_ROLES: '{"admin":1}' }, 'it must be JSON'],
  [{ OIDC_ROLES: '{"boss":true}' }, 'names the role [boss]; there are admin, editor'],
])('cannot be right: %j', (wrong, sentence) => {
  expect(() => readOidcSettings({ roles }, { ...env, ...wrong }, known)).toThrow(sentence)
})

test('without an issuer there is no such way, and without roles nobody comes by it', () => {
  expect(readOidcSettings({ roles }, {}, known)).toBeUndefined()
  expect(() => readOidcSettings({}, env, known)).toThrow('nothing says who may come in by it')
})
