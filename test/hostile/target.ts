/** The admin under attack: a database of its own, people signed in, and a record of what it lost. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { InjectOptions } from 'fastify'
import { copyDemo } from '../copy-demo.ts'
import { demoDefinitions } from '../demo-definitions.ts'
import type { Admin, AdminOptions } from '../../src/admin/compose/admin-options.ts'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import type { PageData } from '../../src/protocol/page.ts'
import type { TableView } from '../../src/protocol/table-view.ts'
import { HEADERS } from '../../src/protocol/wire.ts'
import type { Role } from '../../src/server/actor.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { openSource } from './open-source.ts'

/** A request as the attacker makes it. */
export type HostileRequest = {
  readonly method?: NonNullable<InjectOptions['method']>
  readonly url?: string
  readonly remoteAddress?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
}

/** An answer as the attacker sees it; headers that came more than once are joined. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A signed-in person with everything that their browser holds. */
export type Person = {
  readonly id: string
  readonly email: string
  readonly session: { readonly id: string; readonly lineage: string }
  /** Value of the `Cookie` header. */
  readonly cookie: string
  readonly csrf: string
  /** Genuine snapshots by component name. */
  readonly snapshots: Readonly<Record<string, string>>
}

export type Target = {
  readonly admin: Admin
  /** Texts that no answer may hold: paths and secrets. */
  readonly secrets: readonly string[]
  readonly people: { readonly admin: Person; readonly editor: Person; readonly viewer: Person }
  /** The administrator once more, in another session. */
  readonly elsewhere: Person
  /** Lines that were logged, and rejections nobody handled. */
  readonly complaints: string[]
  send(request: HostileRequest): Promise<Answer>
  /** Puts the clock forward, ms. */
  advance(ms: number): void
  /** Digest of everything that an attack might have changed. */
  contents(): string
  /** Signs somebody in; `role` makes a new account unless it is an administrator. */
  signIn(role: Role): Promise<Person>
  close(): Promise<void>
}

export type TargetOptions = Partial<Omit<AdminOptions, 'source' | 'dataFolder'>> & {
  /** Makes the database. Default: the demo. */
  readonly prepare?: (file: string) => void
  /** Opens another database than that of the file. */
  readonly open?: () => Promise<RowSource>
  /** Table whose listing and first row give the genuine snapshots. Default: `strikes`. */
  readonly table?: string
}

/** One secret for all targets, so that their keys and cookies bear the same names. */
const SECRET = 'known to the tests alone 0123456789'
const ROOT = createHash('sha256').update(SECRET).digest()
/** The secret as it was given, and as keys are derived from it. */
const SECRETS = [
  SECRET,
  ...(['hex', 'base64', 'base64url'] as const).map((as) => ROOT.toString(as)),
]

/** The settings of every target. */
export const ENVIRONMENT = {
  TABLEWIRE_SECRET: SECRET,
  TABLEWIRE_REALTIME: 'hostile:hostile-key:known_to_the_tests_alone_0123456789',
}

export const PASSWORD = 'correct horse battery'
const ORIGIN = { address: '127.0.0.1', userAgent: 'hostile' }

