import { beforeEach, describe, expect, test } from 'vitest'
import { app, Client, nodeWith } from '../../test/realtime/fake-client.ts'
import { type Clock, createClock } from '../../test/simulator/clock.ts'
import { authorizeUser } from './authorize-channel.ts'
import type { Bus } from './bus.ts'
import { watchIdle } from './idle.ts'
import { SERVER_LIMITS } from './limits.ts'
import { memoryBus } from './memory-bus.ts'
import { Node, type NodeOptions } from './node.ts'
import { signChannel, signUser } from './signatures.ts'

let clock: Clock
let node: Node
let posted: { name: string; channel: string }[][]
let reported: unknown[]
let ids = 0

function start(options: Partial<NodeOptions> = {}): Node {
  posted = []
  reported = []
  return new Node({
    app,
    clock,
    limits: SERVER_LIMITS,
    name: 'a',
    bus: undefined,
    clientEvents: true,
    unsignedChannels: true,
    subscriptionCounts: false,
    webhooks: [{ url: 'http://app.example/hook' }],
    post: async (_url, body) => {
      posted.push((JSON.parse(body) as { events: { name: string; channel: string }[] }).events)
      return 200
    },
    report: (error) => reported.push(error),
    ...options,
  })
}

const connect = (person?: string): Client => new Client(node, `1.${++ids}`, clock.now(), person)
const said = (data: unknown) => ({ event: 'said', data })

beforeEach(() => {
  clock = createClock()
  node = start()
})

describe('subscribing', () => {
  test('a signature opens its channel to its socket only', () => {
    const [one, other] = [connect(), connect()]
    one.subscribe('private-a')
    expect(one.events()).toEqual(['subscription_succeeded'])
    const auth = signChannel(app, one.connection.id, 'private-a')
    other.says({ event: 'pusher:subscribe', data: { channel: 'private-a', auth } })
    one.says({ event: 'pusher:subscribe', data: { channel: 'private-b', auth } })
    one.says({ event: 'pusher:subscribe', data: { channel: 'private-b' } })
    for (const client of [one, other])
      for (const message of client.take())
        expect(message).toMatchObject({
          event: 'pusher:subscription_error',
          data: { type: 'AuthError', status: 401 },
        })
    expect([...one.connection.channels.keys()]).toEqual(['private-a'])
    expect(other.connection.channels.size).toBe(0)
  })

  test('a private channel takes signed data, and makes nobody a member of it', () => {
    const client = connect()
    const data = '{"user_id":"1"}'
    const auth = signChannel(app, client.connection.id, 'private-a', data)
    const ask = (channel_data: string | undefined) =>
      client.says({ event: 'pusher:subscribe', data: { channel: 'private-a', auth, channel_data } })
    ask('{"user_id":"2"}')
    ask(undefined)
    expect(client.take()).toMatchObject([{ data: { status: 401 } }, { data: { status: 401 } }])
    ask(data)
    expect(client.take()).toMatchObject([
      { event: 'pusher_internal:subscription_succeeded', data: {} },
    ])
    expect(client.connection.channels).toEqual(new Map([['private-a', undefined]]))
    expect(node.hub.rooms.membersOf('private-a')).toEqual([])
  })

  test('a server that allows none refuses channels without a signature at once', () => {
    node = start({ unsignedChannels: false })
    const client = connect('ada')
    const user = '{"id":"ada"}'
    const auth = signUser(app, client.connection.id, user)
    client.says({ event: 'pusher:signin', data: { auth, user_data: user } })
    client.take()
    for (const channel of ['news', 'cache-news', '#server-to-user-ada']) client.subscribe(channel)
    expect(client.take()).toMatchObject(Array(3).fill({ data: { status: 403 } }))
    node.trigger({ name: 'said', data: '1' }, ['news', 'cache-news'])
    expect(client.take()).toEqual([])
    client.subscribe('private-a')
    expect(client.events()).toEqual(['subscription_succeeded'])
  })

  test('names that are not allowed, and channels of other users, are refused', () => {
    const client = connect()
    for (const channel of ['a b', 'private-a:b', '', '#server-to-user-1', 'a'.repeat(201)])
      client.subscribe(channel.startsWith('private') ? 'a:b' : channel)
    expect(client.events()).toEqual(Array<string>(5).fill('subscription_error'))
    expect(node.hub.rooms.size).toBe(0)
  })

  test('a channel is subscribed to once, and a connection to a limited number', () => {
    const client = connect()
    for (let at = 0; at < 100; at++) client.subscribe(`a-${at}`)
    expect(client.take().every(({ event }) => event.endsWith('subscription_succeeded'))).toBe(true)
    client.subscribe('a-1')
    client.subscribe('one-more')
    expect(client.take()).toMatchObject([
      { event: 'pusher:error', data: { code: null } },
      { event: 'pusher:subscription_error', channel: 'one-more', data: { status: 403 } },
    ])
    client.says({ event: 'pusher:unsubscribe', data: { channel: 'a-1' } })
    client.subscribe('one-more')
    expect(client.events()).toEqual(['subscription_succeeded'])
  })

  test('who unsubscribes, or is gone, hears nothing more and leaves nothing behind', () => {
    const [one, other] = [connect(), connect()]
    for (const client of [one, other]) client.subscribe('a')
    one.says({ event: 'pusher:unsubscribe', data: { channel: 'a' } })
    node.publish({ channel: 'a', name: 'said', data: '1' })
    expect(one.events()).toEqual(['subscription_succeeded'])
    expect(other.events()).toEqual(['subscription_succeeded', 'said'])
    node.hub.remove(other.connection)
    expect(node.hub.rooms.size).toBe(0)
  })
})

