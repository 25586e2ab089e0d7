import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as v from 'valibot'
import { KeyRing } from '../keys.ts'
import { visitorLimit } from '../rate-limit.ts'
import { issueCsrfToken } from './csrf.ts'
import { addGuardedRoute, addPublicRoute, parseForm } from './guarded-routes.ts'
import { createHttp, readForms } from './http.ts'

const keys = new KeyRing([randomBytes(32)])
const actor = { id: 'ana', name: 'Ana', email: '', role: 'admin' } as const
const ana = { actor, session: { id: 'one', lineage: 'lineage' } }
const token = issueCsrfToken(keys, ana.session.lineage)
const FORM = { 'content-type': 'application/x-www-form-urlencoded', cookie: 'ana' }
const HTML = { 'content-type': 'application/octet-stream', cookie: 'ana' }

let app: FastifyInstance
/** What happened, in its order. */
let seen: string[]

const find = async ({ headers }: FastifyRequest) => (
  seen.push('who'),
  headers.cookie === 'ana' ? ana : undefined
)
const guard = { keys, origin: 'https://admin.example.org', visitors: { find } }
const read = (body: unknown) => (
  seen.push('read'),
  parseForm(v.object({ said: v.optional(v.string(), '') }), body)
)

beforeEach(async () => {
  seen = []
  app = await createHttp({
    client: {
      ...{ folder: '', path: '', version: '' },
      files: { script: '', imports: [], styles: [], fonts: [], messages: {} },
    },
    errorPage: () => expect.unreachable(),
  })
  await readForms(app)
  app.addHook('preParsing', async () => void seen.push('body'))
})
afterEach(() => app.close())

const form = (fields: Record<string, string> = { _token: token }) =>
  new URLSearchParams(fields).toString()

async function answered(
  { headers = {}, ...request }: { headers?: Record<string, string>; url: string; payload?: string },
  method: 'POST' | 'PATCH' | 'DELETE' = 'POST',
) {
  seen = []
  const response = await app.inject({ method, headers: { ...FORM, ...headers }, ...request })
  const code = response.statusCode === 200 ? response.body : response.json().error.code
  return [response.statusCode, code, seen.includes('body') ? 'read' : 'not read']
}

function addSay(more: object = {}) {
  addGuardedRoute(app, guard, {
    ...{ path: '/say', sends: 'form', stranger: 'SIGN_IN_REQUIRED', bodyBytes: 1000, read },
    handle: ({ body, visitor, reply }) => reply.send(`${visitor.actor.name}: ${body.said}`),
    ...more,
  })
}

const url = '/say'

test.each(['POST', 'PATCH', 'DELETE'] as const)(
  '%s is let in with all that it needs',
  async (method) => {
    addSay({ method })
    const payload = form({ _token: token, said: 'hello' })
    expect(await answered({ url, payload }, method)).toEqual([200, 'Ana: hello', 'read'])
  },
)

test.each<[string, Record<string, string>, unknown[]]>([
  ['a stranger', { cookie: '' }, [401, 'SIGN_IN_REQUIRED']],
  ['another site', { 'sec-fetch-site': 'cross-site' }, [419, 'PAGE_EXPIRED']],
  ['another origin', { origin: 'https://evil.example.org' }, [419, 'PAGE_EXPIRED']],
  ['a picture', { 'sec-fetch-dest': 'image' }, [403, 'NOT_EMBEDDABLE']],
  ['another type', { 'content-type': 'application/json' }, [415, 'CONTENT_TYPE']],
  ['a long body', { 'content-length': '1001' }, [413, 'REQUEST_TOO_LARGE']],
])('nothing of the body is read of %s', async (_, headers, refused) => {
  addSay()
  const payload = form()
  expect(await answered({ url, payload, headers })).toEqual([...refused, 'not read'])
})

test('without its marker, nobody is even asked for', async () => {
  addSay({ marker: 'X-Marked' })
  expect(await answered({ url, payload: form() })).toEqual([400, 'MARKER_MISSING', 'not read'])
  expect(seen).toEqual([])
  const headers = { 'x-marked': '1' }
  expect(await answered({ url, payload: form(), headers })).toEqual([200, 'Ana: ', 'read'])
})

test('each request counts before its body is read, whatever becomes of it', async () => {
  addSay({ limit: visitorLimit({ now: () => 0, limit: 2, windowMs: 1000 }) })
  const payload = form()
  const headers = { 'content-type': 'text/plain' }
  expect(await answered({ url, payload, headers })).toEqual([415, 'CONTENT_TYPE', 'not read'])
  expect(await answered({ url, payload })).toEqual([200, 'Ana: ', 'read'])
  expect(await answered({ url, payload })).toEqual([429, 'TOO_MANY_REQUESTS', 'not read'])
  // A stranger has a share of their own.
  const stranger = { cookie: '' }
  expect(await answered({ url, payload, headers: stranger })).toEqual([
    ...[401, 'SIGN_IN_REQUIRED', 'not read'],
  ])
})

