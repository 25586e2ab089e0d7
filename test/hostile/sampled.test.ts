/** Hostile onlookers on servers: neither rows nor what is inferred from them tells of those that are hidden. */

import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMysql } from '../../src/database/mysql/open.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import type { RowSource, Run } from '../../src/table/source/row-source.ts'
import type { Schema } from '../../src/table/source/schema.ts'
import * as mysql from '../contracts/mysql-server.ts'
import * as postgres from '../contracts/postgres-server.ts'
import { SEED } from '../tier.ts'
import { draw, record } from './attack.ts'
import { SAMPLED_COLUMNS, type SwitchType } from './sampled-worlds.ts'
import { openTarget, type Target } from './target.ts'
import { recordWalks, recordWalksOf, tellApart, type Walk, walks, walksOf } from './walks.ts'
import { hidingPolicy, officeOf, type World } from './worlds.ts'

const family = 'samples'

type Server = {
  readonly switchType: SwitchType
  readonly analyze: string
  create(): Promise<{
    url(): string
    run(text: string): Promise<unknown>
    drop(): Promise<void>
  }>
  open(url: string): Promise<RowSource>
}

const TABLES = ['makers', 'parts', 'settings', 'teams', 'people', 'notes', 'payroll', 'reviews']

const POSTGRES: Server = {
  switchType: 'SMALLINT',
  analyze: 'analyze',
  create: () => postgres.createDatabase(),
  open: (url) => openPostgres(url),
}

const MYSQL: Server = {
  switchType: 'TINYINT(1)',
  analyze: `analyze table ${TABLES.join()}`,
  create: () => mysql.createDatabase(),
  open: (url) => openMysql(url),
}

/** The source under a name that says nothing of its world: databases of one server differ in theirs. */
function alike(source: RowSource): RowSource {
  const known = new WeakMap<Schema, Schema>()
  const describe = async (run?: Run): Promise<Schema> => {
    const schema = await source.describe(run)
    const named = known.get(schema) ?? { ...schema, name: 'office' }
    known.set(schema, named)
    return named
  }
  return {
    describe,
    page: (...asked) => source.page(...asked),
    lines: (...asked) => source.lines(...asked),
    count: (...asked) => source.count(...asked),
    sums: (...asked) => source.sums(...asked),
    facets: (...asked) => source.facets(...asked),
    rank: (...asked) => source.rank(...asked),
    row: (...asked) => source.row(...asked),
    keys: (...asked) => source.keys(...asked),
    digests: (...asked) => source.digests(...asked),
    write: (...asked) => source.write(...asked),
    dataVersion: () => source.dataVersion(),
    exactVersion: () => source.exactVersion(),
    close: () => source.close(),
  }
}

const first = (table: string): Walk => ({ url: `/tables/${table}`, html: true, steps: [] })

function onlookersOf(server: Server): void {
  const close: (() => Promise<void>)[] = []
  let worlds: readonly [Target, Target]

  async function open(world: World): Promise<Target> {
    const database = await server.create()
    close.unshift(() => database.drop())
    for (const statement of officeOf(world, server.switchType)) await database.run(statement)
    await database.run(server.analyze)
    const target = await openTarget({
      prepare: (file) => writeFileSync(file, ''),
      open: async () => alike(await server.open(database.url())),
      table: 'parts',
      policy: hidingPolicy,
    })
    close.unshift(() => target.close())
    return target
  }

  beforeAll(async () => void (worlds = [await open('one'), await open('two')]))
  afterAll(async () => {
    for (const one of close) await one()
  })

  test.for(['viewer', 'editor'] as const)(
    'two databases that differ only in what is hidden cannot be told apart by a %s',
    async (role, { task }) => {
      const tables = Object.keys(SAMPLED_COLUMNS)
      const all = [
        ...tables.map(first),
        ...draw(walksOf(SAMPLED_COLUMNS), 40),
        ...draw(recordWalksOf(SAMPLED_COLUMNS), 30),
        ...draw(walks, 40),
        ...draw(recordWalks, 20),
      ]
      const wrong: string[] = []
      for (const walk of all) wrong.push(...(await tellApart(worlds, role, walk)))
      record(task, family, all.length * 2)
      expect(wrong.slice(0, 10), `${wrong.length} differences, seed ${SEED}`).toEqual([])
    },
  )

  test('an administrator sees other kinds in each', async () => {
    expect(await tellApart(worlds, 'admin', first('parts'))).not.toEqual([])
  })
}

postgres.describePostgres('PostgreSQL', () => onlookersOf(POSTGRES))
mysql.describeMysql('MySQL', () => onlookersOf(MYSQL))
