/** Uploads over HTTP: signed addresses, what is posted to them, and what is refused, on each kind of host. */

import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UPLOAD_CALLS, UPLOAD_PART } from '../src/protocol/upload.ts'
import { browse } from './embedding/guest.ts'
import { HOSTS } from './embedding/hosts.ts'
import { runs } from './tier.ts'
import { openUploadDesk, type Started, type UploadDesk } from './upload-desk.ts'

let desk: UploadDesk
let host: UploadDesk['host']
let ana: UploadDesk['ana']
let call: UploadDesk['call']
let started: UploadDesk['started']
let stored: UploadDesk['stored']
let headersOf: UploadDesk['headersOf']

beforeAll(async () => {
  desk = await openUploadDesk()
  ;({ host, ana, call, started, stored, headersOf } = desk)
})
afterAll(() => desk.close())

function formOf(...files: readonly (readonly [name: string, bytes: string, part?: string])[]) {
  const form = new FormData()
  for (const [name, bytes, part = UPLOAD_PART] of files)
    form.append(part, new Blob([bytes], { type: 'text/plain' }), name)
  return form
}

const send = (begun: Started, body: FormData | string, by = ana, url = begun.address.url) =>
  by.ask(url, { method: 'POST', body, headers: headersOf(begun) })

test('files are posted to a signed address, and answered by the list of their paths (spec §7)', async () => {
  const begun = await started({ name: 'a.txt', size: 5 }, { name: 'b.txt', size: 3 })
  const answer = await send(begun, formOf(['a.txt', 'hello'], ['b.txt', 'you']))
  expect([answer.status, await answer.json()]).toEqual([200, { paths: begun.address.paths }])
  const { shown, snapshot, address } = begun
  const finished = await call(
    shown,
    snapshot,
    UPLOAD_CALLS.finish,
    'notes',
    [...address.paths],
    true,
  )
  expect(finished.view).toEqual(['a.txt', 'b.txt'])
  for (const path of address.paths)
    await call(shown, finished.snapshot, UPLOAD_CALLS.remove, 'notes', path)
  expect(stored('pending')).toEqual([])
})

test.each(['Express', 'Fastify', 'fetch'])('the same within %s', async (name) => {
  const within = await HOSTS[name]!(desk.guest.admin)
  const begun = await started({ name: 'a.txt', size: 200_000 })
  const answer = await browse(within.origin, 'host=ana').ask(begun.address.url, {
    method: 'POST',
    body: formOf(['a.txt', 'x'.repeat(200_000)]),
    headers: { ...headersOf(begun), origin: within.origin },
  })
  expect([answer.status, await answer.json()]).toEqual([200, { paths: begun.address.paths }])
  await within.close()
})

test('what does not fit is told by file, with 422, and nothing of it stays', async () => {
  const before = stored('pending')
  const begun = await started({ name: 'a.txt', size: 5 }, { name: 'b.txt', size: 3 })
  const answer = await send(begun, formOf(['a.txt', 'he\0lo'], ['b.txt', 'you, too']))
  expect([answer.status, await answer.json()]).toEqual([
    422,
    {
      message: 'Not all files were taken.',
      errors: {
        'files.0': ['“a.txt” holds something else than its name says.'],
        'files.1': ['“b.txt” did not arrive whole.'],
      },
    },
  ])
  expect([stored('pending'), stored('arriving')]).toEqual([before, []])
})

test('a body that goes on after its file is too long is answered at once', async () => {
  const begun = await started({ name: 'a.txt', size: 5 })
  // Types of `fetch` do not know that Node takes any stream.
  const streamed: object = {
    method: 'POST',
    body: pieces(['hello', 'and more', 'x'.repeat(70_000), 'y'.repeat(70_000)]),
    duplex: 'half',
    headers: { ...headersOf(begun), 'content-type': 'multipart/form-data; boundary=b' },
  }
  const answer = await ana.ask(begun.address.url, streamed)
  expect(answer.status).toBe(422)
})

test('a retry of the same bytes is taken until finish-upload; others, and later ones, are not', async () => {
  const begun = await started({ name: 'a.txt', size: 5 })
  const statuses = []
  for (const bytes of ['hello', 'hello', 'hallo'])
    statuses.push((await send(begun, formOf(['a.txt', bytes]))).status)
  const { shown, snapshot, address } = begun
  await call(shown, snapshot, UPLOAD_CALLS.finish, 'notes', [...address.paths], true)
  statuses.push((await send(begun, formOf(['a.txt', 'hello']))).status)
  expect(statuses).toEqual([200, 200, 404, 404])
  expect(stored('pending').filter((name) => name.startsWith(`${address.paths[0]}-`))).toHaveLength(
    1,
  )
})

