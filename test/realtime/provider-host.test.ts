/** An admin whose events another server carries: the hosted provider, or a compatible one. */

import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PageData } from '../../src/protocol/page.ts'
import { signChannel } from '../../src/realtime/signatures.ts'
import { APP, type Host, startHost } from './host.ts'
import { type LiveAdmin, type LiveSocket, openShop, Person, type Shop } from './live-admin.ts'
import { banned, COUNT, shelfChannel, withShelf } from './shelf.ts'

const KEYS = { PUSHER_APP_ID: '1234', PUSHER_KEY: 'a1b2c3', PUSHER_SECRET: 'd4e5f6a7b8c9' }

let shop: Shop
beforeEach(async () => {
  banned.clear()
  shop = await openShop()
})
afterEach(() => shop.close())

const policyAt = async (path: string, person: Person) => {
  const { headers } = await person.get(path)
  const policy = headers.get('content-security-policy')
  return policy?.split(';').find((directive) => directive.startsWith('connect-src'))
}

describe('the hosted provider', () => {
  const ADDRESS = { key: 'a1b2c3', path: '', host: null, cluster: 'eu' }
  const ENDPOINTS = { authUrl: '/broadcasting/auth', userAuthUrl: '/broadcasting/user-auth' }

  test('is where pages connect, in the cluster eu, and the one other origin that they may', async () => {
    const at = await shop.start({ env: KEYS })
    const ana = await at.signIn('ana')
    const { realtime } = await ana.page('/tables/orders')
    expect(realtime).toEqual({ ...ADDRESS, ...ENDPOINTS, noticedBy: 'version' })
    expect(await policyAt('/tables/orders', ana)).toBe("connect-src 'self' wss://ws-eu.pusher.com")
    expect(await policyAt('/sign-in', new Person(at.origin))).toBe("connect-src 'self'")
  })

  test('needs no socket that the host of an admin would have to pass on', async () => {
    const at = await shop.start({ env: KEYS })
    const ana = await at.signIn('ana')
    const headers = { ...ana.headers, 'x-tablewire-navigate': '1' }
    const answer = await at.admin.fetch(new Request(`${at.origin}/tables/orders`, { headers }))
    const { realtime } = (await answer.json()) as PageData
    expect(realtime).toMatchObject(ADDRESS)
  })

  test('may be in another cluster', async () => {
    const at = await shop.start({ env: { ...KEYS, PUSHER_CLUSTER: 'ap1' } })
    const ana = await at.signIn('ana')
    const { realtime } = await ana.page('/tables/orders')
    expect(realtime).toMatchObject({ cluster: 'ap1', host: null })
    expect(await policyAt('/', ana)).toBe("connect-src 'self' wss://ws-ap1.pusher.com")
  })
})