describe('presence', () => {
  test('a user counts once, however many sockets they have', () => {
    const [ada, bob, again] = [connect(), connect(), connect()]
    ada.subscribe('presence-a', 'ada', { name: 'Ada' })
    bob.subscribe('presence-a', 'bob')
    again.subscribe('presence-a', 'bob')
    expect(ada.take()).toMatchObject([
      { data: { presence: { ids: ['ada'], hash: { ada: { name: 'Ada' } }, count: 1 } } },
      { event: 'pusher_internal:member_added', data: { user_id: 'bob' } },
    ])
    expect(bob.take()).toMatchObject([{ data: { presence: { ids: ['ada', 'bob'], count: 2 } } }])
    node.hub.remove(bob.connection)
    expect(ada.events()).toEqual([])
    node.hub.remove(again.connection)
    expect(ada.take()).toMatchObject([
      { event: 'pusher_internal:member_removed', data: { user_id: 'bob' } },
    ])
  })

  test('has at most 100 members, small ones, with an id', () => {
    for (let at = 0; at < 100; at++) connect().subscribe('presence-a', `user-${at}`)
    const [late, known] = [connect(), connect()]
    late.subscribe('presence-a', 'late')
    expect(late.take()).toMatchObject([{ data: { status: 403 } }])
    known.subscribe('presence-a', 'user-7')
    expect(known.events()).toEqual(['subscription_succeeded'])
    for (const data of [
      '{}',
      '{"user_id":""}',
      '[]',
      '{"user_id":{}}',
      `{"user_id":"1","user_info":"${'a'.repeat(1024)}"}`,
    ]) {
      const auth = signChannel(app, late.connection.id, 'presence-b', data)
      late.says({
        event: 'pusher:subscribe',
        data: { channel: 'presence-b', auth, channel_data: data },
      })
    }
    expect(late.events()).toEqual(Array<string>(5).fill('subscription_error'))
  })

  test('whoever has signed in needs no data of their own', () => {
    const client = connect()
    const { id: socketId } = client.connection
    const auth = signChannel(app, socketId, 'presence-a')
    client.says({ event: 'pusher:subscribe', data: { channel: 'presence-a', auth } })
    expect(client.take()).toMatchObject([{ data: { status: 401 } }])
    client.says({
      event: 'pusher:signin',
      data: authorizeUser({ app, socketId, user: { id: 'ada', info: 1 } }),
    })
    client.says({ event: 'pusher:subscribe', data: { channel: 'presence-a', auth } })
    expect(client.take()).toMatchObject([
      { event: 'pusher:signin_success' },
      { data: { presence: { hash: { ada: 1 } } } },
    ])
  })
})

