/** What every bus does, by itself and between the nodes of an application. */

import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bus } from '../../src/realtime/bus.ts'
import { busSeal } from '../../src/realtime/bus-seal.ts'
import { writeMessage } from '../../src/realtime/bus-message.ts'
import type { Node, NodeOptions } from '../../src/realtime/node.ts'
import { type Clock, createClock } from '../simulator/clock.ts'
import { app, Client, nodeWith } from './fake-client.ts'

/** Opens a bus that nobody else uses; each call of what it returns is one more end of it. */
export type OpenBus = (clock: Clock) => Promise<() => Promise<Bus>>

/** A name for a bus that nobody else uses. */
export const nameOfBus = () => `tablewire-test-${randomBytes(6).toString('hex')}`

/** Opens an end of a bus, and waits until it works. */
export async function listening(bus: Bus) {
  const heard: string[] = []
  const back = vi.fn()
  bus.open({ heard: (text) => heard.push(text), back })
  await vi.waitFor(() => expect(bus.isUp()).toBe(true))
  return { bus, heard, back }
}

export function busContract(openBus: OpenBus): void {
  let clock: Clock
  let end: () => Promise<Bus>
  const open: { close(): Promise<void> }[] = []

  beforeEach(async () => {
    clock = createClock()
    end = await openBus(clock)
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })

  /** One more end that works. */
  const listener = async () => {
    const bus = await end()
    open.push(bus)
    return listening(bus)
  }

  describe('a bus', () => {
    test('brings what one end sends to the others, in order', async () => {
      const [one, two, three] = [await listener(), await listener(), await listener()]
      const texts = Array.from({ length: 200 }, (_, at) => `${at} ä ${'x'.repeat(at)}`)
      for (const text of texts) expect(one.bus.send(text)).toBe(true)
      for (const { heard } of [two, three]) await vi.waitFor(() => expect(heard).toEqual(texts))
    })

    test('keeps a text for its time', async () => {
      const [one, two] = [await listener(), await listener()]
      expect(await two.bus.get('a')).toBeUndefined()
      one.bus.put('a', 'old', 60_000)
      one.bus.put('a', 'new', 60_000)
      await vi.waitFor(async () => expect(await two.bus.get('a')).toBe('new'))
    })

    test('says so when it is closed', async () => {
      const [one, two] = [await listener(), await listener()]
      await one.bus.close()
      expect([one.bus.isUp(), one.bus.send('a')]).toEqual([false, false])
      two.bus.send('b')
      const three = await listener()
      two.bus.send('c')
      await vi.waitFor(() => expect(three.heard).toContain('c'))
      expect(one.heard).toEqual([])
    })
  })

  describe('nodes', () => {
    let posted: string[]
    let names = 0
    const buses = new Map<Node, Bus>()

    const startNode = async (options: Partial<NodeOptions> = {}) => {
      const bus = await end()
      const node = nodeWith({
        ...{ clock, bus, name: `node-${++names}` },
        webhooks: [{ url: 'http://app.example/hook' }],
        post: async (_url, body) => {
          const { events } = JSON.parse(body) as { events: { name: string; channel: string }[] }
          posted.push(...events.map(({ name, channel }) => `${name} ${channel}`))
          return 200
        },
        ...options,
      })
      open.push(node)
      buses.set(node, bus)
      await vi.waitFor(() => expect(bus.isUp()).toBe(true))
      return node
    }
    let ids = 0
    const connect = (node: Node, person?: string) =>
      new Client(node, `1.${++ids}`, clock.now(), person)
    /** Lets the clock run a little until it is so: the bus itself takes its time on a busy machine. */
    const eventually = (check: () => void) =>
      vi.waitFor(
        async () => {
          await clock.runUntil(clock.now() + 20)
          check()
        },
        { timeout: 10_000 },
      )
    const knowEachOther = (...nodes: Node[]) =>
      eventually(() => {
        for (const node of nodes) expect(node.stats().nodes).toBe(nodes.length)
      })

    let one: Node
    let two: Node
    beforeEach(async () => {
      posted = []
      one = await startNode()
      two = await startNode()
      await knowEachOther(one, two)
    })

    test('deliver each other’s events, but not to the socket that caused them', async () => {
      const [ada, bob] = [connect(one), connect(two)]
      for (const client of [ada, bob]) client.subscribe('private-a')
      ada.take()
      bob.take()
      const heard: string[] = []
      two.listen('private-a', ({ name }) => heard.push(name))
      one.publish({ channel: 'private-a', name: 'first', data: '1', except: bob.connection.id })
      bob.says({ event: 'client-a', channel: 'private-a', data: 1 })
      one.publish({ channel: 'private-a', name: 'second', data: '1' })
      await eventually(() => expect(bob.events()).toEqual(['second']))
      await eventually(() => expect(heard).toEqual(['first', 'second']))
      await vi.waitFor(() => expect(ada.received.map(({ event }) => event)).toContain('client-a'))
    })

    test('know who is present on any of them, each user once', async () => {
      const [ada, bob, again] = [connect(one), connect(two), connect(two)]
      ada.subscribe('presence-a', 'ada', { name: 'Ada' })
      await eventually(() => expect(two.hub.rooms.membersOf('presence-a')).toHaveLength(1))
      bob.subscribe('presence-a', 'bob')
      again.subscribe('presence-a', 'ada')
      expect(bob.take()).toMatchObject([
        { data: { presence: { ids: ['ada', 'bob'], hash: { ada: { name: 'Ada' } } } } },
      ])
      await eventually(() => expect(one.hub.rooms.countOf('presence-a')).toBe(3))
      one.hub.remove(ada.connection)
      two.hub.remove(bob.connection)
      await eventually(() =>
        expect(one.hub.rooms.membersOf('presence-a')).toEqual(
          [{ id: 'ada', info: undefined }].map(({ id }) => expect.objectContaining({ id })),
        ),
      )
      expect(ada.events()).toEqual(['subscription_succeeded', 'member_added'])
      expect(again.take()).toMatchObject([
        {},
        { event: 'pusher_internal:member_removed', data: { user_id: 'bob' } },
      ])
    })

    test('give a new one what it has to know', async () => {
      for (let at = 0; at < 120; at++) connect(one).subscribe(`a-${at}`)
      connect(one).subscribe('presence-a', 'ada', 7)
      one.publish({ channel: 'cache-a', name: 'said', data: '1' })
      const three = await startNode()
      await eventually(() => expect(three.hub.rooms.size).toBe(121))
      expect(three.hub.rooms.membersOf('presence-a')).toEqual([{ id: 'ada', info: 7 }])
      const client = connect(three)
      client.subscribe('cache-a')
      await eventually(() => expect(client.received).toHaveLength(2))
      expect(client.take()).toMatchObject([{}, { event: 'said', data: 1 }])
    })

    test('forget one that has gone, with or without a farewell', async () => {
      const three = await startNode()
      await knowEachOther(one, two, three)
      const ada = connect(one)
      ada.subscribe('presence-a', 'ada')
      connect(two).subscribe('presence-a', 'bob')
      connect(three).subscribe('presence-a', 'eve')
      await eventually(() => expect(one.hub.rooms.membersOf('presence-a')).toHaveLength(3))
      await three.close()
      await eventually(() => expect(one.hub.rooms.membersOf('presence-a')).toHaveLength(2))
      await buses.get(two)?.close()
      await vi.waitFor(async () => {
        await clock.runUntil(clock.now() + 5000)
        expect(one.hub.rooms.membersOf('presence-a')).toHaveLength(1)
      })
      expect(ada.events().toSorted()).toEqual([
        'member_added',
        'member_added',
        'member_removed',
        'member_removed',
        'subscription_succeeded',
      ])
    })

    test('end rights and users everywhere', async () => {
      const [ada, bob, eve] = [connect(two, 'ada'), connect(two, 'bob'), connect(two, 'eve')]
      for (const client of [ada, bob, eve]) client.subscribe('private-a')
      one.revoke({ user: 'ada', channel: 'private-*' })
      one.terminate('bob')
      await eventually(() => expect(bob.closed).toBe(4009))
      expect([ada, eve].map(({ connection }) => connection.channels.size)).toEqual([0, 1])
    })

    test('tell the application once', async () => {
      connect(one).subscribe('a')
      connect(two).subscribe('b')
      connect(two).subscribe('a')
      await eventually(() =>
        expect(posted.toSorted()).toEqual(['channel_occupied a', 'channel_occupied b']),
      )
    })

    test('take nothing twice, and no kept event for another channel’s', async () => {
      const { bus: stranger, heard: overheard } = await listener()
      const client = connect(two)
      client.subscribe('private-a')
      client.take()
      one.publish({ channel: 'private-a', name: 'said', data: '1' })
      one.publish({ channel: 'cache-a', name: 'said', data: '1' })
      await eventually(() => expect(client.events()).toEqual(['said']))
      const texts = () => overheard.filter((text) => text.includes('"private-a","name":"said"'))
      // Each end of the bus hears it in its own time.
      await eventually(() => expect(texts()).toHaveLength(1))
      const said = texts()
      const before = two.stats().forged
      // As often as it likes, and after the node has said its farewell.
      for (const text of [...said, ...said]) stranger.send(text)
      await eventually(() => expect(two.stats().forged).toBe(before + 2))
      await one.close()
      await eventually(() => expect(two.stats().nodes).toBe(1))
      for (const text of said) stranger.send(text)
      await eventually(() => expect(two.stats().forged).toBe(before + 3))
      expect(client.take()).toEqual([])
      const kept = await stranger.get('cache cache-a')
      stranger.put('cache cache-b', kept ?? '', 60_000)
      await vi.waitFor(async () => expect(await stranger.get('cache cache-b')).toBe(kept))
      client.subscribe('cache-b')
      await eventually(() => expect(client.received).toHaveLength(2))
      expect(client.events()).toEqual(['subscription_succeeded', 'cache_miss'])
    })

    test('believe nothing that others write to the bus', async () => {
      const { bus: stranger } = await listener()
      const client = connect(one, 'ada')
      client.subscribe('private-a')
      client.take()
      const before = one.stats().forged
      const texts = forgeries(clock.now())
      for (const [at, text] of texts.entries()) {
        if (!stranger.send(text)) throw new Error('The bus took no more.')
        if (at % 500 === 499)
          await eventually(() => expect(one.stats().forged - before).toBe(at + 1))
      }
      expect(texts).toHaveLength(10_000)
      expect(client.take()).toEqual([])
      expect(client.closed).toBeUndefined()
      expect(one.stats().nodes).toBe(2)
      expect(Object.keys(Object.prototype)).toEqual([])
    })
  })
}

