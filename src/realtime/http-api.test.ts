import { createHash } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock } from '../../test/simulator/clock.ts'
import type { Json } from '../protocol/json.ts'
import { createRealtimeServer, type RealtimeServer } from './realtime-server.ts'
import { signRequest } from './signatures.ts'

const app = { id: '1', key: 'a-key', secret: 'a secret of 0123456789' }

let server: RealtimeServer
let http: FastifyInstance
/** What was published on channels that the server itself listens to. */
let heard: string[]

beforeEach(async () => {
  server = createRealtimeServer({ app, prefix: '/admin', origins: [], clock: createClock() })
  heard = []
  for (const channel of ['a', 'b'])
    server.broadcaster.subscribe(channel, ({ name }) => heard.push(`${channel} ${name}`))
  http = fastify()
  await server.routes(http)
})
afterEach(async () => {
  await server.close()
  await http.close()
})

type Ask = {
  method?: 'GET' | 'POST'
  path: string
  body?: string
  query?: Record<string, string>
  /** Changes what is sent after it was signed. */
  change?(parameters: Map<string, string>): void
  secret?: string
  sentBody?: string
}

async function ask({ method = 'POST', path, body, query = {}, change, secret, sentBody }: Ask) {
  const whole = `/admin/apps/1${path}`
  const parameters = new Map(
    Object.entries({
      auth_key: app.key,
      auth_timestamp: '0',
      auth_version: '1.0',
      ...(body !== undefined && { body_md5: createHash('md5').update(body).digest('hex') }),
      ...query,
    }),
  )
  const signature = signRequest(secret ?? app.secret, { method, path: whole, parameters })
  parameters.set('auth_signature', signature)
  change?.(parameters)
  const payload = sentBody ?? body
  const answer = await http.inject({
    method,
    url: `${whole}?${new URLSearchParams([...parameters]).toString()}`,
    headers: { 'content-type': 'application/json' },
    ...(payload !== undefined && { payload }),
  })
  return { status: answer.statusCode, body: answer.json<Json>() }
}

const event = (more: object = {}) =>
  JSON.stringify({ name: 'said', data: '1', channels: ['private-a'], ...more })

const trigger = (more: object = {}) => ask({ path: '/events', body: event(more) })

describe('who may ask', () => {
  test('whoever signs with the secret, within ten minutes', async () => {
    expect(await trigger()).toEqual({ status: 200, body: {} })
    for (const time of ['600', '-600'])
      expect(
        (await ask({ path: '/events', body: event(), query: { auth_timestamp: time } })).status,
      ).toBe(time === '600' ? 200 : 401)
    expect(heard).toEqual(['a said', 'a said'])
  })

  test('nobody else', async () => {
    const body = event()
    const without = (name: string) => (parameters: Map<string, string>) =>
      void parameters.delete(name)
    const as = (name: string, value: string) => (parameters: Map<string, string>) =>
      void parameters.set(name, value)
    const bad: Partial<Ask>[] = [
      { secret: 'another secret of 01234' },
      { change: without('auth_signature') },
      { change: without('auth_key') },
      { change: without('auth_timestamp') },
      { change: without('auth_version') },
      { change: without('body_md5') },
      { change: as('auth_signature', '') },
      { change: as('auth_signature', '0'.repeat(64)) },
      { change: as('auth_key', 'another') },
      { change: as('auth_version', '2.0') },
      { change: as('more', '1') },
      { query: { auth_key: 'another' } },
      { query: { auth_version: '2.0' } },
      { query: { auth_timestamp: '601' } },
      { query: { auth_timestamp: 'now' } },
      { query: { auth_timestamp: '1e1' } },
      { query: { body_md5: '0'.repeat(32) } },
      { sentBody: event({ name: 'other' }) },
      { sentBody: '' },
    ]
    for (const one of bad)
      expect((await ask({ path: '/events', body, ...one })).status, JSON.stringify(one)).toBe(401)
    expect(heard).toEqual([])
  })

  test('a parameter twice is refused, and so is another app', async () => {
    const twice = await http.inject({ method: 'GET', url: '/admin/apps/1/channels?a=1&A=2' })
    expect(twice.statusCode).toBe(400)
    const other = await http.inject({ method: 'GET', url: '/admin/apps/2/channels' })
    expect(other.statusCode).toBe(404)
  })

  test('an unsigned body is not even read', async () => {
    const payload = 'x'.repeat(2_000_000)
    const answer = await http.inject({ method: 'POST', url: '/admin/apps/1/events', payload })
    expect(answer.statusCode).toBe(401)
    expect((await ask({ path: '/events', body: payload })).status).toBe(413)
  })
})

