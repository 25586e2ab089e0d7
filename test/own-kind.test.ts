/** A kind of one's own in a whole admin: named in its configuration, read without script. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../src/admin/compose/define-admin.ts'
import {
  type Admin,
  type AdminOptions,
  createAdmin,
  defineAdmin,
  DefinitionError,
  openSqlite,
} from '../src/exports/index.ts'
import { rating } from './rating.ts'

let folder: string
let admin: Admin
let cookie: string

async function open(options: Partial<AdminOptions>): Promise<Admin> {
  const source = await openSqlite(join(folder, 'films.sqlite'))
  try {
    return await createAdmin({ source, dataFolder: join(folder, 'data'), ...options })
  } catch (error) {
    await source.close()
    throw error
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablewire-kinds-'))
  const database = new DatabaseSync(join(folder, 'films.sqlite'))
  database.exec(`create table films (id integer primary key, title text, stars integer, points integer);
    insert into films (title, stars, points) values ('Jaws', 4, 2), ('Cats', 1, 90), ('Dune', null, 0)`)
  database.close()
  admin = await open({
    kinds: [rating],
    definitions: { films: { columns: { points: { kind: 'rating', summary: 'none' } } } },
  })
  const link = await admin.accounts.issueLink({ role: 'admin' })
  const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
  const { token } = await admin.accounts.redeemLink(link, person, {
    address: '127.0.0.1',
    userAgent: 'test',
  })
  cookie = `${admin.sessionCookie}=${token}`
})
afterAll(async () => {
  await admin.close()
  await rm(folder, { recursive: true, force: true })
})

/** What stands in the page itself, before and without any script. */
async function textOf(url: string): Promise<string> {
  const { body } = await admin.app.inject({ url, headers: { cookie, 'accept-language': 'en-US' } })
  const [, app = ''] = /<div id="app">(.*?)<script/s.exec(body) ?? []
  return app.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

describe('a kind of the configuration', () => {
  test('is read in a list without script and without a browser half', async () => {
    const text = await textOf('/tables/films?sort=-stars')
    expect(text).toMatch(/Jaws ★★★★☆ ★★☆☆☆ .*Cats ★☆☆☆☆ 90/)
    expect(text).toContain('Stars, best first')
  })

  test('is read on a record page alike', async () => {
    expect(await textOf('/tables/films/records/1')).toMatch(/Stars ★★★★☆ Points ★★☆☆☆/)
  })

  test('says its layout, since the browser does not know it', async () => {
    const { columns } = await listView()
    expect(columns.filter(({ layout }) => layout)).toEqual([
      expect.objectContaining({ name: 'stars', kind: 'rating', layout: rating.layout }),
      expect.objectContaining({ name: 'points', kind: 'rating', layout: rating.layout }),
    ])
  })

  async function listView(): Promise<{ columns: { name: string; layout?: object }[] }> {
    const headers = { cookie, 'x-tablewire-navigate': '1' }
    const response = await admin.app.inject({ url: '/tables/films', headers })
    const page = response.json<{ components: { name: string; view: never }[] }>()
    return page.components.find(({ name }) => name === 'list')!.view
  }
})

test('a kind that was not named is told at the start, with what was probably meant', async () => {
  const definitions = { films: { columns: { stars: { kind: 'ratng' } } } }
  const opening = open({ definitions, kinds: [rating] })
  await expect(opening).rejects.toThrow(DefinitionError)
  await expect(opening).rejects.toThrow(/Did you mean \[rating\]\?$/)
})

describe('a configuration', () => {
  const columns = { stars: { kind: 'rating' } }

  test('takes kinds, and columns that name them', () => {
    const config = defineAdmin({ kinds: [rating], tables: { films: { columns } } })
    expect(readConfig(config)).toEqual({ problems: [], config })
  })

  test('tells the mistakes of kinds with those of settings', () => {
    const { problems, config } = readConfig({ prot: 1, kinds: [{ ...rating, cel: 1 }] })
    expect(problems.map(({ path }) => path)).toEqual(['prot', 'kinds[0].cel'])
    // Columns of this kind are no mistake besides.
    expect(config.kinds?.map(({ name }) => name)).toEqual(['rating'])
  })
})
