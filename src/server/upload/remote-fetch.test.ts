import { createServer, type Server } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { isPublic } from './remote-address.ts'
import {
  askByHttps,
  createRemoteFetch,
  type RemoteAnswer,
  type RemoteFetchOptions,
} from './remote-fetch.ts'

const PUBLIC = { address: '93.184.215.14', family: 4 }
const never = new AbortController().signal

type Answer = Partial<Omit<RemoteAnswer, 'body'>> & { readonly body?: string | Readable }

/** A network in which every host is public, unless told otherwise, and answers by its address. */
function network(
  answers: Readonly<Record<string, Answer>>,
  options: Partial<RemoteFetchOptions> = {},
) {
  const asked: string[] = []
  const remote = createRemoteFetch({
    hosts: ['a.example', '*.b.example'],
    resolve: async () => [PUBLIC],
    async connect(url, at) {
      asked.push(`${url.href} at ${at.address}`)
      const { status = 200, headers = {}, body = 'hello' } = answers[url.href] ?? { status: 404 }
      return {
        status,
        headers,
        body: typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body,
      }
    },
    ...options,
  })
  const get = async (address: string) => {
    const { name, type, body } = await remote(address, never)
    const pieces = []
    for await (const piece of body) pieces.push(piece)
    return { name, type, text: Buffer.concat(pieces).toString() }
  }
  return { asked, get }
}

test('a file of an allowed host comes with its name and type', async () => {
  const headers = { 'content-type': 'image/PNG; charset=x' }
  const { get, asked } = network({ 'https://x.b.example/p/caf%C3%A9.png?w=1': { headers } })
  expect(await get('https://x.b.example/p/caf%C3%A9.png?w=1')).toEqual({
    ...{ name: 'café.png', type: 'image/png', text: 'hello' },
  })
  expect(asked).toEqual(['https://x.b.example/p/caf%C3%A9.png?w=1 at 93.184.215.14'])
})

