/** A table and a view on any engine, and all that a browser can hold open of their admin. */

import { readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readAddress, UPLOAD_CALLS, UPLOAD_PART } from '../src/protocol/upload.ts'
import type { Person } from './realtime/live-admin.ts'

/** Ten thousand of them are more than both ends of a connection hold for somebody who does not read. */
const NOTE = 'note '.repeat(500)
const DIGITS = Array.from({ length: 10 }, (_, digit) => `(${digit})`).join()

/** Makes the table and the view, in the words that all engines have in common. */
export const SHOP: readonly string[] = [
  'create table digits (digit integer primary key)',
  `insert into digits values ${DIGITS}`,
  'create table orders (id integer primary key, note varchar(3000), photo varchar(200))',
  `insert into orders
    select a.digit * 1000 + b.digit * 100 + c.digit * 10 + d.digit, '${NOTE}', null
    from digits a, digits b, digits c, digits d`,
  'create view seen as select id, note from orders',
]

/** The definitions that the upload needs. */
export const SHOP_TABLES = {
  orders: { columns: { photo: { kind: 'image', storage: 'local' } } },
} as const

/**
 * Opens the list, the view, a socket that hears of the table, an export that nobody reads, and an upload that
 * does not go on, and makes a change that the history tells of. Returns what becomes of them.
 */
export async function openEverything(person: Person, dataFolder: string) {
  const list = await person.page('/tables/orders')
  const view = await person.page('/tables/seen?search=nothing+like+it')
  expect([list, view].map(({ content }) => content.page)).toEqual(['list', 'list'])
  const live = await person.connect({ page: list })
  await live.subscribe('private-table.orders')
  const record = await person.page('/tables/orders/records/7?edit=on')
  const params = [{ note: 'was changed' }, { note: NOTE }, null]
  const saved = await person.update(record, 'form', [{ method: 'save', params }])
  expect(saved.returns).toMatchObject([{ status: 'saved' }])
  expect(await (await person.get('/history')).text()).toContain('was changed')
  const form = new URLSearchParams({ _token: list.csrf })
  const unread = await person.post('/tables/orders/export', form)
  expect(unread.status).toBe(200)
  const upload = await beginUpload(person)
  const arriving = join(dataFolder, 'files/arriving')
  await expect.poll(() => readdirSync(arriving), { timeout: 30_000 }).toHaveLength(1)
  return {
    /** The code with which the socket was closed. */
    socketClosed: new Promise<number>((resolve) => void live.socket.once('close', resolve)),
    /** Whether the upload was answered. */
    uploadAnswered: upload.answered,
    /** Begins to read the export; settles with whether all of it came. */
    exportCame: () =>
      unread.text().then(
        () => true,
        () => false,
      ),
  }
}

/** Sends the beginning of a file. */
async function beginUpload(person: Person) {
  const shown = await person.page('/tables/orders/records/8?edit=on')
  const facts = { name: 'a.png', size: 1000, type: 'image/png' }
  const params = ['files.photo', [facts], false]
  const { returns } = await person.update(shown, 'form', [{ method: UPLOAD_CALLS.start, params }])
  const { origin } = person
  const request = httpRequest(new URL(readAddress(returns?.[0] ?? null).url, origin), {
    method: 'POST',
    headers: {
      ...{ ...person.headers, origin, 'x-csrf-token': shown.csrf },
      ...{ 'x-requested-with': 'XMLHttpRequest', 'content-length': 1200 },
      'content-type': 'multipart/form-data; boundary=between',
    },
  })
  const answered = new Promise<boolean>((resolve) => {
    request.once('response', () => resolve(true)).once('error', () => resolve(false))
  })
  request.write(
    `--between\r\nContent-Disposition: form-data; name="${UPLOAD_PART}"; filename="a.png"\r\n` +
      'Content-Type: image/png\r\n\r\n',
  )
  request.write(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  return { answered }
}
