/** Uploads of an admin whose files are in S3: put there by browsers, looked at by the server, kept by neither alone. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createUpload } from '../../src/client/upload.ts'
import type { UploadRequest } from '../../src/client/upload-request.ts'
import { defineComponent, page, uploadedFiles } from '../../src/exports/index.ts'
import type { Json } from '../../src/protocol/json.ts'
import { UPLOAD_CALLS, type UploadAddress } from '../../src/protocol/upload.ts'
import type { UpdateResponse } from '../../src/protocol/wire.ts'
import { ANA, browse, type Guest, openGuest, people } from '../embedding/guest.ts'
import { type Host, HOSTS } from '../embedding/hosts.ts'
import { writeClient } from '../own-client.ts'
import { type FakeS3, openFakeS3 } from './fake-s3.ts'

const desk = defineComponent({
  name: 'desk',
  state: { notes: uploadedFiles, read: v.string() },
  uploads: { notes: { types: ['text/plain', 'image/png'], multiple: true } },
  authorize: () => true,
  mount: () => ({ notes: [], read: '' }),
  actions: {
    readFirst: {
      args: v.strictTuple([]),
      async run({ state, uploads }) {
        const [first] = state.notes
        if (first) state.read = await text(await uploads.read(first))
      },
    },
    keepFirst: {
      args: v.strictTuple([]),
      async run({ state, uploads }) {
        const [first] = state.notes
        if (first) state.read = await uploads.keep(first)
      },
    },
  },
  view: ({ state }) => ({ names: state.notes.map(({ name }) => name), read: state.read }),
})

let s3: FakeS3
let folder: string
let guest: Guest
let host: Host
let now = Date.now()

beforeAll(async () => {
  s3 = await openFakeS3()
  folder = mkdtempSync(join(tmpdir(), 'tablewire-s3-'))
  const client = await writeClient(join(folder, 'client'), `{ '/desk': () => 'desk' }`)
  people.set('ana', ANA)
  people.set('ben', { ...ANA, id: 'u3', name: 'Ben', session: 's3' })
  guest = await openGuest({
    pages: [page('/desk', { title: 'Desk', components: { desk: desk.with() } })],
    ...{ client, components: [desk], now: () => now },
    env: {
      TABLEWIRE_SECRET: 'known to the tests alone 0123456789',
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint,
      S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    },
  })
  host = await HOSTS['node:http']!(guest.admin)
})
afterAll(async () => {
  await host.close()
  await guest.close()
  await s3.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  // What holds for the origin is asked for again after a while.
  now += 60 * 60_000
  s3.cors = [{ origins: [host.origin], methods: ['PUT'], headers: ['content-type'] }]
  s3.objects.clear()
  s3.requests.length = 0
  s3.fault = () => undefined
  guest.log.length = 0
})
afterEach(() => expect(guest.log.join('\n')).not.toContain(s3.credentials.secretAccessKey))

/** Keys in the bucket, without what is random in them. */
const stored = () =>
  [...s3.objects.keys()].map((key) => key.replace(/[\w-]{22}/, '<id>').replace(/-[\w-]{43}$/, ''))

/** A page that somebody has open, whose snapshot goes on with each answer. */
async function openPage(person = 'ana') {
  const browser = browse(host.origin, `host=${person}`)
  const shown = await browser.page('/admin/desk')
  let { snapshot } = shown.components.find(({ name }) => name === 'desk')!
  let view: Json = null
  async function call(method: string, ...params: Json[]): Promise<Json> {
    const part = { snapshot, updates: {}, calls: [{ method, params }] }
    const body = JSON.stringify({ _token: shown.csrf, components: [part] })
    const answer = await browser.post(shown.updateUrl, body)
    const answered: unknown = await answer.json()
    if (!answer.ok) throw new Error(JSON.stringify(answered))
    const [component] = (answered as UpdateResponse).components
    snapshot = component?.snapshot ?? snapshot
    view = component?.effects.view ?? view
    return component?.effects.returns?.[0] ?? null
  }
  const start = async (name: string, size: number, type = 'text/plain') =>
    (await call(
      UPLOAD_CALLS.start,
      'notes',
      [{ name, size, type }],
      true,
    )) as unknown as UploadAddress
  const finish = ({ paths }: UploadAddress) => call(UPLOAD_CALLS.finish, 'notes', [...paths], true)
  return { call, start, finish, view: () => view, csrf: shown.csrf, browser }
}

/** What a browser sends: the origin of the page comes of itself. */
const put = ({ url, put: given }: UploadAddress, body: string) =>
  fetch(url, { method: 'PUT', body, headers: { ...given?.headers, origin: host.origin } })

