import { expect, test } from 'vitest'
import { broadcastChannel, readChannel, userChannel } from './channels.ts'

test('a name says what its channel is', () => {
  const kinds = {
    orders: ['public', false, false],
    'private-a': ['private', false, false],
    'presence-a': ['presence', false, false],
    'private-encrypted-a': ['private', true, false],
    'cache-a': ['public', false, true],
    'private-cache-a': ['private', false, true],
    'private-encrypted-cache-a': ['private', true, true],
    'presence-cache-a': ['presence', false, true],
    'presence-encrypted-a': ['presence', false, false],
    '#server-to-user-7': ['user', false, false],
  }
  for (const [name, [access, isEncrypted, isCached]] of Object.entries(kinds))
    expect(readChannel(name)).toEqual({ name, access, isEncrypted, isCached })
})

test('other names are refused', () => {
  const bad = [
    '',
    'a b',
    'a:b',
    'a/b',
    'ä',
    'a\n',
    '#a',
    '#server-to-user-',
    '#server-to-user-a b',
    'a'.repeat(201),
    '__proto__\0',
  ]
  for (const name of bad) expect(readChannel(name), name).toBeUndefined()
  expect(readChannel('a'.repeat(200))).toBeDefined()
  expect(readChannel(userChannel('a'.repeat(129)))).toBeUndefined()
})

test('a broadcaster’s channel is carried by one private channel of its own', () => {
  expect(broadcastChannel('table.orders')).toBe('private-table.orders')
  expect(broadcastChannel('table.ä b')).toBe('private-table.=C3=A4=20b')
  expect(broadcastChannel('a=20')).not.toBe(broadcastChannel('a '))
  expect(readChannel(broadcastChannel('table.ä :#\n'))?.access).toBe('private')
})