describe('refused alike, with nothing stored', () => {
  const file = { name: 'a.txt', size: 5 }
  const form = () => formOf(['a.txt', 'hello'])

  test('an address of another session or person, an altered, a missing one', async () => {
    const before = stored('pending')
    const begun = await started(file)
    const { url } = begun.address
    const [, ticket = ''] = url.split('ticket=')
    const last = ticket.at(-1) === 'A' ? 'B' : 'A'
    const [body = '', ...signed] = ticket.split('.')
    const forged = Buffer.from(body, 'base64url').toString().replace('a.txt', 'b.txt')
    const others = [
      '/admin/tablewire/uploads',
      '/admin/tablewire/uploads?ticket=',
      `${url.slice(0, -1)}${last}`,
      `${url}&ticket=${ticket}`,
      `/admin/tablewire/uploads?ticket=${[Buffer.from(forged).toString('base64url'), ...signed].join('.')}`,
      `/admin/tablewire/uploads?ticket=${begun.shown.csrf}`,
    ]
    for (const address of others) {
      const answer = await send(begun, form(), ana, address)
      expect([address, answer.status]).toEqual([address, 404])
    }
    const { ben, elsewhere } = desk
    const foreign = { ...begun, shown: await ben.page('/admin/desk') }
    expect((await send(foreign, form(), ben)).status).toBe(404)
    const mine = { ...begun, shown: await elsewhere.page('/admin/desk') }
    expect((await send(mine, form(), elsewhere)).status).toBe(404)
    expect([stored('pending'), stored('arriving')]).toEqual([before, []])
  })

  test('an address after five minutes', async () => {
    const begun = await started(file)
    desk.pass(5 * 60_000)
    expect((await send(begun, form())).status).toBe(404)
  })

  test('a request without token, of another site, of a stranger', async () => {
    const begun = await started(file)
    const { origin = '', ...rest } = headersOf(begun)
    const post = (headers: Record<string, string>, by = ana) =>
      by.ask(begun.address.url, { method: 'POST', body: form(), headers })
    const answers = await Promise.all([
      post({ origin }),
      post({ ...rest, origin: 'https://evil.example' }),
      post(headersOf(begun), browse(host.origin, '')),
    ])
    expect(answers.map(({ status }) => status)).toEqual([419, 419, 419])
  })

  test('parts of other names, too many or too few, fields, and what is no form', async () => {
    const before = stored('pending')
    const fields = new FormData()
    fields.append('note', 'x')
    const bodies: readonly (FormData | string)[] = [
      formOf(['a.txt', 'hello', 'file']),
      formOf(['a.txt', 'hello', '__proto__']),
      formOf(['a.txt', 'hello'], ['b.txt', 'hello']),
      new FormData(),
      fields,
      'a=b',
    ]
    for (const body of bodies) {
      const answer = await send(await started(file), body)
      expect([400, 413, 415, 422]).toContain(answer.status)
    }
    expect([stored('pending'), stored('arriving')]).toEqual([before, []])
  })

  test('a body that ends early, at every 4 KiB of it', async () => {
    const before = stored('pending')
    const bytes = 'x'.repeat(4096 * ABORTS)
    for (let cut = 0; cut < ABORTS; cut++) {
      // Within the limits of a person, who sends so many in a minute.
      if (cut % 20 === 19) desk.pass(60_000)
      const begun = await started({ name: 'a.txt', size: bytes.length })
      await broken(begun, bytes.slice(0, cut * 4096), bytes.length)
    }
    await expect.poll(() => [stored('pending'), stored('arriving')]).toEqual([before, []])
  })
})

const HEAD = `--b\r\nContent-Disposition: form-data; name="${UPLOAD_PART}"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`

const FOOT = '\r\n--b--\r\n'

/** A file that comes in several pieces. */
const pieces = (texts: readonly string[]) =>
  Readable.from([HEAD, ...texts, FOOT].map((text) => Buffer.from(text)))

/** Where a body is broken off, every 4 KiB. */
const ABORTS = runs(16)

/** Posts the beginning of a file, and breaks the line. */
function broken(begun: Started, bytes: string, length: number): Promise<void> {
  const { hostname, port, href } = new URL(begun.address.url, host.origin)
  return new Promise((resolve) => {
    const request = httpRequest({
      ...{ hostname, port, path: href.slice(host.origin.length), method: 'POST' },
      headers: {
        ...headersOf(begun),
        ...{ cookie: 'host=ana', 'content-type': 'multipart/form-data; boundary=b' },
        'content-length': HEAD.length + length + FOOT.length,
      },
    })
    request.on('error', () => resolve())
    request.on('close', () => resolve())
    request.write(HEAD + bytes, () => request.destroy())
  })
}