test('a file is put into the storage by its page, with the server’s headers alone (spec §7)', async () => {
  const { call, csrf, view, browser } = await openPage()
  const sent: UploadRequest[] = []
  const upload = createUpload({
    ...{ property: 'notes', multiple: true, component: { call } },
    ...{ csrf: () => csrf, socketId: () => '1.2', wait: async () => {} },
    async send(request) {
      sent.push(request)
      const { method, headers, body } = request
      const answer = await browser.ask(request.url, {
        method,
        body,
        headers: { ...headers, origin: host.origin },
      })
      return { status: answer.status, text: await answer.text() }
    },
  })
  upload.add([new File(['hello'], 'a.txt', { type: 'text/plain' })])
  await expect.poll(() => view()).toMatchObject({ names: ['a.txt'] })
  expect(upload.getState()).toEqual([])
  expect(sent).toMatchObject([{ method: 'PUT', headers: { 'Content-Type': 'text/plain' } }])
  expect(sent[0]?.url.startsWith(`${s3.endpoint}/${s3.bucket}/tablewire/direct/`)).toBe(true)
  expect(stored()).toEqual(['tablewire/pending/<id>'])
  await call('readFirst')
  expect(view()).toMatchObject({ read: 'hello' })
  await call('keepFirst')
  await call('keepFirst')
  expect([...s3.objects.keys()]).toEqual([`tablewire/${String((view() as { read: string }).read)}`])
  await call('readFirst')
  expect(view()).toMatchObject({ read: 'hello' })
})

test('a second PUT, after the finish, changes nothing that anybody reads', async () => {
  const { start, finish, call, view } = await openPage()
  const address = await start('a.txt', 5)
  expect((await put(address, 'hello')).status).toBe(200)
  await finish(address)
  expect((await put(address, 'hallo')).status).toBe(200)
  await finish(address)
  await call('readFirst')
  expect(view()).toEqual({ names: ['a.txt'], read: 'hello' })
})

test.each([
  ['other bytes', 'he\0lo', 5, 'holds something else than its name says'],
  ['nothing', undefined, 5, 'did not arrive whole'],
])('%s: what was put and is not the file leaves nothing', async (_what, body, size, reason) => {
  const { start, finish, view } = await openPage()
  const address = await start('a.txt', size)
  if (body !== undefined) expect((await put(address, body)).status).toBe(200)
  await expect(finish(address)).rejects.toThrow(reason)
  expect([stored(), view()]).toEqual([[], null])
  // A retry of the same call is told the same: there is no such file.
  await expect(finish(address)).rejects.toThrow('NOT_FOUND')
})

test('another size or type than was announced does not reach the storage', async () => {
  const { start } = await openPage()
  const address = await start('a.txt', 5)
  const statuses = [await put(address, 'hello, you'), await put(address, 'hell')]
  const other = { ...address, put: { headers: { 'Content-Type': 'text/html' } } }
  statuses.push(await put(other, 'hello'))
  expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403])
  expect(stored()).toEqual([])
})

test('an address that is altered anywhere, or too old, is no permission', async () => {
  const { start } = await openPage()
  const address = await start('a.txt', 5)
  const { url } = address
  const signed = new URL(url)
  const id = address.paths[0] ?? ''
  const otherId = id.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
  const altered = [
    url.replace(id, otherId),
    url.replace('/direct/', '/kept/'),
    `${url}&acl`,
    ...[...signed.searchParams].flatMap(([name, value]) => {
      const [without, other] = [new URL(url), new URL(url)]
      without.searchParams.delete(name)
      other.searchParams.set(name, name === 'X-Amz-Expires' ? '86400' : `${value}0`)
      return [without.href, other.href]
    }),
  ]
  for (const one of altered) {
    const { status } = await put({ ...address, url: one }, 'hello')
    expect([one, status]).toEqual([one, 403])
  }
  const late = await start('b.txt', 5)
  s3.ahead = 5 * 60_000 + 1000
  expect((await put(late, 'hello')).status).toBe(403)
  s3.ahead = 0
  expect(stored()).toEqual([])
  // What was not altered is one.
  expect((await put(await start('c.txt', 5), 'hello')).status).toBe(200)
})

test('the size is looked at, too, whatever a storage has let through', async () => {
  const { start, finish } = await openPage()
  const address = await start('a.txt', 5)
  await put(address, 'hello')
  const [key = ''] = s3.objects.keys()
  s3.objects.set(key, { bytes: Buffer.from('hello, you'), type: 'text/plain', at: Date.now() })
  await expect(finish(address)).rejects.toThrow('did not arrive whole')
  expect(stored()).toEqual([])
})

test('nobody else finishes, reads or removes what somebody has put', async () => {
  const ana = await openPage()
  const ben = await openPage('ben')
  const address = await ana.start('a.txt', 5)
  await put(address, 'hello')
  await expect(ben.finish(address)).rejects.toThrow('NOT_FOUND')
  await ben.call(UPLOAD_CALLS.remove, 'notes', address.paths[0]!)
  expect(stored()).toEqual(['tablewire/direct/<id>'])
  await ana.finish(address)
  expect(ana.view()).toMatchObject({ names: ['a.txt'] })
})

