import { describe, expect, test } from 'vitest'
import { readRealtimeSettings, socketOriginOf } from './realtime-settings.ts'

const url = 'redis://cache.example.org:6379'

test('one node needs no bus, and the environment overrides the option', () => {
  expect(readRealtimeSettings({})).toEqual({ bus: undefined, provider: undefined })
  expect(readRealtimeSettings({ env: { REDIS_URL: '' } }).bus).toBeUndefined()
  expect(readRealtimeSettings({ bus: url }).bus).toEqual({ kind: 'redis', url, name: 'bus' })
  const env = { REDIS_URL: 'rediss://elsewhere' }
  const redis = { kind: 'redis', url: 'rediss://elsewhere', name: 'REDIS_URL' }
  expect(readRealtimeSettings({ bus: url, env }).bus).toEqual(redis)
  const TABLEWIRE_BUS = 'postgres:///shop'
  const postgres = { kind: 'postgres', url: TABLEWIRE_BUS, name: 'TABLEWIRE_BUS' }
  expect(readRealtimeSettings({ env: { ...env, TABLEWIRE_BUS } }).bus).toEqual(postgres)
})

test.each(['cache.example.org', 'http://:secret@cache.example.org', 'redis://', 'redis://a:x'])(
  'refuses %j in one sentence, which does not repeat it',
  (bad) => {
    const sentence = 'is not an address like redis://cache.example.org:6379'
    const both = `${sentence} or postgres://db.example.org/shop.`
    expect(() => readRealtimeSettings({ env: { REDIS_URL: bad } })).toThrow(
      new Error(`REDIS_URL ${sentence}.`),
    )
    expect(() => readRealtimeSettings({ bus: bad })).toThrow(new Error(`bus ${both}`))
    expect(() => readRealtimeSettings({ env: { TABLEWIRE_BUS: bad } })).toThrow(
      new Error(`TABLEWIRE_BUS ${both}`),
    )
  },
)

describe('another server', () => {
  const keys = { PUSHER_APP_ID: '1234', PUSHER_KEY: 'a1b2c3', PUSHER_SECRET: 'd4e5f6' }
  const app = { id: '1234', key: 'a1b2c3', secret: 'd4e5f6' }
  const read = (env: object) => readRealtimeSettings({ env: { ...env } }).provider

  test('is the provider in the cluster eu, over TLS, unless another is named', () => {
    expect(read(keys)).toEqual({ app, place: { cluster: 'eu' } })
    expect(read({ ...keys, PUSHER_CLUSTER: 'ap1' })?.place).toEqual({ cluster: 'ap1' })
    expect(socketOriginOf({ app, place: { cluster: 'eu' } })).toBe('wss://ws-eu.pusher.com')
  })

  test.each([
    ['ws.example.org', 'https://ws.example.org', 'wss://ws.example.org'],
    ['ws.example.org:6001', 'https://ws.example.org:6001', 'wss://ws.example.org:6001'],
    ['https://ws.example.org/', 'https://ws.example.org', 'wss://ws.example.org'],
    ['http://127.0.0.1:6001', 'http://127.0.0.1:6001', 'ws://127.0.0.1:6001'],
  ])('has TLS unless it is named without: %s', (PUSHER_HOST, origin, sockets) => {
    const setting = { app, place: { origin } }
    expect(read({ ...keys, PUSHER_HOST })).toEqual(setting)
    expect(socketOriginOf(setting)).toBe(sockets)
  })

  test.each([
    [{ PUSHER_KEY: 'a', PUSHER_APP_ID: '1' }, 'PUSHER_SECRET is missing'],
    [{ PUSHER_KEY: 'a' }, 'PUSHER_APP_ID and PUSHER_SECRET are missing'],
    [{ PUSHER_HOST: 'a' }, 'PUSHER_APP_ID, PUSHER_KEY and PUSHER_SECRET are missing'],
    [{ ...keys, PUSHER_SECRET: '' }, 'PUSHER_SECRET is missing'],
    [{ ...keys, PUSHER_KEY: 'a key' }, 'PUSHER_KEY has signs'],
    [{ ...keys, PUSHER_CLUSTER: 'eu.evil.example/' }, 'PUSHER_CLUSTER has signs'],
    [{ ...keys, PUSHER_HOST: 'ws.example.org/path' }, 'PUSHER_HOST is not a host'],
    [{ ...keys, PUSHER_HOST: 'ftp://ws.example.org' }, 'PUSHER_HOST is not a host'],
  ])('is refused with one sentence: %j', (env, words) => {
    expect(() => read(env)).toThrow(words)
  })
})
