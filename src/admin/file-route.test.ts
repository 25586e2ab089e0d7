/** Files of rows over HTTP: to whom they are given, and how. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DRAWINGS } from '../../demo/drawings.ts'
import { drawPng } from '../../demo/png.ts'
import { openSqlite } from '../database/sqlite/open.ts'
import { everything } from '../table/source/predicate.ts'
import type { Admin } from './compose/admin-options.ts'
import { createAdmin } from './compose/create-admin.ts'
import type { AuthProvider, HostPerson } from './sign-in/auth-provider.ts'

const key = (name: string) => `kept/ab/${'x'.repeat(22)}-${name}`
const KEYS = {
  1: key('engine.png'),
  2: key('Größe-2.pdf'),
  3: key('page.html'),
  4: key('drawing.svg'),
  5: key('gone.png'),
  6: 'kept/ab/../../../meta.sqlite',
  7: '../secret',
  8: 'https://example.org/a.png',
  9: 'pending/abc',
}
/** Of a column that holds several. */
const LISTED = ['one.png', 'two.pdf', 'gone.txt'].map(
  (name) => `kept/cd/${name.slice(0, 3).padEnd(22, '_')}-${name}`,
)
const idOf = (at: number) => LISTED[at]!.slice(8, 30)
const PEOPLE: { readonly [name: string]: HostPerson } = {
  ana: { id: 'ana', name: 'Ana', role: 'admin', session: 'a' },
  /** Sees the row 2 alone. */
  ben: { id: 'ben', name: 'Ben', role: 'viewer', session: 'b' },
  /** Does not see the column. */
  cleo: { id: 'cleo', name: 'Cleo', role: 'viewer', session: 'c' },
  /** The same by roles of one's own. */
  dora: { id: 'dora', name: 'Dora', role: 'second', session: 'd' },
  elif: { id: 'elif', name: 'Elif', role: 'noted', session: 'e' },
}
const auth: AuthProvider = {
  authenticate: ({ headers }) => PEOPLE[headers.cookie ?? ''],
  signInUrl: () => '/login',
  signOutUrl: '/logout',
}