describe('a compatible server', () => {
  let host: Host
  let env: Record<string, string>
  let at: LiveAdmin
  let ana: Person
  let lines: string[]

  beforeEach(async () => {
    host = await startHost({ origins: () => true })
    lines = []
    env = {
      ...{ PUSHER_APP_ID: APP.id, PUSHER_KEY: APP.key, PUSHER_SECRET: APP.secret },
      PUSHER_HOST: `http://127.0.0.1:${host.port}`,
    }
    at = await shop.start({
      env,
      ...(await withShelf(shop.folder)),
      log: (line) => lines.push(line),
    })
    ana = await at.signIn('ana')
  })
  afterEach(() => host.close())

  /** Says whose a socket is, so that its connection can be ended. */
  async function signInAt(socket: LiveSocket, person: Person): Promise<void> {
    const answer = await person.askToSignIn(socket.id)
    socket.say('pusher:signin', (await answer.json()) as object)
    await socket.wait('pusher:signin_success')
  }

  test('is told whose a socket is by the id, and no name', async () => {
    const socket = await ana.connect()
    const answer = await ana.askToSignIn(socket.id)
    const { user_data: data } = v.parse(v.object({ user_data: v.string() }), await answer.json())
    const id = v.parse(v.strictObject({ id: v.string() }), JSON.parse(data)).id
    expect(id).not.toMatch(/ana/)
  })

  test('is where pages connect, and the admin starts no server of its own', async () => {
    const { realtime } = await ana.page('/tables/orders')
    const origin = `http://127.0.0.1:${host.port}`
    expect(realtime).toMatchObject({ key: APP.key, host: origin, cluster: null, path: '' })
    expect(await policyAt('/', ana)).toBe(`connect-src 'self' ws://127.0.0.1:${host.port}`)
    const { status } = await ana.get(`/apps/${APP.id}/channels`)
    expect(status).toBe(404)
  })

  test('tells of changes to tables that somebody watches', async () => {
    const socket = await ana.connect()
    await socket.subscribe('private-table.orders')
    const before = socket.named('changed').length
    shop.write("insert into orders (note) values ('new')")
    await vi.waitFor(() => expect(socket.named('changed').length).toBeGreaterThan(before), 5000)
    expect(socket.named('changed').at(-1)).toMatchObject({ channel: 'private-table.orders' })
  })

  test('carries what actions broadcast, though not to the socket that asked', async () => {
    const ben = await at.signIn('ben')
    const [anas, bens] = [await ana.connect(), await ben.connect()]
    await anas.subscribe('private-shelf.4')
    await bens.subscribe('private-shelf.4')
    await ana.call(COUNT, anas.id)
    expect((await bens.wait('counted')).data).toEqual({ by: 'ana' })
    await ben.call(COUNT, anas.id)
    // Ben has named a socket that is not his.
    expect((await anas.wait('counted')).data).toEqual({ by: 'ben' })
    expect(anas.named('counted')).toHaveLength(1)
  })

  test('lets nobody join on a socket on which somebody else has asked before', async () => {
    const ben = await at.signIn('ben')
    const socket = await ana.connect()
    await socket.subscribe('private-shelf.4')
    const channel = 'private-table.orders'
    expect((await ben.askToJoin(socket.id, channel)).status).toBe(403)
    expect((await ben.askToSignIn(socket.id)).status).toBe(403)
    expect((await ana.askToJoin(socket.id, channel)).status).toBe(200)
  })

  test('ends the connections of a person who may no longer be on a channel, and no others', async () => {
    const ben = await at.signIn('ben')
    const [anas, bens] = [await ana.connect(), await ben.connect()]
    for (const [socket, person] of [
      [anas, ana],
      [bens, ben],
    ] as const) {
      await signInAt(socket, person)
      await socket.subscribe('private-shelf.4')
    }
    const ending = new Promise((resolve) => anas.socket.once('close', resolve))
    banned.add('ana')
    expect(await ending).toBe(4009)
    await at.admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by: 'the scale' })
    await bens.wait('counted')
    // What Ana may still join, she joins on another socket.
    const again = await ana.connect()
    await signInAt(again, ana)
    await again.subscribe('private-table.orders')
  })

  test('that is away is told once; once it is back, lists that may have missed something are told', async () => {
    const socket = await ana.connect()
    await socket.subscribe('private-table.orders')
    host.denied.add('publishing')
    for (const by of ['one', 'two'])
      await at.admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by })
    await vi.waitFor(() => expect(lines).toHaveLength(1), 5000)
    expect(lines[0]).toBe(
      `127.0.0.1:${host.port} does not take live events: until it does, they are lost.`,
    )
    const before = socket.named('changed').length
    host.denied.clear()
    await at.admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by: 'three' })
    await vi.waitFor(() => expect(socket.named('changed').length).toBeGreaterThan(before), 5000)
  })

  test('that cannot end connections is not away, and the log says so by itself', async () => {
    const socket = await ana.connect()
    await socket.subscribe('private-shelf.4')
    host.denied.add('ending')
    banned.add('ana')
    await vi.waitFor(() => expect(lines).toHaveLength(1), 5000)
    expect(lines[0]).toBe(
      `127.0.0.1:${host.port} does not end connections: whoever loses a right still hears that something has changed, until they leave.`,
    )
  })

  test('is asked every ten seconds who watches, since others may have let them join', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await shop.start({ env })
    const socket = await ana.connect()
    const channel = 'private-table.orders'
    socket.say('pusher:subscribe', { channel, auth: signChannel(APP, socket.id, channel) })
    await socket.wait('pusher_internal:subscription_succeeded', channel)
    await vi.advanceTimersByTimeAsync(5000)
    expect(socket.named('changed')).toEqual([])
    await vi.advanceTimersByTimeAsync(5000)
    await vi.waitFor(() => expect(socket.named('changed')).not.toEqual([]), 5000)
  })
})
