import { describe, expect, test } from 'vitest'
import { createTransport, type TransportOptions } from './transport.ts'

type Sent = { url: string; init: RequestInit; headers: Headers }

function transportOf(response: () => Response, over: Partial<TransportOptions> = {}) {
  const sent: Sent[] = []
  const fetch: TransportOptions['fetch'] = async (url, init = {}) => {
    sent.push({ url: url as string, init, headers: new Headers(init.headers) })
    return response()
  }
  const transport = createTransport({ fetch, csrf: () => 'token', socketId: () => null, ...over })
  return { transport, sent }
}

const ok = () => Response.json({ components: [], assets: { version: 'v1' } })
const part = { snapshot: 's', updates: { a: 1 }, calls: [] }

describe('an update', () => {
  test('is posted with the marker, the key, the token and nothing more', async () => {
    const { transport, sent } = transportOf(ok)
    await transport.update('/tablewire/update', [part], 'key-1')
    const [{ url, init, headers } = sent[0]!] = sent
    expect(url).toBe('/tablewire/update')
    expect(init.method).toBe('POST')
    expect(init.credentials).toBe('same-origin')
    expect(Object.fromEntries(headers)).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
      'x-requested-with': 'XMLHttpRequest',
      'x-tablewire': '1',
    })
    expect(JSON.parse(init.body as string)).toEqual({ _token: 'token', components: [part] })
  })

  test('names the socket only while one is connected', async () => {
    let socket: string | null = null
    const { transport, sent } = transportOf(ok, { socketId: () => socket })
    await transport.update('/u', [part], 'key-1')
    socket = '123.456'
    await transport.update('/u', [part], 'key-2')
    await transport.page('/tables/a')
    expect(sent.map(({ headers }) => headers.get('x-socket-id'))).toEqual([
      null,
      '123.456',
      '123.456',
    ])
  })

  test('reads the token anew each time', async () => {
    let token = 'one'
    const { transport, sent } = transportOf(ok, { csrf: () => token })
    await transport.update('/u', [], 'key-1')
    token = 'two'
    await transport.update('/u', [], 'key-2')
    const tokens = sent.map(
      ({ init }) => (JSON.parse(init.body as string) as { _token: string })._token,
    )
    expect(tokens).toEqual(['one', 'two'])
  })

  test.each([null, ''])('is not sent without a token (%j)', (token) => {
    const { transport, sent } = transportOf(ok, { csrf: () => token })
    expect(() => transport.update('/u', [part], 'key-1')).toThrow(/^No CSRF token was detected/)
    expect(sent).toEqual([])
  })
})

test('a page is asked for with the navigation header, and is no update', async () => {
  const { transport, sent } = transportOf(() => Response.json({ title: 'x' }))
  expect(await transport.page('/tables/a?page=2')).toEqual({ kind: 'ok', body: { title: 'x' } })
  expect(sent[0]!.init.method).toBeUndefined()
  expect(Object.fromEntries(sent[0]!.headers)).toEqual({
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    'x-tablewire-navigate': '1',
  })
})

describe('an answer', () => {
  const ask = (response: () => Response) => transportOf(response).transport.page('/')

  test('is unreachable where the network fails, before it or in the middle of it', async () => {
    const fails = () => {
      throw new TypeError('Failed to fetch')
    }
    expect(await ask(fails)).toEqual({ kind: 'unreachable' })
    const breaks = new ReadableStream({
      pull: (controller) => controller.error(new Error('reset')),
    })
    expect(await ask(() => new Response(breaks))).toEqual({ kind: 'unreachable' })
  })

  test('that refuses has the words of the server', async () => {
    const error = { code: 'NOT_FOUND', message: 'There is nothing here.' }
    expect(await ask(() => Response.json({ error }, { status: 404 }))).toEqual({
      kind: 'refused',
      status: 404,
      error,
      retryAfterMs: null,
    })
  })

  test.each(['', '<!doctype html>', 'null', '[]', '"x"', '{"error":"Bad gateway"}'])(
    'of another machine, %j, is refused without words',
    async (text) => {
      const answer = await ask(() => new Response(text, { status: 502 }))
      expect(answer).toMatchObject({ kind: 'refused', status: 502 })
      expect((answer as { error: object }).error).toEqual({ code: 'SERVER_ERROR', message: '' })
    },
  )

  test('that is no JSON is a server error, though its status says otherwise', async () => {
    expect(await ask(() => new Response('<html>'))).toMatchObject({ kind: 'refused', status: 500 })
  })

  test('of another page that it was led to is not taken for this one', async () => {
    const response = Response.json({ title: 'Sign in' })
    Object.defineProperty(response, 'redirected', { value: true })
    expect(await ask(() => response)).toMatchObject({ kind: 'refused' })
  })

  test.each([
    ['7', 7000],
    ['0', 0],
    ['1.5', 1500],
    ['99999999999', 3_600_000],
    ['Infinity', 3_600_000],
    ['-1', null],
    ['', null],
    ['soon', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
  ])('says when to come back: %j is %j ms', async (header, ms) => {
    const headers = { 'retry-after': header }
    expect(await ask(() => Response.json({}, { status: 503, headers }))).toMatchObject({
      retryAfterMs: ms,
    })
  })
})
