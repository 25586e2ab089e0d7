/** Two nodes of one admin, which share events, presence and writes. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { postgresVersion } from '../contracts/postgres-server.ts'
import { POSTGRES, REDIS } from '../contracts/servers.ts'
import { sourceWith } from '../source-with.ts'
import { type LiveAdmin, openShop, type Shop } from './live-admin.ts'
import { banned, COUNT, shelfChannel, withShelf } from './shelf.ts'

let shop: Shop
beforeEach(async () => {
  banned.clear()
  shop = await openShop()
})
afterEach(() => shop.close())

const startNode = async (bus: string, wrap?: (source: RowSource) => RowSource) =>
  shop.start({ bus, ...(await withShelf(shop.folder)) }, wrap)

const BUSES = [
  ['Redis', REDIS.href],
  ...(postgresVersion === undefined ? [] : [['PostgreSQL', POSTGRES.href] as const]),
] as const

describe.each(BUSES)('two nodes over %s', (_, bus) => {
  let one: LiveAdmin
  let two: LiveAdmin
  /** When the second node has looked at the data version. */
  const looks: number[] = []

  beforeEach(async () => {
    looks.splice(0)
    one = await startNode(bus)
    two = await startNode(bus, (source) => noting(source, looks))
  })

  test('share what actions broadcast, though not with the socket that asked', async () => {
    const [ana, ben] = [await one.signIn('ana'), await one.signIn('ben')]
    const [anas, bens] = [await ana.at(two).connect(), await ben.at(two).connect()]
    await anas.subscribe('private-shelf.4')
    await bens.subscribe('private-shelf.4')
    await vi.waitFor(async () => {
      await ana.call(COUNT, anas.id)
      expect(bens.named('counted')).not.toEqual([])
    }, 5000)
    expect(bens.named('counted')[0]?.data).toEqual({ by: 'ana' })
    await ben.call(COUNT, anas.id)
    expect((await anas.wait('counted')).data).toEqual({ by: 'ben' })
  })

  test('know of each other’s members', async () => {
    const [ana, ben] = [await one.signIn('ana'), await one.signIn('ben')]
    const [anas, bens] = [await ana.connect(), await ben.at(two).connect()]
    await anas.subscribe('presence-room.7')
    await bens.subscribe('presence-room.7')
    const added = await anas.wait('pusher_internal:member_added', 'presence-room.7')
    expect(added.data).toMatchObject({ user_info: { name: 'ben' } })
    bens.socket.close()
    await anas.wait('pusher_internal:member_removed', 'presence-room.7')
  })

  test('tell each other of writes, so that nobody waits for the next look', async () => {
    const ana = await one.signIn('ana')
    const socket = await ana.at(two).connect()
    await socket.subscribe('private-table.orders')
    // Joining looks as well; from then on the node looks every half second.
    const joined = looks.length
    await vi.waitFor(() => expect(looks.length).toBeGreaterThan(joined + 1), 5000)
    looks.splice(0, looks.length - 1)
    await vi.waitFor(async () => {
      await ana.call(COUNT)
      const pauses = looks.map((at, index) => at - (looks[index - 1] ?? -Infinity))
      expect(Math.min(...pauses)).toBeLessThan(400)
    }, 5000)
  })

  test('each tell their own sockets of a change, once', async () => {
    const ana = await one.signIn('ana')
    const sockets = [await ana.connect(), await ana.at(two).connect()]
    for (const socket of sockets) await socket.subscribe('private-table.orders')
    await vi.waitFor(() => expect(looks.length).toBeGreaterThan(1), 5000)
    const before = sockets.map(({ named }) => named('changed').length)
    shop.write("insert into orders (note) values ('new')")
    for (const [at, { named }] of sockets.entries())
      await vi.waitFor(() => expect(named('changed')).toHaveLength(before[at]! + 1), 5000)
    // Both have looked again since.
    const seen = looks.length
    await vi.waitFor(() => expect(looks.length).toBeGreaterThan(seen + 1), 5000)
    expect(sockets.map(({ named }) => named('changed').length)).toEqual(before.map((n) => n + 1))
  })

  test('end what their rule no longer allows, each for its own sockets', async () => {
    const ana = await one.signIn('ana')
    const sockets = [await ana.connect(), await ana.at(two).connect()]
    for (const socket of sockets) await socket.subscribe('private-shelf.4')
    banned.add('ana')
    for (const { wait } of sockets) await wait('pusher:subscription_error', 'private-shelf.4')
  })
})

test('without Redis the admin starts, says so once, and serves its own sockets', async () => {
  const lines: string[] = []
  const alone = await shop.start({
    env: { REDIS_URL: 'redis://:a-password@127.0.0.1:1' },
    channels: [shelfChannel],
    log: (line, error) => lines.push(`${line} ${String(error)}`),
  })
  const ana = await alone.signIn('ana')
  const socket = await ana.connect()
  await socket.subscribe('private-shelf.4')
  await alone.admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by: 'the scale' })
  await socket.wait('counted', 'private-shelf.4')
  await vi.waitFor(() => expect(lines.join()).toContain('127.0.0.1:1 cannot be reached'), 5000)
  await socket.subscribe('private-table.orders')
  shop.write("insert into orders (note) values ('new')")
  await socket.wait('changed', 'private-table.orders')
  expect(lines).toHaveLength(1)
  expect(lines.join()).not.toContain('a-password')
})

/** Notes when the data version is asked for. */
const noting = (source: RowSource, looks: number[]): RowSource =>
  sourceWith(source, {
    dataVersion() {
      looks.push(performance.now())
      return source.dataVersion()
    },
  })