describe('events', () => {
  test('go to each channel once', async () => {
    await trigger({ channels: ['private-a', 'private-b', 'private-a'] })
    await trigger({ channels: undefined, channel: 'private-b' })
    expect(heard).toEqual(['a said', 'b said', 'b said'])
  })

  test('out of shape or out of bounds go nowhere', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `a-${at}`)
    const bad: [object, number][] = [
      [{ name: undefined }, 400],
      [{ name: '' }, 400],
      [{ name: 'a'.repeat(201) }, 400],
      [{ name: 'pusher:error' }, 400],
      [{ name: 'pusher_internal:member_added' }, 400],
      [{ data: { not: 'text' } }, 400],
      [{ data: 'a'.repeat(10_241) }, 413],
      [{ channels: [] }, 400],
      [{ channels: undefined }, 400],
      [{ channels: many }, 400],
      [{ channels: ['private-a', 'a b'] }, 400],
      [{ channels: ['private-a', 'a'.repeat(201)] }, 400],
      [{ channels: ['private-a', 'private-encrypted-a'] }, 400],
      [{ socket_id: '1' }, 400],
      [{ socket_id: '1.2:private-a' }, 400],
      [{ info: 'all' }, 400],
      [{ info: 'user_count' }, 400],
    ]
    for (const [more, status] of bad)
      expect((await trigger(more)).status, JSON.stringify(more).slice(0, 80)).toBe(status)
    for (const body of ['', '{', '[]', 'null', '{"name":"a","name":"b"}'])
      expect((await ask({ path: '/events', body })).status, body).toBe(400)
    expect(heard).toEqual([])
    expect((await trigger({ data: 'ä'.repeat(5120) })).status).toBe(200)
  })

  test('of a batch go out together or not at all', async () => {
    const one = { name: 'said', data: '1', channel: 'private-a' }
    const batch = (events: object[]) =>
      ask({ path: '/batch_events', body: JSON.stringify({ batch: events }) })
    expect((await batch([one, { ...one, channel: 'a b' }])).status).toBe(400)
    expect((await batch([one, { ...one, data: 'a'.repeat(10_241) }])).status).toBe(413)
    expect((await batch(Array<object>(11).fill(one))).status).toBe(400)
    expect(heard).toEqual([])
    expect(await batch([one, { ...one, channel: 'private-b' }])).toEqual({ status: 200, body: {} })
    expect(heard).toEqual(['a said', 'b said'])
    expect((await batch([{ ...one, info: 'subscription_count' }])).body).toEqual({
      batch: [{ subscription_count: 0 }],
    })
  })
})

describe('questions', () => {
  const get = (path: string, query = {}) => ask({ method: 'GET', path, query })

  test('about channels that nobody is on', async () => {
    expect(await get('/channels')).toEqual({ status: 200, body: { channels: {} } })
    expect(await get('/channels/a')).toEqual({ status: 200, body: { occupied: false } })
    expect((await get('/channels/presence-a/users')).body).toEqual({ users: [] })
    expect(
      (await get('/channels/presence-a', { info: 'user_count,subscription_count' })).body,
    ).toEqual({ occupied: false, user_count: 0, subscription_count: 0 })
  })

  test('about what a cache channel keeps', async () => {
    await trigger({ channels: ['cache-a'], data: '"x"' })
    expect((await get('/channels/cache-a', { info: 'cache' })).body).toEqual({
      occupied: false,
      cache: { data: '"x"', ttl: 1800 },
    })
  })

  test('that make no sense are refused', async () => {
    expect((await get('/channels', { info: 'user_count' })).status).toBe(400)
    expect(
      (await get('/channels', { info: 'user_count', filter_by_prefix: 'presence-' })).status,
    ).toBe(200)
    expect((await get('/channels/a', { info: 'user_count' })).status).toBe(400)
    expect((await get('/channels/a', { info: 'everything' })).status).toBe(400)
    expect((await get('/channels/private-a/users')).status).toBe(400)
    expect((await get('/channels/a%20b')).status).toBe(400)
    expect((await ask({ path: '/users/a%20b/terminate_connections' })).status).toBe(400)
    expect((await ask({ path: '/users/ada/terminate_connections' })).body).toEqual({})
  })
})

test('a server refuses to start with a secret that can be guessed', () => {
  for (const secret of ['', 'app-secret', 'short', 'a'.repeat(40), 'abababababababababababab'])
    expect(() => createRealtimeServer({ app: { ...app, secret }, origins: [] }), secret).toThrow(
      'guessed',
    )
  expect(() => createRealtimeServer({ app: { ...app, id: 'a/b' }, origins: [] })).toThrow(
    'id and key',
  )
})
