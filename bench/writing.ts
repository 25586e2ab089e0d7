/** Compares a change to ten thousand rows by their keys with a hand-written UPDATE of the same rows. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openMysql } from '../src/database/mysql/open.ts'
import { openPostgres } from '../src/database/postgres/open.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import { Access } from '../src/table/source/access.ts'
import { everything, type Predicate } from '../src/table/source/predicate.ts'
import type { RowSource } from '../src/table/source/row-source.ts'
import type { Unit } from '../src/table/source/write-unit.ts'
import { median, reported, timed, type Figure } from './measure.ts'
import { openRaw } from './raw.ts'
import { isServer, type Site } from './site.ts'
import { systemActor } from './system-actor.ts'

const ROWS = 100_000
const CHUNK = 10_000
const ROUNDS = 15
const NOTE = 'The customer asked for a call before the parcel leaves. '.repeat(2)

/** The same rows each time, so that both statements find them in memory. */
const DENSE = Array.from({ length: CHUNK }, (_, i) => [50_000 + i])
const SPREAD = Array.from({ length: CHUNK }, (_, i) => [i * 10 + 3])

type Scratch = {
  readonly source: RowSource
  run(text: string): Promise<unknown>
  close(): Promise<void>
}

export async function writing(site: Site): Promise<Figure[]> {
  const scratch = isServer(site) ? await onServer(site) : await inFile()
  const { tables } = await scratch.source.describe()
  const table = tables.find(({ name }) => name === 'bench_writing')!
  const names = table.columns.map(({ name }) => name)
  const accessOf = (rows: Predicate): Access =>
    Access.grant(
      {
        version: '1',
        grant: () => ({ actions: ['read', 'update'], rows, readable: names, writable: names }),
      },
      systemActor,
      table,
    )!
  const [all, some] = [accessOf(everything), accessOf({ op: 'gte', column: 'n', value: 0 })]
  const set = (keys: number[][], n: number, more: Partial<Unit> = {}): Unit => ({
    sets: [{ in: keys, where: { op: 'gte', column: 'n', value: 0 }, set: { n } }],
    ...more,
  })
  const dense = 'id between 50000 and 59999'
  const spread = 'id % 10 = 3'
  const figures: Figure[] = []
  for (const [what, rows, write] of [
    ['a chunk of neighbours', dense, (n: number) => scratch.source.write(all, set(DENSE, n))],
    [
      'a chunk of every tenth row',
      spread,
      (n: number) => scratch.source.write(all, set(SPREAD, n)),
    ],
    [
      'with what was there before',
      dense,
      (n: number) => scratch.source.write(all, set(DENSE, n, { before: true })),
    ],
    ['under a policy on rows', dense, (n: number) => scratch.source.write(some, set(DENSE, n))],
  ] as const) {
    const times = { ours: [] as number[], raw: [] as number[], again: [] as number[] }
    const raw = (n: number) =>
      scratch.run(`update bench_writing set n = ${n} where ${rows} and n >= 0`)
    for (let round = 0; round < ROUNDS + 2; round++) {
      const took = [
        ...(await timed(1, () => write(round * 3))),
        ...(await timed(1, () => raw(round * 3 + 1))),
        ...(await timed(1, () => raw(round * 3 + 2))),
      ] as [number, number, number]
      if (round < 2) continue
      times.ours.push(took[0])
      times.raw.push(took[1])
      times.again.push(took[2])
    }
    const ratio = (list: readonly number[]) => median(list.map((ms, i) => ms / times.raw[i]!))
    console.log(
      `  ${what}: ${median(times.ours).toFixed(0)} ms, by hand ${median(times.raw).toFixed(0)} ms (itself again ${ratio(times.again).toFixed(2)})`,
    )
    figures.push(reported(`10,000 rows by key, ${what} ÷ UPDATE by hand`, ratio(times.ours)))
  }
  await scratch.close()
  return figures
}

async function inFile(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-writing-'))
  const file = join(folder, 'scratch.db')
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  db.exec('create table bench_writing (id integer primary key, n int not null, note text)')
  db.exec(`with recursive c(i) as (select 1 union all select i + 1 from c where i < ${ROWS})
    insert into bench_writing select i, 0, '${NOTE}' from c`)
  const source = await openSqlite(file, { readOnly: false })
  return {
    source,
    run: async (text) => db.exec(text),
    close: async () => {
      await source.close()
      db.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function onServer(site: Site): Promise<Scratch> {
  const raw = await openRaw(site)
  await raw.all('drop table if exists bench_writing')
  await raw.all('create table bench_writing (id bigint primary key, n bigint not null, note text)')
  const values = Array.from({ length: ROWS }, (_, i) => `(${i + 1}, 0, '${NOTE}')`)
  await raw.all(`insert into bench_writing values ${values.join(', ')}`)
  const open = raw.kind === 'postgres' ? openPostgres : openMysql
  const source = await open(site.database, { readOnly: false })
  return {
    source,
    run: (text) => raw.all(text),
    close: async () => {
      await source.close()
      await raw.all('drop table bench_writing')
      await raw.close()
    },
  }
}
