/** What the servers below ours would refuse in words of their own: all of it is from the catalogue. */

import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesFor } from '../../src/messages/messages.ts'
import { type ErrorCode, ERRORS } from '../../src/protocol/errors.ts'
import { openTarget, type Target } from './target.ts'

let target: Target
let port: number

beforeAll(async () => {
  target = await openTarget()
  await target.admin.app.listen({ host: '127.0.0.1', port: 0 })
  port = (target.admin.app.server.address() as AddressInfo).port
})
afterAll(() => target.close())

/** Sends bytes as they are, and returns all that comes back. */
const send = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let received = ''
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    socket.on('data', (chunk) => void (received += String(chunk))).on('error', reject)
    socket.on('end', () => socket.end()).on('close', () => resolve(received))
    socket.write(bytes)
  })

const request = (line: string, ...headers: string[]) =>
  [line, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n')

const post = (...headers: string[]) => request('POST /sign-in HTTP/1.1', ...headers)

const long = 'a'.repeat(20_000)

const REFUSED: readonly [what: string, code: ErrorCode, (...headers: string[]) => string][] = [
  [
    'headers beyond the limit',
    'HEADERS_TOO_LARGE',
    (...more) => request('GET / HTTP/1.1', ...more, `Cookie: a=${long}`),
  ],
  [
    'an address of 20 kB',
    'HEADERS_TOO_LARGE',
    (...more) => `${request('GET / HTTP/1.1', ...more).slice(0, -2)}X: ${long}\r\n\r\n`,
  ],
  [
    'a name of 2,100 characters',
    'ADDRESS_TOO_LONG',
    (...more) => request(`GET /tables/${'a'.repeat(2100)} HTTP/1.1`, ...more),
  ],
  ['half an escape', 'REQUEST_MALFORMED', (...more) => request('GET /%zz HTTP/1.1', ...more)],
  [
    'a header without a colon',
    'REQUEST_MALFORMED',
    (...more) => request('GET / HTTP/1.1', ...more, 'No colon'),
  ],
  [
    'no host',
    'REQUEST_MALFORMED',
    (...more) => request('GET / HTTP/1.1', ...more).replace('Host: localhost\r\n', ''),
  ],
  [
    'two lengths',
    'REQUEST_MALFORMED',
    (...more) => post(...more, 'Content-Length: 1', 'Content-Length: 2'),
  ],
  [
    'a chunk of no size',
    'REQUEST_MALFORMED',
    (...more) =>
      `${post(...more, 'Content-Type: application/x-www-form-urlencoded', 'Transfer-Encoding: chunked')}zz\r\n`,
  ],
  [
    'too long a form',
    'REQUEST_TOO_LARGE',
    (...more) =>
      `${post(...more, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 20000')}${long}`,
  ],
  [
    'another type',
    'CONTENT_TYPE',
    (...more) => `${post(...more, 'Content-Type: text/xml', 'Content-Length: 1')}a`,
  ],
  [
    'a method that pages do not have',
    'NOT_FOUND',
    (...more) => request('PUT /sign-in HTTP/1.1', ...more, 'Content-Length: 0'),
  ],
  ['a method that nobody has', 'NOT_FOUND', (...more) => request('PROPFIND / HTTP/1.1', ...more)],
  ['what Node traces', 'NOT_FOUND', (...more) => request('TRACE / HTTP/1.1', ...more)],
  [
    'a file that is not there',
    'NOT_FOUND',
    (...more) => request('GET /tablewire/assets/none.js HTTP/1.1', ...more),
  ],
  [
    'the folder of files',
    'NOT_FOUND',
    (...more) => request('GET /tablewire/assets/ HTTP/1.1', ...more),
  ],
]

describe.each(REFUSED)('%s', (_what, code, bytes) => {
  const { status } = ERRORS[code]
  const message = messagesFor('en').errors[code]

  test(`is refused as ${code}, as data for the client`, async () => {
    const answer = await send(bytes('X-Requested-With: XMLHttpRequest'))
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} .*^content-type: application/json`, 'ims'),
    )
    expect(JSON.parse(body)).toEqual({ error: { code, message } })
  })

  test(`is refused as ${code}, as a page for people`, async () => {
    const answer = await send(bytes())
    const [head = '', ...body] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*^content-type: text/html`, 'ims'))
    expect(head).toMatch(/^cache-control: no-store/im)
    expect(head).toMatch(/^content-security-policy: default-src 'none'/im)
    expect(body.join('').replaceAll('&#x27;', "'")).toContain(message)
  })
})

describe.each([
  '/nothing',
  '/healthz',
  '/tablewire/nothing',
  '/tablewire/update',
  '/tables/operators',
])('nothing is read of what is sent to %s', (path) => {
  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('by %s, which is no way in', async (method) => {
    const twice = '{"a":1,"a":2}'
    const headers = ['Content-Type: application/json', `Content-Length: ${twice.length}`]
    const answer = await send(
      `${request(`${method} ${path} HTTP/1.1`, 'X-Requested-With: XMLHttpRequest', ...headers)}${twice}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*"NOT_FOUND"/s)
  })
})

test('what is expected of it beyond HTTP does not keep it from answering', async () => {
  expect(await send(request('GET /sign-in HTTP/1.1', 'Expect: everything'))).toMatch(
    /^HTTP\/1\.1 200/,
  )
})

test('while it closes, it says in the same way that it is busy', async () => {
  let answer: Response | undefined
  const closing = await openTarget({
    async extend(app) {
      app.addHook('preClose', async () => {
        const { port } = app.server.address() as AddressInfo
        const headers = { 'x-requested-with': 'XMLHttpRequest' }
        answer = await fetch(`http://127.0.0.1:${port}/sign-in`, { headers })
      })
    },
  })
  await closing.admin.app.listen({ host: '127.0.0.1', port: 0 })
  await closing.close()
  expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer?.json()).toMatchObject({ error: { code: 'BUSY' } })
})
