import { createServer } from 'node:http'
import Echo from 'laravel-echo'
import ServerLibrary from 'pusher'
import type { PresenceChannel } from 'pusher-js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { APP, type Host, startHost, subscribed } from './host.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({ subscriptionCounts: true })
})
afterAll(() => host.close())

const next = (
  channel: { bind(name: string, run: (data: unknown) => void): unknown },
  name: string,
) => new Promise((resolve) => void channel.bind(name, resolve))

describe('pusher-js', () => {
  test('hears what Pusher’s server library publishes on a public channel', async () => {
    const channel = host.client().subscribe('news')
    await subscribed(channel)
    const heard = next(channel, 'said')
    await host.library.trigger('news', 'said', { text: 'Hello' })
    expect(await heard).toEqual({ text: 'Hello' })
  })

  test('subscribes to a private channel, and is refused where the endpoint refuses', async () => {
    const client = host.client()
    const channel = client.subscribe('private-a')
    await subscribed(channel)
    const heard = next(channel, 'said')
    host.realtime.publish({ channels: ['private-a'], name: 'said', data: 1 })
    expect(await heard).toBe(1)
    host.denied.add('private-denied')
    await expect(subscribed(client.subscribe('private-denied'))).rejects.toMatchObject({
      status: 403,
    })
  })

  test('subscribes to a private channel with signed data of a member, which say nothing there', async () => {
    const client = host.client('ada', {
      channelAuthorization: {
        transport: 'ajax',
        endpoint: '',
        customHandler: ({ socketId, channelName }, callback) => {
          const member = { user_id: 'ada', user_info: { name: 'Ada' } }
          callback(null, host.library.authorizeChannel(socketId, channelName, member))
        },
      },
    })
    const channel = client.subscribe('private-b')
    await subscribed(channel)
    const heard = next(channel, 'said')
    await host.library.trigger('private-b', 'said', 1)
    expect(await heard).toBe(1)
  })

  test('is refused on the channel if the signature is another’s', async () => {
    const client = host.client('ada', {
      channelAuthorization: {
        transport: 'ajax',
        endpoint: '',
        customHandler: (_params, callback) => callback(null, { auth: `a-key:${'0'.repeat(64)}` }),
      },
    })
    await expect(subscribed(client.subscribe('private-a'))).rejects.toMatchObject({
      type: 'AuthError',
      status: 401,
    })
    expect(client.connection.state).toBe('connected')
  })

  test('the socket that causes an event does not hear it', async () => {
    const [ada, bob] = [host.client('ada'), host.client('bob')]
    const channels = [ada.subscribe('news-2'), bob.subscribe('news-2')]
    await Promise.all(channels.map(subscribed))
    const own: unknown[] = []
    channels[0]!.bind('said', (data: unknown) => own.push(data))
    const heard = next(channels[1]!, 'last')
    const params = { socket_id: ada.connection.socket_id }
    await host.library.trigger('news-2', 'said', 'not for Ada', params)
    await host.library.trigger('news-2', 'last', 'for all')
    await heard
    expect(own).toEqual([])
  })

  test('sees the members of a presence channel come and go, each once', async () => {
    const [ada, bob, again] = [host.client('ada'), host.client('bob'), host.client('bob')]
    const first = ada.subscribe('presence-room') as PresenceChannel
    await subscribed(first)
    expect(first.members.me).toEqual({ id: 'ada', info: { name: 'User ada' } })
    const seen: string[] = []
    first.bind('pusher:member_added', ({ id }: { id: string }) => seen.push(`+${id}`))
    first.bind('pusher:member_removed', ({ id }: { id: string }) => seen.push(`-${id}`))
    const second = bob.subscribe('presence-room') as PresenceChannel
    await subscribed(second)
    expect(Object.keys(second.members.members)).toEqual(['ada', 'bob'])
    await subscribed(again.subscribe('presence-room'))
    bob.disconnect()
    await subscribed(host.client('eve').subscribe('presence-room'))
    expect((await host.library.get({ path: '/channels/presence-room/users' })).status).toBe(200)
    again.unsubscribe('presence-room')
    await vi.waitFor(() => expect(seen).toEqual(['+bob', '+eve', '-bob']))
  })

  test('receives the last event of a cache channel, or learns that there is none', async () => {
    const empty = host.client().subscribe('cache-a')
    await next(empty, 'pusher:cache_miss')
    await host.library.trigger('cache-a', 'price', { value: 7 })
    const channel = host.client().subscribe('cache-a')
    expect(await next(channel, 'price')).toEqual({ value: 7 })
  })

  test('reads an encrypted channel that the server cannot read', async () => {
    const client = host.client()
    const channel = client.subscribe('private-encrypted-cache-a')
    await subscribed(channel)
    const heard = next(channel, 'secret')
    await host.library.trigger('private-encrypted-cache-a', 'secret', { text: 'Psst' })
    expect(await heard).toEqual({ text: 'Psst' })
    const { body } = await channelInfo('private-encrypted-cache-a', 'cache')
    expect(JSON.stringify(body)).toContain('ciphertext')
    expect(JSON.stringify(body)).not.toContain('Psst')
  })

  test('sends client events to the others, who know on presence channels from whom', async () => {
    const [ada, bob] = [host.client('ada'), host.client('bob')]
    const channels = [ada.subscribe('presence-talk'), bob.subscribe('presence-talk')]
    await Promise.all(channels.map(subscribed))
    const own = vi.fn()
    channels[0]!.bind('client-typing', own)
    const heard = new Promise((resolve) => {
      channels[1]!.bind('client-typing', (data: unknown, from: unknown) => resolve([data, from]))
    })
    channels[0]!.trigger('client-typing', { at: 3 })
    expect(await heard).toEqual([{ at: 3 }, { user_id: 'ada' }])
    expect(own).not.toHaveBeenCalled()
  })

  test('signs in, is spoken to as a user, and is cut off', async () => {
    const client = host.client('zoe')
    client.signin()
    const heard = new Promise((resolve) => void client.user.bind('note', resolve))
    await client.user.signinDonePromise
    await vi.waitFor(async () =>
      expect((await channelInfo('#server-to-user-zoe')).body).toMatchObject({ occupied: true }),
    )
    await host.library.sendToUser('zoe', 'note', { text: 'Hi' })
    expect(await heard).toEqual({ text: 'Hi' })
    const end = new Promise((resolve) => void client.connection.bind('disconnected', resolve))
    await host.library.terminateUserConnections('zoe')
    await end
  })

  test('learns how many subscribe', async () => {
    const channel = host.client().subscribe('counted')
    expect(await next(channel, 'pusher:subscription_count')).toEqual({ subscription_count: 1 })
  })

  test('a right that is withdrawn ends the subscription, on that channel only', async () => {
    const client = host.client('ada')
    const channel = client.subscribe('private-table.orders')
    const other = client.subscribe('private-other')
    await Promise.all([subscribed(channel), subscribed(other)])
    const refused = next(channel, 'pusher:subscription_error')
    host.realtime.revoke({ channel: 'private-table.*' })
    expect(await refused).toMatchObject({ status: 403 })
    const heard = next(other, 'said')
    const lost = vi.fn()
    channel.bind('said', lost)
    host.realtime.publish({
      channels: ['private-table.orders', 'private-other'],
      name: 'said',
      data: 1,
    })
    await heard
    expect(lost).not.toHaveBeenCalled()
  })

  test('comes back with its channels, at once, when another server has taken the place', async () => {
    const other = await startHost()
    const client = other.client()
    const channel = client.subscribe('private-a')
    await subscribed(channel)
    const again = subscribed(channel)
    const happened: string[] = []
    client.connection.bind('connecting', () => happened.push('connecting'))
    // How long clients wait after other closes. Timers end in their order, however busy the machine is.
    const wait = setTimeout(() => happened.push('a second later'), 1000)
    await other.replace()
    await again
    clearTimeout(wait)
    expect(happened[0]).toBe('connecting')
    await other.close()
  })
})

