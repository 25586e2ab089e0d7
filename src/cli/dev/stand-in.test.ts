import { request } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { EVENTS_PATH } from './followed.ts'
import { openStandIn, type StandIn } from './stand-in.ts'

let standIn: StandIn

afterEach(() => standIn.close())

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens at a port has an address.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function open(): Promise<number> {
  const port = await freePort()
  const failure = 'The server has ended.\n\n[postgres://ana:hunter2@db/shop] has no such table.'
  standIn = openStandIn({ host: '127.0.0.1', port, names: ['admin.test'] }, failure)
  return port
}

/** Tries until the port is open, and reads the first piece of the answer. */
async function ask(port: number, host: string, path = '/'): Promise<[number, string, object]> {
  for (;;) {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host } }).end()
    const answer = await once(asked, 'response').catch(() => null)
    if (!answer) continue
    const [response] = answer
    const [piece] = await once(response, 'data')
    asked.destroy()
    return [response.statusCode, String(piece), response.headers]
  }
}

test('a failure is told to own hosts alone, without its secrets', async () => {
  const port = await open()
  for (const path of ['/', '/tables/notes', `${EVENTS_PATH}?code=1`]) {
    for (const host of ['127.0.0.1', 'localhost', 'admin.test']) {
      const [, text, headers] = await ask(port, `${host}:${port}`, path)
      expect(text).toContain('has no such table')
      expect(text).toContain('postgres://ana:…@db/shop')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      })
    }
    const [status, text, headers] = await ask(port, 'attacker.example', path)
    expect([status, text]).toEqual([421, expect.not.stringContaining('table')])
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
  }
})