describe('users', () => {
  test('a sign-in needs a signature of its own kind, for this socket', () => {
    const client = connect()
    const { id: socketId } = client.connection
    const { user_data } = authorizeUser({ app, socketId, user: { id: 'ada', info: null } })
    const other = authorizeUser({ app, socketId: '9.9', user: { id: 'ada', info: null } })
    const ofChannel = signChannel(app, socketId, 'private-a')!
    client.says({ event: 'pusher:signin', data: other })
    client.says({ event: 'pusher:signin', data: { auth: ofChannel, user_data } })
    expect(client.take()).toMatchObject([{ data: { code: 4009 } }, { data: { code: 4009 } }])
    expect(client.connection.user).toBeUndefined()
  })

  test('a user’s channel is theirs only, and not for long after another signs in', () => {
    const client = connect()
    const { id: socketId } = client.connection
    const signIn = (id: string) =>
      client.says({
        event: 'pusher:signin',
        data: authorizeUser({ app, socketId, user: { id, info: null } }),
      })
    signIn('ada')
    client.subscribe('#server-to-user-bob')
    client.subscribe('#server-to-user-ada')
    expect(client.events()).toEqual([
      'signin_success',
      'subscription_error',
      'subscription_succeeded',
    ])
    signIn('bob')
    client.take()
    node.publish({ channel: '#server-to-user-ada', name: 'said', data: '1' })
    expect(client.take()).toEqual([])
  })

  test('terminating closes what they opened and where they signed in, and nothing else', () => {
    const [opened, signedIn, other] = [connect('ada'), connect(), connect('bob')]
    const { id: socketId } = signedIn.connection
    signedIn.says({
      event: 'pusher:signin',
      data: authorizeUser({ app, socketId, user: { id: 'ada', info: null } }),
    })
    node.terminate('ada')
    expect([opened.closed, signedIn.closed, other.closed]).toEqual([4009, 4009, undefined])
  })
})

describe('cache channels', () => {
  test('give the last event of the server, not those of clients, for half an hour', async () => {
    const [one, two, three] = [connect(), connect(), connect()]
    one.subscribe('private-cache-a')
    await clock.runUntil(1)
    expect(one.events()).toEqual(['subscription_succeeded', 'cache_miss'])
    node.publish({ channel: 'private-cache-a', name: 'old', data: '1' })
    node.publish({ channel: 'private-cache-a', name: 'said', data: '2' })
    one.says({ event: 'client-a', channel: 'private-cache-a', data: 3 })
    two.subscribe('private-cache-a')
    expect(two.take()).toMatchObject([{}, { event: 'said', data: 2 }])
    await clock.runUntil(30 * 60_000 + 2)
    three.subscribe('private-cache-a')
    await clock.runUntil(30 * 60_000 + 3)
    expect(three.events()).toEqual(['subscription_succeeded', 'cache_miss'])
  })

  test('a limited number of channels is kept, the latest', () => {
    node = start({ limits: { ...SERVER_LIMITS, cachedChannels: 3 } })
    for (let at = 0; at < 10; at++)
      node.publish({ channel: `cache-${at}`, name: 'said', data: '1' })
    expect(node.stats().cached).toBe(3)
    expect(node.hub.cache.here('cache-9')).toEqual({ name: 'said', data: '1' })
    expect(node.hub.cache.here('cache-6')).toBeUndefined()
  })
})

