/** Stopping, with all open that can have been opened: the command on each engine, and an admin in a host. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createDatabase as createMysql, mysqlVersion } from './contracts/mysql-server.ts'
import { createDatabase as createPostgres, postgresVersion } from './contracts/postgres-server.ts'
import { openEverything, SHOP, SHOP_TABLES } from './everything-open.ts'
import { Person } from './realtime/live-admin.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablewire-stop-'))
const started: ChildProcess[] = []
afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')))
afterAll(() => rmSync(folder, { recursive: true }))

type Database = {
  readonly address: string
  /** How many connections are open to it. */
  connections(): Promise<number>
  drop(): Promise<void>
}

const ENGINES: { readonly [name: string]: () => Promise<Database> } = {
  async sqlite() {
    const address = join(mkdtempSync(join(folder, 'data-')), 'shop.sqlite')
    const database = new DatabaseSync(address)
    for (const statement of SHOP) database.exec(statement)
    database.close()
    return { address, connections: async () => 0, drop: async () => undefined }
  },
  ...(postgresVersion !== undefined && {
    async postgres() {
      const { url, run, drop } = await createPostgres()
      for (const statement of SHOP) await run(statement)
      const others = `select count(*) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
      return { address: url(), connections: async () => Number((await run(others))[0]?.[0]), drop }
    },
  }),
  ...(mysqlVersion !== undefined && {
    async mysql() {
      const { url, run, drop } = await createMysql()
      for (const statement of SHOP) await run(statement)
      const others = `select count(*) from information_schema.processlist
        where db = database() and id <> connection_id()`
      return { address: url(), connections: async () => Number((await run(others))[0]?.[0]), drop }
    },
  }),
}

/** Starts a process; what it writes to stderr is kept. */
function run(...args: string[]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  const failures: string[] = []
  child.stderr.on('data', (text) => failures.push(String(text)))
  const ended = once(child, 'close').then(([code]) => [code, failures.join('')] as const)
  /** The first part of a line that it prints. */
  async function printed(wanted: RegExp): Promise<string> {
    for await (const line of createInterface(child.stdout)) {
      const [, found] = wanted.exec(line) ?? []
      if (found === undefined) continue
      child.stdout.resume()
      return found
    }
    throw new Error(failures.join(''))
  }
  return { child, ended, printed }
}

/** Signs in by the link that the command prints. */
async function enter(link: string): Promise<Person> {
  const form = await fetch(link)
  const visitor = form.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const [, token = ''] = /name="_token" value="([^"]*)"/.exec(await form.text()) ?? []
  const { origin } = new URL(link)
  const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
  const entered = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: visitor.join('; '), origin },
    body: new URLSearchParams({ _token: token, ...person }),
  })
  expect(entered.status).toBe(303)
  const session = entered.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  return new Person(origin, session.join('; '))
}

/** What becomes of everything, once the process was told to end. */
async function stopped(
  { child, ended }: Pick<ReturnType<typeof run>, 'child' | 'ended'>,
  { socketClosed, uploadAnswered, exportCame }: Awaited<ReturnType<typeof openEverything>>,
) {
  child.kill('SIGTERM')
  return {
    ended: await ended,
    socketClosed: await socketClosed,
    uploadAnswered: await uploadAnswered,
    exportCame: await exportCame(),
  }
}

/** It ends well, live pages are told to come back, and what is slow is broken off. */
const WELL = { socketClosed: 4200, uploadAnswered: false, exportCame: false }
/** The log may count the upload. */
const LOGGED = expect.stringMatching(/^(408 REQUEST_TIMEOUT POST \/tablewire\/uploads\n)?$/)

const COMMAND = join(import.meta.dirname, '../bin/tablewire.js')
const HOST = fileURLToPath(new URL('embedding/closing-process.ts', import.meta.url))
const config = join(folder, 'tablewire.config.mjs')
writeFileSync(config, `export default ${JSON.stringify({ tables: SHOP_TABLES })}`)

async function commandOn(engine: string) {
  const { address, connections, drop } = await ENGINES[engine]!()
  const dataFolder = mkdtempSync(join(folder, engine))
  const flags = ['--config', config, '--data', dataFolder, '--port', '0', '--write']
  const process = run(COMMAND, address, ...flags)
  const person = await enter(await process.printed(/^Sign in: (\S+)/))
  const everything = await openEverything(person, dataFolder)
  return {
    // The others are opened while it ends.
    result: stopped(process, everything),
    async left() {
      await expect.poll(connections, { timeout: 30_000 }).toBe(0)
      await drop()
      const files = readdirSync(join(dataFolder, 'files/arriving'))
      return [existsSync(join(dataFolder, 'server.json')), files]
    },
  }
}

test('a signal ends the command on every engine, whatever is open, and nothing is left', async () => {
  const commands: Awaited<ReturnType<typeof commandOn>>[] = []
  for (const engine of Object.keys(ENGINES)) commands.push(await commandOn(engine))
  for (const { result, left } of commands) {
    expect(await result).toEqual({ ...WELL, ended: [0, LOGGED] })
    expect(await left()).toEqual([false, []])
  }
})

test('an admin in a host closes, whatever is open, and then nothing keeps the process', async () => {
  const { address } = await ENGINES['sqlite']!()
  const dataFolder = mkdtempSync(join(folder, 'host'))
  const host = run(HOST, address, dataFolder)
  const person = new Person(await host.printed(/^(http:.*)/), 'host=ana')
  const result = await stopped(host, await openEverything(person, dataFolder))
  expect(result).toEqual({ ...WELL, ended: [0, ''] })
})
