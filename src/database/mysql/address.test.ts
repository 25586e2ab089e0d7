import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test('a URL says where the server is and who signs in', () => {
  expect(readAddress('mysql://me:p%40ss%2F@db.example.org:3307/my%20shop')).toEqual({
    host: 'db.example.org',
    port: 3307,
    user: 'me',
    password: 'p@ss/',
    database: 'my shop',
    tls: 'prefer',
  })
  expect(readAddress('mariadb://me@[::1]/shop')).toMatchObject({ host: '::1', port: 3306 })
  expect(readAddress('mysql://me@localhost/shop?socket=/run/mysqld.sock')).toMatchObject({
    socket: '/run/mysqld.sock',
  })
  expect(readAddress('mysql://me@localhost/shop?charset=utf8mb4&connection_limit=5')).toMatchObject(
    {
      database: 'shop',
    },
  )
})

test.each([
  ['sslmode=disable', 'off'],
  ['ssl-mode=DISABLED', 'off'],
  ['ssl=false', 'off'],
  ['sslmode=preferred', 'prefer'],
  ['sslmode=require', 'on'],
  ['ssl=required', 'on'],
  ['ssl={"rejectUnauthorized":false}', 'on'],
  ['sslaccept=accept_invalid_certs', 'on'],
  ['sslmode=verify-ca', 'trusted'],
  ['ssl-mode=VERIFY_IDENTITY', 'verified'],
  ['sslmode=verify_full', 'verified'],
  ['ssl=true', 'verified'],
  ['ssl={}', 'verified'],
  ['ssl={"rejectUnauthorized":true}', 'verified'],
  ['sslaccept=strict', 'verified'],
])('%s is %s', (parameter, tls) => {
  expect(readAddress(`mysql://me@db.example.org/shop?${parameter}`).tls).toBe(tls)
})

test.each([
  ['not a url', 'cannot be read'],
  ['postgres://me:hush@host/x', 'cannot be read'],
  ['mysql://me:hush@host', 'names no database'],
  ['mysql://me:hush@host/', 'names no database'],
  ['mysql:me@host/x', 'cannot be read'],
  ['mysql://me:hu#sh@host/x', '%23'],
  ['mysql://host/x', 'names no user'],
  ['mysql://me:hush%@host/x', 'write it as %25'],
  ['mysql://me:hush@host/x?sslmode=maybe', '“sslmode=maybe”'],
  ['mysql://me:hush@host/x?ssl=perhaps', '“ssl=perhaps”'],
  ['mysql://me:hush@host/x?quick=1', 'a parameter “quick”'],
  ['mysql://me:hush@host/x?sslca=/no/such/file.pem', 'the file “/no/such/file.pem”'],
  ['mysql://me:hush@10.0.0.1/x?sslmode=verify-full', 'names “10.0.0.1”'],
])('%s is refused in one sentence without the password', (url, why) => {
  const read = () => readAddress(url)
  expect(read).toThrow(expect.objectContaining({ detail: expect.stringContaining(why) }))
  expect(read).toThrow(expect.objectContaining({ detail: expect.not.stringContaining('hush') }))
})