describe('client events', () => {
  const members = (...clients: Client[]) => {
    for (const [at, client] of clients.entries()) client.subscribe('presence-a', `user-${at}`)
    for (const client of clients) client.take()
  }

  test('are rebuilt: a client cannot speak as another, nor add anything', () => {
    const [one, other] = [connect(), connect()]
    members(one, other)
    one.says({
      event: 'client-a',
      channel: 'presence-a',
      data: { x: 1 },
      user_id: 'user-1',
      more: 1,
    })
    expect(other.take()).toEqual([
      { event: 'client-a', channel: 'presence-a', data: { x: 1 }, user_id: 'user-0' },
    ])
    expect(one.take()).toEqual([])
  })

  test('are refused on public, encrypted and foreign channels, where they are large, or not allowed', () => {
    const [one, other] = [connect(), connect()]
    members(one, other)
    const encrypted = signChannel(app, one.connection.id, 'private-encrypted-a')
    one.subscribe('public')
    one.says({
      event: 'pusher:subscribe',
      data: { channel: 'private-encrypted-a', auth: encrypted },
    })
    one.take()
    for (const channel of ['public', 'private-encrypted-a', 'private-foreign', 'a b'])
      one.says({ event: 'client-a', channel, data: 1 })
    one.says({ event: 'client-a', channel: 'presence-a', data: 'a'.repeat(10_241) })
    expect(one.take()).toMatchObject(Array(5).fill({ event: 'pusher:error', data: { code: 4301 } }))
    one.says({ event: 'client-a', channel: 'presence-a', data: `"${'a'.repeat(10_238)}"` })
    expect(one.take()).toEqual([])
    expect(other.events()).toEqual(['client-a'])
    node = start({ clientEvents: false })
    const [last] = [connect()]
    members(last)
    last.says({ event: 'client-a', channel: 'presence-a', data: 1 })
    expect(last.take()).toMatchObject([{ data: { code: 4301 } }])
  })

  test('are ten a second for each connection', async () => {
    const [one, other] = [connect(), connect()]
    members(one, other)
    const say = (times: number) => {
      for (let at = 0; at < times; at++)
        one.says({ event: 'client-a', channel: 'presence-a', data: at })
    }
    say(12)
    expect(other.take()).toHaveLength(10)
    expect(one.take()).toMatchObject([{ data: { code: 4301 } }, { data: { code: 4301 } }])
    await clock.runUntil(1000)
    say(10)
    expect(other.take()).toHaveLength(10)
    expect(one.closed).toBeUndefined()
  })
})

describe('connections', () => {
  test('a ping is answered, and other messages are refused without end of the connection', () => {
    const client = connect()
    client.says({ event: 'pusher:ping', data: {} })
    client.says({ event: 'pusher_internal:member_added', data: {} })
    node.dialogue.receive(client.connection, '{')
    expect(client.events()).toEqual(['pong', 'error', 'error'])
    expect(client.closed).toBeUndefined()
  })

  test('one that sends too much is closed', () => {
    const client = connect()
    for (let at = 0; at < 301; at++) client.says({ event: 'pusher:ping' })
    expect(client.closed).toBe(1008)
    expect(client.take().filter(({ event }) => event === 'pusher:pong')).toHaveLength(300)
  })

  test('a silent one is pinged after 120 s, and closed with 4201 if it stays so for 30 s', async () => {
    const stop = watchIdle(clock, () => node.hub.connections.values())
    const [silent, answers] = [connect(), connect()]
    await clock.runUntil(119_000)
    expect(silent.events()).toEqual([])
    await clock.runUntil(121_000)
    expect(silent.events()).toEqual(['ping'])
    expect(answers.events()).toEqual(['ping'])
    answers.says({ event: 'pusher:pong' })
    await clock.runUntil(149_000)
    expect(silent.closed).toBeUndefined()
    await clock.runUntil(151_000)
    expect([silent.closed, answers.closed]).toEqual([4201, undefined])
    stop()
  })

  test('one that does not read is dropped, and its member leaves', () => {
    const [slow, other] = [connect(), connect()]
    slow.subscribe('presence-a', 'slow')
    other.subscribe('presence-a', 'other')
    other.take()
    slow.unsent = 1001
    node.publish({ channel: 'presence-a', name: 'said', data: '1' })
    expect(slow.isDestroyed).toBe(true)
    expect(other.events().toSorted()).toEqual(['member_removed', 'said'])
    expect(node.stats().connections).toBe(1)
  })
})