test('of two that finish at once both are told, and one copy stays', async () => {
  const one = await openPage()
  const address = await one.start('a.txt', 5)
  await put(address, 'hello')
  const two = await openPage()
  await Promise.all([one.finish(address), two.finish(address)])
  expect([one.view(), two.view(), stored()]).toMatchObject([
    { names: ['a.txt'] },
    { names: ['a.txt'] },
    ['tablewire/pending/<id>'],
  ])
})

test('cancelling takes away what was put', async () => {
  const { start, call, finish } = await openPage()
  const address = await start('a.txt', 5)
  await put(address, 'hello')
  await call(UPLOAD_CALLS.remove, 'notes', address.paths[0]!)
  expect(stored()).toEqual([])
  await expect(finish(address)).rejects.toThrow('NOT_FOUND')
})

test('a finish that fails in the middle is told as such, and can be made again', async () => {
  const { start, finish, call, view } = await openPage()
  const address = await start('a.txt', 5)
  await put(address, 'hello')
  for (const [method, part] of [
    ['HEAD', 'direct/'],
    ['PUT', 'pending/'],
    ['GET', 'pending/'],
    ['DELETE', 'direct/'],
  ] as const) {
    s3.fault = (request) =>
      request.method === method && request.url?.includes(part)
        ? { status: 403, code: 'AccessDenied' }
        : undefined
    await expect(finish(address)).rejects.toThrow('STORAGE_UNAVAILABLE')
  }
  // The log has one line a minute for each code.
  expect(guest.log.join('\n')).toContain('S3 allows too little on the bucket [files-of-tests]')
  s3.fault = () => undefined
  await finish(address)
  await call('readFirst')
  expect(view()).toMatchObject({ read: 'hello' })
})

test('without a CORS rule a file goes through the server, and the log names what is missing', async () => {
  s3.cors = []
  const { start, finish, browser, csrf, call, view } = await openPage()
  const address = await start('a.txt', 5)
  expect([address.put, address.url.startsWith('/admin/tablewire/uploads?')]).toEqual([
    undefined,
    true,
  ])
  expect(guest.log.join('\n')).toContain(
    `the CORS rule of the bucket [files-of-tests] lacks AllowedOrigins for pages of ${host.origin}`,
  )
  const body = new FormData()
  body.append('files[]', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
  const headers = {
    ...{ origin: host.origin, 'x-csrf-token': csrf, 'x-requested-with': 'XMLHttpRequest' },
  }
  const answer = await browser.ask(address.url, { method: 'POST', body, headers })
  expect(answer.status).toBe(200)
  await finish(address)
  await call('readFirst')
  expect([stored(), view()]).toMatchObject([['tablewire/pending/<id>'], { read: 'hello' }])
})

test('a storage that does not answer is told as such to whoever sends a file', async () => {
  s3.cors = []
  const { start, browser, csrf } = await openPage()
  const { url } = await start('a.txt', 5)
  s3.fault = () => ({ status: 403, code: 'SignatureDoesNotMatch' })
  const body = new FormData()
  body.append('files[]', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
  const headers = {
    ...{ origin: host.origin, 'x-csrf-token': csrf, 'x-requested-with': 'XMLHttpRequest' },
  }
  const answer = await browser.ask(url, { method: 'POST', body, headers })
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { error: { code: 'STORAGE_UNAVAILABLE' } },
  ])
  expect(stored()).toEqual([])
})

test('an empty file, which nothing could be told of, goes through the server', async () => {
  const { start } = await openPage()
  expect((await start('a.txt', 0)).put).toBeUndefined()
})

test('pages may connect to the storage, and load nothing from it', async () => {
  const answer = await browse(host.origin, 'host=ana').ask('/admin/desk')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy.split(';').filter((directive) => directive.includes(s3.endpoint))).toEqual([
    `connect-src 'self' ${s3.endpoint}`,
  ])
})

test('what is wrong is logged at the start, before anybody sends a file', async () => {
  s3.cors = []
  s3.fault = () => ({ status: 403, code: 'InvalidAccessKeyId' })
  const other = await openGuest({
    ...{ url: 'https://admin.example.org', prefix: '' },
    s3: { bucket: s3.bucket, endpoint: s3.endpoint, ...s3.credentials },
  })
  await expect
    .poll(() => other.log.join('\n'))
    .toContain('lacks AllowedOrigins for pages of https://admin.example.org')
  await expect
    .poll(() => other.log.join('\n'))
    .toContain('S3 does not know the key: check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  await other.close()
})

test('what nobody finishes is swept after a day', async () => {
  const { start } = await openPage()
  await put(await start('a.txt', 5), 'hello')
  expect(stored()).toEqual(['tablewire/direct/<id>'])
  for (const [key, object] of s3.objects)
    s3.objects.set(key, { ...object, at: Date.now() - 25 * 60 * 60_000 })
  const later = await openGuest({
    s3: { bucket: s3.bucket, endpoint: s3.endpoint, ...s3.credentials },
  })
  await expect.poll(stored).toEqual([])
  await later.close()
})
