import { expect, test } from 'vitest'
import { isOutdated } from '../failure.ts'
import { toAppError } from './failure.ts'

const info = { server: 'db:3306', user: 'bob', database: 'shop' }
const told = (errno: number, sqlMessage = 'words', sqlState = 'HY000') =>
  toAppError({ errno, sqlState, sqlMessage, code: 'ER_X', sql: 'select secret' }, info, 50)
const onThisSide = (code: string, message = '') =>
  toAppError(Object.assign(new Error(message), { code }), info, 50)

test.each([
  [1040, 'BUSY', '“db:3306” has no connection left.'],
  [1203, 'BUSY', 'no connection left'],
  [1226, 'BUSY', 'no connection left'],
  [1205, 'BUSY', 'Another program holds these rows locked.'],
  [1213, 'BUSY', 'Another program holds these rows locked.'],
  [1969, 'QUERY_TIMEOUT', 'The query was ended after 50 ms.'],
  [3024, 'QUERY_TIMEOUT', 'The query was ended after 50 ms.'],
  [1317, 'DATABASE_UNAVAILABLE', 'The query was ended from outside.'],
  [1053, 'DATABASE_UNAVAILABLE', 'The connection to “db:3306” was lost.'],
  [1927, 'DATABASE_UNAVAILABLE', 'The connection to “db:3306” was lost.'],
  [4031, 'DATABASE_UNAVAILABLE', 'The connection to “db:3306” was lost.'],
  [1045, 'DATABASE_UNAVAILABLE', 'does not let user “bob” in'],
  [1698, 'DATABASE_UNAVAILABLE', 'does not let user “bob” in'],
  [1044, 'DATABASE_UNAVAILABLE', 'There is no database “shop”, or user “bob” may not use it.'],
  [1049, 'DATABASE_UNAVAILABLE', 'There is no database “shop” at “db:3306”.'],
  [1130, 'DATABASE_UNAVAILABLE', 'lets nobody in from this machine'],
  [3159, 'DATABASE_UNAVAILABLE', 'Add ?sslmode=require'],
  [1862, 'DATABASE_UNAVAILABLE', 'The password of user “bob” has expired.'],
  [1146, 'DATABASE_UNAVAILABLE', 'The tables of “shop” have changed.'],
  [1054, 'DATABASE_UNAVAILABLE', 'The tables of “shop” have changed.'],
  [1290, 'TABLE_READ_ONLY', 'takes no changes'],
  [1792, 'TABLE_READ_ONLY', 'takes no changes'],
  [1021, 'DATABASE_UNAVAILABLE', 'The disk of the database server is full.'],
  [1114, 'DATABASE_UNAVAILABLE', 'The disk of the database server is full.'],
  [1194, 'DATABASE_REFUSED', 'The database says: “'],
  [1153, 'DATABASE_UNAVAILABLE', 'max_allowed_packet'],
  [1064, 'DATABASE_REFUSED', 'The database says: “'],
] as const)('the error %s is %s: %s', (errno, code, sentence) => {
  expect(told(errno)).toMatchObject({ code, detail: expect.stringContaining(sentence) })
})

test.each([
  ['ENOTFOUND', 'There is no host for “db:3306”.'],
  ['ECONNREFUSED', 'Nothing listens at “db:3306”.'],
  ['ETIMEDOUT', '“db:3306” does not answer.'],
  ['EHOSTUNREACH', '“db:3306” does not answer.'],
  ['ECONNRESET', 'The connection to “db:3306” was lost.'],
  ['PROTOCOL_CONNECTION_LOST', 'The connection to “db:3306” was lost.'],
  ['HANDSHAKE_NO_SSL_SUPPORT', 'cannot encrypt'],
  ['HANDSHAKE_SSL_ERROR', 'is not trusted (certificate has expired). Name its authority'],
  ['AUTH_SWITCH_PLUGIN_ERROR', 'a kind of sign-in that is not supported'],
])('%s is told as: %s', (code, sentence) => {
  expect(onThisSide(code, 'certificate has expired')).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    detail: expect.stringContaining(sentence),
  })
})

test.each([
  [
    1142,
    "SELECT command denied to user 'bob'@'localhost' for table `shop`.`orders`",
    'FORBIDDEN',
    'may not read “orders”',
  ],
  [
    1143,
    "SELECT command denied to user 'bob'@'localhost' for column 'total' in table 'orders'",
    'FORBIDDEN',
    'may not read “total” of “orders”',
  ],
  [
    1142,
    "INSERT command denied to user 'bob'@'localhost' for table 'orders'",
    'FORBIDDEN',
    'may not change “orders”. Its owner can grant INSERT.',
  ],
])('a missing privilege names what it is missing for, %s %s', (errno, message, code, sentence) => {
  expect(told(errno, message)).toMatchObject({ code, detail: expect.stringContaining(sentence) })
})

test('what was told never holds the statement', () => {
  const error = told(1064)
  expect(JSON.stringify([error.detail, String(error.cause), error.cause])).not.toContain('secret')
})

test('tables that changed can be told from everything else', () => {
  expect(isOutdated(told(1146))).toBe(true)
  expect(isOutdated(told(1317))).toBe(false)
  expect(isOutdated(new Error('x'))).toBe(false)
})
