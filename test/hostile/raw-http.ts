/** Bytes that are hardly HTTP, over a real socket. */

import { connect } from 'node:net'
import type { Attack } from './attack.ts'
import { bodyOf } from './requests.ts'
import type { Answer, HostileRequest, Target } from './target.ts'

type Bytes = { readonly name: string; readonly text: string | Buffer; readonly allowed: number[] }

/** 0 stands for a connection that was closed without a word. */
const REFUSED = [0, 400, 404, 405, 408, 413, 414, 415, 417, 419, 431]

/** Attacks whose payload is what goes over the socket. */
export function* rawAttacks(target: Target): Iterable<Attack> {
  for (const { name, text, allowed } of rawRequests(target))
    yield { name, request: { payload: text }, allowed }
}

/** Sends bytes as they are, and reads until the other side closes. */
export const rawSender =
  (port: number) =>
  ({ payload }: HostileRequest): Promise<Answer> =>
    new Promise((resolve) => {
      const chunks: Buffer[] = []
      const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
      const done = () => resolve(readAnswer(Buffer.concat(chunks).toString('latin1')))
      socket.on('data', (chunk) => void chunks.push(chunk)).on('error', () => {})
      socket.on('end', () => socket.destroy()).on('close', done)
      socket.write(payload as string)
      // What is left open on purpose is ended by us once it has been read.
      if (isUnfinished(String(payload))) socket.end()
    })

const isUnfinished = (text: string) => !/\r\n\r\n/.test(text) || text.includes('X-Unfinished')

function readAnswer(text: string): Answer {
  // An interim answer comes before the one that counts.
  const [head = '', ...rest] = text.replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, '').split('\r\n\r\n')
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    headers,
    body: rest.join('\n'),
  }
}

