import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createDatabase,
  describePostgres,
  postgresVersion,
  type TestDatabase,
} from '../../../test/contracts/postgres-server.ts'
import type { Column, Schema, Table } from '../../table/source/schema.ts'
import { openPostgres } from './open.ts'

type Described = { readonly schema: Schema; readonly tables: Readonly<Record<string, Table>> }

async function describeAt(url: string): Promise<Described> {
  const source = await openPostgres(url)
  onTestFinished(() => source.close())
  const schema = await source.describe()
  return { schema, tables: Object.fromEntries(schema.tables.map((table) => [table.name, table])) }
}

const columnsOf = (table: Table | undefined): Readonly<Record<string, Column>> =>
  Object.fromEntries(table?.columns.map((column) => [column.name, column]) ?? [])

describePostgres('what a PostgreSQL database holds', () => {
  let database: TestDatabase

  beforeAll(async () => (database = await createDatabase()))
  afterAll(() => database.drop())

  const tablesOf = async (text: string): Promise<Described['tables']> => {
    await database.run(`drop schema if exists public cascade; create schema public; ${text}`)
    return (await describeAt(database.url())).tables
  }

  test('kinds of values, with their limits', async () => {
    const { t } = await tablesOf(`
      create domain euro as numeric(12, 2) not null check (value >= 0);
      create domain price as euro default 1;
      create type pair as (a int, b text);
      create table t (a smallint, b int, c bigint, d numeric(10, 3), e numeric, f real,
        g double precision, h boolean, i date, j timestamp, k timestamptz(3), l time, m timetz,
        n json, o jsonb, p bytea, q varchar(20), r char(3), s text, u uuid, v inet, w int[],
        x int4range, y interval, z money, aa xml, ab bit(3), ac point, ad pair, ae price, af text[],
        ag oid)`)
    const columns = columnsOf(t)
    const types = Object.values(columns).map(({ type }) => type)
    expect(types.join(' ')).toBe(
      'integer integer integer decimal decimal float float boolean date datetime datetime time time ' +
        'json json binary text text text text text text text text decimal text text text text decimal ' +
        'text integer',
    )
    expect(columns['d']).toMatchObject({ declared: 'numeric(10,3)', precision: 10, scale: 3 })
    expect(columns['e']).not.toHaveProperty('precision')
    expect(columns['q']).toMatchObject({ declared: 'character varying(20)', maxLength: 20 })
    expect(columns['r']).toMatchObject({ maxLength: 3, isPadded: true })
    expect(columns['j']).not.toHaveProperty('zoned')
    expect([columns['k']?.zoned, columns['m']?.zoned]).toEqual([true, true])
    expect(columns['w']).toMatchObject({ declared: 'integer[]', array: true })
    expect(columns['ae']).toMatchObject({
      declared: 'price',
      precision: 12,
      scale: 2,
      nullable: false,
      hasDefault: true,
    })
  })

  const release = Number.parseInt(postgresVersion ?? '', 10)

  test.runIf(release >= 15)('decimals may be rounded before the point', async () => {
    const { t } = await tablesOf('create table t (a numeric(3, -2))')
    expect(columnsOf(t)['a']).toMatchObject({ type: 'decimal', precision: 3, scale: -2 })
  })

  test.runIf(release >= 18)('what is reckoned when it is read is written by nobody', async () => {
    const { t } = await tablesOf(
      'create table t (a int, b int generated always as (a * 2), c int generated always as (a) stored)',
    )
    expect(t!.columns.map(({ generated }) => generated)).toEqual([false, true, true])
  })

  test('keys: declared, composite, in their own order, or else what is never alike nor empty', async () => {
    const tables = await tablesOf(`
      create table one (id int primary key);
      create table two (a int, b text, c int, primary key (b, a));
      create table by_unique (a int not null, b int not null, c int, unique (c), unique (a, b));
      create table shortest (a int not null, b int not null, c text not null unique, unique (a, b));
      create table none (a int unique, b int not null);
      create unique index on none (b) where b > 0;
      create unique index on none ((b + 1));
      create table deferred (a int not null unique deferrable);
      create view seen as select * from one;
      create materialized view kept as select * from one;`)
    const keys = Object.values(tables).map(({ name, key }) => [name, key])
    expect(Object.fromEntries(keys)).toEqual({
      one: ['id'],
      two: ['b', 'a'],
      by_unique: ['a', 'b'],
      shortest: ['c'],
      none: [],
      deferred: [],
      seen: [],
      kept: [],
    })
    expect(tables['by_unique']?.uniques).toEqual([['c']])
    expect([tables['seen']?.kind, tables['kept']?.kind]).toEqual(['view', 'materialized view'])
  })

  test('foreign keys: to itself, of several columns, into another schema', async () => {
    onTestFinished(async () => void (await database.run('drop schema other cascade')))
    const { child } = await tablesOf(`
      create schema other;
      create table other.parent (id int primary key);
      create table pair (a int, b int, primary key (a, b));
      create table child (id int primary key, boss int references child on delete set null,
        parent int references other.parent on delete cascade on update set default deferrable,
        x int, y int, foreign key (y, x) references pair (b, a));`)
    expect(child?.foreignKeys.toSorted((a, b) => (a.table < b.table ? -1 : 1))).toEqual([
      {
        ...{ columns: ['boss'], table: 'child', references: ['id'] },
        ...{ onDelete: 'setNull', onUpdate: 'restrict' },
      },
      {
        ...{ columns: ['parent'], table: 'other.parent', references: ['id'] },
        ...{ onDelete: 'cascade', onUpdate: 'setDefault', isDeferrable: true },
      },
      {
        ...{ columns: ['y', 'x'], table: 'pair', references: ['b', 'a'] },
        ...{ onDelete: 'restrict', onUpdate: 'restrict' },
      },
    ])
  })

  test('triggers, and on what they run', async () => {
    onTestFinished(async () => void (await database.run('drop function nothing cascade')))
    const { t } = await tablesOf(`
      create table t (id int primary key);
      create function nothing() returns trigger language plpgsql as 'begin return null; end';
      create trigger a after insert or update of id on t execute function nothing();
      create trigger b before delete on t for each row execute function nothing();
      create trigger off after insert on t execute function nothing();
      alter table t disable trigger off;
      create trigger tablewire_tell_changes after insert on t execute function nothing()`)
    expect(t?.triggers).toEqual([
      { name: 'a', events: ['insert', 'update'] },
      { name: 'b', events: ['delete'] },
    ])
  })

  test('indexes that give an order, and no others', async () => {
    const { t } = await tablesOf(`
      create table t (id int primary key, a int, b text, c text collate "C", d int[]);
      create index i1 on t (a, b desc);
      create unique index i2 on t (b) include (a) where a > 0;
      create index n1 on t (lower(b));
      create index n2 on t (b text_pattern_ops);
      create index n3 on t (b collate "POSIX");
      create index n4 on t using hash (a);
      create index n5 on t using gin (d);
      create index n6 on t (a nulls first);
      create index n7 on t using brin (a);`)
    expect(t?.indexes).toEqual([
      {
        name: 'i1',
        columns: [
          { name: 'a', descending: false },
          { name: 'b', descending: true },
        ],
        unique: false,
        partial: false,
      },
      { name: 'i2', columns: [{ name: 'b', descending: false }], unique: true, partial: true },
      {
        name: 't_pkey',
        columns: [{ name: 'id', descending: false }],
        unique: true,
        partial: false,
      },
    ])
  })

  test('allowed values of enums, domains and checks; defaults, identities, comments', async () => {
    const { t } = await tablesOf(`
      create type mood as enum ('sad', 'ok', 'it''s fine');
      create domain size as text check (value in ('s', 'm'));
      create table t (id int generated always as identity primary key,
        b int generated by default as identity, c serial, d int generated always as (b * 2) stored,
        e mood default 'ok', f size, g varchar(9) not null check (g in ('x', 'y')), h mood[],
        i int default 5 check (i > 0));
      comment on table t is 'All of them';
      comment on column t.e is 'How one feels';`)
    const columns = columnsOf(t)
    expect(t).toMatchObject({ comment: 'All of them' })
    expect(t?.checks).toHaveLength(2)
    expect(t?.checks).toContain('CHECK (i > 0)')
    expect(columns['id']).toMatchObject({ generated: true, identity: true, hasDefault: true })
    expect(columns['b']).toMatchObject({ generated: false, identity: true, hasDefault: true })
    expect(columns['c']).toMatchObject({ generated: false, identity: true, hasDefault: true })
    expect(columns['d']).toMatchObject({ generated: true, hasDefault: false })
    expect(columns['d']).not.toHaveProperty('default')
    expect(columns['e']).toMatchObject({
      type: 'text',
      allowed: ['sad', 'ok', "it's fine"],
      default: `'ok'::mood`,
      comment: 'How one feels',
    })
    expect(columns['f']?.allowed).toEqual(['s', 'm'])
    expect(columns['g']?.allowed).toEqual(['x', 'y'])
    expect(columns['h']).not.toHaveProperty('allowed')
    expect(columns['i']).toMatchObject({ default: '5', hasDefault: true })
  })

  test('partitions belong to their table, whose rows are those of all of them', async () => {
    const tables = await tablesOf(`
      create table event (id int, at date, primary key (id, at)) partition by range (at);
      create table event_1 partition of event for values from ('2024-01-01') to ('2025-01-01');
      create table event_2 partition of event for values from ('2025-01-01') to ('2026-01-01')
        partition by list (id);
      create table event_2a partition of event_2 for values in (1, 2, 3);
      create table event_3 partition of event default;
      create table note (id int primary key, event int, at date, foreign key (event, at) references event);
      insert into event select i, '2024-05-05' from generate_series(1, 70) i;
      insert into event select i, '2025-05-05' from generate_series(1, 3) i;
      analyze event_1; analyze event_2a;`)
    expect(Object.keys(tables)).toEqual(['event', 'note'])
    expect(tables['event']).toMatchObject({
      key: ['id', 'at'],
      partitions: ['event_1', 'event_2', 'event_2a', 'event_3'],
      estimate: 73,
    })
    expect(tables['event']?.indexes.map(({ columns }) => columns.length)).toEqual([2])
    expect(tables['note']?.foreignKeys).toHaveLength(1)
  })

  test('tables that inherit are listed by themselves', async () => {
    const tables = await tablesOf(`
      create table city (id int primary key, name text);
      create index on city (name);
      create table capital (country text) inherits (city);`)
    expect(tables['city']).toMatchObject({ key: ['id'], indexes: [] })
    expect(tables['capital']).toMatchObject({ key: [] })
  })

  test('a key that a table repeats which inherits is none', async () => {
    const tables = await tablesOf(`
      create table city (id int primary key, name text);
      create table capital () inherits (city);
      insert into city values (1, 'Bonn'); insert into capital values (1, 'Berlin');
      create table person (id int primary key, unique (id));
      create table clerk () inherits (person);
      insert into person values (1); insert into clerk values (2);`)
    expect([tables['city']?.key, tables['person']?.key]).toEqual([[], ['id']])
  })

  test('estimates, samples and statistics without a count', async () => {
    const tables = await tablesOf(`
      create table t (id int primary key, kind text, long text, bytes bytea, n int);
      insert into t select i, 'kind ' || i % 5, repeat('é', 300), '\\x00', null
        from generate_series(1, 1000) i;
      analyze t;
      create table fresh (id int primary key);
      create view v as select * from t;`)
    const columns = columnsOf(tables['t'])
    expect(tables['t']?.estimate).toBe(1000)
    expect([tables['fresh']?.estimate, tables['v']?.estimate]).toEqual([null, null])
    expect(columns['kind']).toMatchObject({ distinct: 5 })
    expect(columns['id']).toMatchObject({ distinct: 1000 })
    expect(columns['kind']?.sample).toHaveLength(20)
    expect(columns['id']?.sample?.slice(0, 3)).toEqual([1, 2, 3])
    expect(columns['long']?.sample?.[0]).toBe('é'.repeat(200))
    expect(columns['n']).not.toHaveProperty('sample')
    expect(columns['bytes']).not.toHaveProperty('sample')
  })

  test('names of schemas, and a table in the default one comes without', async () => {
    await database.run(`
      drop schema if exists public, other cascade; create schema public; create schema other;
      create table "a.b" (id int primary key); create table other.t (id int primary key);
      create table other."a.b ""c""" (id int); create table tablewire_jobs (id int primary key);`)
    const { tables } = await describeAt(database.url())
    expect(Object.keys(tables)).toEqual(['a.b', 'other.a.b "c"', 'other.t'])
    expect([tables['a.b']?.schema, tables['other.t']?.schema]).toEqual([undefined, 'other'])
    const within = await describeAt(`${database.url()}?options=-c%20search_path%3Dother`)
    expect(Object.keys(within.tables)).toEqual(['a.b "c"', 'public.a.b', 't'])
    await database.run('create schema a; create table a.b (id int)')
    expect(Object.keys((await describeAt(database.url())).tables).slice(0, 2)).toEqual([
      '"a".b',
      'a.b',
    ])
    await database.run('drop schema a, other cascade')
  })

  test('only what the user may read, and a table beside it does no harm', async () => {
    const role = `${database.name}_reader`
    await database.run(`
      drop schema if exists public cascade; create schema public;
      create table open (id int primary key, name text); create table shut (id int primary key);
      create table half (id int primary key, name text, secret text);
      insert into open values (1, 'a'); insert into half values (1, 'a', 'b');
      create role ${role} login;
      grant usage on schema public to ${role};
      grant select on open to ${role}; grant select (id, name) on half to ${role};
      create schema hidden; create table hidden.t (id int primary key);`)
    onTestFinished(async () => {
      await database.run(`drop owned by ${role}; drop role ${role}; drop schema hidden cascade`)
    })
    const { tables } = await describeAt(database.url(role))
    expect(Object.keys(tables)).toEqual(['half', 'open'])
    expect(tables['half']?.columns.map(({ name }) => name)).toEqual(['id', 'name'])
    expect(columnsOf(tables['half'])['name']?.sample).toEqual(['a'])
  })

  test('what extensions bring is theirs', async () => {
    const tables = await tablesOf(
      'create extension if not exists pg_buffercache; create table t (id int)',
    )
    expect(Object.keys(tables)).toEqual(['t'])
  })

  test('two hundred tables in well under two seconds', async () => {
    const make = Array.from(
      { length: 200 },
      (
        _,
        i,
      ) => `create table t${i} (id serial primary key, a text, b int references t${Math.max(0, i - 1)}
        deferrable, c timestamptz default now(), d numeric(10, 2)); insert into t${i} (a) values ('x');`,
    )
    await database.run(
      `drop schema if exists public cascade; create schema public; ${make.join('')}`,
    )
    const source = await openPostgres(database.url())
    onTestFinished(() => source.close())
    const { tables } = await source.describe()
    expect(tables).toHaveLength(200)
    expect(tables.filter(({ columns }) => columns[1]?.sample).length).toBeGreaterThan(0)
  })
})
