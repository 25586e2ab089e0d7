import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { authorizeChannel } from '../../src/realtime/authorize-channel.ts'
import { signChannel } from '../../src/realtime/signatures.ts'
import { app, Client, nodeWith } from './fake-client.ts'
import { APP, type Host, startHost } from './host.ts'
import { malformedFrames } from './malformed-frames.ts'
import { clientFrame, openRaw, says } from './raw-socket.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({ limits: { connectionsPerNetwork: 10_000 } })
})
afterAll(() => host.close())

/** The status that refuses the upgrade, or the code that closes the socket at once. */
const outcome = (path: string, origin?: string, port = host.port): Promise<number | 'open'> =>
  new Promise((resolve) => {
    const socket = new WebSocket(
      `ws://127.0.0.1:${port}${path}`,
      origin === undefined ? {} : { headers: { origin } },
    )
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('message', (data) => {
      // A raw message is a buffer.
      const { event } = JSON.parse((data as Buffer).toString()) as { event: string }
      if (event === 'pusher:connection_established') {
        resolve('open')
        socket.close()
      }
    })
    socket.on('close', (code) => resolve(code))
    socket.on('error', () => resolve(0))
  })

const PATH = `/app/${APP.key}?protocol=7`

test('pages of other origins are refused before the upgrade', async () => {
  const own = 'https://admin.example:4600'
  const strict = await startHost({ origins: [own], allowNoOrigin: false })
  const foreign = [
    'https://evil.example',
    'null',
    'https://admin.example',
    'https://admin.example:4601',
    'http://admin.example:4600',
    'https://www.admin.example:4600',
    'https://admin.example:4600.evil.example',
    'https://evil.example/https://admin.example:4600',
    'https://admin.example:4600/',
    'https://admin.example:4600, https://evil.example',
    'https://127.0.0.1:4600',
    'admin.example:4600',
    '',
  ]
  for (const origin of foreign) expect(await outcome(PATH, origin, strict.port), origin).toBe(403)
  expect(await outcome(PATH, undefined, strict.port)).toBe(403)
  expect(await outcome(PATH, own, strict.port)).toBe('open')
  await strict.close()
})

test('other apps and versions of the protocol are closed with the protocol’s codes', async () => {
  const codes = {
    '/app/unknown?protocol=7': 4001,
    '/app/?protocol=7': 4001,
    [`/app/${APP.key}`]: 4008,
    [`/app/${APP.key}?protocol=`]: 4006,
    [`/app/${APP.key}?protocol=7a`]: 4006,
    [`/app/${APP.key}?protocol=4`]: 4007,
    [`/app/${APP.key}?protocol=8`]: 4007,
    [`/app/${APP.key}?protocol=5`]: 'open',
    [`/app/${APP.key}/more?protocol=7`]: 0,
    '/elsewhere': 0,
  }
  for (const [path, code] of Object.entries(codes)) expect(await outcome(path), path).toBe(code)
})

test('over capacity, in all or for one person, sockets are told to come later', async () => {
  const full = await startHost({
    limits: { connections: 3, connectionsPerPerson: 2 },
    requesterOf: async ({ url }) => ({
      ip: '127.0.0.1',
      person: new URLSearchParams(url?.split('?')[1]).get('as') ?? 'x',
    }),
  })
  const open = () =>
    new Promise<WebSocket>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${full.port}${PATH}&as=ada`)
      socket.once('message', () => resolve(socket))
    })
  const [first] = [await open(), await open()]
  expect(await outcome(`${PATH}&as=ada`, undefined, full.port)).toBe(4100)
  const bob = new WebSocket(`ws://127.0.0.1:${full.port}${PATH}&as=bob`)
  await new Promise((resolve) => bob.once('message', resolve))
  expect(await outcome(`${PATH}&as=eve`, undefined, full.port)).toBe(4100)
  first?.close()
  await vi.waitFor(async () =>
    expect(await outcome(`${PATH}&as=eve`, undefined, full.port)).toBe('open'),
  )
  await full.close()
})

