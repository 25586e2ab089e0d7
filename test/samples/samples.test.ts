import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isMariaDb, mysqlVersion } from '../contracts/mysql-server.ts'
import { postgresVersion } from '../contracts/postgres-server.ts'
import { addressOn, MYSQL, POSTGRES } from '../contracts/servers.ts'
import { nightly } from '../nightly.ts'
import { isPlain } from '../tier.ts'
import {
  dropMysql,
  dropPostgres,
  loadMysql,
  loadPostgres,
  loadSqlite,
  type Sample,
} from './load.ts'
import { type OpenedSample, openSample, type Screen } from './opened.ts'

/** Pages of records that are opened, of each table. */
const PAGES = isPlain ? 1 : 2

type Loaded = { readonly address: string; drop(): void }

const folder = mkdtempSync(join(tmpdir(), 'tablewire-samples-'))
const nameOf = (sample: Sample) => `tablewire_${sample}_${randomBytes(4).toString('hex')}`

const samples: readonly [name: string, isThere: boolean, load: () => Promise<Loaded>][] = [
  [
    'chinook-sqlite',
    true,
    async () => {
      const file = join(folder, 'chinook.sqlite')
      loadSqlite(file)
      return { address: file, drop: () => rmSync(file, { force: true }) }
    },
  ],
  ...(['chinook', 'sakila'] as const).flatMap((sample): typeof samples => [
    [
      `${sample}-postgres`,
      postgresVersion !== undefined,
      async () => {
        const name = nameOf(sample)
        await loadPostgres(sample, name)
        return {
          address: addressOn(POSTGRES, name),
          drop: () => dropPostgres(name),
        }
      },
    ],
    [
      `${sample}-${isMariaDb ? 'mariadb' : 'mysql'}`,
      mysqlVersion !== undefined,
      async () => {
        const name = nameOf(sample)
        await loadMysql(sample, name)
        return { address: addressOn(MYSQL, name), drop: () => dropMysql(name) }
      },
    ],
  ]),
]

afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const [name, isThere, load] of samples)
  describe.skipIf(!isThere)(name, () => {
    let loaded: Loaded
    let opened: OpenedSample

    beforeAll(async () => {
      loaded = await load()
      opened = await openSample(loaded.address)
    }, 120_000)

    afterAll(async () => {
      await opened.close()
      loaded.drop()
    })

    test('opens with the labels, columns, links and first rows that are expected', async () => {
      // A busy server samples a view of many joins too late; then it is opened anew.
      await vi.waitFor(
        async () => {
          const screens: Record<string, Screen> = {}
          for (const table of opened.tables) screens[table] = await opened.screen(table)
          const wanted = expectations(name, screens)
          if (!isDeepStrictEqual(screens, wanted)) {
            await opened.close()
            opened = await openSample(loaded.address)
          }
          expect(screens).toEqual(wanted)
        },
        { timeout: 100_000 },
      )
    }, 120_000)

    // On servers, the larger one is left to the night: each of its tables and records is read there anyway.
    const walks = name.startsWith('sakila-') ? nightly.lengthy : test
    walks(
      'shows every table and record without an error',
      async () => {
        for (const table of opened.tables) {
          const list = await opened.get(`/tables/${encodeURIComponent(table)}`)
          expect([table, list.status]).toEqual([table, 200])
          for (const path of await opened.records(table, PAGES)) {
            const record = await opened.get(path)
            expect([path, record.status]).toEqual([path, 200])
          }
        }
      },
      300_000,
    )
  })

/** `TABLEWIRE_EXPECT=write` writes what there is, to be looked through before it is committed. */
function expectations(name: string, screens: Record<string, Screen>): unknown {
  const file = new URL(`expectations/${name}.json`, import.meta.url)
  if (process.env['TABLEWIRE_EXPECT'] === 'write')
    writeFileSync(file, `${JSON.stringify(screens, null, 2)}\n`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
