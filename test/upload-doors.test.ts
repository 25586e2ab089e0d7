/** Every door of uploads, asked the same hostile questions; and pieces, which can be resumed (spec §7). */

import { type ClientRequest, request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UPLOAD_CALLS, UPLOAD_PART } from '../src/protocol/upload.ts'
import { browse } from './embedding/guest.ts'
import { runs } from './tier.ts'
import { openUploadDesk, type Started, type UploadDesk } from './upload-desk.ts'

let desk: UploadDesk
beforeAll(async () => void (desk = await openUploadDesk()))
afterAll(() => desk.close())

const WORDS = 'hello, desk'
const SIZE = WORDS.length

type Ask = {
  readonly by?: ReturnType<typeof browse>
  /** Default: that of the upload. */
  readonly url?: string
  /** Default: those of the page. */
  readonly headers?: Record<string, string>
  /** Which file. Default: the only one. */
  readonly patch?: string
}

/** A way to send, to ask about, or to take back a file. */
type Door = {
  /** Whether a file begins here, so that the address must be fresh. */
  readonly begins: boolean
  readonly method: string
  /** What is asked besides, when everything is in order. */
  init(): { readonly body?: FormData | string; readonly headers?: Record<string, string> }
  readonly answers: number
}

function form(): FormData {
  const made = new FormData()
  made.append(UPLOAD_PART, new Blob([WORDS], { type: 'text/plain' }), 'a.txt')
  return made
}

const RAW = { 'content-type': 'application/offset+octet-stream' }

const DOORS: Readonly<Record<string, Door>> = {
  'POST of files': { begins: true, method: 'POST', init: () => ({ body: form() }), answers: 200 },
  'POST of a length': {
    ...{ begins: true, method: 'POST', answers: 200 },
    init: () => ({ headers: { 'upload-length': String(SIZE) } }),
  },
  'PATCH of a piece': {
    ...{ begins: false, method: 'PATCH', answers: 204 },
    init: () => ({ body: WORDS.slice(0, 5), headers: { 'upload-offset': '0', ...RAW } }),
  },
  'HEAD of a file': { begins: false, method: 'HEAD', init: () => ({}), answers: 200 },
  'DELETE of a file': { begins: false, method: 'DELETE', init: () => ({}), answers: 204 },
}

/** An upload that has begun where the door needs that. */
async function ready({ begins }: Door): Promise<Started> {
  const begun = await desk.started({ name: 'a.txt', size: SIZE })
  if (!begins) await ask(DOORS['POST of a length']!, begun)
  return begun
}

function ask(door: Door, begun: Started, { by = desk.ana, url, headers, patch }: Ask = {}) {
  const { body, headers: own } = door.init()
  const address = `${url ?? begun.address.url}${patch === undefined ? '' : `&patch=${patch}`}`
  return by.ask(address, {
    method: door.method,
    headers: { ...(headers ?? desk.headersOf(begun)), ...own },
    ...(body !== undefined && { body }),
  })
}