let folder: string
let admin: Admin

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-files-'))
  const file = join(folder, 'strikes.sqlite')
  const database = new DatabaseSync(file)
  database.exec(
    'create table strikes (id integer primary key, photo text, note text, scan blob, photos text)',
  )
  const insert = database.prepare('insert into strikes values (?, ?, ?, null, null)')
  for (const [id, path] of Object.entries(KEYS)) insert.run(Number(id), path, path)
  database.exec(`update strikes set scan = x'89504e470d0a1a0a0000000d49484452' where id = 1;
    update strikes set scan = cast('<svg onload="x()"/>' as blob) where id = 2;
    update strikes set scan = zeroblob(17000000) where id = 3`)
  const list = database.prepare('update strikes set photos = ? where id = ?')
  list.run(JSON.stringify([...LISTED, KEYS[8]]), 1)
  list.run(JSON.stringify(LISTED.slice(0, 1)), 2)
  database.close()
  const dataFolder = join(folder, 'data')
  const there = [...Object.values(KEYS).slice(0, 4), ...LISTED.slice(0, 2)]
  for (const [at, path] of there.entries()) {
    const id = at + 1
    const file = join(dataFolder, 'files', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `bytes of ${id}`)
  }
  admin = await createAdmin({
    ...{ source: await openSqlite(file), dataFolder, auth },
    definitions: {
      strikes: {
        columns: {
          photo: { kind: 'file', storage: 'local' },
          photos: { kind: 'file', storage: 'local', multiple: true },
        },
      },
    },
    roles: {
      second: {
        tables: { strikes: { read: true, rows: { op: 'eq', column: 'id', value: 2 } } },
      },
      noted: { tables: { strikes: { read: ['note'] } } },
    },
    policy: {
      version: '1',
      grant: ({ id }, { columns }) => ({
        actions: ['read'],
        rows: id === 'ben' ? { op: 'eq', column: 'id', value: 2 } : everything,
        readable: columns
          .map(({ name }) => name)
          .filter((name) => id !== 'cleo' || !name.startsWith('photo')),
        writable: [],
      }),
    },
  })
})
afterAll(async () => {
  await admin.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (
  row: number | string,
  { by = 'ana', column = 'photo', size = '', ...headers }: { [header: string]: string } = {},
  method: 'GET' | 'HEAD' = 'GET',
) =>
  admin.app.inject({
    ...{ method, url: `/tables/strikes/records/${row}/files/${column}${size && `?size=${size}`}` },
    headers: { cookie: by, ...headers },
  })

describe('a file', () => {
  test('that is a picture is shown, and whether the person may see it is asked each time', async () => {
    const { statusCode, headers, body } = await ask(1)
    expect([statusCode, body]).toEqual([200, 'bytes of 1'])
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'content-disposition': `inline; filename="engine.png"; filename*=UTF-8''engine.png`,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
    const again = await ask(1, { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const any = await ask(1, { 'if-none-match': '*' })
    expect(any.statusCode).toBe(304)
    const other = await ask(1, { by: 'ben', 'if-none-match': String(headers.etag) })
    expect(other.statusCode).toBe(404)
  })

  test('is copied as small as it is shown, for those who may see it', async () => {
    const picture = drawPng(DRAWINGS[0]![1])
    writeFileSync(join(folder, 'data/files', KEYS[1]), picture)
    const { statusCode, headers, rawPayload } = await ask('1', { size: 'small' })
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': `inline; filename="engine.webp"; filename*=UTF-8''engine.webp`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
    })
    expect(rawPayload.byteLength).toBeLessThan(picture.byteLength)
    const again = await ask('1', { size: 'small', 'if-none-match': String(headers.etag) })
    expect(again.statusCode).toBe(304)
    expect(
      (await ask('1', { size: 'large', 'if-none-match': String(headers.etag) })).statusCode,
    ).toBe(200)
    for (const by of ['ben', 'cleo'])
      expect((await ask('1', { by, size: 'small' })).statusCode).toBe(404)
    // What is no picture has no copy, and there are no other sizes.
    expect((await ask('2', { size: 'small' })).statusCode).toBe(204)
    expect((await ask('1', { size: '1' })).statusCode).toBe(404)
    writeFileSync(join(folder, 'data/files', KEYS[1]), 'bytes of 1')
  })

  test.each([
    [2, 'application/pdf', `filename="Gr__e-2.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe-2.pdf`],
    [3, 'application/octet-stream', `filename="page.html"; filename*=UTF-8''page.html`],
    [4, 'application/octet-stream', `filename="drawing.svg"; filename*=UTF-8''drawing.svg`],
  ])('of row %s is saved and never shown', async (row, type, names) => {
    const { statusCode, headers } = await ask(row)
    expect([statusCode, headers['content-type']]).toEqual([200, type])
    expect(headers['content-disposition']).toBe(`attachment; ${names}`)
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  test('is told about without its bytes', async () => {
    const { statusCode, headers, body } = await ask(1, {}, 'HEAD')
    expect([statusCode, headers['content-length'], body]).toEqual([200, '10', ''])
  })

  test.each([
    ['bytes=0-4', 206, 'bytes', 'bytes 0-4/10'],
    ['bytes=6-', 206, 'of 1', 'bytes 6-9/10'],
    ['bytes=-1', 206, '1', 'bytes 9-9/10'],
    ['bytes=8-99', 206, ' 1', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, 'bytes of 1', undefined],
    ['bytes=0-1,3-4', 200, 'bytes of 1', undefined],
    ['lines=1-2', 200, 'bytes of 1', undefined],
  ])('is read in part: %s', async (range, status, body, told) => {
    const answer = await ask(1, { range })
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([
      ...[status, body, told],
    ])
  })

  test('that has changed meanwhile is read whole', async () => {
    const { etag } = (await ask(1)).headers
    const same = await ask(1, { range: 'bytes=0-0', 'if-range': String(etag) })
    const other = await ask(1, { range: 'bytes=0-0', 'if-range': '"other"' })
    expect([same.statusCode, other.statusCode]).toEqual([206, 200])
  })
})

test('one of several files is given by its id, to whom may see the row and the column', async () => {
  const listed = (row: number, id: string, by = 'ana') => ask(row, { by, column: `photos/${id}` })
  const one = await listed(1, idOf(0))
  expect([one.statusCode, one.body, one.headers['content-type']]).toEqual([
    ...[200, 'bytes of 5', 'image/png'],
  ])
  const two = await listed(1, idOf(1))
  expect([two.body, two.headers['content-disposition']]).toEqual([
    ...['bytes of 6', `attachment; filename="two.pdf"; filename*=UTF-8''two.pdf`],
  ])
  const statuses = await Promise.all(
    [
      // Another row does not hold it, or nobody may see that it does.
      ...[listed(2, idOf(0), 'ben'), listed(2, idOf(1)), listed(1, idOf(0), 'ben')],
      ...[listed(1, idOf(0), 'cleo'), listed(1, idOf(0), 'nobody')],
      // It has gone, there is none, and a single one has no id.
      ...[listed(1, idOf(2)), listed(1, 'x'.repeat(22)), listed(1, '..%2f..%2fsecret')],
      ...[listed(1, encodeURIComponent(LISTED[0]!)), ask(1, { column: 'photos' })],
      ...[ask(1, { column: `photo/${'x'.repeat(22)}` }), ask(1, { column: `scan/${idOf(0)}` })],
    ].map(async (asked) => (await asked).statusCode),
  )
  expect(statuses).toEqual([200, 404, 404, 404, 401, 404, 404, 404, 404, 404, 404, 404])
})

test('bytes of the row itself are given by what they are', async () => {
  const picture = await ask(1, { column: 'scan' })
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png'])
  expect(picture.headers['content-disposition']).toContain('inline; filename="scan-1.png"')
  expect(picture.rawPayload).toHaveLength(16)
  const part = await ask(1, { column: 'scan', range: 'bytes=1-3' })
  expect([part.statusCode, part.body]).toEqual([206, 'PNG'])
  const again = await ask(1, { column: 'scan', 'if-none-match': String(picture.headers.etag) })
  expect(again.statusCode).toBe(304)
  const other = await ask(2, { column: 'scan' })
  expect(other.headers).toMatchObject({ 'content-type': 'application/octet-stream' })
  expect(other.headers['content-disposition']).toContain('attachment; filename="scan-2.bin"')
  const [large, none] = await Promise.all([3, 4].map((row) => ask(row, { column: 'scan' })))
  expect([large?.statusCode, none?.statusCode]).toEqual([404, 404])
})

describe('nothing is given', () => {
  test.each([5, 6, 7, 8, 9, 10, 'abc', '..%2f..%2f1'])('for row %s', async (row) => {
    const { statusCode, body } = await ask(row)
    expect(statusCode).toBe(404)
    expect(body).not.toContain('bytes of')
  })

  test.each(['note', 'id', 'nowhere', '__proto__', '..%2Fphoto', 'constructor'])(
    'from the column %s',
    async (column) => {
      expect((await ask(1, { column })).statusCode).toBe(404)
    },
  )

  test('to whom may not see the row or the column, and to strangers', async () => {
    const all = await Promise.all([
      ask(1, { by: 'ben' }),
      ask(2, { by: 'ben' }),
      ask(2, { by: 'cleo' }),
      ask(1, { by: 'dora' }),
      ask(2, { by: 'dora' }),
      ask(2, { by: 'elif' }),
      ask(2, { by: 'nobody' }),
    ])
    expect(all.map(({ statusCode }) => statusCode)).toEqual([404, 200, 404, 404, 200, 404, 401])
  })

  test.each(['iframe', 'object', 'embed', 'script', 'style', 'worker'])(
    'to a page that wants it as %s',
    async (destination) => {
      const answer = await ask(1, { 'sec-fetch-dest': destination })
      expect(answer.json()).toMatchObject({ error: { code: 'NOT_EMBEDDABLE' } })
    },
  )
})
