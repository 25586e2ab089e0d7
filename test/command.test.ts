/** The `tablewire` command in processes of its own: links to a server that runs already. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createDatabase, describePostgres } from './contracts/postgres-server.ts'

const COMMAND = join(import.meta.dirname, '../bin/tablewire.js')
const folder = mkdtempSync(join(tmpdir(), 'tablewire-command-'))
const database = join(folder, 'some.sqlite')
const data = join(folder, 'data')
const note = join(data, 'server.json')
new DatabaseSync(database).close()

const started: ChildProcess[] = []
afterEach(() => Promise.all(started.splice(0).map((child) => end(child, 'SIGKILL'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const end = (child: ChildProcess, signal: NodeJS.Signals) =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(null)
    child.once('exit', resolve)
    child.kill(signal)
  })

/** Starts a server and waits until it has printed its link. */
async function start(...more: string[]): Promise<{ server: ChildProcess; link: string }> {
  const args = [COMMAND, database, '--port', '0', '--data', data, ...more]
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(server)
  let said = ''
  for await (const chunk of server.stdout) {
    said += String(chunk)
    const link = /Sign in: (\S+)/.exec(said)?.[1]
    if (link) return { server, link }
  }
  throw new Error(`No link was printed: ${said}`)
}

const run = (...args: string[]) =>
  spawnSync(process.execPath, [COMMAND, ...args], {
    encoding: 'utf8',
    cwd: folder,
    timeout: 30_000,
  })

const linkOf = (printed: string) => /^Sign in: (\S+)\n$/.exec(printed)?.[1] ?? expect.fail(printed)

test('a link to the server that runs is printed, with its address, and nothing is started', async () => {
  const { server, link } = await start()
  const links = [
    run('--sign-in-link', '--data', data),
    run(database, '--port', '0', '--sign-in-link', '--data', data),
  ].map(({ stdout, stderr, status }) => {
    expect([status, stderr]).toEqual([0, ''])
    return linkOf(stdout)
  })
  expect(new Set([link, ...links]).size).toBe(3)
  for (const fresh of links) {
    expect(new URL(fresh).origin).toBe(new URL(link).origin)
    expect((await fetch(fresh)).status).toBe(200)
  }
  await end(server, 'SIGTERM')
  expect(existsSync(note)).toBe(false)
})

test('the address is the one that browsers know', async () => {
  await start('--url', 'https://admin.example.org')
  const { stdout } = run('--sign-in-link', '--data', data)
  expect(linkOf(stdout)).toMatch(/^https:\/\/admin\.example\.org\/sign-in\/link\//)
})

test('without a server it is said in one sentence, and with a database one is started', async () => {
  const { server } = await start()
  await end(server, 'SIGKILL')
  expect(existsSync(note)).toBe(true)
  const { stdout, stderr, status } = run('--sign-in-link', '--data', data)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^No Tablewire runs on the data folder \[.*\]\. .*\n$/)
  const { link } = await start('--sign-in-link')
  expect((await fetch(link)).status).toBe(200)
})

/** The status for a request by another name; `fetch` would send the true one. */
const statusBy = (host: string, address: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(address, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).once('error', reject)
  })

test('other names than its own are refused, unless an address is named for browsers', async () => {
  const { link } = await start()
  const { origin } = new URL(link)
  expect(await statusBy('evil.example', link)).toBe(421)
  expect(await statusBy('localhost', link)).toBe(200)
  expect(await statusBy('evil.example', `${origin}/healthz`)).toBe(200)
})

test('with an address for browsers, the proxy decides which names lead here', async () => {
  await start('--url', 'https://admin.example.org')
  const { address } = v.parse(
    v.object({ address: v.string() }),
    JSON.parse(readFileSync(note, 'utf8')),
  )
  expect(await statusBy('admin.example.org', `${address}/sign-in`)).toBe(200)
})

test('with a path in the address for browsers, everything is served under it', async () => {
  const { link } = await start('--url', 'https://example.org/db')
  expect(link).toMatch(/^https:\/\/example\.org\/db\/sign-in\/link\//)
  const { address } = v.parse(
    v.object({ address: v.string() }),
    JSON.parse(readFileSync(note, 'utf8')),
  )
  expect(address).toMatch(/:\d+\/db$/)
  const { stdout } = run('--sign-in-link', '--data', data)
  const path = linkOf(stdout).replace('https://example.org/db', '')
  const page = await fetch(address + path)
  const html = await page.text()
  expect(page.status).toBe(200)
  // Nothing of the document is outside the path.
  const addresses = [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, one]) => one)
  expect(addresses.length).toBeGreaterThan(3)
  expect(addresses.filter((one) => !one?.startsWith('/db/'))).toEqual([])
  const { origin } = new URL(address)
  for (const one of addresses.filter((one) => one?.includes('/assets/')))
    expect((await fetch(origin + one)).status).toBe(200)
  expect((await fetch(`${origin}/sign-in`)).status).toBe(404)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})

test('what Node has compiled is kept for the next start, where there is room for it', () => {
  const caches = join(folder, 'caches')
  // The tests themselves run with a cache.
  const { NODE_COMPILE_CACHE: _own, ...without } = process.env
  const versionWith = (env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [COMMAND, '--version'], {
      env: { ...without, ...env },
      timeout: 30_000,
    }).status
  expect(versionWith({ XDG_CACHE_HOME: caches })).toBe(0)
  expect(readdirSync(join(caches, 'tablewire'))).toHaveLength(1)
  // Where nothing can be written, it starts all the same.
  for (const nowhere of ['/proc', join(database, 'below'), join(folder, 'not', 'there')])
    expect(versionWith({ XDG_CACHE_HOME: nowhere })).toBe(0)
})

describePostgres('a server', () => {
  test('a port in use is told, and no connection keeps the command', async () => {
    const { link } = await start()
    const { url, drop } = await createDatabase()
    const { stderr, status } = run(url(), '--port', new URL(link).port, '--data', join(folder, 'b'))
    await drop()
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Port \d+ is in use\./)])
  })
})

test('nothing is loaded that is not asked for', () => {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { console.error(url); return next(url, context) } })`
  const loaded = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, COMMAND, '--version'],
    { encoding: 'utf8' },
  ).stderr
  expect(loaded).toMatch(/\/dist\/cli\/main\.js$/m)
  expect(loaded).not.toMatch(/\/dist\/(database|ui)\/|create-admin|\/(fastify|kysely|pg|mysql2)\//)
})