/** Messages in every state between genuine and noise; none was sealed with the secret, for messages, just now. */
function forgeries(now: number): string[] {
  const ours = busSeal(app.secret)
  const theirs = busSeal('another secret of 012345')
  const news = (number: number, at = now) =>
    writeMessage({
      node: 'stranger',
      number,
      at,
      message: { kind: 'event', event: { channel: 'private-a', name: 'said', data: '1' } },
    })
  const makers: ((at: number) => string)[] = [
    (at) => news(at),
    (at) => theirs.seal('news', news(at)),
    (at) => ours.seal('cache', news(at)),
    (at) => ours.seal('news', news(at)).replace('said', 'else'),
    (at) => ours.seal('news', news(at)).slice(at % 60),
    (at) => ours.seal('news', news(at, now - 61_000 - at)),
    (at) => ours.seal('news', news(at, now + 120_000 + at)),
    (at) =>
      ours.seal('news', JSON.stringify(['stranger', at, now, { kind: 'terminate', user: 1 }])),
    (at) =>
      ours.seal('news', `["stranger",${at},${now},{"kind":"alive","__proto__":{"polluted":1}}]`),
    (at) => randomBytes(at % 300).toString('latin1'),
  ]
  return Array.from({ length: 10_000 }, (_, at) => makers[at % makers.length]!(at))
}
