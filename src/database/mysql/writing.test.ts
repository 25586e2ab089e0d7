import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import {
  createDatabase,
  describeMysql,
  isMariaDb,
  type TestDatabase,
} from '../../../test/contracts/mysql-server.ts'
import { readPage, writeOne, writeRows, writeTo } from '../../../test/contracts/opened.ts'
import type { Access, Grant } from '../../table/source/access.ts'
import { everything } from '../../table/source/predicate.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import type { Values } from '../../table/source/write-unit.ts'
import { openMysql } from './open.ts'

describeMysql('writing', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  async function opened(
    text: string,
    less: Partial<Grant> = {},
  ): Promise<{ source: RowSource; t: Access; insert(values: Values): Promise<unknown> }> {
    await database.clear()
    for (const part of text.split(';;')) await database.run(part)
    const source = await openMysql(database.url(), { readOnly: false })
    onTestFinished(() => source.close())
    const { tables } = await source.describe()
    const t = fullAccess(
      tables.find(({ name }) => name === 't')!,
      less,
    )
    return {
      source,
      t,
      insert: (values) => writeOne(source, t, { insert: values }),
    }
  }

  test('a new row has the key that the database gave it', async () => {
    const { insert } =
      await opened(`create table t (id bigint unsigned auto_increment primary key, v int)
      auto_increment = 9007199254740993`)
    expect(await insert({})).toEqual({ status: 'done', key: [9007199254740993n] })
    expect(await insert({ v: 1 })).toEqual({ status: 'done', key: [9007199254740994n] })
  })

  // MySQL reports no generated key except an `auto_increment` one.
  test.runIf(isMariaDb)('a new row has the key that a trigger or a default gave it', async () => {
    const other = await opened(`create table t (id char(5) primary key, n int default 4);;
      create trigger named before insert on t for each row set new.id = concat('k', new.n)`)
    expect(await other.insert({ id: 'x', n: 7 })).toEqual({ status: 'done', key: ['k7'] })
    expect(await other.insert({ id: 'x' })).toEqual({ status: 'done', key: ['k4'] })
    const keyed = await opened(
      `create table t (id uuid default uuid() primary key, flag tinyint(1))`,
    )
    expect(await keyed.insert({ flag: true })).toMatchObject({
      status: 'done',
      key: [expect.stringMatching(/^[\da-f-]{36}$/)],
    })
  })

  test.runIf(!isMariaDb)('a key that MySQL would not tell has to be given', async () => {
    const { insert } = await opened(
      'create table t (id char(36) default (uuid()) primary key, v int)',
    )
    await expect(insert({ v: 1 })).rejects.toMatchObject({
      code: 'UPDATE_INVALID',
      detail: expect.stringContaining('id'),
    })
    expect(await insert({ id: 'x', v: 1 })).toEqual({ status: 'done', key: ['x'] })
  })

  test.runIf(!isMariaDb)('a place that is nowhere on the globe is refused', async () => {
    const { insert } = await opened('create table t (id int primary key, p point srid 4326)')
    for (const p of ['POINT(100 20)', 'POINT(20 200)'])
      expect(await insert({ id: 1, p }), p).toMatchObject({ rule: 'type', columns: ['p'] })
  })

  test('an update that changes nothing is done, and one of a changed row is not', async () => {
    const { source, t } = await opened(`create table t (id int primary key, v varchar(10), n int);
      insert into t values (1, 'a', 1)`)
    const update = (values: Values, expectation?: Values) =>
      writeOne(source, t, {
        update: [1],
        set: values,
        ...(expectation && { expect: expectation }),
      })
    expect(await update({ v: 'a', n: 1 })).toEqual({ status: 'done', key: [1] })
    expect(await update({ n: 2 }, { v: 'A' })).toMatchObject({ status: 'conflict' })
    expect(await update({ n: 2 }, { v: 'a ' })).toMatchObject({ status: 'conflict' })
    expect(await update({ n: 2 }, { v: 'a', n: '1' })).toEqual({ status: 'done', key: [1] })
    expect(await update({ id: 5 })).toEqual({ status: 'done', key: [5] })
  })

  test('rows that match are counted apart from those that hold the values already', async () => {
    const { source, t } = await opened(`create table t (id int primary key, v varchar(10), n int);
      insert into t values (1, 'a', 1), (2, 'a', 2), (3, 'b', 1)`)
    const set = { in: [[1], [2], [3], [4]], where: everything, set: { n: 1 } }
    const { sets } = await writeTo(source, t, { sets: [{ ...set, expect: { matched: 3 } }] })
    expect(sets).toEqual([{ status: 'done', matched: 3, changed: 1 }])
    const deleted = { in: [[1], [4]], where: everything, delete: true } as const
    expect((await writeTo(source, t, { sets: [deleted] })).sets).toEqual([
      { status: 'done', matched: 1, changed: 1 },
    ])
  })

  test("the database's own rules say which columns they refuse", async () => {
    const { source, t, insert } = await opened(`
      create table other (a int, b int, primary key (a, b));
      create table t (id int auto_increment primary key, code varchar(20) not null unique, a int, b int,
        price decimal(5, 2) check (price > 0), low int, high int, state varchar(5), j json,
        constraint \`it's in \`\`order\` check (low < high), unique pair (low, high),
        foreign key (a, b) references other (a, b));
      create table child (id int primary key, t int, foreign key (t) references t (id));
      insert into t (code, low, high) values ('x', 1, 2); insert into child values (1, 1)`)
    expect(await insert({ code: 'x' })).toMatchObject({ rule: 'unique', columns: ['code'] })
    expect(await insert({ code: 'y', low: 1, high: 2 })).toMatchObject({
      rule: 'unique',
      columns: ['low', 'high'],
    })
    expect(await insert({ id: 1, code: 'y' })).toMatchObject({ rule: 'unique', columns: ['id'] })
    expect(await insert({ code: null })).toMatchObject({ rule: 'required', columns: ['code'] })
    expect(await insert({ price: 1 })).toMatchObject({ rule: 'required', columns: ['code'] })
    expect(await insert({ code: 'y', price: -1 })).toMatchObject({
      rule: 'check',
      columns: ['price'],
    })
    expect(await insert({ code: 'y', low: 2, high: 1 })).toMatchObject({
      rule: 'check',
      columns: ['low', 'high'],
    })
    expect(await insert({ code: 'y', a: 1, b: 2 })).toMatchObject({
      rule: 'reference',
      columns: ['a', 'b'],
    })
    expect(await insert({ code: 'y', j: 'no json' })).toMatchObject({
      rule: 'type',
      columns: ['j'],
    })
    expect(await insert({ code: 'y'.repeat(21) })).toMatchObject({
      rule: 'type',
      columns: ['code'],
    })
    expect(await writeOne(source, t, { delete: [1] })).toMatchObject({
      rule: 'reference',
      columns: [],
    })
    expect((await readPage(source, t)).rows).toHaveLength(1)
  })

  test('a trigger says in its own words why it refuses', async () => {
    const { source, t } = await opened(`create table t (id int primary key, v int);;
      create trigger strict_t before insert on t for each row
        if new.v > 5 then signal sqlstate '45000' set message_text = 'No more than five.'; end if`)
    expect(
      await writeRows(source, t, [{ insert: { id: 1, v: 1 } }, { insert: { id: 2, v: 6 } }]),
    ).toEqual([
      { status: 'done', key: [1] },
      { status: 'refused', rule: 'trigger', columns: [], message: 'No more than five.' },
    ])
    expect((await readPage(source, t)).rows).toEqual([])
  })

  test('columns that the database writes are refused, and those that nobody names keep their defaults', async () => {
    const { source, t, insert } = await opened(`create table t (id int primary key, n int default 3,
      twice int as (n * 2) stored)`)
    await expect(insert({ id: 1, twice: 4 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await insert({ id: 1 })).toMatchObject({ status: 'done' })
    expect((await readPage(source, t)).rows[0]!.values).toEqual([1, 3, 6])
  })

  test('a policy that looks at the table itself holds for writes, too', async () => {
    await database.clear()
    await database.run(`create table t (id int primary key, boss int, open tinyint(1));
      insert into t values (1, null, 1), (2, 1, 1), (3, 2, 0), (4, 3, 1)`)
    const source = await openMysql(database.url(), { readOnly: false })
    onTestFinished(() => source.close())
    const [table] = (await source.describe()).tables
    const all = fullAccess(table!)
    const rows = {
      op: 'related',
      column: 'boss',
      table: 't',
      references: 'id',
      where: { op: 'eq', column: 'open', value: true },
    } as const
    const led = fullAccess(table!, { rows }, [all])
    const update = (id: number, values: Values) =>
      writeOne(source, led, { update: [id], set: values })
    expect(await update(2, { open: false })).toMatchObject({ status: 'done' })
    expect(await update(4, { open: false })).toEqual({ status: 'missing' })
    expect(await update(2, { boss: 3 })).toEqual({ status: 'forbidden' })
    expect(await writeOne(source, led, { delete: [2] })).toMatchObject({
      status: 'done',
    })
  })

  test('half a character, and what is no number, is no value at all', async () => {
    const { insert } = await opened(`create table t (id int primary key, v varchar(10), n double)`)
    for (const values of [{ id: 1, v: 'a\ud800' }, { id: NaN }, { id: 2n ** 64n }])
      await expect(insert(values)).rejects.toMatchObject({ code: 'UPDATE_INVALID' })
    expect(await insert({ id: 1, n: NaN })).toMatchObject({
      ...{ status: 'refused', rule: 'type', columns: ['n'] },
    })
  })
})
