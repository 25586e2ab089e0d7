/** Nodes that lose Redis, each other, or one of them: members and events agree again within 5 s. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { PresenceChannel } from 'pusher-js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { redisBus } from '../../src/realtime/redis-bus.ts'
import { REDIS } from '../contracts/servers.ts'
import type { TcpProxy } from '../contracts/tcp-proxy.ts'
import { type Clock, createClock } from '../simulator/clock.ts'
import { isPlain } from '../tier.ts'
import { Client, nodeWith } from './fake-client.ts'
import { APP, type Host, startHost, subscribed } from './host.ts'
import { nameOfBus } from './bus-contract.ts'
import { openRedis, proxyToRedis } from './own-redis.ts'

/** Within which all agree once a fault is healed, ms. */
const HEALING_MS = 5000
/** How long a busy machine may take. */
const PATIENCE_MS = 30_000

let clock: Clock
let name: string
let reports: unknown[]
const open: { close(): Promise<void> }[] = []

beforeEach(() => {
  clock = createClock()
  name = nameOfBus()
  reports = []
})
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

let names = 0
async function startNode(port: number) {
  const report = (error: unknown) => reports.push(error)
  const bus = await redisBus({ url: `redis://127.0.0.1:${port}`, name, report })
  const node = nodeWith({ clock, bus, report, name: `node-${++names}`, clientEvents: false })
  open.push(node)
  let ids = 0
  return {
    node,
    bus,
    /** Somebody in the room. */
    enter(person: string): Client {
      const client = new Client(node, `${names}.${++ids}`, clock.now(), person)
      client.subscribe('presence-room', person)
      return client
    },
    members: () => node.hub.rooms.membersOf('presence-room').map(({ id }) => id),
  }
}

type TestNode = Awaited<ReturnType<typeof startNode>>

/** Lets the clock run a little until it is so. */
const eventually = (check: () => void, limitMs = PATIENCE_MS) =>
  vi.waitFor(
    async () => {
      await clock.runUntil(clock.now() + 50)
      check()
    },
    { timeout: limitMs, interval: 50 },
  )

async function startTwo(ports: readonly [number, number]): Promise<[TestNode, TestNode]> {
  const nodes: [TestNode, TestNode] = [await startNode(ports[0]), await startNode(ports[1])]
  await eventually(() => {
    for (const { node } of nodes) expect(node.stats().nodes).toBe(2)
  })
  return nodes
}

/** Both nodes name the same members, and each hears what the other publishes. */
async function agree(nodes: readonly TestNode[], clients: readonly Client[], members: string[]) {
  const from = performance.now()
  await eventually(() => {
    for (const node of nodes) expect(node.members().toSorted()).toEqual(members)
  })
  for (const client of clients) client.take()
  for (const [at, { node }] of nodes.entries())
    node.publish({ channel: 'presence-room', name: `from ${at}`, data: 'null' })
  await eventually(() => {
    for (const { received } of clients)
      expect(received.map(({ event }) => event).toSorted()).toEqual(['from 0', 'from 1'])
  })
  if (!isPlain) expect(performance.now() - from).toBeLessThan(HEALING_MS)
}

test('Redis is gone for a minute: each node serves its own, and afterwards nothing is amiss', async () => {
  const redis = await openRedis()
  open.push(redis)
  const nodes = await startTwo([redis.port, redis.port])
  const [one, two] = nodes
  const [ada, bob] = [one.enter('ada'), two.enter('bob')]
  const zoe = two.enter('zoe')
  await eventually(() => expect(one.members()).toHaveLength(3))
  await redis.goDown()
  await vi.waitFor(() => expect([one.bus.isUp(), two.bus.isUp()]).toEqual([false, false]))
  two.node.hub.remove(bob.connection)
  const eve = two.enter('eve')
  // Who has lost a right loses it at once here, and elsewhere once that can be said.
  one.node.revoke({ user: 'zoe' })
  ada.take()
  one.node.publish({ channel: 'presence-room', name: 'here', data: 'null' })
  expect(ada.events()).toEqual(['here'])
  await clock.runUntil(clock.now() + 60_000)
  // Whether the others are still there cannot be known.
  expect([one.members(), two.members()]).toEqual([['ada'], ['zoe', 'eve']])
  await vi.waitFor(() => expect(reports).toHaveLength(2), 5000)
  await redis.comeBack()
  await agree(nodes, [ada, eve], ['ada', 'eve'])
  await eventually(() => expect(zoe.events()).toContain('subscription_error'))
  expect(reports).toHaveLength(2)
})

describe.each(['which says so', 'in silence'])('a network that fails %s', (kind) => {
  const cut = (proxy: TcpProxy) => (kind === 'in silence' ? proxy.holdBack() : proxy.goDown())
  const heal = (proxy: TcpProxy) => (kind === 'in silence' ? proxy.letThrough() : proxy.comeBack())

  test('parts two nodes for a minute, and they find each other again', async () => {
    const proxy = await proxyToRedis()
    open.push(proxy)
    const nodes = await startTwo([Number(REDIS.port || 6379), proxy.port])
    const [one, two] = nodes
    const [ada, bob] = [one.enter('ada'), two.enter('bob')]
    await eventually(() => expect(one.members()).toHaveLength(2))
    await cut(proxy)
    // Where nobody is heard of for 4 s, nobody is.
    await eventually(() => expect(two.bus.isUp()).toBe(false), 10_000)
    two.node.hub.remove(bob.connection)
    const eve = two.enter('eve')
    await clock.runUntil(clock.now() + 60_000)
    expect(one.members()).toEqual(['ada'])
    expect(ada.events()).toContain('member_removed')
    await heal(proxy)
    await agree(nodes, [ada, eve], ['ada', 'eve'])
  })
})

describe('a node that is killed', () => {
  let host: Host
  let killed: ChildProcess
  let port: number

  beforeEach(async () => {
    host = await startHost({ bus: await redisBus({ url: REDIS.href, name }) })
    open.push(host)
    const script = join(import.meta.dirname, 'node-process.ts')
    killed = spawn(process.execPath, [script, REDIS.href, name, APP.secret], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(killed.stdout!, 'data')) as [Buffer]
    port = Number(line)
  })
  afterEach(() => void killed.kill('SIGKILL'))

  test('is missed within 5 s; its clients go to another, and hear what happens there', async () => {
    const room = host.client('ada').subscribe('presence-room') as PresenceChannel
    await subscribed(room)
    const bob = host.client('bob', { wsPort: port })
    const bobs = bob.subscribe('presence-room')
    await subscribed(bobs)
    const names = () => Object.keys(room.members.members).toSorted()
    await vi.waitFor(() => expect(names()).toEqual(['ada', 'bob']), PATIENCE_MS)
    killed.kill('SIGKILL')
    await vi.waitFor(() => expect(names()).toEqual(['ada']), PATIENCE_MS)
    // As behind a proxy that knows which nodes are there.
    bob.disconnect()
    const again = host.client('bob').subscribe('presence-room')
    await subscribed(again)
    await vi.waitFor(() => expect(names()).toEqual(['ada', 'bob']), PATIENCE_MS)
    const heard = new Promise((resolve) => void again.bind('said', resolve))
    host.realtime.publish({ channels: ['presence-room'], name: 'said', data: 7 })
    expect(await heard).toBe(7)
  })
})