export async function openTarget(options: TargetOptions = {}): Promise<Target> {
  const { prepare = copyDemo, table = 'strikes', open, ...rest } = options
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-hostile-'))
  const [file, dataFolder] = [join(folder, 'demo.sqlite'), join(folder, 'records')]
  prepare(file)
  const complaints: string[] = []
  let ahead = 0
  const source = await (open?.() ?? openSource(file))
  const admin = await createAdmin({
    source,
    dataFolder,
    env: ENVIRONMENT,
    definitions: await demoDefinitions(source),
    requestsPerMinute: 100_000_000,
    forgeriesPerMinute: 100_000_000,
    // Refusals of what visitors send are logged as they should be.
    log: (line, error) => {
      if (!/^4\d\d [A-Z_]+\b/.test(line)) complaints.push(`${line} ${describe(error)}`)
    },
    now: () => Date.now() + ahead,
    ...rest,
  })
  const rejected = (reason: unknown) => complaints.push(`unhandled: ${describe(reason)}`)
  process.on('unhandledRejection', rejected)
  await admin.app.ready()
  const records = new DatabaseSync(join(dataFolder, 'meta.sqlite'), { readOnly: true })
  const send = (request: HostileRequest) => answerTo(admin, request)
  const signIn = personMaker(admin, send, table)
  const first = await signIn('admin')
  return {
    admin,
    secrets: [folder, process.cwd(), ...SECRETS, ...hashesOf(records)],
    people: { admin: first, editor: await signIn('editor'), viewer: await signIn('viewer') },
    elsewhere: await signIn('admin'),
    complaints,
    send,
    advance: (ms) => void (ahead += ms),
    contents: () => digest([readFileSync(file), ...RECORDS.map((query) => rowsOf(records, query))]),
    signIn,
    async close() {
      process.off('unhandledRejection', rejected)
      records.close()
      await admin.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answerTo({ app }: Admin, request: HostileRequest): Promise<Answer> {
  const { statusCode, headers, body } = await app.inject({
    ...request,
    headers: { ...request.headers },
  })
  const joined = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(' | ')])
  return { status: statusCode, headers: Object.fromEntries(joined) as Answer['headers'], body }
}

/** When a session was last used and what was opened change with every visit; all else by wish. */
const RECORDS = [
  'select id, email, name, role, password_hash, disabled_at from tablewire_users order by id',
  'select id, token_hash, lineage, user_id from tablewire_sessions order by id',
  'select * from tablewire_links order by token_hash',
  'select * from tablewire_codes order by user_id',
  'select * from tablewire_recovery order by user_id, digest',
  'select * from tablewire_passkeys order by id',
  'select * from tablewire_identities order by id',
  "select * from tablewire_preferences where name <> 'recent' order by user_id, name",
  // A request that is called outdated leaves a record that it will never run, which is all it may do.
  "select * from tablewire_idempotency where answer is not 'null' order by user_id, key",
]

const rowsOf = (records: DatabaseSync, query: string): string =>
  JSON.stringify(records.prepare(query).all())

function digest(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

const hashesOf = (records: DatabaseSync): string[] =>
  records
    .prepare('select token_hash as text from tablewire_sessions')
    .all()
    .map(({ text }) => String(text))

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

/** Signs people in through a link, and opens the pages that their browser would have open. */
function personMaker(admin: Admin, send: Target['send'], table: string): Target['signIn'] {
  let count = 0
  return async (role) => {
    const known = role === 'admin' ? await admin.accounts.administrator() : undefined
    const link = await admin.accounts.issueLink({ role, ...(known && { userId: known.id }) })
    const email = known?.email ?? `${role}${++count}@example.org`
    const entry = known ? null : { name: role, email, password: PASSWORD }
    const { token, actor, session } = await admin.accounts.redeemLink(link, entry, ORIGIN)
    const cookie = `${admin.sessionCookie}=${token}`
    const list = await readPage(send, `/tables/${table}`, cookie)
    // With its form, and its history.
    const record = await readPage(
      send,
      `/tables/${table}/records/${firstKey(list)}?edit=on`,
      cookie,
    )
    const people = role === 'admin' ? await readPage(send, '/people', cookie) : undefined
    const components = [list, record, people].flatMap((one) => one?.components ?? [])
    const snapshots = Object.fromEntries(components.map(({ name, snapshot }) => [name, snapshot]))
    return { id: actor.id, email, session, cookie, csrf: list.csrf, snapshots }
  }
}

/** Key of the first row of a listing. */
function firstKey({ components }: PageData): string {
  const list = components.find(({ name }) => name === 'list')?.view as TableView | undefined
  return encodeURIComponent(list?.rows[0]?.[0] ?? '')
}

/** A page as data, as the client fetches it in place. */
export async function readPage(
  send: Target['send'],
  url: string,
  cookie: string,
): Promise<PageData> {
  const answer = await send({ url, headers: { cookie, [HEADERS.navigate]: '1' } })
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body) as PageData
}