describe('rights that end', () => {
  test('by user, by channel, by beginning of channels', () => {
    const [ada, bob] = [connect('ada'), connect('bob')]
    for (const client of [ada, bob])
      for (const channel of ['private-table.a', 'private-table.b', 'private-c'])
        client.subscribe(channel)
    const left = () => [ada, bob].map(({ connection }) => [...connection.channels.keys()])
    node.revoke({ user: 'ada', channel: 'private-table.a' })
    expect(left()[0]).toEqual(['private-table.b', 'private-c'])
    node.revoke({ channel: 'private-table.*' })
    expect(left()).toEqual([['private-c'], ['private-c']])
    node.revoke({ user: 'bob' })
    expect(left()).toEqual([['private-c'], []])
    expect(() => node.revoke({})).toThrow('Name the user')
    expect(bob.take().at(-1)).toMatchObject({ channel: 'private-c', data: { status: 403 } })
  })

  test('by asking about each subscription', async () => {
    const [ada, bob] = [connect('ada'), connect('bob')]
    for (const client of [ada, bob]) client.subscribe('private-a')
    expect(await node.review(async ({ requester }) => requester.person === 'bob')).toBe(1)
    expect([ada.connection.channels.size, bob.connection.channels.size]).toEqual([0, 1])
  })

  test('where the question fails, which stops no other, and a few are asked side by side', async () => {
    const clients = Array.from({ length: 10 }, (_, at) => connect(`p${at}`))
    for (const client of clients) client.subscribe('private-a')
    const broken = new Error('broken')
    let [running, most] = [0, 0]
    const count = await node.review(async ({ requester }) => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
      if (requester.person === 'p1') throw broken
      return requester.person !== 'p9'
    })
    const left = clients.map(({ connection }) => connection.channels.size)
    expect([count, left]).toEqual([2, [1, 0, 1, 1, 1, 1, 1, 1, 1, 0]])
    expect([reported, most]).toEqual([[broken], 4])
  })

  test('end on a node that has missed it as soon as it hears the others again', async () => {
    const end = memoryBus(clock)
    const bus = end()
    let isDeaf = false
    const deaf: Bus = {
      ...bus,
      open: ({ heard, back }) => bus.open({ heard: (text) => isDeaf || heard(text), back }),
    }
    const one = nodeWith({ clock, name: 'one', bus: end() })
    const two = nodeWith({ clock, name: 'two', bus: deaf })
    await clock.runUntil(clock.now() + 1000)
    const zoe = new Client(two, '2.1', clock.now(), 'zoe')
    zoe.subscribe('private-a')
    isDeaf = true
    one.revoke({ user: 'zoe' })
    await clock.runUntil(clock.now() + 2000)
    expect(zoe.events()).toEqual(['subscription_succeeded'])
    isDeaf = false
    await clock.runUntil(clock.now() + 2000)
    expect(zoe.events()).toEqual(['subscription_error'])
    zoe.subscribe('private-a')
    await clock.runUntil(clock.now() + 10_000)
    expect(zoe.events()).toEqual(['subscription_succeeded'])
  })
})