test('a socket whose person cannot be found out is refused', async () => {
  const reported: unknown[] = []
  const broken = new Error('no database')
  const other = await startHost({
    requesterOf: () => Promise.reject(broken),
    report: (error) => reported.push(error),
  })
  expect(await outcome(PATH, undefined, other.port)).toBe(503)
  expect(reported).toEqual([broken])
  await other.close()
})

test('whoever names another person’s socket does not keep events from it', async () => {
  const other = await startHost({
    requesterOf: ({ url }) => ({
      ip: '127.0.0.1',
      person: new URLSearchParams(url).get('as') ?? '',
    }),
  })
  const socket = new WebSocket(`ws://127.0.0.1:${other.port}${PATH}&as=ada`)
  const data = await new Promise<string>((resolve) => {
    // A raw message is a buffer.
    socket.once('message', (message) => resolve((message as Buffer).toString()))
  })
  const id = /[\d]+\.[\d]+/.exec(data)?.[0] ?? ''
  expect(other.realtime.isSocketOf(id, 'ada')).toBe(true)
  expect(other.realtime.isSocketOf(id, 'bob')).toBe(false)
  socket.close()
  await other.close()
})

test('malformed frames end their own connection, each with the right code', async () => {
  const watcher = await openRaw(host.port)
  const frames = malformedFrames()
  expect(frames.length).toBeGreaterThanOrEqual(200)
  for (const { name, bytes, codes } of frames) {
    const raw = await openRaw(host.port)
    raw.socket.write(bytes)
    expect(await raw.closed, name).toBeOneOf(codes)
  }
  watcher.socket.write(says({ event: 'pusher:ping' }))
  await vi.waitFor(() => expect(watcher.texts()).toHaveLength(2))
  watcher.socket.destroy()
  await vi.waitFor(() => expect(host.realtime.stats().connections).toBe(0))
})

