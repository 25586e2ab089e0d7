import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createDatabase,
  describeMysql,
  isMariaDb,
  type TestDatabase,
} from '../../../test/contracts/mysql-server.ts'
import type { Schema, Table } from '../../table/source/schema.ts'
import { readAddress } from './address.ts'
import { introspect } from './introspect.ts'
import { Server } from './server.ts'

describeMysql('what a database holds', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  const options = { readOnly: true, connectMs: 5000, timeoutMs: 5000, size: 5, queue: 64 }

  async function described(url = database.url()): Promise<Schema> {
    const server = new Server(readAddress(url), options)
    try {
      const flavour = await server.use('rows', async (connection) => connection.flavour)
      const { schema } = await introspect({
        database: database.name,
        flavour,
        ask: (fragment) => server.ask('rows', fragment),
        look: (fragment, ms) => server.look(fragment, ms),
        now: () => performance.now(),
      })
      return schema
    } finally {
      await server.close()
    }
  }

  async function tablesOf(text: string): Promise<Record<string, Table>> {
    await database.clear()
    await database.run(text)
    const { tables } = await described()
    return Object.fromEntries(tables.map((table) => [table.name, table]))
  }

  const pick = <K extends keyof Table>(tables: Record<string, Table>, what: K) =>
    Object.fromEntries(Object.values(tables).map((table) => [table.name, table[what]]))

  test('takes kinds of values from the types, and lets no number pass for a boolean', async () => {
    const own = isMariaDb ? 'w uuid, x inet6' : 'w char(36), x varchar(39)'
    const { t } = await tablesOf(`create table t (a tinyint(1), b tinyint(1), c bit(1), d bit(9),
      e bigint unsigned, f decimal(10,2), g float, h double, i date, j datetime(6), k timestamp(3) null,
      l time, m year, n json, o blob, p char(36), q longtext, r enum('x'), s set('x'), u geometry,
      v binary(2), ${own}, y tinyint);
      insert into t (a, b) values (0, 1), (1, 2), (null, 0)`)
    expect(Object.fromEntries(t!.columns.map(({ name, type }) => [name, type]))).toEqual({
      a: 'boolean',
      b: 'integer',
      c: 'boolean',
      d: 'integer',
      e: 'integer',
      f: 'decimal',
      g: 'float',
      h: 'float',
      i: 'date',
      j: 'datetime',
      k: 'datetime',
      l: 'time',
      m: 'integer',
      n: 'json',
      o: 'binary',
      p: 'text',
      q: 'text',
      r: 'text',
      s: 'text',
      u: 'text',
      v: 'binary',
      w: 'text',
      x: 'text',
      y: 'integer',
    })
    const zoned = t!.columns.filter((column) => column.zoned).map(({ name }) => name)
    expect(zoned).toEqual(['k'])
  })

  test('finds keys: declared, composite, and a unique index that stands in for one', async () => {
    const tables = await tablesOf(`
      create table declared (a int auto_increment primary key, b int, unique (b));
      create table composite (a int, b varchar(5), c int, primary key (b, a));
      create table unique_key (a int not null, b int not null, c int not null, unique (a, b), unique (c));
      create table nullable (a int, unique (a));
      create table beginning (a varchar(50) not null, unique (a(10)));
      create table none (a int)`)
    expect(pick(tables, 'key')).toEqual({
      declared: ['a'],
      composite: ['b', 'a'],
      unique_key: ['c'],
      nullable: [],
      beginning: [],
      none: [],
    })
    expect(tables['declared']!.columns[0]).toMatchObject({ identity: true, hasDefault: true })
    expect(tables['unique_key']!.uniques).toEqual([['a', 'b']])
    expect(tables['declared']!.uniques).toEqual([['b']])
  })

  test('knows triggers, and on what they run', async () => {
    const { t, u } = await tablesOf(`create table t (id int primary key);
      create table u (id int primary key);
      create trigger a before update on t for each row set new.id = new.id;
      create trigger b after delete on t for each row set @x = 1`)
    expect(t!.triggers).toEqual([
      { name: 'a', events: ['update'] },
      { name: 'b', events: ['delete'] },
    ])
    expect(u!.triggers).toBeUndefined()
  })

  test('follows foreign keys: composite, to itself, and none to what is not listed', async () => {
    const other = `${database.name}_x`
    try {
      const { child } = await tablesOf(`
        create database ${other}; create table ${other}.far (id int primary key);
        create table parent (a int, b int, primary key (a, b));
        create table child (id int primary key, up int, a int, b int, far int,
          foreign key (up) references child (id) on delete cascade,
          foreign key (a, b) references parent (a, b) on delete set null on update cascade,
          foreign key (far) references ${other}.far (id))`)
      expect(child!.foreignKeys.toSorted((x, y) => x.columns.length - y.columns.length)).toEqual([
        {
          ...{ columns: ['up'], table: 'child', references: ['id'] },
          ...{ onDelete: 'cascade', onUpdate: 'restrict' },
        },
        {
          ...{ columns: ['a', 'b'], table: 'parent', references: ['a', 'b'] },
          ...{ onDelete: 'setNull', onUpdate: 'cascade' },
        },
      ])
    } finally {
      await database.run(`drop table if exists child; drop database if exists ${other}`)
    }
  })

  test('lists the indexes that give an order, as far as they do', async () => {
    const { t } = await tablesOf(`create table t (id int primary key, a int, b varchar(50), c text,
      p point not null, index i1 (a, b desc), index i2 (a, b(10), id), index i3 (b(5)),
      fulltext f (b, c), spatial s (p), unique u (b))`)
    const listed = t!.indexes.map(({ name, columns, unique }) => [
      name,
      columns.map((column) => `${column.descending ? '-' : ''}${column.name}`).join(' '),
      unique,
    ])
    expect(listed).toEqual([
      ['PRIMARY', 'id', true],
      ['i1', 'a -b', false],
      ['i2', 'a', false],
      ['u', 'b', true],
    ])
  })

  test('tells defaults, limits, comments, allowed values and who writes a column', async () => {
    const { t } = await tablesOf(`create table t (id int auto_increment primary key,
      name varchar(20) default 'it''s' comment 'What it is called', price decimal(8,3) not null,
      kind enum('a','it''s','back\\\\slash'), tags set('x','y'), state varchar(5) check (state in ('new','done')),
      twice decimal(9,3) as (price * 2) virtual, kept decimal(9,3) as (price * 3) stored,
      made timestamp default current_timestamp, check (price > 0)) comment 'Things'`)
    const column = (name: string) => t!.columns.find((one) => one.name === name)
    expect(t!.comment).toBe('Things')
    expect(column('name')).toMatchObject({
      default: "'it''s'",
      hasDefault: true,
      maxLength: 20,
      comment: 'What it is called',
    })
    expect(column('price')).toMatchObject({ precision: 8, scale: 3, hasDefault: false })
    expect(column('kind')?.allowed).toEqual(['a', "it's", 'back\\slash'])
    expect(column('tags')).toMatchObject({ allowed: ['x', 'y'], array: true })
    expect(column('state')?.allowed).toEqual(['new', 'done'])
    expect(t!.columns.filter(({ generated }) => generated).map(({ name }) => name)).toEqual([
      'twice',
      'kept',
    ])
    expect(column('made')?.hasDefault).toBe(true)
    expect(t!.checks).toHaveLength(2)
  })

  test('reads lists that may be empty, and names and texts in all letters', async () => {
    const { t } = await tablesOf(`create table t (id int primary key, größe int,
      state varchar(20) default (concat('über', 'fällig')) check (state is null or state in ('offen', 'überfällig', '日本')),
      word varchar(30) default 'CURRENT_TIMESTAMP is a word', constraint groß check (größe > 3))`)
    const column = (name: string) => t!.columns.find((one) => one.name === name)
    expect(column('state')?.allowed).toEqual(['offen', 'überfällig', '日本'])
    expect(column('state')?.default).toContain('fällig')
    expect(column('word')?.default).toBe("'CURRENT_TIMESTAMP is a word'")
    expect(t!.checks).toContainEqual(expect.stringContaining('`größe` > 3'))
  })

  test('a sample holds a few short values of each column', async () => {
    const { t } =
      await tablesOf(`create table t (id int primary key, long_text longtext, none int, flag tinyint(1));
      insert into t with recursive n (i) as (select 1 union all select i + 1 from n where i < 50)
        select i, repeat('é', 1000), null, i % 2 from n`)
    const samples = t!.columns.map(({ sample }) => sample)
    expect(samples[0]).toHaveLength(20)
    expect(samples[1]![0]).toBe('é'.repeat(200))
    expect(samples[2]).toEqual([])
    expect(samples[3]!.every((value) => typeof value === 'boolean')).toBe(true)
    expect(t!.estimate).toBeGreaterThan(0)
  })

  test('lists views and partitioned tables, but no sequences and nothing of its own', async () => {
    const tables = await tablesOf(`
      create table parted (id int primary key) partition by range (id)
        (partition low values less than (10), partition high values less than maxvalue);
      create view seen as select * from parted;
      create table gone (id int); create view broken as select * from gone; drop table gone;
      ${isMariaDb ? 'create sequence counted;' : ''}
      create table tablewire_jobs (id int);
      create table \`we"ird. \`\`name\`\`\` (\`größe 表\` int primary key)`)
    expect(tables['broken']?.refused).toMatch(/references invalid/)
    expect(pick(tables, 'kind')).toEqual({
      broken: 'view',
      parted: 'table',
      seen: 'view',
      'we"ird. `name`': 'table',
    })
    expect(tables['parted']!.partitions).toEqual(['low', 'high'])
    expect(tables['seen']).toMatchObject({ key: [], estimate: null })
  })

  test('what the user may not read is left out, and hides nothing else', async () => {
    await tablesOf(`create table open_one (id int primary key, a int);
      create table half_open (id int primary key, hidden int);
      create table closed_one (id int primary key); create table write_only (id int primary key)`)
    const user = { name: `${database.name}_u`.slice(-32), password: 'pass word:@/' }
    await database.run(`create user '${user.name}'@'%' identified by '${user.password}';
      grant select on open_one to '${user.name}'@'%';
      grant select (id) on half_open to '${user.name}'@'%';
      grant insert on write_only to '${user.name}'@'%'`)
    try {
      const { tables } = await described(database.url(user))
      expect(tables.map(({ name, columns }) => [name, columns.length])).toEqual([
        ['half_open', 1],
        ['open_one', 2],
      ])
    } finally {
      await database.run(`drop user '${user.name}'@'%'`)
    }
  })
})
