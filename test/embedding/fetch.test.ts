/** The admin as a function from `Request` to `Response`: what such hosts expect of one. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANA, type Guest, HOST_SIGN_IN, openGuest } from './guest.ts'

const ORIGIN = 'https://example.org'
let guest: Guest
let asked: unknown
let isHeld = false
let held = Promise.withResolvers<void>()

beforeAll(async () => {
  guest = await openGuest({
    auth: {
      ...HOST_SIGN_IN,
      async authenticate({ hostRequest }) {
        asked = hostRequest
        if (isHeld) await held.promise
        return ANA
      },
    },
  })
})
afterAll(() => guest.close())

const ask = (path: string, init?: RequestInit) => {
  const request = new Request(ORIGIN + path, init)
  return { request, answer: guest.admin.fetch(request) }
}

test('the provider is given the very request', async () => {
  const { request, answer } = ask('/admin/tables/fruit')
  expect((await answer).status).toBe(200)
  expect(asked).toBe(request)
})

test('two at once are not taken for one another', async () => {
  const [first, second] = [ask('/admin/healthz'), ask('/admin/tables/fruit?size=50')]
  await Promise.all([first.answer, second.answer])
  expect(asked).toBe(second.request)
})

test('an answer has its status, its headers and its body, as it was compressed', async () => {
  const answer = await ask('/admin/tables/fruit', { headers: { 'accept-encoding': 'gzip' } }).answer
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(answer.headers.has('transfer-encoding')).toBe(false)
  expect(answer.headers.has('connection')).toBe(false)
  const stream = answer.body!.pipeThrough(new DecompressionStream('gzip'))
  expect(await new Response(stream).text()).toContain('<h1>Fruit</h1>')
})

test('what has no body has none', async () => {
  const page = await (await ask('/admin/tables/fruit').answer).text()
  const [, url = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? []
  const whole = await ask(url).answer
  const head = await ask(url, { method: 'HEAD' }).answer
  expect([head.status, head.body]).toEqual([200, null])
  expect(head.headers.get('content-length')).toBe(String((await whole.arrayBuffer()).byteLength))
  const etag = whole.headers.get('etag')!
  const again = await ask(url, { headers: { 'if-none-match': etag } }).answer
  expect([again.status, again.body]).toEqual([304, null])
})

test('methods and addresses that nobody serves are not found', async () => {
  expect((await ask('/admin/tables/fruit', { method: 'PATCH' }).answer).status).toBe(404)
  expect((await ask('/admin/tables/fruit', { method: 'PROPFIND' }).answer).status).toBe(404)
  expect((await ask('/elsewhere').answer).status).toBe(404)
})

test('a body is taken as it comes, and no more of it than is read anywhere', async () => {
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(32))
    },
  })
  const { answer } = ask('/admin/tablewire/update', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': 'application/json', 'x-tablewire': '1' },
  } as RequestInit)
  const { status, headers } = await answer
  // Whoever goes on sending would be taken for the next request.
  expect([status, headers.get('connection')]).toEqual([413, 'close'])
  expect(sent).toBeLessThan(1_000_000)
})

test('each cookie is a header of its own, and names the host that was asked', async () => {
  const own = await openGuest({ auth: null })
  const answer = await own.admin.fetch(new Request(`${ORIGIN}/admin/sign-in`))
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^tablewire_\w+_visitor=/)])
  await own.close()
})

test('whoever leaves before the answer is told that it was given up', async () => {
  isHeld = true
  const controller = new AbortController()
  const { answer } = ask('/admin/tables/fruit', { signal: controller.signal })
  await expect.poll(() => asked).toMatchObject({ signal: { aborted: false } })
  controller.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  held.resolve()
  isHeld = false
  expect((await ask('/admin/tables/fruit').answer).status).toBe(200)
})
