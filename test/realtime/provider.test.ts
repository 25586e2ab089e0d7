/** The hosted provider, as a stand-in that checks every request, and a compatible server: our own. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openProvider, type Provider, type ProviderPlace } from '../../src/realtime/provider.ts'
import { Pusher } from './host.ts'
import { type StubProvider, startStub } from './stub-provider.ts'

const app = { id: '1234', key: 'a1b2c3', secret: 'd4e5f6a7b8c9d0e1f2a3' }

let stub: StubProvider
let provider: Provider
let reports: string[]
let refusals: string[]
let backs: number

const open = async (place: ProviderPlace, trusts = true) => {
  provider = await openProvider({
    ...{ app, place },
    agent: stub.agent(trusts),
    report: ({ message }) => reports.push(message),
    refused: (call, { message }) => refusals.push(`${call}: ${message}`),
    back: () => backs++,
  })
  return provider
}

beforeEach(() => {
  reports = []
  refusals = []
  backs = 0
})
afterEach(async () => {
  await provider.close()
  await stub.close()
})

const events = () =>
  stub.asked.flatMap(({ body }) => (JSON.parse(body) as { batch: { data: string }[] }).batch)

describe('the hosted provider', () => {
  beforeEach(async () => {
    stub = await startStub('api-eu.pusher.com', app)
  })

  test('is asked at its cluster, over TLS, with a digest of the body and a signature', async () => {
    await open({ cluster: 'eu' })
    provider.publish({ channels: ['private-a'], name: 'said', data: { text: 'Grüße' } })
    await vi.waitFor(() => expect([...stub.asked, ...stub.faults]).toHaveLength(1))
    expect(stub.faults).toEqual([])
    expect(stub.places).toEqual(['api-eu.pusher.com:443'])
    expect(stub.asked[0]).toMatchObject({
      method: 'POST',
      path: '/apps/1234/batch_events',
      server: 'api-eu.pusher.com',
    })
    expect(events()).toEqual([{ channel: 'private-a', name: 'said', data: '{"text":"Grüße"}' }])
    expect(reports).toEqual([])
  })

  test('is not believed with a certificate of its own making', async () => {
    await open({ cluster: 'eu' }, false)
    provider.publish({ channels: ['private-a'], name: 'said', data: null })
    await vi.waitFor(() => expect(reports).toEqual(['DEPTH_ZERO_SELF_SIGNED_CERT']))
    expect([...stub.asked, ...stub.faults]).toEqual([])
  })

  test('is not believed for another cluster', async () => {
    await open({ cluster: 'mt1' })
    provider.publish({ channels: ['private-a'], name: 'said', data: null })
    await vi.waitFor(() => expect(reports).toEqual(['ERR_TLS_CERT_ALTNAME_INVALID']))
    expect(stub.places).toEqual(['api-mt1.pusher.com:443'])
  })

  test('hears events in their order, ten at a time, and who does not', async () => {
    await open({ cluster: 'eu' })
    for (let at = 0; at < 25; at++)
      provider.publish({ channels: ['private-a', 'private-b'], name: 'said', data: at })
    provider.publish({ channels: ['private-a'], name: 'last', data: '', except: '12.34' })
    await vi.waitFor(() => expect(events()).toHaveLength(51))
    expect(stub.faults).toEqual([])
    expect(events().map(({ data }) => data)).toEqual([
      ...Array.from({ length: 25 }, (_, at) => [`${at}`, `${at}`]).flat(),
      '""',
    ])
    expect(events().at(-1)).toMatchObject({ socket_id: '12.34' })
    for (const { body } of stub.asked)
      expect((JSON.parse(body) as { batch: [] }).batch.length).toBeLessThanOrEqual(10)
  })

  test('refuses at once what its limits forbid', async () => {
    await open({ cluster: 'eu' })
    const large = { channels: ['private-a'], name: 'said', data: 'x'.repeat(10_240) }
    expect(() => provider.publish(large)).toThrow('too large')
    expect(stub.asked).toEqual([])
  })

  test('says which channels somebody is on, and ends a user’s connections', async () => {
    await open({ cluster: 'eu' })
    const channels = { 'private-table.orders': {}, 'private-table.people': {} }
    stub.answers.set('/channels', { status: 200, body: JSON.stringify({ channels }) })
    expect(await provider.channels('private-table.')).toEqual(Object.keys(channels))
    expect(await provider.terminate('ana/ben?')).toBe(true)
    expect(stub.faults).toEqual([])
    expect(stub.asked).toMatchObject([
      { method: 'GET', parameters: { filter_by_prefix: 'private-table.' } },
      { method: 'POST', path: '/apps/1234/users/ana%2Fben%3F/terminate_connections' },
    ])
    stub.answers.set('/channels', { status: 200, body: '{"channels":[]}' })
    expect(await provider.channels('private-table.')).toEqual([])
    stub.answers.set('/channels', { status: 200, body: '{"channels":7}' })
    expect(await provider.channels('private-table.')).toBeUndefined()
  })

  test('that fails is reported once, without the signed address, and once it is back that is told', async () => {
    await open({ cluster: 'eu' })
    stub.answers.set('/batch_events', { status: 503, body: 'Busy.' })
    for (const data of [1, 2]) {
      provider.publish({ channels: ['private-a'], name: 'said', data })
      await vi.waitFor(() => expect(stub.asked).toHaveLength(data))
    }
    expect(await provider.channels('')).toEqual(undefined)
    expect(reports).toEqual(['503 Busy.'])
    expect(backs).toBe(0)
    stub.answers.clear()
    expect(await provider.terminate('ana')).toBe(true)
    expect(backs).toBe(1)
  })

  test('that refuses one kind of call is not away: each kind is told once, by itself', async () => {
    await open({ cluster: 'eu' })
    stub.answers.set('/users/ana/terminate_connections', { status: 404, body: 'Not found.' })
    stub.answers.set('/channels', { status: 200, body: '{"channels":[]}' })
    for (let at = 0; at < 3; at++) {
      expect(await provider.terminate('ana')).toBe(false)
      expect(await provider.channels('')).toEqual([])
    }
    expect(refusals).toEqual(['terminate: 404 Not found.'])
    expect([reports, backs]).toEqual([[], 0])
  })

  test('that refuses events has lost them, so lists are told once it takes them', async () => {
    await open({ cluster: 'eu' })
    stub.answers.set('/batch_events', { status: 401, body: 'Unknown key.' })
    for (const data of [1, 2, 3]) {
      if (data === 3) stub.answers.clear()
      provider.publish({ channels: ['private-a'], name: 'said', data })
      await vi.waitFor(() => expect(stub.asked).toHaveLength(data))
    }
    await vi.waitFor(() => expect(backs).toBe(1))
    expect([reports, refusals]).toEqual([[], ['publish: 401 Unknown key.']])
  })

  test('that takes events too slowly loses the newest, which is reported once, and told once it has room', async () => {
    await open({ cluster: 'eu' })
    for (let at = 0; at < 1200; at++)
      provider.publish({ channels: ['private-a'], name: 'said', data: at })
    expect(reports).toEqual(['More than 1000 events wait.'])
    expect(backs).toBe(0)
    await vi.waitFor(() => expect(backs).toBe(1), 10_000)
    expect(events().length).toBeLessThan(1200)
    provider.publish({ channels: ['private-a'], name: 'said', data: 'again' })
    await vi.waitFor(() => expect(events().at(-1)).toMatchObject({ data: '"again"' }))
    expect([reports.length, backs]).toEqual([1, 1])
  })

  test('is where pages of its cluster connect, and nowhere else', () => {
    // With no transport, nothing is opened.
    const { config } = new Pusher('a-key', { cluster: 'eu', forceTLS: true, enabledTransports: [] })
    expect([config.wsHost, config.useTLS]).toEqual(['ws-eu.pusher.com', true])
  })
})

describe('a compatible server', () => {
  test('is asked at its own host and port, over TLS', async () => {
    stub = await startStub('ws.example.org', app)
    await open({ origin: 'https://ws.example.org:6001' })
    provider.publish({ channels: ['private-a'], name: 'said', data: 1 })
    await vi.waitFor(() => expect(stub.asked).toHaveLength(1))
    expect(stub.asked[0]).toMatchObject({ server: 'ws.example.org' })
    expect(stub.places).toEqual(['ws.example.org:6001'])
  })
})
