import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import {
  createDatabase,
  describeMysql,
  isMariaDb,
  numbersTo,
  type TestDatabase,
} from '../../../test/contracts/mysql-server.ts'
import { idsOf, readPage, writeRows } from '../../../test/contracts/opened.ts'
import type { Access } from '../../table/source/access.ts'
import type { RowSource, SortColumn } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import { openMysql } from './open.ts'

describeMysql('values', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  async function opened(text: string): Promise<{ source: RowSource; access: Access }> {
    await database.clear()
    await database.run(`set sql_mode = ''; set time_zone = '+00:00'; ${text}`)
    const source = await openMysql(database.url(), { readOnly: false })
    onTestFinished(() => source.close())
    const { tables } = await source.describe()
    return { source, access: fullAccess(tables[0]!) }
  }

  /** A literal of the type, the value that is read, and another text that is equal to it. */
  const OF_BOTH: readonly (readonly [type: string, literal: string, value: Value])[] = [
    ['bigint unsigned', '18446744073709551615', 18446744073709551615n],
    ['bigint', '-9223372036854775808', -9223372036854775808n],
    ['mediumint unsigned', '16777215', 16777215],
    ['tinyint(1)', '2', 2],
    ['tinyint(1)', '1', true],
    ['bit(1)', "b'0'", false],
    ['bit(12)', "b'101000000001'", 2561],
    ['bit(64)', `b'${'1'.repeat(64)}'`, 18446744073709551615n],
    [
      'decimal(65, 30)',
      '-12345678901234567890123456789012345.123456789012345678901234567890',
      '-12345678901234567890123456789012345.123456789012345678901234567890',
    ],
    ['decimal(10, 2)', '1.5', '1.50'],
    ['float', '0.1', 0.1],
    ['float', '16777217', 16777216],
    ['double', '5e-324', 5e-324],
    ['double', '0.1', 0.1],
    ['date', "'0000-00-00'", '0000-00-00'],
    ['date', "'2024-02-00'", '2024-02-00'],
    ['date', "'9999-12-31'", '9999-12-31'],
    ['datetime', "'0000-00-00 00:00:00'", '0000-00-00 00:00:00'],
    ['datetime(6)', "'2024-02-29 23:59:59.000001'", '2024-02-29 23:59:59.000001'],
    ['timestamp', "'2024-03-31 02:30:00'", '2024-03-31 02:30:00+00'],
    ['timestamp', "'0000-00-00 00:00:00'", '0000-00-00 00:00:00'],
    ['timestamp(3)', "'1970-01-01 00:00:01.5'", '1970-01-01 00:00:01.500+00'],
    ['time', "'838:59:59'", '838:59:59'],
    ['time(6)', "'-838:59:58.000001'", '-838:59:58.000001'],
    ['year', '1901', 1901],
    ['year', '0', 0],
    [
      'json',
      `'{"a": [1.0, 12345678901234567890], "é": "😀"}'`,
      '{"a": [1.0, 12345678901234567890], "é": "😀"}',
    ],
    ["enum('b', 'a', 'it''s')", "'it''s'", "it's"],
    ["enum('b', 'a')", "'none of them'", ''],
    ["set('x', 'y', 'z')", "'z,x'", 'x,z'],
    ["set('x', 'y')", "''", ''],
    ['varchar(10) character set latin1', "'é'", 'é'],
    ['varchar(10) character set utf8mb3', "'日本'", '日本'],
    ['varchar(10) character set utf16', "'😀'", '😀'],
    ['char(5)', "'a'", 'a'],
    ['text', "'😀 a\\0b'", '😀 a\0b'],
    ['binary(4)', "x'0001'", new Uint8Array([0, 1, 0, 0])],
    ['varbinary(4)', "x'00ff'", new Uint8Array([0, 255])],
    ['blob', "x'ff00'", new Uint8Array([255, 0])],
    ['point', "st_geomfromtext('POINT(-1.5 2)')", 'POINT(-1.5 2)'],
    ['polygon', "st_geomfromtext('POLYGON((0 0,4 0,4 4,0 0))')", 'POLYGON((0 0,4 0,4 4,0 0))'],
  ]

  const OF_MARIADB: typeof OF_BOTH = [
    ['uuid', "'0195E7A0-0000-7000-8000-0000000000AB'", '0195e7a0-0000-7000-8000-0000000000ab'],
    ['inet4', "'192.168.0.1'", '192.168.0.1'],
    ['inet6', "'2001:DB8::1'", '2001:db8::1'],
  ]
  const KEPT = isMariaDb ? [...OF_BOTH, ...OF_MARIADB] : OF_BOTH

  test('of every type are read as they are, found by themselves, and written back', async () => {
    const columns = KEPT.map(([type], i) => `c${i} ${type} null`)
    const { source, access } =
      await opened(`create table t (id int primary key, ${columns.join(', ')});
      insert into t values (1, ${KEPT.map(([, literal]) => literal).join(', ')});
      insert into t (id) values (2)`)
    const { rows } = await readPage(source, access)
    const values = Object.fromEntries(
      KEPT.map(([type, literal], i) => [`${type} ${literal}`, rows[0]!.values[i + 1]]),
    )
    expect(values).toEqual(
      Object.fromEntries(KEPT.map(([type, literal, value]) => [`${type} ${literal}`, value])),
    )
    for (const [i, [type, , value]] of KEPT.entries()) {
      const column = `c${i}`
      expect(await idsOf(source, access, { op: 'eq', column, value }), type).toEqual([1])
      expect(await idsOf(source, access, { op: 'in', column, values: [value] }), type).toEqual([1])
      const sort = [{ column, descending: i % 2 === 1 }]
      const anchor = { sort: [value], key: [1] }
      const after = await readPage(source, access, { sort, place: { at: 'after', anchor } })
      expect([after.before, after.rows.map(({ key }) => key[0])], type).toEqual([true, [2]])
    }
    const copied = Object.fromEntries(KEPT.map(([, , value], i) => [`c${i}`, value]))
    // Invalid enum members and dates may be stored, but cannot be written.
    const lost = KEPT.flatMap(([type, , value], i) =>
      type.startsWith('enum') && value === '' ? [`c${i}`] : [],
    )
    for (const column of lost) delete copied[column]
    expect(
      await writeRows(source, access, [{ update: [2], set: copied, expect: { c0: null } }]),
    ).toEqual([{ status: 'done', key: [2] }])
    const again = (await readPage(source, access)).rows.map(({ values }) => values.slice(1))
    again[1]![KEPT.findIndex((_, i) => lost.includes(`c${i}`))] = ''
    expect(again[1]).toEqual(again[0])
    expect(
      await writeRows(source, access, [{ update: [2], set: { c1: 5 }, expect: copied }]),
    ).toEqual([{ status: 'done', key: [2] }])
  })

  test('that a type cannot hold are equal to nothing, fail nowhere, and are refused when written', async () => {
    const columns = KEPT.map(([type], i) => `c${i} ${type} null`)
    const { source, access } =
      await opened(`create table t (id int primary key, ${columns.join(', ')});
      insert into t values (1, ${KEPT.map(([, literal]) => literal).join(', ')})`)
    const strange: Value[] = [
      'abc',
      '12abc',
      '',
      ' ',
      '2024-02-31',
      '2024-13-01',
      '25:61',
      '\0',
      '😀',
      'POINT(',
      -7.25,
      5,
      2n ** 70n,
      1e300,
      -Infinity,
      '1e5',
      new Uint8Array([1]),
      '1.5e400',
      '2024-01-01T00:00:00+14:00',
    ]
    for (const [i, [type, literal, held]] of KEPT.entries())
      for (const value of strange) {
        if (value === held || (value === '' && held === '')) continue
        const column = `c${i}`
        const told = `${type} ${literal} = ${String(value)}`
        expect(await idsOf(source, access, { op: 'eq', column, value }), told).toEqual([])
        for (const op of ['lt', 'lte', 'gt', 'gte'] as const)
          await idsOf(source, access, { op, column, value })
      }
    const refused = async (column: string, value: Value) =>
      (await writeRows(source, access, [{ update: [1], set: { [column]: value } }]))[0]
    const at = (type: string) => `c${KEPT.findIndex(([one]) => one === type)}`
    for (const [type, value] of [
      ['mediumint unsigned', -1],
      ['mediumint unsigned', 16777216],
      ['mediumint unsigned', 'abc'],
      ['mediumint unsigned', 1.5],
      ['decimal(10, 2)', '1.005'],
      ['decimal(10, 2)', '123456789.00'],
      ['date', '2024-02-30'],
      ['date', '2024-02-28 10:00:00'],
      ['datetime', '2024-02-28 10:00:00.5'],
      ['time', '839:00:00'],
      ['year', 5],
      ["enum('b', 'a')", 'c'],
      ["set('x', 'y')", 'x,q'],
      ['char(5)', 'abcdef'],
      ['char(5)', 'abcde  '],
      ['varbinary(4)', new Uint8Array(5)],
      ['varchar(10) character set latin1', '日'],
      ['json', '{"a":'],
      ['point', 'POINT(1'],
      ['point', 'POLYGON((0 0,4 0,4 4,0 0))'],
      ['uuid', 'x'],
      ['inet4', '1.2.3'],
      ['float', 1e300],
    ] as const) {
      if (!KEPT.some(([kept]) => kept === type)) continue
      expect(await refused(at(type), value), `${type} ${String(value)}`).toMatchObject({
        status: 'refused',
        rule: 'type',
        columns: [at(type)],
      })
    }
  })

  test('numbers beyond a column are less or greater than all it holds', async () => {
    const types = [
      'tinyint',
      'int unsigned',
      'bigint',
      'decimal(5, 2)',
      'float',
      'double',
      'year',
      'bit(4)',
    ]
    const { source, access } = await opened(`create table t (id int primary key,
      ${types.map((type, i) => `c${i} ${type}`).join(', ')});
      insert into t values (1, ${types.map((type) => (type === 'year' ? 2000 : 7)).join(', ')})`)
    for (const i of types.keys()) {
      const found = (op: 'lt' | 'lte' | 'gt' | 'gte', value: Value) =>
        idsOf(source, access, { op, column: `c${i}`, value })
      for (const great of [1e300, 2n ** 70n, 10n ** 100n, Infinity, '99999999999999999999.5']) {
        expect([await found('lt', great), await found('lte', great)], types[i]).toEqual([[1], [1]])
        expect([await found('gt', great), await found('gte', great)], types[i]).toEqual([[], []])
      }
      for (const small of [-1e300, -(2n ** 70n), -Infinity, -0.5]) {
        expect([await found('lt', small), await found('lte', small)], types[i]).toEqual([[], []])
        expect([await found('gt', small), await found('gte', small)], types[i]).toEqual([[1], [1]])
      }
    }
  })

  test('fractions lie between whole numbers, and between the digits that are shown', async () => {
    const { source, access } =
      await opened(`create table t (id int primary key, i int, f float, d decimal(5, 1), y year);
      insert into t values (1, 1, 0.1, 0.1, 0), (2, 2, 0.2, 0.2, 1990), (3, 3, 16777216, 3, 2024)`)
    const found = (column: string, op: 'lt' | 'lte' | 'gt' | 'gte' | 'eq', value: Value) =>
      idsOf(source, access, { op, column, value })
    expect(await found('i', 'lt', 1.5)).toEqual([1])
    expect(await found('i', 'gte', '1.5')).toEqual([2, 3])
    expect(await found('f', 'eq', 0.1)).toEqual([1])
    expect(await found('f', 'lte', 0.1)).toEqual([1])
    expect(await found('f', 'lt', 0.1)).toEqual([])
    expect(await found('f', 'gt', 0.1)).toEqual([2, 3])
    expect(await found('f', 'lt', 0.1000000001)).toEqual([1])
    expect(await found('f', 'gt', 0.0999999999)).toEqual([1, 2, 3])
    expect(await found('d', 'lte', 0.15)).toEqual([1])
    expect(await found('d', 'gt', 0.15)).toEqual([2, 3])
    expect(await found('y', 'lt', 50)).toEqual([1])
    expect(await found('y', 'gte', 50)).toEqual([2, 3])
    expect(await found('y', 'gt', 99)).toEqual([2, 3])
    expect(await found('y', 'lt', 3000)).toEqual([1, 2, 3])
    expect(await found('y', 'eq', 24)).toEqual([])
  })

  const LOOSE = ['a', 'A', 'á', 'a ', 'b', 'B', 'ß', 'ss', 'Z', '', ' ', 'é']

  test.for([
    ['utf8mb4', 'utf8mb4_general_ci'],
    ...(isMariaDb ? [] : [['utf8mb4', 'utf8mb4_0900_ai_ci'] as const]),
    ['utf8mb4', 'utf8mb4_unicode_ci'],
    ['utf8mb4', 'utf8mb4_bin'],
    ['utf8mb3', 'utf8mb3_general_ci'],
    ['latin1', 'latin1_german1_ci'],
  ])(
    'are told apart to the last letter in [%s %s], and every page is complete',
    async ([charset, collation]) => {
      const { source, access } = await opened(`create table t (id int auto_increment primary key,
      v varchar(20) character set ${charset} collate ${collation}, key (v))`)
      await database.insert(
        't (v)',
        LOOSE.concat(LOOSE).map((text) => [text]),
      )
      await database.run('insert into t (v) values (null), (null)')
      for (const text of LOOSE) {
        const same = await readPage(source, access, {
          where: { op: 'eq', column: 'v', value: text },
        })
        expect(same.rows.map(({ values }) => values[1])).toEqual([text, text])
      }
      expect(await idsOf(source, access, { op: 'eq', column: 'v', value: '😀' })).toEqual([])
      await expectEveryRow(source, access, [{ column: 'v', descending: false }], 26)
      await expectEveryRow(source, access, [{ column: 'v', descending: true }], 26)
    },
  )

  test('of lists are ordered by their places in them', async () => {
    const { source, access } = await opened(`create table t (id int auto_increment primary key,
      e enum('c', 'a', 'b'), s set('z', 'y'), g point, j json, key (e), key (s));
      insert into t (e, s, g, j) select elt(1 + seq % 4, 'a', 'b', 'c', null), elt(1 + seq % 5, 'z', 'y', 'z,y', '', null),
        if(seq % 4 = 0, null, point(seq % 3, 1)), elt(1 + seq % 4, '[10]', '[9]', '{"a": 1}', null) from ${numbersTo(40)}`)
    const first = await readPage(source, access, {
      sort: [{ column: 'e', descending: false }],
      size: 15,
    })
    expect([...new Set(first.rows.map(({ values }) => values[1]))]).toEqual(['c', 'a'])
    expect(first.indexed).toBe(true)
    for (const column of ['e', 's', 'g', 'j'])
      for (const descending of [false, true])
        await expectEveryRow(source, access, [{ column, descending }], 40)
  })

  test('of long texts that begin alike keep their places', async () => {
    const { source, access } =
      await opened(`create table t (id int auto_increment primary key, v longtext);
      insert into t (v) select concat(repeat('x', 1000), seq % 7) from ${numbersTo(30)}`)
    await expectEveryRow(source, access, [{ column: 'v', descending: false }], 30)
  })

  test('that are very long are sorted by their beginnings', async () => {
    const { source, access } =
      await opened(`create table t (id int primary key, v longtext, b longblob,
        w varchar(16000), j json);
      insert into t select seq, concat(seq % 10, repeat('x', 20000)), concat(seq % 10, repeat('x', 20000)),
        concat(seq % 10, repeat('x', 15000)), json_array(seq % 10, repeat('x', 20000)) from ${numbersTo(128)}`)
    for (const column of ['v', 'b', 'w', 'j']) {
      const sort = [{ column, descending: false }]
      const { rows } = await readPage(source, access, { sort, size: 128 })
      const beginnings = rows.map(({ key }) => Number(key[0]) % 10)
      expect(beginnings).toEqual(beginnings.toSorted((a, b) => a - b))
      expect(rows).toHaveLength(128)
    }
  })

  test('that are no shapes are refused when a row is made, too', async () => {
    const { source, access } = await opened('create table t (id int primary key, p point)')
    for (const p of ['nonsense', '', 'POINT(1', 'POLYGON((0 0,4 0,4 4,0 0))'])
      expect(await writeRows(source, access, [{ insert: { id: 1, p } }]), p).toMatchObject([
        { status: 'refused', rule: 'type', columns: ['p'] },
      ])
  })

  /** Walks both ways over small pages. */
  async function expectEveryRow(
    source: RowSource,
    access: Access,
    sort: readonly SortColumn[],
    count: number,
  ): Promise<void> {
    const whole = (await readPage(source, access, { sort })).rows.map(({ key }) => key[0])
    expect(new Set(whole).size).toBe(count)
    for (const way of ['after', 'before'] as const) {
      const seen: unknown[] = []
      const edge = way === 'after' ? ({ at: 'first' } as const) : ({ at: 'last', rows: 3 } as const)
      let page = await readPage(source, access, { sort, size: 3, place: edge })
      while (page.rows.length > 0) {
        const keys = page.rows.map(({ key }) => key[0])
        if (way === 'after') seen.push(...keys)
        else seen.unshift(...keys)
        const { sort: values, key } = (way === 'after' ? page.rows.at(-1) : page.rows[0])!
        const place = { at: way, anchor: { sort: values, key } }
        page = await readPage(source, access, { sort, size: 3, place })
      }
      expect(seen).toEqual(whole)
    }
  }
})
