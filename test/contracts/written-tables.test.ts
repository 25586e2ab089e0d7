/** Which tables a source says were written, by itself, by other nodes and by others, on every engine. */

import { expect, onTestFinished, test } from 'vitest'
import { openMysql } from '../../src/database/mysql/open.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import {
  withTables,
  type WriteWatch,
  type WrittenTables,
} from '../../src/table/source/write-log.ts'
import type { RowChange } from '../../src/table/source/write-unit.ts'
import { fullAccess } from './actors.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { writeRows } from './opened.ts'

const TRIGGERS = {
  sqlite: (table: string) => [
    `create trigger tell_${table} after update on ${table} begin update plain set name = 'told'; end`,
  ],
  postgres: (table: string) => [
    `create or replace function tell() returns trigger language plpgsql as
      $$ begin update plain set name = 'told'; return null; end $$`,
    `create trigger tell_${table} after update on ${table} for each row execute function tell()`,
  ],
  mysql: (table: string) => [
    `create trigger tell_${table} after update on ${table} for each row update plain set name = 'told'`,
  ],
} as const

const TABLES = ['children', 'parents', 'plain', 'noisy', 'watched']

const setUp = ({ engine }: MetadataPlace): string[] => [
  ...TABLES.map((table) => `drop table if exists ${table}`),
  ...['parents', 'plain', 'noisy', 'watched'].map(
    (table) => `create table ${table} (id int primary key, name varchar(20))`,
  ),
  `create table children (id int primary key, parent int,
    foreign key (parent) references parents (id) on delete cascade)`,
  ...['parents', 'plain', 'noisy', 'watched'].map(
    (table) => `insert into ${table} values (1, 'one')`,
  ),
  'insert into children values (1, 1)',
  ...TRIGGERS[engine]('noisy'),
]

/** Tables whose rows are not theirs alone, by name, and what makes each. */
const SHARING: Readonly<Record<MetadataPlace['engine'], Readonly<Record<string, string[]>>>> = {
  sqlite: { s_virtual: ['create virtual table s_virtual using fts5(name)'] },
  postgres: {
    s_child: ['create table s_child () inherits (s_parent)'],
    s_guarded: [
      'create table s_guarded (id int)',
      'alter table s_guarded enable row level security',
    ],
    s_parent: [],
    s_parted: ['create table s_parted (id int) partition by range (id)'],
    s_ruled: [
      'create table s_ruled (id int)',
      'create rule s_rule as on insert to s_ruled do also delete from s_parent',
    ],
    s_unseen: ['create table s_unseen (id int references tablewire_unseen on delete cascade)'],
  },
  mysql: { s_engine: ['create table s_engine (id int) engine = MyISAM'] },
}

const BEFORE = [
  'create table s_parent (id int)',
  'create table tablewire_unseen (id int primary key)',
]

const OPENERS = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql } as const

async function open(place: MetadataPlace) {
  for (const statement of setUp(place)) await place.run(statement)
  let now = 1000
  const opened = async (): Promise<RowSource> => {
    const source = await OPENERS[place.engine](place.address, { readOnly: false, now: () => now })
    onTestFinished(() => source.close())
    return source
  }
  const source = await opened()
  const watch = source.writes!.watch()
  const write = async (by: RowSource, name: string, row: RowChange) => {
    const { tables } = await by.describe()
    return writeRows(by, fullAccess(tables.find((table) => table.name === name)!), [row])
  }
  let value = 0
  const update = (name: string, by = source) =>
    write(by, name, { update: [1], set: { name: `${++value}` } })
  /** What is told of some work, by the log and of others. */
  const told = async (work: () => Promise<unknown>) => {
    await both(watch)
    await work()
    return both(watch)
  }
  /** The same once nobody else writes on the server meanwhile, as other tests do: PostgreSQL counts for all. */
  const quiet = async (work: () => Promise<unknown>): Promise<WrittenTables> => {
    for (let tries = 200; ; tries--) {
      const found = await told(work)
      if (tries === 0 || found.others !== 'any') return withTables(found.known, found.others)
    }
  }
  /** Lets the time pass after which every version is another. */
  const pass = () => void (now += 5000)
  return { source, opened, write, update, told, quiet, pass }
}

/** In the order in which they are asked for. */
async function both(watch: WriteWatch): Promise<{ known: WrittenTables; others: WrittenTables }> {
  const known = await watch.known()
  return { known, others: await watch.others() }
}

describeMetadata('tables that were written', (place) => {
  test('are those of the unit', async () => {
    const { update, quiet } = await open(place())
    expect(await quiet(() => update('plain'))).toEqual(['plain'])
    expect(await quiet(() => update('parents'))).toEqual(['parents'])
  })

  test('are those whose rows go along with its own, too', async () => {
    const { write, source, told } = await open(place())
    const found = await told(() => write(source, 'parents', { delete: [1] }))
    expect(found.known).toEqual(['parents', 'children'])
  })

  test('may be any where one of them has a trigger, though it came just now', async () => {
    const { update, told } = await open(place())
    expect((await told(() => update('noisy'))).known).toBe('any')
    expect((await told(() => update('watched'))).known).toEqual(['watched'])
    const found = await told(async () => {
      for (const statement of TRIGGERS[place().engine]('watched')) await place().run(statement)
      await update('watched')
    })
    expect(withTables(found.known, found.others)).toBe('any')
    expect((await told(() => update('watched'))).known).toBe('any')
  })

  test('are not known of tables that share their rows with others', async () => {
    const { opened } = await open(place())
    const { engine, run } = place()
    const sharing = SHARING[engine]
    const cascade = engine === 'postgres' ? 'cascade' : ''
    for (const table of [...Object.keys(sharing), 's_parent', 'tablewire_unseen'])
      await run(`drop table if exists ${table} ${cascade}`)
    for (const statement of [...BEFORE, ...Object.values(sharing).flat()]) await run(statement)
    const { tables } = await (await opened()).describe()
    const found = tables.filter(({ sharesRows }) => sharesRows).map(({ name }) => name)
    expect(found).toEqual(Object.keys(sharing))
  })

  test('are none of a unit that was refused', async () => {
    const { source, write, told } = await open(place())
    const found = await told(() => write(source, 'plain', { insert: { id: 1, name: 'again' } }))
    expect(found.known).toEqual([])
  })

  test('may be any where somebody else has written, also between two units', async () => {
    const { update, told, pass } = await open(place())
    for (const isAlone of [true, false]) {
      const found = await told(async () => {
        if (!isAlone) await update('parents')
        await place().run(`update plain set name = 'x${isAlone}' where id = 1`)
        if (!isAlone) await update('parents')
        pass()
      })
      const { others } = found
      expect(others === 'any' || others.includes('plain')).toBe(true)
    }
  })

  test('of another node are those that it tells of', async () => {
    const { source, opened, update, quiet } = await open(place())
    const other = await opened()
    other.writes!.watch()
    other.writes!.onWrite((write) => source.writes!.add(write))
    const work = () => update('plain', other)
    // A SQLite file does not tell one program from another.
    if (place().engine === 'sqlite') expect(await quiet(work)).toBe('any')
    else expect(await quiet(work)).toEqual(['plain'])
  })
})
