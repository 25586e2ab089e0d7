/** `tablewire people`: who is locked out is let in again from a terminal, beside a running server. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openMailSink } from './mail-sink.ts'
import { runHere } from './run-here.ts'

const COMMAND = join(import.meta.dirname, '../bin/tablewire.js')

let folder: string
let server: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-people-'))
  new DatabaseSync(join(folder, 'shop.sqlite')).close()
})

afterEach(() => {
  server?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `tablewire people`. */
const people = (args: readonly string[], env?: NodeJS.ProcessEnv) =>
  runHere({ args: ['people', ...args], folder, ...(env && { env }) })

/** The same in a process of its own, which nothing that was opened must keep from ending. */
const peopleApart = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, 'people', ...args], {
    ...{ cwd: folder, timeout: 60_000, env: { PATH: process.env['PATH'] } },
  })

/** Starts the server, and returns where it is. */
async function serve(...args: string[]): Promise<string> {
  server = spawn(process.execPath, [COMMAND, 'shop.sqlite', '--port', '0', ...args], {
    ...{ cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { PATH: process.env['PATH'] },
  })
  let said = ''
  for await (const chunk of server.stdout ?? []) {
    said += String(chunk)
    const [, origin] = /Open: (\S+)[^]*Sign in: /.exec(said) ?? []
    if (origin !== undefined) return origin
  }
  throw new Error(`It has not started: ${said}`)
}

const linkIn = (out: string): string => /^(http:\S+)$/m.exec(out)?.[1] ?? ''

const textAt = async (address: string) => (await fetch(address)).text()

test('lists, invites and gives new passwords beside a server, and History names it', async () => {
  const origin = await serve()
  expect(await people(['shop.sqlite'])).toEqual({ code: 0, out: 'Nobody yet.\n', err: '' })

  const invited = await people([
    'shop.sqlite',
    'invite',
    'ana@example.org',
    '--name',
    'Ana',
    '--role',
    'admin',
  ])
  expect(invited).toMatchObject({ code: 0, err: '' })
  expect(invited.out).toMatch(/^Link for Ana <ana@example\.org>, admin:\n/)
  expect(invited.out).toMatch(/\nIt works once, until \d{4}-\d\d-\d\d \d\d:\d\d, /)
  expect(invited.out).not.toMatch(/No Tablewire runs|earlier link/)
  const link = linkIn(invited.out)
  expect(link.startsWith(`${origin}/sign-in/link/`)).toBe(true)
  expect(await textAt(link)).toContain('You will sign in as ana@example.org.')

  const reset = await people(['reset', ' ANA@example.org'])
  expect(reset.out).toContain('An earlier link for them no longer works.')
  expect(await textAt(link)).toContain('This sign-in link has been used or has expired.')
  expect(await textAt(linkIn(reset.out))).toContain('You will sign in as ana@example.org.')

  expect((await peopleApart()).stdout).toMatch(
    /^Name {2}E-mail {11}Role {3}State {4}Last seen\nAna {3}ana@example\.org {2}admin {2}invited {2}never\n$/,
  )
  const records = new DatabaseSync(join(folder, '.tablewire/meta.sqlite'), { readOnly: true })
  const entries = records.prepare('select by_name, what from tablewire_people_changes order by at')
  expect(entries.all().map(({ by_name: by, what }) => [by, what])).toEqual([
    ['tablewire people', 'invited'],
    ['tablewire people', 'link'],
  ])
  records.close()
})

test('sends the link as well where there is a mail server, and says why not', async () => {
  const origin = await serve()
  const url = 'https://admin.example.org'
  const sink = await openMailSink()
  onTestFinished(() => sink.close())
  const env = { SMTP_URL: sink.url, SMTP_FROM: 'admin@example.org' }
  // A loopback address means nothing to who gets the mail.
  const { out } = await people(['invite', 'ana@example.org'], env)
  expect(out).toContain('It was not sent: Tablewire does not know the address')
  expect(linkIn(out).startsWith(`${origin}/sign-in/link/`)).toBe(true)
  expect((await fetch(linkIn(out))).status).toBe(200)
  expect(sink.mails).toEqual([])
  const named = await people(['reset', 'ana@example.org', '--url', url], env)
  expect(named.out).toContain('It was sent to ana@example.org.')
  expect(sink.mails).toMatchObject([{ to: ['ana@example.org'] }])
  // Long lines are cut.
  expect(sink.mails[0]?.data.replaceAll('=\r\n', '')).toContain(`${url}/sign-in/link/`)

  server?.kill('SIGKILL')
  await serve('--url', url)
  const served = await people(['reset', 'ana@example.org'], env)
  expect(served.out).toContain('It was sent to ana@example.org.')
  expect(sink.mails[1]?.data.replaceAll('=\r\n', '')).toContain(`${url}/sign-in/link/`)
  await sink.close()
  const failed = await people(['reset', 'ana@example.org'], env)
  expect(failed.out).toContain('It was not sent: the mail server does not answer.')
})

test('invites into a role of one’s own', async () => {
  await serve()
  server?.kill('SIGKILL')
  writeFileSync(
    join(folder, 'tablewire.config.mjs'),
    "export default { roles: { packer: { label: 'Packer', tables: {} } } }",
  )
  const packed = await people(['invite', 'pia@example.org', '--role', 'packer'])
  expect(packed).toMatchObject({ code: 0, err: '' })
  expect(packed.out).toMatch(/^Link for pia <pia@example\.org>, packer:\n/)
  expect((await people(['invite', 'a@b', '--role', 'owner'])).err).toBe(
    'There is no role [owner]; there are admin, editor, viewer, packer.\n',
  )
})

test('what cannot be done is told in one sentence, and nothing is made', async () => {
  expect(await people(['shop.sqlite'])).toEqual({
    ...{ code: 1, out: '' },
    err: 'There are no people in [.tablewire]: Tablewire has not run there. Start it once, or name another folder with --data.\n',
  })
  await serve()
  server?.kill('SIGKILL')
  const refused = async (...args: string[]) => {
    const { code, out, err } = await people(args)
    expect([code, out, err.trimEnd().split('\n').length]).toEqual([1, '', 1])
    return err
  }
  expect(await refused('reset', 'bo@example.org')).toMatch(
    /^Nobody has the address \[bo@example\.org\]/,
  )
  expect(await refused('invite', 'bo')).toBe('This does not look like an email address.\n')
  expect(await refused('invite')).toMatch(/^Name one address: tablewire people invite /)
  expect(await refused('invite', 'a@b', 'c@d')).toMatch(/^Name one address/)
  expect(await refused('invite', 'a@b', '--role', 'owner')).toMatch(/^There is no role \[owner\]/)
  expect(await refused('reset', 'a@b', '--name', 'A')).toMatch(/^--name and --role belong to/)
  expect(await refused('one.sqlite', 'two.sqlite')).toBe('Name one database, not 2.\n')
  const told = await people(['invite', 'bo@example.org', '--url', 'https://admin.example.org/db'])
  expect(told.out).toMatch(/^https:\/\/admin\.example\.org\/db\/sign-in\/link\/[\w-]{43}$/m)
  expect(told.out).toContain('Link for bo <bo@example.org>, viewer:')
  expect(told.out).toContain('No Tablewire runs on this data folder here')
})
