/** The `tablewire` command with its records beside the data or in another database, and moving them there. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeMetadata } from './contracts/metadata-places.ts'
import { runHere } from './run-here.ts'

const COMMAND = join(import.meta.dirname, '../bin/tablewire.js')

let folder: string
let running: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-records-'))
  new DatabaseSync(join(folder, 'shop.sqlite')).close()
})

afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

async function stop(): Promise<void> {
  const server = running
  running = undefined
  if (!server || server.exitCode !== null) return
  await new Promise((resolve) => {
    server.once('exit', resolve)
    server.kill('SIGTERM')
  })
}

/** Starts a server; `said` is all that it has printed until its link, and `told` what it has logged. */
async function start(...args: string[]) {
  const all = [COMMAND, ...args, '--port', '0', '--data', join(folder, 'data')]
  const server = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] })
  running = server
  let [said, told] = ['', '']
  server.stderr.on('data', (chunk) => (told += String(chunk)))
  for await (const chunk of server.stdout) {
    said += String(chunk)
    const link = /Sign in: (\S+)/.exec(said)?.[1]
    if (link) return { link, told }
  }
  throw new Error(`No link was printed: ${said}${told}`)
}

/** Runs a command that ends. */
const run = (...args: string[]) =>
  runHere({ args: [...args, '--data', join(folder, 'data')], folder })

/** The same in a process of its own, which nothing that was opened must keep from ending. */
const runApart = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, ...args, '--data', join(folder, 'data')], {
    timeout: 60_000,
  })

const isGood = async (link: string): Promise<boolean> => (await fetch(link)).status === 200

describeMetadata('records', (place) => {
  const shop = () => join(folder, 'shop.sqlite')
  const created = /^Tablewire creates its own tables in .*, as metadata says: .* tablewire_/m

  test('beside the data are made after a plain statement, shown nowhere, and move there whole', async () => {
    await place().run('create table crates (id int primary key)')
    const { address } = place()
    const { link } = await start(address)
    expect((await run('move', address, '--metadata', 'beside')).err).toMatch(/Stop it first/)
    await stop()

    const moved = await runApart('move', address, '--metadata', 'beside')
    expect(moved.stderr).toBe('')
    expect(moved.stdout).toMatch(created)
    expect(moved.stdout).toMatch(/^Copied: \d+ records from /m)
    expect(moved.stdout).toMatch(/TABLEWIRE_METADATA=beside/)

    const again = await start(address, '--metadata', 'beside')
    expect(again.told).not.toMatch(created)
    // The link of before is good here, and one of another process, too.
    const { origin, pathname } = new URL(again.link)
    expect(await isGood(origin + new URL(link).pathname)).toBe(true)
    expect(pathname).not.toBe(new URL(link).pathname)
    const fresh = (await run(address, '--metadata', 'beside', '--sign-in-link')).out
    expect(await isGood(/Sign in: (\S+)/.exec(fresh)?.[1] ?? '')).toBe(true)
    await stop()

    const refused = await run('move', address, '--metadata', 'beside')
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toMatch(/^Nothing was moved: .*records of its own in tablewire_/)
  })

  test('in another database are made after a plain statement, and no file is', async () => {
    for (const [table] of await place().run(OWN_TABLES[place().engine]))
      await place().run(`drop table ${String(table)}`)
    const { link, told } = await start(shop(), '--metadata', place().address)
    expect(told).toMatch(created)
    expect(await isGood(link)).toBe(true)
    expect(existsSync(join(folder, 'data', 'meta.sqlite'))).toBe(false)
    expect(await place().run('select count(*) from tablewire_links')).toEqual([
      [expect.toSatisfy((count) => Number(count) === 1)],
    ])
  })
})

/** Those that refer to others come first. */
const OWN_TABLES = {
  sqlite: `select name from sqlite_schema where name like 'tablewire%' and type = 'table'
    order by name = 'tablewire_users'`,
  postgres: `select relname from pg_class where relname like 'tablewire%' and relkind = 'r'
    order by relname = 'tablewire_users'`,
  mysql: `select table_name from information_schema.tables where table_schema = database()
    and table_name like 'tablewire%' order by table_name = 'tablewire_users'`,
}

test('moving without a place to move to is told in one sentence', async () => {
  expect(await run('move', join(folder, 'shop.sqlite'))).toMatchObject({
    ...{ code: 1, out: '' },
    err: 'Say where to with --metadata: beside, or the address of a database.\n',
  })
})