test.each<[string, Record<string, string>]>([
  ['no token', {}],
  ['a token of somebody else', { _token: issueCsrfToken(keys, 'another') }],
  ['a token of nobody', { _token: issueCsrfToken(keys, '') }],
])('%s is refused before the handler', async (_, fields) => {
  addSay({ handle: () => expect.unreachable() })
  expect(await answered({ url, payload: form(fields) })).toEqual([419, 'PAGE_EXPIRED', 'read'])
})

test('a token of a retired key is answered by the route, if it wants to', async () => {
  const ring = new KeyRing([randomBytes(32)])
  const old = issueCsrfToken(ring, ana.session.lineage)
  ring.rotate(randomBytes(32))
  ring.retire()
  const outdated = { ...guard, keys: ring }
  const rest = { sends: 'form', stranger: 'SIGN_IN_REQUIRED', read } as const
  const handle = () => expect.unreachable()
  addGuardedRoute(app, outdated, { ...rest, path: '/strict', handle })
  addGuardedRoute(app, outdated, { ...rest, path: '/mild', handle, handleOutdated: () => 'reload' })
  const payload = form({ _token: old })
  expect(await answered({ url: '/strict', payload })).toEqual([419, 'PAGE_EXPIRED', 'read'])
  expect(await answered({ url: '/mild', payload })).toEqual([200, 'reload', 'read'])
})

test('a public route binds its token to what it says, and nothing is bound to nobody', async () => {
  addPublicRoute(app, guard, {
    ...{ path: '/enter', sends: 'form', read },
    holderOf: ({ headers }) => String(headers['x-visitor'] ?? ''),
    handle: ({ visitor }) => visitor?.actor.name ?? 'somebody',
  })
  const asked = (visitor: string, holder: string) =>
    answered({
      ...{ url: '/enter', payload: form({ _token: issueCsrfToken(keys, holder) }) },
      headers: { cookie: '', ...(visitor && { 'x-visitor': visitor }) },
    })
  expect(await asked('bob', 'bob')).toEqual([200, 'somebody', 'read'])
  expect(await asked('bob', 'eve')).toEqual([419, 'PAGE_EXPIRED', 'read'])
  expect(await asked('', '')).toEqual([419, 'PAGE_EXPIRED', 'read'])
})

function addUpload(more: object = {}) {
  addGuardedRoute(app, guard, {
    ...{ path: '/upload', sends: 'stream', stranger: 'SIGN_IN_REQUIRED', bodyBytes: 1000 },
    // A route of streams is given one.
    read: (body) => body as Readable,
    handle: async ({ body }) => text(body),
    ...more,
  })
}

test('a stream is handed on unread, once its token in the header is right', async () => {
  addUpload()
  const sent = (headers: object, payload: string | Readable = 'some bytes') =>
    app.inject({ method: 'POST', url: '/upload', headers: { ...HTML, ...headers }, payload })
  expect((await sent({ 'x-csrf-token': token })).body).toBe('some bytes')
  expect((await sent({})).json().error.code).toBe('PAGE_EXPIRED')
  expect((await sent({ cookie: '', 'x-csrf-token': token })).statusCode).toBe(401)
  expect((await sent({ 'x-csrf-token': token }, 'x'.repeat(1001))).statusCode).toBe(413)
  // Of one that does not say how long it is, no more is taken either.
  const endless = Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(100)))
  expect((await sent({ 'x-csrf-token': token }, endless)).statusCode).toBe(413)
})

/** Sends the head of a request and a part of its body, and waits for what comes back. */
async function trickle(path: string, type: string): Promise<string> {
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  const head = [
    `POST ${path} HTTP/1.1`,
    ...[
      'host: admin.example.org',
      'cookie: ana',
      `content-type: ${type}`,
      `x-csrf-token: ${token}`,
    ],
    ...['x-tablewire: 1', 'content-length: 100'],
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\nsaid=`)
  let came = ''
  socket.setEncoding('utf8').on('data', (more: string) => (came += more))
  await once(socket, 'close')
  return came
}

test('a body that takes longer than its route allows is answered, and waited for no longer', async () => {
  addSay({ bodyMs: 20 })
  const came = await trickle(url, FORM['content-type'])
  expect(came).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*REQUEST_TIMEOUT/i)
})

test('nobody holds a connection by a body that is not wanted any more', async () => {
  addSay({ bodyMs: 20 })
  expect(await trickle(url, 'text/plain')).toMatch(/^HTTP\/1\.1 415 /)
})

test('a stream that takes too long ends for its handler, too', async () => {
  const ended = Promise.withResolvers<unknown>()
  addUpload({
    bodyMs: 20,
    handle: async ({ body }: { body: Readable }) => {
      await text(body).catch(ended.resolve)
    },
  })
  expect(await trickle('/upload', 'application/octet-stream')).toMatch(/^HTTP\/1\.1 408 /)
  expect(await ended.promise).toBeInstanceOf(Error)
})
