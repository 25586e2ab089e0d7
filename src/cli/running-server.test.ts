import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { findServer, noteServer, type RunningServer } from './running-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablewire-running-'))
const file = join(folder, 'server.json')
afterAll(() => rmSync(folder, { recursive: true }))

let health: Server
let asked: (string | undefined)[]
let running: RunningServer

beforeEach(async () => {
  asked = []
  health = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(request.url === '/healthz' ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => health.listen(0, '127.0.0.1', resolve))
  const { port } = health.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  running = { address, origin: 'https://admin.example.org', hasUrl: true, pid: process.pid }
})
afterEach(() => health.close())

test('a server is found while it runs, and its note goes when it stops', async () => {
  const removeNote = await noteServer(folder, running)
  expect(await findServer(folder)).toEqual(running)
  expect(asked).toEqual(['/healthz'])
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  await removeNote()
  expect(existsSync(file)).toBe(false)
  expect(await findServer(folder)).toBeNull()
})

test('a server that no longer answers is none', async () => {
  await noteServer(folder, running)
  await new Promise((resolve) => health.close(resolve))
  expect(await findServer(folder)).toBeNull()
})

test('nor is one whose process has gone, whoever has its port now', async () => {
  // Beyond what any system gives out.
  await noteServer(folder, { ...running, pid: 2 ** 30 })
  expect(await findServer(folder)).toBeNull()
  expect(asked).toEqual([])
})

test('the note of a server that came later stays', async () => {
  const removeNote = await noteServer(folder, running)
  const later = JSON.stringify({ ...running, pid: 2 ** 30 })
  writeFileSync(file, later)
  await removeNote()
  expect(readFileSync(file, 'utf8')).toBe(later)
})

test.each(['', '{', '[]', '{"address":"x","origin":"y","pid":1}', '{"address":"http://a"}'])(
  'a note that says %j names no server',
  async (text) => {
    writeFileSync(file, text)
    expect(await findServer(folder)).toBeNull()
  },
)
