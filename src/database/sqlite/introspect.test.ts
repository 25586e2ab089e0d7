import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { Table } from '../../table/source/schema.ts'
import { Connection } from './connection.ts'
import { introspect } from './introspect.ts'

function tablesOf(text: string, change?: (file: string) => void): Record<string, Table> {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-introspect-'))
  const file = join(folder, 'a.db')
  const db = new DatabaseSync(file)
  db.exec(text)
  db.close()
  change?.(file)
  const connection = new Connection(file, { readOnly: true, busyMs: 100 })
  onTestFinished(() => {
    connection.close()
    rmSync(folder, { recursive: true })
  })
  const { schema } = introspect(connection, 'a')
  return Object.fromEntries(schema.tables.map((table) => [table.name, table]))
}

const types = (table: Table | undefined): Record<string, string> =>
  Object.fromEntries(table?.columns.map(({ name, type }) => [name, type]) ?? [])

test('takes kinds of values from declared types, as SQLite itself does', () => {
  const { t } = tablesOf(`create table t (
    a integer, b bigint, c varchar(20), d text, e real, f double precision, g decimal(10, 2),
    h numeric, i boolean, j date, k datetime, l timestamp, m time, n json, o blob, p, q tinyint(1),
    r native character(70), s floating point, t money, u date(8))`)
  expect(types(t)).toEqual({
    a: 'integer',
    b: 'integer',
    c: 'text',
    d: 'text',
    e: 'float',
    f: 'float',
    g: 'decimal',
    h: 'decimal',
    i: 'boolean',
    j: 'date',
    k: 'datetime',
    l: 'datetime',
    m: 'time',
    n: 'json',
    o: 'binary',
    p: 'text',
    q: 'boolean',
    r: 'text',
    s: 'integer',
    t: 'decimal',
    u: 'date',
  })
})

test('looks at what text columns hold', () => {
  const { t } = tablesOf(`
    create table t (a text, b text, c text, d text, e text, f text, born_on text, made_at text, k date);
    insert into t values
      ('2024-02-29', '2024-02-29 10:00', '10:30', '{"a":1}', '2024-02-29', null, null, null, 1709164800),
      (null, '2024-02-29T10:00:00.5Z', '23:59:59', ' [1]', 'soon', null, null, null, 1709164801)`)
  expect(types(t)).toEqual({
    a: 'date',
    b: 'datetime',
    c: 'time',
    d: 'json',
    e: 'text',
    f: 'text',
    born_on: 'date',
    made_at: 'datetime',
    k: 'integer',
  })
})

test('takes the digits that a type of decimals names', () => {
  const { t } = tablesOf(
    'create table t (a numeric(10,2), b DECIMAL( 8 , 4 ), c numeric, d decimal(5), e varchar(10,2))',
  )
  expect(t!.columns.map((column) => column.namedScale)).toEqual([
    2,
    4,
    undefined,
    undefined,
    undefined,
  ])
  expect(t!.columns.map(({ scale }) => scale)).toEqual(Array(5).fill(undefined))
})

test('finds keys: declared, composite, and none where NULL would be one', () => {
  const tables = tablesOf(`
    create table rowid_key (id integer primary key, a);
    create table not_rowid (id int primary key, a);
    create table composite (a text, b int, c, primary key (b, a)) without rowid;
    create table none (a unique not null);
    create table holds_null (id text primary key, a);
    insert into holds_null values (null, 1), (null, 2);
    create table shadowed (rowid text, _rowid_ text, oid text);
  `)
  const keys = Object.fromEntries(Object.values(tables).map(({ name, key }) => [name, key]))
  expect(keys).toEqual({
    rowid_key: ['id'],
    not_rowid: ['id'],
    composite: ['b', 'a'],
    none: [],
    holds_null: [],
    shadowed: [],
  })
  expect(tables['rowid_key']?.columns[0]).toMatchObject({ hasDefault: true, nullable: false })
  expect(tables['composite']?.columns.map(({ nullable }) => nullable)).toEqual([false, false, true])
})

test('a table that cannot be read has no key, and the others are as they are', () => {
  const { broken, whole } = tablesOf(
    `create table broken (id text primary key); create table whole (id text primary key);
      insert into broken values ('a'); insert into whole values ('a')`,
    (file) => {
      const db = new DatabaseSync(file)
      const page = db.prepare("select rootpage from sqlite_schema where name = 'broken'").get()
      const size = db.prepare('pragma page_size').get()
      db.close()
      const [number, bytes] = [Number(page?.['rootpage']), Number(size?.['page_size'])]
      const content = readFileSync(file)
      writeFileSync(file, content.fill(0, (number - 1) * bytes, number * bytes))
    },
  )
  expect([broken?.key, whole?.key]).toEqual([[], ['id']])
})

