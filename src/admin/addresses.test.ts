import { describe, expect, test } from 'vitest'
import { createAddresses } from './addresses.ts'

const admin = createAddresses('/admin')
const deep = createAddresses('/a/b')
const root = createAddresses()

test.each([
  [undefined, ''],
  ['', ''],
  ['/', ''],
  ['/admin', '/admin'],
  ['/admin/', '/admin'],
  ['/a/b', '/a/b'],
  ['/~ana/v1.2_x-y', '/~ana/v1.2_x-y'],
])('the prefix %j is %j', (given, prefix) => {
  const addresses = createAddresses(given)
  expect([addresses.prefix, addresses.start]).toEqual([prefix, `${prefix}/`])
})

test.each([
  'admin',
  '//',
  '/admin//',
  '//admin',
  '/a//b',
  '/.',
  '/a/../b',
  '/:table',
  '/*',
  '/a b',
  '/ä',
  '/a%20b',
  '/a?b',
  '/a#b',
  '/a\\b',
  'https://a/b',
])('the prefix %j is refused', (prefix) => {
  expect(() => createAddresses(prefix)).toThrow(
    `The prefix [${prefix}] is not a path such as /admin`,
  )
})

test('every address is below the prefix', () => {
  const { prefix: _, ...texts } = JSON.parse(JSON.stringify(deep)) as Record<string, string>
  expect(Object.keys(texts).length).toBeGreaterThan(8)
  for (const address of [...Object.values(texts), deep.list('a/b'), deep.link('x')])
    expect(address).toMatch(/^\/a\/b\//)
  expect(deep.list('a/ü')).toBe('/a/b/tables/a~2F%C3%BC')
})

describe('below the prefix', () => {
  test.each(['/admin', '/admin/', '/admin?a=/x', '/admin/?a', '/admin/tables/x?y', '/admin//x'])(
    'is %s',
    (url) => expect(admin.has(url)).toBe(true),
  )

  test.each([
    '/',
    '/administrator',
    '/admin.php',
    '/admi',
    '/Admin',
    '/%61dmin',
    '//admin',
    'admin',
    '',
  ])('is not %j', (url) => expect(admin.has(url)).toBe(false))

  test('is everything where there is none', () => {
    expect(['/', '/x', '/admin?a'].every((url) => root.has(url))).toBe(true)
  })
})

test.each([
  ['/admin/tables/x/records/1', true],
  ['/admin/tables/a~2Fb/records/a~b', true],
  ['/admin/tables/x', false],
  ['/admin/tables/records', false],
  ['/tables/x/records/1', false],
])('whether %s is a row: %s', (path, is) => {
  expect(admin.isRecord(path)).toBe(is)
})

test.each([
  ['/admin/tables/x?sort=y#z', '/admin/tables/x?sort=y#z'],
  ['/admin', '/admin'],
  ['/admin/ü', '/admin/%C3%BC'],
  ['/', '/admin/'],
  ['/elsewhere', '/admin/'],
  ['/administrator', '/admin/'],
  ['/admin/../elsewhere', '/admin/'],
  ['/admin/%2e%2e/elsewhere', '/admin/'],
  ['//evil.example/admin/', '/admin/'],
  ['https://evil.example/admin/', '/admin/'],
  [undefined, '/admin/'],
])('from sign-in, %j leads to %s', (next, to) => {
  expect(admin.safeNext(next)).toBe(to)
})