describe.each(Object.entries(DOORS))('%s', (_name, door) => {
  test('answers who may ask', async () => {
    expect((await ask(door, await ready(door))).status).toBe(door.answers)
  })

  test('refuses another session, another person and a stranger', async () => {
    const begun = await ready(door)
    const statuses = []
    for (const by of [desk.elsewhere, desk.ben]) {
      const shown = await by.page('/admin/desk')
      const headers = desk.headersOf({ ...begun, shown })
      statuses.push((await ask(door, begun, { by, headers })).status)
    }
    statuses.push((await ask(door, begun, { by: browse(desk.host.origin, '') })).status)
    expect(statuses).toEqual([404, 404, 419])
  })

  test('refuses an altered address, a missing one, and a token in its place', async () => {
    const begun = await ready(door)
    const { url } = begun.address
    const [path = '', ticket = ''] = url.split('?ticket=')
    const [body = '', ...signed] = ticket.split('.')
    const forged = Buffer.from(body, 'base64url').toString().replace('notes', 'other')
    const others = [
      ...[path, `${path}?ticket=`, `${url}&ticket=${ticket}`],
      `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`,
      `${path}?ticket=${[Buffer.from(forged).toString('base64url'), ...signed].join('.')}`,
      `${path}?ticket=${begun.shown.csrf}`,
    ]
    for (const address of others)
      expect([address, (await ask(door, begun, { url: address })).status]).toEqual([address, 404])
  })

  test('refuses a request without token, of another site, and one for a picture', async () => {
    const begun = await ready(door)
    const { origin = '', ...rest } = desk.headersOf(begun)
    const asked = [
      { origin },
      { ...rest, origin, 'x-csrf-token': 'x' },
      { ...rest, origin: 'https://evil.example' },
      { ...rest, origin, 'sec-fetch-site': 'cross-site' },
      { ...rest, origin, 'sec-fetch-dest': 'image' },
    ]
    const statuses = []
    for (const headers of asked) statuses.push((await ask(door, begun, { headers })).status)
    expect(statuses).toEqual([419, 419, 419, 419, 403])
  })

  test('looks at the five minutes of an address when a file begins, and no more later', async () => {
    const begun = await ready(door)
    desk.pass(5 * 60_000)
    expect((await ask(door, begun)).status).toBe(door.begins ? 404 : door.answers)
  })

  test('refuses an address that is used up', async () => {
    const begun = await ready(door)
    expect((await ask(DOORS['POST of files']!, begun)).status).toBe(200)
    const { shown, snapshot, address } = begun
    await desk.call(shown, snapshot, UPLOAD_CALLS.finish, 'notes', [...address.paths], true)
    // Whoever begins again is told the same as before, and can send nothing.
    const isTold = door === DOORS['POST of a length']
    expect((await ask(door, begun)).status).toBe(isTold ? 200 : 404)
    expect(desk.stored('transfers').filter((name) => name.startsWith(address.paths[0]!))).toEqual(
      door.begins ? [] : [`${address.paths[0]}.${SIZE}`],
    )
  })

  test('refuses a file that was taken back', async () => {
    const begun = await ready(door)
    const { shown, snapshot, address } = begun
    await desk.call(shown, snapshot, UPLOAD_CALLS.remove, 'notes', address.paths[0]!)
    if (!door.begins) expect((await ask(door, begun)).status).toBe(404)
    expect(desk.stored('transfers').filter((name) => name.startsWith(address.paths[0]!))).toEqual(
      [],
    )
  })

  test.runIf(!door.begins)('refuses a file of another address', async () => {
    const [begun, other] = [await ready(door), await ready(door)]
    expect((await ask(door, begun, { patch: other.address.paths[0]! })).status).toBe(404)
  })

  test.runIf(!door.begins)('refuses a file that has not begun', async () => {
    const begun = await desk.started({ name: 'a.txt', size: SIZE })
    expect((await ask(door, begun)).status).toBe(404)
  })
})

/** Sends a piece. */
const patch = (begun: Started, offset: number, body: string, more: Record<string, string> = {}) =>
  desk.ana.ask(begun.address.url, {
    ...{ method: 'PATCH', body },
    headers: { ...desk.headersOf(begun), ...RAW, 'upload-offset': String(offset), ...more },
  })

const arrived = async (begun: Started) =>
  (await ask(DOORS['HEAD of a file']!, begun)).headers.get('upload-offset')