test('follows foreign keys, also those that name no columns or spell them otherwise', () => {
  const { child } = tablesOf(`
    create table Parent (Id integer primary key, x, y, unique (x, y));
    create table child (id integer primary key,
      a references parent on delete cascade deferrable initially deferred,
      b int references PARENT (ID) on update set null not deferrable initially deferred,
      c references nowhere, "references" text, -- references parent deferrable initially deferred
      d int, e int, foreign key (d, e) references Parent (x, y) on delete set default);
  `)
  expect(child?.foreignKeys.toSorted((a, b) => (a.columns[0]! < b.columns[0]! ? -1 : 1))).toEqual([
    {
      ...{ columns: ['a'], table: 'Parent', references: ['Id'] },
      ...{ onDelete: 'cascade', onUpdate: 'restrict', isDeferrable: true },
    },
    {
      ...{ columns: ['b'], table: 'Parent', references: ['Id'] },
      ...{ onDelete: 'restrict', onUpdate: 'setNull' },
    },
    {
      ...{ columns: ['d', 'e'], table: 'Parent', references: ['x', 'y'] },
      ...{ onDelete: 'setDefault', onUpdate: 'restrict' },
    },
  ])
})

test('knows triggers, and on what they run', () => {
  const { t, u } = tablesOf(`create table t (id, a); create table u (id);
    create trigger "on update" after /* of update */ insert on T begin delete from u; end;
    create trigger b before update of a on t begin select 1; end`)
  expect(t?.triggers).toEqual([
    { name: 'b', events: ['update'] },
    { name: 'on update', events: ['insert'] },
  ])
  expect(u?.triggers).toBeUndefined()
})

test('lists indexes, but none on expressions', () => {
  const { t } = tablesOf(`create table t (a, b, c unique);
    create index i1 on t (a, b desc);
    create unique index i2 on t (b) where c is not null;
    create index i3 on t (lower(a));`)
  expect(t?.indexes.filter(({ name }) => name.startsWith('i'))).toEqual([
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
  ])
})

test('leaves out what is not the user’s, and what cannot be read hides nothing', () => {
  const tables = tablesOf(`
    create table "select" ("a.b ""c""" integer primary key autoincrement, "größe" text);
    create table gone (a);
    create view broken as select a from gone;
    drop table gone;
    create view fine as select "größe" from "select";
    create table tablewire_jobs (id integer primary key);
    create virtual table search using fts5(body);
  `)
  expect(Object.keys(tables)).toEqual(['broken', 'fine', 'search', 'select'])
  expect(tables['broken']).toMatchObject({ columns: [], refused: 'no such table: main.gone' })
  expect(tables['select']?.key).toEqual(['a.b "c"'])
  expect(tables['fine']).toMatchObject({ kind: 'view', key: [], estimate: null })
  expect(tables['search']?.columns.map(({ name }) => name)).toEqual(['body'])
})

test('marks generated columns, defaults and allowed values', () => {
  const { t } = tablesOf(`create table t (id integer primary key, a int default 5,
    b int generated always as (a * 2), c int as (a * 3) stored,
    s text not null check (s in ('new', 'done')))`)
  expect(t?.columns.map(({ generated }) => generated)).toEqual([false, false, true, true, false])
  expect(t?.columns.map(({ hasDefault }) => hasDefault)).toEqual([true, true, false, false, false])
  expect(t?.columns.at(-1)?.allowed).toEqual(['new', 'done'])
})

test('guesses how many rows there are without counting', () => {
  const tables = tablesOf(`
    create table empty (id integer primary key);
    create table numbered (id integer primary key);
    insert into numbered values (11), (12), (20);
    create table sparse (id integer primary key);
    insert into sparse values (1), (9000000000000000000);
    create table keyed (a text primary key) without rowid;
    create table analysed (a text primary key) without rowid;
    insert into analysed values ('a'), ('b'), ('c');
    analyze analysed;
  `)
  const estimates = Object.values(tables).map(({ name, estimate }) => [name, estimate])
  expect(Object.fromEntries(estimates)).toEqual({
    empty: 0,
    numbered: 10,
    sparse: null,
    keyed: null,
    analysed: 3,
  })
})

test('columns that convert nothing have the type of what they hold', () => {
  const { t } = tablesOf(`
    create table t (id integer primary key, texts blob, numbers blob, bytes blob, mixed blob, sums, words);
    insert into t values (1, 'a', 5, x'00', x'01', 1.5, 'x'), (2, null, 6, null, 'b', 2, 'y')`)
  expect(types(t)).toEqual({
    id: 'integer',
    texts: 'text',
    numbers: 'integer',
    bytes: 'binary',
    mixed: 'binary',
    sums: 'float',
    words: 'text',
  })
  const texts = t?.columns.find(({ name }) => name === 'texts')
  expect(texts).toMatchObject({ typeByDeclaration: 'binary', sample: ['a'] })
})

test('a view’s columns are those of the tables that they come from', () => {
  const { v, w } = tablesOf(`
    create table t (id integer primary key, made blob, phase text check (phase in ('open', 'done')), day text);
    insert into t values (1, 'x', 'open', '2024-01-01');
    create view v as select made as what, phase, day, upper(phase) as loud from t;
    create view w as select what from v`)
  expect(types(v)).toEqual({ what: 'text', phase: 'text', day: 'date', loud: 'text' })
  expect(v?.columns[1]).toMatchObject({ name: 'phase', allowed: ['open', 'done'], nullable: true })
  expect(types(w)).toEqual({ what: 'text' })
})