test('laravel-echo joins private, encrypted and presence channels, whispers, and leaves', async () => {
  const echoOf = (user: string) => {
    return new Echo({ broadcaster: 'pusher', key: 'a-key', client: host.client(user) })
  }
  const [ada, bob] = [echoOf('ada'), echoOf('bob')]
  const here = new Promise((resolve) => void ada.join('hall').here(resolve))
  expect(await here).toEqual([{ name: 'User ada' }])
  const joined = new Promise((resolve) => void ada.join('hall').joining(resolve))
  const whispered = new Promise(
    (resolve) => void ada.join('hall').listenForWhisper('typing', resolve),
  )
  const hall = bob.join('hall')
  await new Promise((resolve) => void hall.here(resolve))
  expect(await joined).toEqual({ name: 'User bob' })
  hall.whisper('typing', { at: 1 })
  expect(await whispered).toEqual({ at: 1 })
  const shipped = new Promise((resolve) => {
    const channel = ada.private('orders').listen('Shipped', resolve)
    channel.subscribed(() => {
      host.realtime.publish({
        channels: ['private-orders'],
        name: 'App\\Events\\Shipped',
        data: { id: 7 },
      })
    })
  })
  expect(await shipped).toEqual({ id: 7 })
  const secret = new Promise((resolve) => {
    const channel = ada.encryptedPrivate('orders').listen('.secret', resolve)
    channel.subscribed(
      () => void host.library.trigger('private-encrypted-orders', 'secret', { id: 8 }),
    )
  })
  expect(await secret).toEqual({ id: 8 })
  ada.leave('orders')
  await vi.waitFor(async () =>
    expect((await channelInfo('private-orders')).body).toEqual({ occupied: false }),
  )
})