describe('a file in pieces', () => {
  const begin = () => ready(DOORS['HEAD of a file']!)

  test('is answered by its id, by how much has arrived, and at its end by the list of paths', async () => {
    const begun = await desk.started({ name: 'a.txt', size: SIZE })
    const [path] = begun.address.paths
    expect(await (await ask(DOORS['POST of a length']!, begun)).text()).toBe(path)
    expect((await patch(begun, 0, WORDS.slice(0, 4))).headers.get('upload-offset')).toBe('4')
    expect(await arrived(begun)).toBe('4')
    // An hour later: the address was fresh when the file began.
    desk.pass(60 * 60_000)
    const last = await patch(begun, 4, WORDS.slice(4))
    expect([last.status, await last.json()]).toEqual([200, { paths: [path] }])
    expect(desk.stored('transfers')).not.toContain(`${path}.${SIZE}`)
    // The answer may be lost, and the last piece of FilePond may be empty.
    expect(await arrived(begun)).toBe(String(SIZE))
    expect((await patch(begun, SIZE, '')).status).toBe(200)
    const { shown, snapshot } = begun
    const done = await desk.call(shown, snapshot, UPLOAD_CALLS.finish, 'notes', [path!], true)
    expect(done.view).toEqual(['a.txt'])
    expect((await patch(begun, SIZE, '')).status).toBe(404)
    const again = await desk.call(shown, snapshot, UPLOAD_CALLS.finish, 'notes', [path!], true)
    expect(again.view).toEqual(['a.txt'])
    const restored = await desk.ana.ask(`/admin/tablewire/uploads/file?restore=${path}`)
    expect(await restored.text()).toBe(WORDS)
  })

  test('takes no piece after a gap, none that is longer than the file, and none without a place', async () => {
    const begun = await begin()
    await patch(begun, 0, WORDS.slice(0, 4))
    const statuses = [
      await patch(begun, 5, 'x'),
      await patch(begun, SIZE + 1, ''),
      await patch(begun, 4, `${WORDS} and more`),
      await patch(begun, -1, 'x'),
      await patch(begun, 0.5, 'x'),
      await patch(begun, 4, 'x', { 'upload-length': '12' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([409, 413, 413, 422, 422, 422])
    const wrong = await desk.ana.ask(begun.address.url, {
      method: 'POST',
      headers: { ...desk.headersOf(begun), 'upload-length': '12' },
    })
    expect(wrong.status).toBe(422)
    expect(await arrived(begun)).toBe('4')
    // A piece that comes again replaces what its first try has left.
    expect((await patch(begun, 2, WORDS.slice(2))).status).toBe(200)
  })

  test('is judged by its bytes, whichever pieces they came in', async () => {
    const begun = await begin()
    await patch(begun, 0, 'he')
    const answer = await patch(begun, 2, '\0lo, desk')
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { errors: { 'files.0': ['“a.txt” holds something else than its name says.'] } },
    ])
    expect(await arrived(begun)).toBe(null)
    expect(desk.stored('transfers')).not.toContain(`${begun.address.paths[0]}.${SIZE}`)
  })

  test('goes on after a broken line with what has arrived', async () => {
    const begun = await begin()
    const line = open(begun)
    line.write(WORDS.slice(0, 6))
    await expect.poll(() => arrived(begun)).toBe('6')
    line.destroy()
    // Until the server has noticed, the file is still being added to.
    await expect.poll(async () => (await patch(begun, 6, WORDS.slice(6))).status).toBe(200)
  })

  test('is whole wherever a piece of it was broken off, at every 4 KiB', async () => {
    const bytes = 'abcdefg.'.repeat(512 * ABORTS)
    for (let cut = 0; cut < ABORTS; cut++) {
      // Within the limits of a person, who sends so many in a minute.
      if (cut % 10 === 9) desk.pass(60_000)
      const begun = await desk.started({ name: 'a.txt', size: bytes.length })
      const headers = { ...desk.headersOf(begun), 'upload-length': String(bytes.length) }
      await desk.ana.ask(begun.address.url, { method: 'POST', headers })
      const line = open(begun, bytes.length)
      line.write(bytes.slice(0, cut * 4096), () => line.destroy())
      // Until the server has noticed, the file is still being added to.
      await expect
        .poll(async () => {
          const at = Number(await arrived(begun))
          return (await patch(begun, at, bytes.slice(at))).status
        })
        .toBe(200)
      const { shown, snapshot, address } = begun
      await desk.call(shown, snapshot, UPLOAD_CALLS.finish, 'notes', [...address.paths], true)
      const [path = ''] = address.paths
      const restored = await desk.ana.ask(`/admin/tablewire/uploads/file?restore=${path}`)
      expect((await restored.text()) === bytes, `broken off after ${cut * 4} KiB`).toBe(true)
      await desk.call(shown, snapshot, UPLOAD_CALLS.remove, 'notes', path)
    }
  })

  test('takes one piece at a time: the next one ends what stands still', async () => {
    const begun = await begin()
    const line = open(begun)
    const ended = new Promise((done) => line.once('response', (it) => done(it.statusCode)))
    line.write(WORDS.slice(0, 6))
    await expect.poll(() => arrived(begun)).toBe('6')
    const [some, others] = await Promise.all([
      patch(begun, 6, WORDS.slice(6)),
      patch(begun, 6, WORDS.slice(6)),
    ])
    expect(await ended).toBe(409)
    // Of two that come at once either may be the last one; the file is whole.
    expect([some?.status, others?.status]).toContain(200)
    const { shown, snapshot, address } = begun
    await desk.call(shown, snapshot, UPLOAD_CALLS.finish, 'notes', [...address.paths], true)
    const restored = await desk.ana.ask(`/admin/tablewire/uploads/file?restore=${address.paths[0]}`)
    expect(await restored.text()).toBe(WORDS)
  })

  test('counts with all its bytes against what may wait, once it has begun', async () => {
    const half = { name: 'b.txt', size: 1024 ** 3 }
    const begun = await desk.started(half)
    await desk.ana.ask(begun.address.url, {
      method: 'POST',
      headers: { ...desk.headersOf(begun), 'upload-length': String(half.size) },
    })
    await expect(desk.started(half)).rejects.toThrow('start-upload: 422')
  })
})

describe('files of other hosts', () => {
  const fetchAt = (by: ReturnType<typeof browse>, begun: Started, address: string, more = {}) =>
    by.ask(`/admin/tablewire/uploads/fetch?fetch=${encodeURIComponent(address)}`, {
      method: 'POST',
      headers: { ...desk.headersOf(begun), ...more },
    })

  test('are not fetched unless hosts are allowed', async () => {
    const begun = await desk.started({ name: 'a.txt', size: SIZE })
    expect((await fetchAt(desk.ana, begun, 'https://a.example/x.png')).status).toBe(404)
  })

  test('are refused to strangers, to other sites, without a token, and at hosts that are not allowed', async () => {
    const open = await openUploadDesk({ fetchFrom: ['localhost'] })
    const begun = await open.started({ name: 'a.txt', size: SIZE })
    const { origin = '', ...rest } = open.headersOf(begun)
    const ask = (address: string, headers: Record<string, string>, by = open.ana) =>
      by.ask(`/admin/tablewire/uploads/fetch?fetch=${encodeURIComponent(address)}`, {
        ...{ method: 'POST', headers },
      })
    const there = 'https://localhost/x.png'
    const statuses = [
      await ask(there, { ...rest, origin }, browse(open.host.origin, '')),
      await ask(there, { ...rest, origin: 'https://evil.example' }),
      await ask(there, { origin }),
      await ask('https://other.example/x.png', { ...rest, origin }),
      // Its name is allowed, its address is not.
      await ask(there, { ...rest, origin }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([419, 419, 419, 404, 404])
    await open.close()
  })
})

/** Where a piece is broken off, every 4 KiB. */
const ABORTS = runs(8)

/** A request for a piece as long as the file, whose bytes the test writes. */
function open(begun: Started, length = SIZE): ClientRequest {
  const { hostname, port, href } = new URL(begun.address.url, desk.host.origin)
  const request = httpRequest({
    ...{ hostname, port, path: href.slice(desk.host.origin.length), method: 'PATCH' },
    headers: {
      ...{ ...desk.headersOf(begun), ...RAW, 'upload-offset': '0' },
      ...{ cookie: 'host=ana', 'content-length': length },
    },
  })
  // It is broken on purpose.
  return request.on('error', () => undefined)
}
