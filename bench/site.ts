/** A running Tablewire on the million-row tables, and a session in it, for the benchmarks. */

import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDemo } from '../demo/build.ts'
import { addMillion } from '../demo/million.ts'
import type { Admin } from '../src/admin/compose/admin-options.ts'
import { createAdmin } from '../src/admin/compose/create-admin.ts'
import { openDatabase } from '../src/cli/open-database.ts'
import type { Json } from '../src/protocol/json.ts'
import type { PageData } from '../src/protocol/page.ts'
import type { Role } from '../src/server/actor.ts'
import type { RowSource } from '../src/table/source/row-source.ts'

export type Site = {
  /** A SQLite file, or the address of a server that `bench/load.ts` has filled. */
  readonly database: string
  readonly rows: number
  readonly admin: Admin
  readonly source: RowSource
  readonly origin: string
  readonly headers: Record<string, string>
  /** Makes an account, signs it in, and returns the headers of its requests. */
  enter(name: string): Promise<Record<string, string>>
  /** A page as data. */
  page(path: string): Promise<PageData>
  /** Posts the body of an update, and returns the answer. */
  update(body: string): Promise<string>
  close(): Promise<void>
}

/** Creates the database once and keeps it, since ten million rows take a while. */
function ownDatabase(rows: number): string {
  const file = `.tablewire/bench-${rows}.sqlite`
  if (!existsSync(file)) {
    mkdirSync('.tablewire', { recursive: true })
    buildDemo(file)
    addMillion(file, rows)
  }
  return file
}

export async function openSite(rows: number, address?: string): Promise<Site> {
  const database = address ?? ownDatabase(rows)
  const dataFolder = await mkdtemp(join(tmpdir(), 'tablewire-bench-'))
  const source = await openDatabase(database)
  const admin = await createAdmin({
    source,
    dataFolder,
    requestsPerMinute: 100_000_000,
  })
  const origin = await admin.app.listen({ host: '127.0.0.1', port: 0 })
  const enter = async (name: string, role: Role = 'viewer') => {
    const link = await admin.accounts.issueLink({ role })
    const email = `${name.toLowerCase()}@example.org`
    const { token } = await admin.accounts.redeemLink(
      link,
      { name, email, password: 'correct horse battery' },
      { address: '127.0.0.1', userAgent: 'bench' },
    )
    return { cookie: `${admin.sessionCookie}=${token}`, 'accept-language': 'en-US' }
  }
  const headers = await enter('Bench', 'admin')
  return {
    database,
    rows,
    admin,
    source,
    origin,
    headers,
    enter,
    async page(path) {
      const response = await fetch(origin + path, {
        headers: { ...headers, 'x-tablewire-navigate': '1' },
      })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as PageData
    },
    async update(body) {
      const response = await fetch(`${origin}/tablewire/update`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'x-tablewire': '1' },
        body,
      })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return text
    },
    async close() {
      await admin.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** The body of an update with one call to the list of this page. */
export function updateBody(page: PageData, method: string, ...params: Json[]): string {
  const { snapshot } = page.components.find(({ name }) => name === 'list')!
  return JSON.stringify({
    _token: page.csrf,
    components: [{ snapshot, updates: {}, calls: [{ method, params }] }],
  })
}

/** Whether the database is on a server, not in a file. */
export const isServer = ({ database }: Pick<Site, 'database'>): boolean => database.includes('://')
