import { expect, test } from 'vitest'
import { placeOf, readAddress } from './address.ts'

test.each([
  [
    'postgres://ada:s%40cret@db.example.org:6543/shop',
    { host: 'db.example.org', port: 6543, user: 'ada', password: 's@cret', database: 'shop' },
  ],
  [
    'postgresql://ada@localhost',
    { host: 'localhost', port: 5432, user: 'ada', password: undefined, database: 'ada' },
  ],
  ['postgres://[::1]:5433/x?user=u', { host: '::1', port: 5433, user: 'u', database: 'x' }],
  ['postgres:///shop?host=/run/postgresql', { host: '/run/postgresql', database: 'shop' }],
  ['postgres://ada@/shop?host=/tmp&port=6000', { host: '/tmp', port: 6000, user: 'ada' }],
  ['postgres://h/d?options=-c%20search_path%3Dshop', { options: '-c search_path=shop' }],
])('%s', (text, expected) => {
  expect(readAddress(text)).toMatchObject(expected)
})

test('what is left out comes from the environment', () => {
  const environment = { PGUSER: 'u', PGPASSWORD: 'p', PGHOST: 'h', PGPORT: '1', PGDATABASE: 'd' }
  expect(readAddress('postgres://', environment)).toMatchObject({
    user: 'u',
    password: 'p',
    host: 'h',
    port: 1,
    database: 'd',
  })
})

test.each([
  ['', 'prefer', false],
  ['?sslmode=disable', 'disable', undefined],
  ['?sslmode=require', 'require', false],
  ['?sslmode=verify-full', 'verify-full', true],
  ['?ssl=true', 'require', false],
])('encryption by [%s]', (query, tlsMode, rejectUnauthorized) => {
  const address = readAddress(`postgres://h/d${query}`)
  expect(address.tlsMode).toBe(tlsMode)
  expect(address.tls.rejectUnauthorized).toBe(rejectUnauthorized)
})

test.each([
  'postgres://ada:hush@host:port/d',
  'postgres://ada:hush@host:99999/d',
  'postgres://ada:hush%@host/d',
  'postgres://ada:hush@host/d?sslmode=maybe',
  'postgres://ada:hush@host/d?sslmode=verify-full&sslrootcert=/nowhere/root.pem',
])('%s is told to be wrong in one sentence without the password', (text) => {
  const read = () => readAddress(text)
  expect(read).toThrow(expect.objectContaining({ code: 'DATABASE_UNAVAILABLE' }))
  expect(read).not.toThrow(expect.objectContaining({ detail: expect.stringContaining('hush') }))
})

test('a place is told without user and password', () => {
  expect(placeOf(readAddress('postgres://ada:hush@[::1]/d'))).toBe('[::1]:5432')
})
