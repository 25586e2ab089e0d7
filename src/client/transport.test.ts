import { describe, expect, test } from 'vitest'
import { pageOf } from '../../test/simulated-browser.ts'
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

  test('has no time limit of its own (spec §9)', async () => {
    const { transport, sent } = transportOf(ok)
    await transport.update('/u', [part], 'key-1')
    await transport.page('/tables/a')
    expect(sent.map(({ init }) => init.signal)).toEqual([undefined, undefined])
    const stop = new AbortController()
    await transport.update('/u', [part], 'key-2', stop.signal)
    expect(sent[2]!.init.signal).toBe(stop.signal)
  })

  test('that is aborted rejects with the reason, and is no failed network', async () => {
    const stop = new AbortController()
    const { transport } = transportOf(() => {
      stop.abort(new Error('cancelled'))
      throw new TypeError('Failed to fetch')
    })
    await expect(transport.update('/u', [part], 'key-1', stop.signal)).rejects.toThrow('cancelled')
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

describe('a page', () => {
  const page = pageOf([])
  const ask = (response: () => Response) => transportOf(response).transport.page('/tables/a')

  test.each([
    ['visit', '1'],
    ['prefetch', 'prefetch'],
  ] as const)('is asked for by a %s with the navigation header %s', async (as, value) => {
    const { transport, sent } = transportOf(() => Response.json(page))
    expect(await transport.page('/tables/a?page=2', { as })).toEqual({ kind: 'page', page })
    expect(sent[0]!.init.method).toBeUndefined()
    expect(Object.fromEntries(sent[0]!.headers)).toEqual({
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      'x-tablewire-navigate': value,
    })
  })

  test('that says what went wrong is a page as well', async () => {
    const error = { code: 'NOT_FOUND' as const, message: 'There is nothing here.' }
    const missing = { ...page, error }
    const answer = await ask(() => Response.json(missing, { status: 404 }))
    expect(answer).toEqual({ kind: 'page', page: missing })
  })

  test.each([
    ['of another machine', () => new Response('<html>', { status: 502 })],
    ['of another application', () => Response.json({ rows: [] })],
    [
      'that asks to sign in',
      () => Response.json({ error: { code: 'SIGN_IN_REQUIRED' } }, { status: 401 }),
    ],
    ['that is a file', () => new Response('a;b', { headers: { 'content-type': 'text/csv' } })],
  ])('%s is for a document', async (_, response) => {
    expect(await ask(response)).toEqual({ kind: 'document' })
  })

  test.each([
    [
      'in our words',
      () => Response.json({ error: { code: 'BUSY', message: 'Later.' } }, { status: 503 }),
      'BUSY',
    ],
    ['in those of a proxy', () => new Response('<html>', { status: 503 }), 'SERVER_ERROR'],
  ])('that is refused for a while %s is asked for again', async (_, response, code) => {
    expect(await ask(response)).toMatchObject({ kind: 'refused', status: 503, error: { code } })
  })

  test('that was led to another origin is for a document, and without a network for later', async () => {
    const redirects: (RequestRedirect | undefined)[] = []
    const fetching =
      (probe: () => Response): TransportOptions['fetch'] =>
      async (_, { redirect } = {}) => {
        redirects.push(redirect)
        if (redirect === 'manual') return probe()
        throw new TypeError('Failed to fetch')
      }
    const away = Object.defineProperty(Response.json(null), 'type', { value: 'opaqueredirect' })
    const led = transportOf(ok, { fetch: fetching(() => away) }).transport
    expect(await led.page('/tables/a', { findsAway: true })).toEqual({ kind: 'document' })
    const none = transportOf(ok, {
      fetch: fetching(() => {
        throw new TypeError('Failed to fetch')
      }),
    }).transport
    expect(await none.page('/tables/a', { findsAway: true })).toEqual({ kind: 'unreachable' })
    redirects.length = 0
    expect(await none.page('/tables/a', { as: 'prefetch' })).toEqual({ kind: 'unreachable' })
    expect(redirects).toEqual([undefined])
  })
})

describe('an answer', () => {
  const ask = (response: () => Response) =>
    transportOf(response).transport.update('/u', [], 'key-1')

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
      html: null,
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
