/** The first page and the sidebar over a database of 1,000 tables, beside one of ten. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { createAdmin } from '../src/admin/compose/create-admin.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import { atMost, type Figure, median, timed } from './measure.ts'

const ROUNDS = 30

const person = { name: 'Bench', email: 'bench@example.org', password: 'correct horse battery' }

/** Half of the tables in groups of ten whose names begin with the same word. */
const nameOf = (at: number) =>
  at % 2 === 0 ? `table_of_${at}` : `area${Math.floor(at / 20)}_${at.toString(36)}_entries`

async function open(tables: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-tables-'))
  const file = join(folder, 'many.sqlite')
  const database = new DatabaseSync(file)
  database.exec('begin')
  for (let at = 0; at < tables; at++)
    database.exec(`create table ${nameOf(at)} (id integer primary key, name text, placed_at text);
      insert into ${nameOf(at)} (name) values ('one'), ('two')`)
  database.exec('commit; analyze')
  database.close()
  const admin = await createAdmin({
    source: await openSqlite(file),
    dataFolder: join(folder, 'data'),
    requestsPerMinute: 1_000_000,
  })
  const link = await admin.accounts.issueLink({ role: 'admin' })
  const origin = { address: '127.0.0.1', userAgent: 'bench' }
  const { token } = await admin.accounts.redeemLink(link, person, origin)
  const headers = { cookie: `${admin.sessionCookie}=${token}` }
  const ask = (url: string) => admin.app.inject({ url, headers })
  /** As a browser does: the start page, then the table that it leads to. */
  const start = async () => ask((await ask('/')).headers.location ?? '/')
  const close = async () => {
    await admin.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { ask, start, close }
}

export async function manyTables(): Promise<Figure[]> {
  const [few, many] = [await open(10), await open(1000)]
  const html = (await many.start()).body
  const [rail = ''] = /<aside[^]*<\/aside>/.exec(html) ?? []
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.few.push(...(await timed(1, few.start)))
    times.many.push(...(await timed(1, many.start)))
  }
  await few.close()
  await many.close()
  const [fewMs, manyMs] = [median(times.few), median(times.many)]
  return [
    atMost('/ with 1,000 tables', manyMs, 60, ' ms'),
    atMost('/ with 1,000 tables, beside ten', manyMs / fewMs, 10, '×'),
    atMost('sidebar of 1,000 tables, gzip', gzipSync(rail).length / 1000, 12, ' kB'),
    atMost('document with 1,000 tables, gzip', gzipSync(html).length / 1000, 40, ' kB'),
  ]
}
