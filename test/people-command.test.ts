/** `tablewire people`: who is locked out is let in again from a terminal, beside a running server. */

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openMailSink } from './mail-sink.ts'

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

function people(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'people', ...args], {
    ...{ cwd: folder, encoding: 'utf8', timeout: 60_000 },
    env: { PATH: process.env['PATH'] },
  })
  return { status, out: stdout, err: stderr }
}

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

/** The same where this process has to answer meanwhile. */
const peopleMeanwhile = (env: object, ...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, 'people', ...args], {
    ...{ cwd: folder, timeout: 60_000, env: { PATH: process.env['PATH'], ...env } },
  })

const linkIn = (out: string): string => /^(http:\S+)$/m.exec(out)?.[1] ?? ''

const textAt = async (address: string) => (await fetch(address)).text()

test('lists, invites and gives new passwords beside a server, and History names it', async () => {
  const origin = await serve()
  expect(people('shop.sqlite')).toEqual({ status: 0, out: 'Nobody yet.\n', err: '' })

  const invited = people(
    'shop.sqlite',
    'invite',
    'ana@example.org',
    '--name',
    'Ana',
    '--role',
    'admin',
  )
  expect(invited).toMatchObject({ status: 0, err: '' })
  expect(invited.out).toMatch(/^Link for Ana <ana@example\.org>, admin:\n/)
  expect(invited.out).toMatch(/\nIt works once, until \d{4}-\d\d-\d\d \d\d:\d\d, /)
  expect(invited.out).not.toMatch(/No Tablewire runs|earlier link/)
  const link = linkIn(invited.out)
  expect(link.startsWith(`${origin}/sign-in/link/`)).toBe(true)
  expect(await textAt(link)).toContain('You will sign in as ana@example.org.')

  const reset = people('reset', ' ANA@example.org')
  expect(reset.out).toContain('An earlier link for them no longer works.')
  expect(await textAt(link)).toContain('This sign-in link has been used or has expired.')
  expect(await textAt(linkIn(reset.out))).toContain('You will sign in as ana@example.org.')

  expect(people().out).toMatch(
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
  const { stdout } = await peopleMeanwhile(env, 'invite', 'ana@example.org')
  expect(stdout).toContain('It was not sent: Tablewire does not know the address')
  expect(linkIn(stdout).startsWith(`${origin}/sign-in/link/`)).toBe(true)
  expect((await fetch(linkIn(stdout))).status).toBe(200)
  expect(sink.mails).toEqual([])
  const named = await peopleMeanwhile(env, 'reset', 'ana@example.org', '--url', url)
  expect(named.stdout).toContain('It was sent to ana@example.org.')
  expect(sink.mails).toMatchObject([{ to: ['ana@example.org'] }])
  // Long lines are cut.
  expect(sink.mails[0]?.data.replaceAll('=\r\n', '')).toContain(`${url}/sign-in/link/`)

  server?.kill('SIGKILL')
  await serve('--url', url)
  const served = await peopleMeanwhile(env, 'reset', 'ana@example.org')
  expect(served.stdout).toContain('It was sent to ana@example.org.')
  expect(sink.mails[1]?.data.replaceAll('=\r\n', '')).toContain(`${url}/sign-in/link/`)
  await sink.close()
  const failed = await peopleMeanwhile(env, 'reset', 'ana@example.org')
  expect(failed.stdout).toContain('It was not sent: the mail server does not answer.')
})

test('invites into a role of one’s own', async () => {
  await serve()
  server?.kill('SIGKILL')
  writeFileSync(
    join(folder, 'tablewire.config.mjs'),
    "export default { roles: { packer: { label: 'Packer', tables: {} } } }",
  )
  const packed = people('invite', 'pia@example.org', '--role', 'packer')
  expect(packed).toMatchObject({ status: 0, err: '' })
  expect(packed.out).toMatch(/^Link for pia <pia@example\.org>, packer:\n/)
  expect(people('invite', 'a@b', '--role', 'owner').err).toBe(
    'There is no role [owner]; there are admin, editor, viewer, packer.\n',
  )
})

test('what cannot be done is told in one sentence, and nothing is made', async () => {
  expect(people('shop.sqlite')).toEqual({
    ...{ status: 1, out: '' },
    err: 'There are no people in [.tablewire]: Tablewire has not run there. Start it once, or name another folder with --data.\n',
  })
  await serve()
  server?.kill('SIGKILL')
  const refused = (...args: string[]) => {
    const { status, out, err } = people(...args)
    expect([status, out, err.trimEnd().split('\n').length]).toEqual([1, '', 1])
    return err
  }
  expect(refused('reset', 'bo@example.org')).toMatch(/^Nobody has the address \[bo@example\.org\]/)
  expect(refused('invite', 'bo')).toBe('This does not look like an email address.\n')
  expect(refused('invite')).toMatch(/^Name one address: tablewire people invite /)
  expect(refused('invite', 'a@b', 'c@d')).toMatch(/^Name one address/)
  expect(refused('invite', 'a@b', '--role', 'owner')).toMatch(/^There is no role \[owner\]/)
  expect(refused('reset', 'a@b', '--name', 'A')).toMatch(/^--name and --role belong to/)
  expect(refused('one.sqlite', 'two.sqlite')).toBe('Name one database, not 2.\n')
  const told = people('invite', 'bo@example.org', '--url', 'https://admin.example.org/db')
  expect(told.out).toMatch(/^https:\/\/admin\.example\.org\/db\/sign-in\/link\/[\w-]{43}$/m)
  expect(told.out).toContain('Link for bo <bo@example.org>, viewer:')
  expect(told.out).toContain('No Tablewire runs on this data folder here')
})