test.each([
  ...['http://a.example/x', 'ftp://a.example/x', 'file:///etc/passwd', 'data:text/plain,x'],
  ...['gopher://a.example/x', 'javascript:1', 'blob:https://a.example/1', '//a.example/x', ''],
  ...['https://a.example:8443/x', 'https://me@a.example/x', 'https://me:pw@a.example/x'],
  ...['https://other.example/x', 'https://a.example.evil.example/x', 'https://b.example/x'],
  ...['https://evilb.example/x', 'https://a.example./x', 'https://127.0.0.1/x', 'https://[::1]/x'],
  ...['https://2130706433/x', 'https://0x7f.1/x', 'https://a.example@evil.example/x'],
  ...['https://evil.example#@a.example/', 'https://evil.example\\@a.example/', 'https:///x'],
])('nothing is asked for %s', async (address) => {
  const { get, asked } = network({})
  await expect(get(address)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(asked).toEqual([])
})

const OWN = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['168.63.129.16', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::7f00:1'],
  ...['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', 'fc00::1', 'fd12::1'],
  ...['fe80::1', 'fe80::1%eth0', '2001:4860:4860::8888%eth0', 'fec0::1', 'ff02::1', 'ff0e::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::'],
  ...['3fff::1', '5f00::1', '4000::1', 'localhost', '', '127.1', '0x7f000001', '2130706433'],
]

describe('addresses that are not the public internet’s', () => {
  test.each(OWN)('%s is none', (address) => expect(isPublic(address)).toBe(false))

  test.each([
    '8.8.8.8',
    '93.184.215.14',
    '100.63.255.255',
    '172.32.0.1',
    '2606:4700::1',
    '2a00::1',
  ])('%s is one', (address) => expect(isPublic(address)).toBe(true))

  test('a host with one of them among its addresses is not asked', async () => {
    for (const address of OWN) {
      const family = address.includes(':') ? 6 : 4
      const resolve = async () => [PUBLIC, { address, family }]
      const { get, asked } = network({}, { resolve })
      await expect(get('https://a.example/x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect(asked).toEqual([])
    }
  })
})

test('each redirect is checked as the first address is, and the name is resolved anew', async () => {
  const to = (location: string) => ({ status: 302, headers: { location } })
  const { get, asked } = network({
    'https://a.example/1': to('/2'),
    'https://a.example/2': to('https://x.b.example/3'),
    'https://x.b.example/3': { body: 'there' },
    'https://a.example/out': to('https://evil.example/'),
    'https://a.example/plain': to('http://a.example/1'),
    'https://a.example/inside': to('https://inside.b.example/'),
    'https://a.example/loop': to('/loop'),
    'https://a.example/nowhere': { status: 302 },
  })
  expect((await get('https://a.example/1')).text).toBe('there')
  for (const path of ['out', 'plain', 'loop', 'nowhere'])
    await expect(get(`https://a.example/${path}`)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(asked.filter((text) => text.includes('/loop'))).toHaveLength(4)
  expect(asked.some((text) => text.includes('evil') || text.includes('http:'))).toBe(false)
})

test('a name that answers differently the second time leads nowhere else', async () => {
  let times = 0
  const resolve = async () => [++times === 1 ? PUBLIC : { address: '127.0.0.1', family: 4 }]
  const answers = {
    'https://a.example/x': { status: 302, headers: { location: 'https://a.example/y' } },
    'https://a.example/y': {},
  }
  const { get, asked } = network(answers, { resolve })
  await expect(get('https://a.example/x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(asked).toEqual(['https://a.example/x at 93.184.215.14'])
})

test('what is too large is broken off, whether the host says so or not', async () => {
  const body = 'x'.repeat(11)
  const answers = {
    'https://a.example/said': { headers: { 'content-length': '11' }, body },
    'https://a.example/lied': { headers: { 'content-length': '1' }, body },
    'https://a.example/fits': { body: 'x'.repeat(10) },
  }
  const { get } = network(answers, { maxBytes: 10 })
  expect((await get('https://a.example/fits')).text).toHaveLength(10)
  for (const path of ['said', 'lied'])
    await expect(get(`https://a.example/${path}`)).rejects.toMatchObject({
      code: 'REQUEST_TOO_LARGE',
    })
})

test('a host that cannot be reached, or gives no file, is as one that may not be asked', async () => {
  const { get } = network({}, { resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  await expect(get('https://a.example/x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(network({}).get('https://a.example/x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('nothing of this machine is reached by a name that stands for it', async () => {
  let connected = 0
  const server = createServer((socket) => {
    connected++
    socket.destroy()
  })
  const port = await listening(server)
  // The real connection, but to a port where somebody is listening who counts.
  const connect: RemoteFetchOptions['connect'] = (url, at, signal) =>
    askByHttps(new URL(`https://${url.hostname}:${port}/`), at, signal)
  const hosts = ['localhost', '127.0.0.1', '[::1]']
  const remote = createRemoteFetch({ hosts, connect })
  for (const host of [...hosts, '2130706433', '0x7f.1'])
    await expect(remote(`https://${host}/`, never)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(connected).toBe(0)
  // The same connection does reach it once an address counts as public.
  const at = { address: '127.0.0.1', family: 4 }
  await expect(connect(new URL('https://localhost/'), at, never)).rejects.toThrow()
  expect(connected).toBe(1)
  server.close()
})

test('a host is asked at the address that was checked, by its own name', async () => {
  const said = Promise.withResolvers<string>()
  const server = createServer((socket) => {
    socket.once('data', (hello) => {
      said.resolve(hello.toString('latin1'))
      socket.destroy()
    })
  })
  const port = await listening(server)
  const url = new URL(`https://nowhere.example:${port}/x`)
  const asked = askByHttps(url, { address: '127.0.0.1', family: 4 }, never)
  await expect(asked).rejects.toThrow()
  // Its greeting names the host whose certificate it wants.
  expect(await said.promise).toContain('nowhere.example')
  server.close()
})

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(Number(Object(server.address()).port))),
  )
