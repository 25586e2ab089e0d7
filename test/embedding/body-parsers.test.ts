/** Hosts that read bodies before the admin is asked: exact bytes are taken, anything else refused. */

import type { IncomingMessage } from 'node:http'
import express, { type RequestHandler } from 'express'
import { afterEach, describe, expect, test } from 'vitest'
import { ANA, browse, type Guest, openGuest, people, rowsOf, sortRequest } from './guest.ts'
import { type Host, listen } from './hosts.ts'

let guest: Guest
let host: Host
let ana: ReturnType<typeof browse>

async function mountAfter(...before: RequestHandler[]): Promise<void> {
  people.set('ana', ANA)
  guest = await openGuest()
  host = await listen(express().use(...before, guest.admin.middleware))
  ana = browse(host.origin, 'host=ana')
}

afterEach(async () => {
  await host.close()
  await guest.close()
})

const keepBytes = express.json({
  verify: (request: IncomingMessage & { rawBody?: Buffer }, _response, bytes) =>
    void (request.rawBody = bytes),
})

const drain: RequestHandler = (request, _response, next) => {
  request.on('end', next).resume()
}

describe.each<[string, RequestHandler]>([
  ['express.json()', express.json()],
  ['express.text()', express.text({ type: '*/*' })],
  ['a reader of its own', drain],
])('after %s', (_name, before) => {
  test('an update is refused at once, and says why', async () => {
    await mountAfter(before)
    const answer = await ana.sortBy(await ana.page('/admin/tables/fruit'), 'name')
    expect(answer.status).toBe(500)
    expect((await answer.json()).error).toMatchObject({
      code: 'BODY_CONSUMED',
      message: expect.stringContaining('mount Tablewire before body parsers'),
    })
    expect(guest.log.join()).toContain('mount Tablewire before body parsers')
  })
})

describe.each<[string, RequestHandler]>([
  ['express.json() that keeps the bytes', keepBytes],
  ['express.raw()', express.raw({ type: '*/*' })],
])('after %s', (_name, before) => {
  test('an update is what the browser sent, and no less strict', async () => {
    await mountAfter(before)
    const page = await ana.page('/admin/tables/fruit')
    const answer = await ana.sortBy(page, 'name')
    expect(await rowsOf(answer)).toEqual(['Apple', 'Medlar', 'Quince'])
    const twice = sortRequest(page, 'name').replace('{', '{"components":[],')
    expect((await ana.post(page.updateUrl, twice)).status).toBe(400)
    const long = await ana.post(page.updateUrl, `{"a":"${'x'.repeat(90_000)}"}`)
    expect(long.status).toBe(422)
  })
})

test('after express.json() an empty body is an empty body', async () => {
  await mountAfter(express.json())
  expect((await ana.post('/admin/tablewire/update', '')).status).toBe(400)
})