describe('a client that sends without end', () => {
  const ends = async (bytes: Buffer, codes: number[]) => {
    const raw = await openRaw(host.port)
    raw.socket.write(bytes)
    expect(await raw.closed).toBeOneOf(codes)
  }

  test('messages, pings or pongs is closed', async () => {
    const frames = [
      says({ event: 'pusher:ping' }),
      clientFrame('{'),
      clientFrame('x', { opcode: 9 }),
      clientFrame('', { opcode: 10 }),
    ]
    for (const frame of frames)
      await ends(Buffer.concat(Array<Buffer>(10_000).fill(frame)), [1008, 0])
  })

  test('100,000 fragments of one byte takes no memory', async () => {
    const before = process.memoryUsage().rss
    const part = clientFrame('x', { opcode: 0, isFinal: false })
    await ends(
      Buffer.concat([clientFrame('{', { isFinal: false }), ...Array<Buffer>(100_000).fill(part)]),
      [1008],
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(20e6)
  })

  test('subscribes to no more channels than it may have', async () => {
    const raw = await openRaw(host.port)
    for (let at = 0; at < 150; at++)
      raw.socket.write(says({ event: 'pusher:subscribe', data: { channel: `a-${at}` } }))
    await vi.waitFor(() => expect(raw.texts()).toHaveLength(151))
    expect(host.realtime.stats().channels).toBe(100)
    raw.socket.destroy()
  })
})

test('a socket that never reads is dropped, and slows nobody', async () => {
  const [deaf, reader] = [await openRaw(host.port), await openRaw(host.port)]
  for (const { socket } of [deaf, reader])
    socket.write(says({ event: 'pusher:subscribe', data: { channel: 'loud' } }))
  await vi.waitFor(() => expect(deaf.texts()).toHaveLength(2))
  await vi.waitFor(() => expect(reader.texts()).toHaveLength(2))
  deaf.socket.pause()
  const data = 'x'.repeat(10_000)
  let sent = 0
  // The kernel takes some megabytes before anything waits.
  while (host.realtime.stats().dropped === 0 && sent < 10_000) {
    host.realtime.publish({ channels: ['loud'], name: `e-${sent++}`, data })
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(host.realtime.stats()).toMatchObject({ dropped: 1, connections: 1 })
  await vi.waitFor(() => expect(reader.texts()).toHaveLength(sent + 2))
  deaf.socket.destroy()
  reader.socket.destroy()
})

describe('of 10,000 forgeries', () => {
  /** A node whose clients are each new, so that none has sent too much. */
  const node = nodeWith({ clock: { now: () => 0, later: () => () => {} } })
  const subscribe = (at: number, data: object) => {
    const client = new Client(node, `7.${at}`, 0)
    client.says({ event: 'pusher:subscribe', data })
    const isIn = client.connection.channels.size > 0
    node.hub.remove(client.connection)
    return isIn
  }

  test('no signature opens a channel', () => {
    const makers: ((at: number) => object)[] = [
      (at) => ({ channel: 'private-a', auth: `${app.key}:${randomBytes(32).toString('hex')}`, at }),
      (at) => ({ channel: 'private-a', auth: signChannel(app, `7.${at + 1}`, 'private-a') }),
      (at) => ({ channel: 'private-a', auth: signChannel(app, `7.${at}`, 'private-b') }),
      (at) => ({
        channel: 'private-a',
        auth: signChannel({ ...app, secret: 'b'.repeat(20) }, `7.${at}`, 'private-a'),
      }),
      (at) => ({
        channel: 'private-a',
        auth: signChannel({ ...app, key: 'another' }, `7.${at}`, 'private-a'),
      }),
      (at) => ({
        channel: 'private-a',
        auth: signChannel(app, `7.${at}`, 'private-a', '{"user_id":"1"}'),
        channel_data: '{"user_id":"2"}',
      }),
      (at) => ({
        channel: 'private-a',
        auth: signChannel(app, `7.${at}`, 'private-a'),
        channel_data: '{"user_id":"1"}',
      }),
      (at) => ({
        channel: 'presence-a',
        auth: signChannel(app, `7.${at}`, 'presence-a', '{"user_id":"1"}'),
        channel_data: '{"user_id":"2"}',
      }),
      (at) => ({
        channel: 'presence-a',
        auth: signChannel(app, `7.${at}`, 'presence-a', `{"user_id":"${at}","user_id":"1"}`),
        channel_data: `{"user_id":"${at}","user_id":"1"}`,
      }),
      (at) => ({ channel: 'private-encrypted-a', auth: signChannel(app, `7.${at}`, 'private-a') }),
      (at) => ({ channel: `#server-to-user-${at}`, auth: '' }),
    ]
    let accepted = 0
    for (let at = 0; at < 10_000; at++)
      accepted += Number(subscribe(at, makers[at % makers.length]!(at)))
    expect(accepted).toBe(0)
    expect(subscribe(1, { channel: 'private-a', auth: signChannel(app, '7.1', 'private-a') })).toBe(
      true,
    )
  })

  test('no socket id or channel name is signed or subscribed to', () => {
    const spoil = ':/ \n\0é#"\\*?%&+~()<>{}|^`\u202e\ud800'
    let accepted = 0
    for (let at = 0; at < 10_000; at++) {
      const junk = spoil[at % spoil.length]!
      const place = at % 9
      const spoilt = (text: string) => text.slice(0, place) + junk + text.slice(place)
      for (const ask of [
        { socketId: spoilt(`${at}.${at}`), channel: 'private-abc' },
        { socketId: `${at}.${at}`, channel: `private-${spoilt('abc-name')}` },
      ])
        try {
          authorizeChannel({ app, ...ask })
          accepted++
        } catch (error) {
          expect(error).toMatchObject({ code: 'REQUEST_INVALID' })
        }
      accepted += Number(subscribe(at, { channel: spoilt('public-name'), auth: '' }))
    }
    expect(accepted).toBe(0)
  })
})