describe('Pusher’s server library', () => {
  test('publishes batches, asks about channels and users, and is told who else hears', async () => {
    const channel = host.client('ada').subscribe('presence-office')
    await subscribed(channel)
    const heard = [next(channel, 'one'), next(channel, 'two')]
    const answer = await host.library.triggerBatch([
      { channel: 'presence-office', name: 'one', data: { at: 1 }, info: 'user_count' },
      { channel: 'presence-office', name: 'two', data: 'text' },
    ])
    expect(await answer.json()).toEqual({ batch: [{ user_count: 1 }, {}] })
    expect(await Promise.all(heard)).toEqual([{ at: 1 }, 'text'])
    const { body } = await channelInfo('presence-office', 'user_count,subscription_count')
    expect(body).toEqual({ occupied: true, user_count: 1, subscription_count: 1 })
    const users = await host.library.get({ path: '/channels/presence-office/users' })
    expect(await users.json()).toEqual({ users: [{ id: 'ada' }] })
    const params = { filter_by_prefix: 'presence-off', info: 'user_count' }
    const channels = await host.library.get({ path: '/channels', params })
    expect(await channels.json()).toEqual({ channels: { 'presence-office': { user_count: 1 } } })
  })

  test('is refused with a wrong secret, for too large data and malformed names', async () => {
    const wrong = new ServerLibrary({
      ...{ appId: APP.id, key: APP.key, secret: 'another', useTLS: false },
      host: '127.0.0.1',
      port: String(host.port),
    })
    await expect(wrong.trigger('a', 'b', 1)).rejects.toMatchObject({ status: 401 })
    await expect(host.library.trigger('a', 'b', 'x'.repeat(10_241))).rejects.toMatchObject({
      status: 413,
    })
  })

  test('verifies the webhooks that a listening application receives', async () => {
    const received: { body: string; headers: Record<string, string> }[] = []
    const hook = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        // Node joins all headers but cookies into one text.
        received.push({ body, headers: request.headers as Record<string, string> })
        response.end()
      })
    })
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
    const { port } = hook.address() as { port: number }
    const other = await startHost({ webhooks: [{ url: `http://127.0.0.1:${port}/hook` }] })
    await subscribed(other.client('ada').subscribe('presence-hooked'))
    await vi.waitFor(() => expect(received).toHaveLength(1))
    const [{ body: rawBody, headers }] = received as [(typeof received)[0]]
    const webhook = other.library.webhook({ rawBody, headers })
    expect(webhook.isValid()).toBe(true)
    expect(webhook.getEvents()).toEqual([
      { name: 'channel_occupied', channel: 'presence-hooked' },
      { name: 'member_added', channel: 'presence-hooked', user_id: 'ada' },
    ])
    await other.close()
    hook.close()
  })
})

async function channelInfo(channel: string, info = ''): Promise<{ status: number; body: unknown }> {
  const path = `/channels/${encodeURIComponent(channel)}`
  const answer = await host.library.get({ path, params: info ? { info } : {} })
  return { status: answer.status, body: await answer.json() }
}
