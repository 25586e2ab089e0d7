import { expect, test } from 'vitest'
import { personOf, withMore } from './oidc-claims.ts'

const rules = {
  claim: 'groups',
  roles: { admin: 'admins', viewer: 'staff' },
  trustsAddresses: false,
}
const of = (claims: object, more: object = {}) =>
  personOf({ iss: 'https://id.example.org', sub: 's', ...claims }, { ...rules, ...more })

test.each([
  [{ groups: ['staff', 'admins'] }, 'admin'],
  [{ groups: 'staff' }, 'viewer'],
  [{ groups: ['Admins', 'staffs', null, {}] }, undefined],
  [{ groups: { admins: true } }, undefined],
  [{}, undefined],
])('a role is that of the first that fits: %j', (claims, role) => {
  expect(of(claims).role).toBe(role)
})

test.each([
  ['realm_access.roles', { realm_access: { roles: ['admins'] } }, 'admin'],
  ['https://example.org/roles', { 'https://example.org/roles': ['admins'] }, 'admin'],
  ['is_staff', { is_staff: true }, 'viewer'],
  ['level', { level: 3 }, undefined],
])('the claim %s', (claim, claims, role) => {
  const roles = { admin: 'admins', viewer: ['staff', 'true'] }
  expect(of(claims, { claim, roles }).role).toBe(role)
})

test.each([
  [{ email_verified: true }, 'a@b', 'a@b'],
  [{ email_verified: 'true' }, 'a@b', 'a@b'],
  [{ email_verified: false }, undefined, undefined],
  [{ email_verified: 'yes' }, undefined, undefined],
  [{}, undefined, 'a@b'],
])('an address counts once it is verified: %j', (claims, strict, trusting) => {
  expect(of({ email: 'a@b', ...claims }).email).toBe(strict)
  expect(of({ email: 'a@b', ...claims }, { trustsAddresses: true }).email).toBe(trusting)
})

test.each([
  [{ name: ' Ana\u202e ' }, 'Ana'],
  [{ name: 1, preferred_username: 'ana' }, 'ana'],
  [{ name: 'a'.repeat(300) }, 'a'.repeat(200)],
  [{}, ''],
])('a name is what can be seen of it: %j', (claims, name) => {
  expect(of(claims).name).toBe(name)
})

test.each([
  [['pwd', 'mfa'], true],
  [['pwd'], false],
  ['mfa', false],
  [undefined, false],
])('more than one factor: %j', (amr, isStrong) => {
  expect(of({ amr }).isStrong).toBe(isStrong)
})

test.each([
  [{ email: 'a@b' }, { email: 'c@d', email_verified: true }, undefined],
  [{ email_verified: true }, { email: 'c@d' }, undefined],
  [{ email: 'a@b', email_verified: true }, { email: 'c@d', email_verified: false }, 'a@b'],
  [{}, { email: 'c@d', email_verified: true }, 'c@d'],
])('an address of %j beside %j counts by what is said of that very one', (token, more, email) => {
  const claims = { iss: 'https://id.example.org', sub: 's', ...token }
  expect(personOf(withMore(claims, more), rules).email).toBe(email)
})
