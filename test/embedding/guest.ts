/** The admin as a guest: a small shop, the host's sign-in by a cookie, and what a browser does. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inspect } from 'node:util'
import type { AuthProvider, HostPerson } from '../../src/admin/sign-in/auth-provider.ts'
import type { Admin, AdminOptions } from '../../src/admin/compose/admin-options.ts'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { PageData } from '../../src/protocol/page.ts'
import { labelOfRow, type TableView } from '../../src/protocol/table-view.ts'
import type { UpdateResponse } from '../../src/protocol/wire.ts'

export type Guest = {
  readonly admin: Admin
  /** What was logged. */
  readonly log: string[]
  close(): Promise<void>
}

/** One for all, as where several admins get theirs from one environment. */
const env = { TABLEWIRE_SECRET: 'known to the tests alone 0123456789' }

export const ANA: HostPerson = { id: 'u1', name: 'Ana', role: 'admin', session: 's1' }

/** Who is signed in at the host, by the value of its cookie `host`. */
export const people = new Map<string, HostPerson>()

export const HOST_SIGN_IN: AuthProvider = {
  authenticate({ headers }) {
    const [, token = ''] = /(?:^|; )host=([^;]*)/.exec(headers.cookie ?? '') ?? []
    return people.get(token)
  },
  signInUrl: (returnTo) => `/login?next=${encodeURIComponent(returnTo)}`,
  signOutUrl: '/logout',
}

type GuestOptions = Omit<Partial<AdminOptions>, 'auth'> & { auth?: AuthProvider | null }

/** An admin of two tables, by default under `/admin` with the sign-in above; `null` for its own. */
export async function openGuest({
  auth = HOST_SIGN_IN,
  ...options
}: GuestOptions = {}): Promise<Guest> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-guest-'))
  const file = join(folder, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`create table growers (id integer primary key, name text);
    insert into growers (name) values ('Ilse Brandt');
    create table fruit (id integer primary key, name text not null, crates integer,
      grower_id integer references growers);
    insert into fruit (name, crates, grower_id) values
      ('Quince', 4, 1), ('Apple', 90, 1), ('Medlar', 1, 1)`)
  database.close()
  const log: string[] = []
  const admin = await createAdmin({
    source: await openSqlite(file),
    dataFolder: join(folder, 'data'),
    prefix: '/admin',
    ...(auth && { auth }),
    env,
    log: (line, error) => log.push(`${line} ${inspect(error)}`),
    ...options,
  })
  return {
    admin,
    log,
    async close() {
      await admin.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What a browser does that has the cookies it was given, and goes nowhere by itself. */
export function browse(origin: string, cookie: string) {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, origin), {
      redirect: 'manual',
      ...init,
      headers: { cookie, ...(init.headers as Record<string, string>) },
    })
  const page = async (path: string): Promise<PageData> => {
    const answer = await ask(path, { headers: { 'x-tablewire-navigate': '1' } })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    return (await answer.json()) as PageData
  }
  /** Posts JSON to where updates go, as the client does. */
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-tablewire': '1', origin, ...headers },
    })
  const sortBy = (shown: PageData, column: string, to = shown.updateUrl) =>
    post(to, sortRequest(shown, column))
  return { ask, page, post, sortBy }
}

/** The update that sorts the listing of a page. */
export function sortRequest({ csrf, components }: PageData, column: string): string {
  const { snapshot } = components.find(({ name }) => name === 'list')!
  const calls = [{ method: 'sortBy', params: [column, false] }]
  return JSON.stringify({ _token: csrf, components: [{ snapshot, updates: {}, calls }] })
}

/** Names of the rows that an answer to `sortBy` shows. */
export async function rowsOf(answer: Response): Promise<string[]> {
  const { components } = (await answer.json()) as UpdateResponse
  const view = components[0]?.effects.view as unknown as TableView
  return view.rows.map(labelOfRow)
}