describe('webhooks', () => {
  const told = () => posted.flat().map(({ name, channel }) => `${name} ${channel}`)

  test('tell who comes and goes, but not who comes back within 3 s', async () => {
    const client = connect()
    client.subscribe('presence-a', 'ada')
    await clock.runUntil(100)
    expect(told()).toEqual(['channel_occupied presence-a', 'member_added presence-a'])
    node.hub.remove(client.connection)
    await clock.runUntil(2000)
    const again = connect()
    again.subscribe('presence-a', 'ada')
    await clock.runUntil(10_000)
    expect(told()).toHaveLength(2)
    node.hub.remove(again.connection)
    await clock.runUntil(14_000)
    expect(told().slice(2).toSorted()).toEqual([
      'channel_vacated presence-a',
      'member_removed presence-a',
    ])
  })

  test('tell of client events and of caches that were empty', async () => {
    const client = connect()
    client.subscribe('private-cache-a')
    client.says({ event: 'client-a', channel: 'private-cache-a', data: { x: 1 } })
    await clock.runUntil(100)
    expect(posted.flat()).toEqual([
      { name: 'channel_occupied', channel: 'private-cache-a' },
      {
        name: 'client_event',
        channel: 'private-cache-a',
        event: 'client-a',
        data: '{"x":1}',
        socket_id: client.connection.id,
      },
      { name: 'cache_miss', channel: 'private-cache-a' },
    ])
  })

  test('an endpoint hears of the events it wants', async () => {
    node = start({ webhooks: [{ url: 'a', events: ['channel_occupied'] }] })
    connect().subscribe('presence-a', 'ada')
    await clock.runUntil(100)
    expect(told()).toEqual(['channel_occupied presence-a'])
  })

  test('are tried again, ever later, for five minutes, in their order', async () => {
    const tries: number[] = []
    let isUp = false
    const bodies: string[] = []
    node = start({
      post: async (_url, body) => {
        tries.push(clock.now())
        if (!isUp) throw new Error('refused')
        bodies.push(body)
        return 204
      },
    })
    connect().subscribe('a')
    await clock.runUntil(10_000)
    connect().subscribe('b')
    expect(tries).toEqual([50, 1050, 3050, 7050])
    isUp = true
    await clock.runUntil(20_000)
    expect(
      bodies.map(
        (body) => (JSON.parse(body) as { events: [{ channel: string }] }).events[0].channel,
      ),
    ).toEqual(['a', 'b'])
    isUp = false
    for (const channel of ['c', 'd', 'e']) connect().subscribe(channel)
    await clock.runUntil(400_000)
    expect(tries.at(-1)).toBeLessThanOrEqual(320_000)
    expect(node.stats().webhooksDropped).toBe(3)
  })

  test('those that wait for an endpoint that is down have a bound', async () => {
    node = start({ post: () => Promise.reject(new Error('refused')) })
    for (let at = 0; at < 200; at++) {
      connect().subscribe(`a-${at}`)
      await clock.runUntil(clock.now() + 60)
    }
    expect(node.stats().webhooksDropped).toBe(100)
  })
})

test('an event of a broadcaster’s channel goes to listeners; what clients say does not', () => {
  const heard: unknown[] = []
  const stop = node.listen('private-a', (delivery) => heard.push(delivery.name))
  const client = connect()
  client.subscribe('private-a')
  client.says({ event: 'client-a', ...{ channel: 'private-a', data: 1 } })
  node.trigger({ name: 'said', data: '1' }, ['private-a'])
  stop()
  node.trigger({ name: 'later', data: '1' }, ['private-a'])
  expect(heard).toEqual(['said'])
  expect(client.take()).toMatchObject([{}, said(1), { event: 'later' }])
})

test('a listener that fails is reported, and the others hear the event', () => {
  const heard: string[] = []
  const broken = new Error('broken')
  node.listen('private-a', () => {
    throw broken
  })
  node.listen('private-a', ({ name }) => heard.push(name))
  node.trigger({ name: 'said', data: '1' }, ['private-a'])
  expect(heard).toEqual(['said'])
  expect(reported).toEqual([broken])
})
