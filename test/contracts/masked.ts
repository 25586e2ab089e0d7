/** Settings: a value is shown or masked by the name beside it, and nothing else tells what is masked. */

import { describe, expect, test } from 'vitest'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { Grant } from '../../src/table/source/access.ts'
import type { PageQuery } from '../../src/table/source/row-source.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { openBench, readPage, writeOne, writeTo } from './opened.ts'

const options: FixtureTable = {
  name: 'options',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'option_name', type: 'text', nullable: true },
    { name: 'option_value', type: 'text', nullable: true },
    { name: 'autoload', type: 'boolean' },
  ],
  key: ['id'],
  indexes: [['option_value']],
  rows: [
    [1, 'theme', 'dark', true],
    [2, 'mailserver_pass', 'zyzzyva', true],
    [3, 'smtp.password', 'zyzzyva'.repeat(100), true],
    [4, null, 'unnamed', true],
    [5, 'signing', '-----BEGIN PRIVATE KEY-----\nMIIE', false],
    [6, 'api_secret', null, false],
    [7, 'about', 'long '.repeat(40), false],
  ],
}

const settings = {
  tables: [options],
  views: [{ name: 'shown_options', of: 'options' }],
}

const masked: Partial<Grant> = {
  readable: ['id', 'option_name', 'autoload'],
  writable: ['option_name'],
  masked: [{ column: 'option_value', by: 'option_name' }],
}

const sessions: FixtureTable = {
  name: 'sessions',
  columns: [
    { name: 'session_key', type: 'text' },
    { name: 'payload', type: 'text', nullable: true },
    { name: 'seen', type: 'integer' },
  ],
  key: ['session_key'],
  rows: [
    ['c0ffee', 'x', 2],
    ['b0a7', null, 2],
    ['f00d', 'y', 1],
  ],
}

/** Rows whose names were secrets by mistake. */
const owners: FixtureTable = {
  name: 'owners',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'text', nullable: true },
  ],
  key: ['id'],
  rows: [
    [1, 'Ana'],
    [2, '$2b$12$LQv3c1yqBWVHxkd0LHAkCO'],
    [3, 'ghp_zyzzyvazyzzyvazyzzyva'],
  ],
}

const keys: FixtureTable = {
  name: 'keys',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'owner', type: 'integer', nullable: true },
  ],
  key: ['id'],
  rows: [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, null],
  ],
}

const sealed: Partial<Grant> = { readable: ['seen'], sealed: ['session_key'] }

const unknown = { code: 'TABLE_UNKNOWN_COLUMN' }