function* rawRequests({ people: { admin } }: Target): Iterable<Bytes> {
  const body = JSON.stringify(bodyOf(admin, { snapshot: admin.snapshots['list'] }))
  const base = ['Host: localhost', 'Connection: close', `Cookie: ${admin.cookie}`]
  const update = [...base, 'X-Tablewire: 1', 'Content-Type: application/json']
  const text = (line: string, headers: readonly string[], payload = '') =>
    [line, ...headers, '', payload].join('\r\n')
  const get = (path: string, ...more: string[]) => text(`GET ${path} HTTP/1.1`, [...base, ...more])
  const post = (headers: readonly string[], payload = body) =>
    text('POST /tablewire/update HTTP/1.1', [...update, ...headers], payload)
  const length = `Content-Length: ${body.length}`

  const lines = [
    'GET',
    'GET /',
    'GET  / HTTP/1.1',
    'GET / HTTP/0.9',
    'GET / HTTP/2.0',
    'GET / HTTP/9.9',
    'GET / http/1.1',
    'GET / HTTP/1.1 extra',
    'get / HTTP/1.1',
    'FOO / HTTP/1.1',
    'CONNECT evil.example:80 HTTP/1.1',
    'TRACE / HTTP/1.1',
    'PRI * HTTP/2.0',
    'OPTIONS * HTTP/1.1',
    'GET * HTTP/1.1',
    'GET tables/strikes HTTP/1.1',
    'GET http://evil.example/ HTTP/1.1',
    'GET //evil.example/ HTTP/1.1',
    'GET ? HTTP/1.1',
    'GET # HTTP/1.1',
    'GET /\0 HTTP/1.1',
    'GET /tables/\xff HTTP/1.1',
    'GET /tables/é HTTP/1.1',
    'GET /tables/a b HTTP/1.1',
    'GET /tables/\t HTTP/1.1',
    '\0\0\0\0',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'SSH-2.0-OpenSSH_9.0',
    'HELO evil.example',
    '{"_token":""}',
  ]
  for (const line of lines)
    yield {
      name: JSON.stringify(line),
      text: Buffer.from(text(line, base), 'latin1'),
      allowed: [200, 303, 401, ...REFUSED],
    }

  const paths = ['/%', '/%zz', '/%c0%ae', '/%00', '/tables/%', '/tables/%ff', '/tables/%e0%80%af']
  const climbs = [
    '/tablewire/assets/../../package.json',
    '/tablewire/assets/%2e%2e/%2e%2e/package.json',
  ]
  const more = [
    '/tablewire/assets/..%5c..%5cpackage.json',
    '/tablewire/assets/%00',
    '/..',
    '/./..//',
  ]
  for (const path of [
    ...paths,
    ...climbs,
    ...more,
    '/.git/config',
    '/.env',
    `/${'a'.repeat(7000)}`,
  ])
    yield { name: path.slice(0, 60), text: get(path), allowed: REFUSED }

  const headers = [
    'X-Folded: a\r\n b',
    ' X-Leading: a',
    'X-Space : a',
    ': a',
    'X-Nul: a\0b',
    'X-Bare: a\nb',
    'X-Cr: a\rb',
    'X\0Nul: a',
    'No colon',
    'Host: evil.example',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 1e3',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: xchunked',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'Expect: 100-continue',
    'Expect: everything',
    'Range: bytes=0-1',
    'If-None-Match: *',
    'If-Modified-Since: never',
    'Accept-Encoding: \xff, *;q=9, gzip;q=-1, __proto__',
    'Accept-Language: __proto__, x-x-x, en-US-u-nu-zzzz, \xff',
    `Accept-Language: ${'en,'.repeat(2000)}`,
    'X-Tablewire-Navigate: \xff',
    'X-Socket-Id: ../../1.2:private-secret',
    'X-Requested-With: \xff',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Proto: https',
    'X-Original-URL: /you',
    'X-Rewrite-URL: /you',
    '__proto__: polluted',
    'constructor: polluted',
  ]
  for (const header of headers) {
    const unfinished = /^(Content-Length|Transfer-Encoding|Upgrade)/.test(header)
      ? ['X-Unfinished: 1']
      : []
    yield {
      name: JSON.stringify(header).slice(0, 60),
      text: Buffer.from(get('/you', header, ...unfinished), 'latin1'),
      allowed: [200, 303, 401, ...REFUSED],
    }
    yield {
      name: `update, ${JSON.stringify(header).slice(0, 60)}`,
      text: Buffer.from(post([length, header, ...unfinished]), 'latin1'),
      allowed: [200, 422, ...REFUSED],
    }
  }

  const large = [8, 16, 20, 64, 1024].map((kib) => `X-Large: ${'a'.repeat(kib * 1024)}`)
  for (const [i, header] of large.entries())
    yield {
      name: `a header of ${header.length}`,
      text: get('/you', header),
      allowed: i === 0 ? [200] : [0, 431],
    }
  for (const count of [101, 1000, 3000])
    yield {
      name: `${count} headers`,
      text: get('/you', ...Array.from({ length: count }, (_, i) => `X-${i}: a`)),
      allowed: [0, 200, 400, 431],
    }
  yield {
    name: 'a cookie of 20 kB',
    text: get('/you', `Cookie: a=${'b'.repeat(20_000)}`),
    allowed: [0, 431],
  }
  yield {
    name: 'an address of 20 kB',
    text: get(`/you?${'a'.repeat(20_000)}`),
    allowed: [0, 414, 431],
  }

  const chunk = (payload: string, size = payload.length.toString(16)) => `${size}\r\n${payload}\r\n`
  const chunked = 'Transfer-Encoding: chunked'
  const chunks: readonly (readonly [string, string, number[]])[] = [
    ['in one chunk', `${chunk(body)}0\r\n\r\n`, [200]],
    ['byte by byte', `${[...body].map((char) => chunk(char)).join('')}0\r\n\r\n`, [200]],
    ['of 5 MB', `${chunk('x'.repeat(65_536)).repeat(80)}0\r\n\r\n`, [0, 413]],
    ['of no size', chunk(body, ''), REFUSED],
    ['of size -1', chunk(body, '-1'), REFUSED],
    ['of size 0x10', chunk(body, '0x10'), REFUSED],
    ['of size zz', chunk(body, 'zz'), REFUSED],
    ['of a size beyond all', chunk(body, 'f'.repeat(40)), REFUSED],
    [
      'with an extension',
      `${chunk(body, `${body.length.toString(16)};a=${'b'.repeat(20_000)}`)}0\r\n\r\n`,
      [0, 200, 400, 413, 431],
    ],
    [
      'with a trailer',
      `${chunk(body)}0\r\nContent-Length: 5\r\nHost: evil.example\r\n\r\n`,
      [200, 400],
    ],
    ['with half of it', chunk(body).slice(0, 40), REFUSED],
  ]
  for (const [name, payload, allowed] of chunks) {
    const unfinished = allowed === REFUSED ? ['X-Unfinished: 1'] : []
    yield { name: `chunks ${name}`, text: post([chunked, ...unfinished], payload), allowed }
  }
  const smuggled = 'POST /sign-out HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n'
  yield {
    name: 'length and chunks',
    text: post([length, chunked], `0\r\n\r\n${smuggled}`),
    allowed: REFUSED,
  }
  yield { name: 'two lengths', text: post([length, 'Content-Length: 5']), allowed: REFUSED }
  yield { name: 'two equal lengths', text: post([length, length]), allowed: [200, ...REFUSED] }
  yield { name: 'too short a length', text: post(['Content-Length: 5']), allowed: REFUSED }
  yield {
    name: 'too long a length',
    text: post([`Content-Length: ${body.length + 9}`, 'X-Unfinished: 1']),
    allowed: REFUSED,
  }
  yield {
    name: 'a length of 5 GB',
    text: post(['Content-Length: 5368709120', 'X-Unfinished: 1']),
    allowed: REFUSED,
  }
  yield { name: 'two types', text: post([length, 'Content-Type: text/plain']), allowed: [200, 415] }
  yield { name: 'no length at all', text: post([]), allowed: [400, 411, 415, 422] }
}