export function maskedContract(name: string, open: OpenFixture): void {
  describe(`${name}: settings`, () => {
    test('are masked in the rows whose name or value is secret, and shown in the others', async () => {
      const { source, access } = await openBench(open, settings)
      for (const table of ['options', 'shown_options']) {
        const query: Partial<PageQuery> = {
          // Without the column of names among those that are asked for.
          columns: ['option_value', 'id'],
          sort: [{ column: 'id', descending: false }],
          cut: { columns: ['option_value'], length: 100 },
        }
        const { rows } = await readPage(source, await access(table, masked), query)
        expect(rows.map(({ values }) => values[0])).toEqual([
          ...['dark', null, null, 'unnamed', null, null],
          'long '.repeat(20),
        ])
        expect(rows.map(({ masked }) => masked?.has(0) ?? false)).toEqual([
          ...[false, true, true, false, true, true, false],
        ])
        expect(rows.map(({ lengths }) => lengths?.get(0))).toEqual([
          ...Array.from({ length: 6 }, () => undefined),
          200,
        ])
        // A beginning that is too short to be judged is not what is judged.
        const cut = { columns: ['option_value'], length: 9 }
        const short = await readPage(source, await access(table, masked), { ...query, cut })
        expect(short.rows.map(({ masked }) => masked?.size)).toEqual(
          rows.map(({ masked }) => masked?.size),
        )
      }
    })

    test('are masked in a row that is read by its key', async () => {
      const { source, access } = await openBench(open, settings)
      const table = await access('options', masked)
      const lookup = { columns: ['id', 'option_value'] }
      const secret = await source.row(table, [2], lookup)
      expect([secret?.values, secret?.masked]).toEqual([[2, null], new Set([1])])
      const open1 = await source.row(table, [1], lookup)
      expect([open1?.values, open1?.masked]).toEqual([[1, 'dark'], undefined])
    })

    test('are not there for whoever may not read their names', async () => {
      const { source, access } = await openBench(open, settings)
      const table = await access('options', { ...masked, readable: ['id'] })
      await expect(readPage(source, table, { columns: ['option_value'] })).rejects.toMatchObject(
        unknown,
      )
    })

    test('order, select, count, name and write nothing', async () => {
      const { source, access } = await openBench(open, settings)
      const table = await access('options', masked)
      const column = 'option_value'
      const conditions: Predicate[] = [
        { op: 'eq', column, value: 'dark' },
        { op: 'null', column },
        { op: 'contains', column, text: 'z' },
        { op: 'not', of: { op: 'gt', column, value: 'a' } },
      ]
      for (const where of conditions) {
        await expect(readPage(source, table, { where })).rejects.toMatchObject(unknown)
        await expect(source.count(table, where)).rejects.toMatchObject(unknown)
      }
      const sort = [{ column, descending: false }]
      await expect(readPage(source, table, { sort })).rejects.toMatchObject(unknown)
      await expect(source.rank(table, everything, sort, [1])).rejects.toMatchObject(unknown)
      await expect(source.facets(table, everything, column)).rejects.toMatchObject(unknown)
      const label = { column: 'id', access: table, references: 'id', label: column }
      await expect(readPage(source, table, { related: [label] })).rejects.toMatchObject(unknown)
      const expects = { set: { option_name: 'x' }, expect: { option_value: 'dark' } }
      await expect(writeOne(source, table, { update: [1], ...expects })).rejects.toMatchObject(
        unknown,
      )
      const result = await writeTo(source, table, {
        rows: [{ update: [2], set: { option_name: 'theme 2' } }],
      })
      expect(JSON.stringify(result)).not.toContain('zyzzyva')
    })

    test('of sessions have keys that find a row, and tell nothing', async () => {
      const { source, access } = await openBench(open, { tables: [sessions] })
      const table = await access('sessions', sealed)
      const column = 'session_key'
      const found = await source.row(table, ['c0ffee'], { columns: ['seen'] })
      expect(found?.values).toEqual([2])
      const known: Predicate = { op: 'eq', column, value: 'f00d' }
      expect(await source.count(table, known)).toEqual({ kind: 'exact', count: 1 })
      const bySeen = [{ column: 'seen', descending: false }]
      expect(await source.rank(table, everything, bySeen, ['f00d'])).toBe(1)
      const conditions: Predicate[] = [
        { op: 'contains', column, text: 'c' },
        { op: 'lt', column, value: 'd' },
        { op: 'in', column, values: ['f00d'] },
        { op: 'null', column },
      ]
      for (const where of conditions)
        await expect(source.count(table, where)).rejects.toMatchObject(unknown)
      const pages: Partial<PageQuery>[] = [
        { columns: [column] },
        { sort: [{ column, descending: false }] },
      ]
      for (const page of pages)
        await expect(readPage(source, table, page)).rejects.toMatchObject(unknown)
      await expect(source.facets(table, everything, column)).rejects.toMatchObject(unknown)
    })

    test('of any text that looks like a secret name no row that others refer to', async () => {
      const { source, access } = await openBench(open, { tables: [owners, keys] })
      const owner = await access('owners', { judged: ['name'] })
      const key = await access('keys')
      const related = [{ column: 'owner', access: owner, references: 'id', label: 'name' }]
      const sort = [{ column: 'id', descending: false }]
      const { rows } = await readPage(source, key, { sort, related })
      expect(rows.map(({ labels }) => labels[0])).toEqual(['Ana', null, null, undefined])
      const relation = { columns: ['owner'], access: owner, references: ['id'], label: 'name' }
      const lookup = { columns: ['owner'], related: [relation] }
      const found = await source.row(key, [2], lookup)
      expect(found?.related).toEqual([{ key: [2], label: null }])
      const { facets } = await source.facets(owner, everything, 'name')
      expect(facets.map(({ value }) => value)).toEqual(['Ana'])
      // Without the judgement, as of a column that is declared as shown, they are texts like any other.
      const shown = [{ ...related[0]!, access: await access('owners') }]
      const declared = await readPage(source, key, { sort, related: shown })
      expect(declared.rows[1]?.labels[0]).toMatch(/^\$2b\$12\$/)
    })

    test('break no ties, so that a view may say that its rows change places', async () => {
      const { source, access } = await openBench(open, settings)
      const view = await access('shown_options', masked)
      const sort = [{ column: 'autoload', descending: false }]
      const page = await readPage(source, view, { columns: ['id', 'option_value'], sort })
      expect(page.unordered).toBe(true)
    })
  })
}
