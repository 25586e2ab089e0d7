import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataFile } from '../../../test/data-file.ts'
import { fullAccess } from '../../../test/contracts/actors.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import { SqliteFile } from '../sqlite/file.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { listedRows } from './listed-rows.ts'
import { pageShape, runsOf, runsSql } from './page-sql.ts'
import { render } from './sql.ts'

const row = (day: string, at: number): Predicate => ({
  op: 'and',
  all: [
    { op: 'eq', column: 'day', value: day },
    { op: 'eq', column: 'at', value: at },
  ],
})
const rows = (count: number): Predicate[] =>
  Array.from({ length: count }, (_, at) => row(`day ${at}`, at))

test('finds many rows that are named by the same columns', () => {
  const many = listedRows({ op: 'or', all: [{ op: 'or', all: rows(40) }, row('last', 41)] })
  expect(many?.columns).toEqual(['day', 'at'])
  expect(many?.rows).toHaveLength(41)
  expect(many?.rows.at(-1)).toEqual(['last', 41])
})

test.for<[string, Predicate]>([
  ['few rows', { op: 'or', all: rows(5) }],
  [
    'a condition of another kind among them',
    { op: 'or', all: [...rows(40), { op: 'null', column: 'day' }] },
  ],
  [
    'a NULL',
    {
      op: 'or',
      all: [
        ...rows(40),
        {
          op: 'and',
          all: [
            { op: 'eq', column: 'day', value: null },
            { op: 'eq', column: 'at', value: 1 },
          ],
        },
      ],
    },
  ],
  [
    'columns in another order',
    {
      op: 'or',
      all: [
        ...rows(40),
        {
          op: 'and',
          all: [
            { op: 'eq', column: 'at', value: 1 },
            { op: 'eq', column: 'day', value: 'x' },
          ],
        },
      ],
    },
  ],
  [
    'a reference',
    {
      op: 'or',
      all: [
        ...rows(40),
        {
          op: 'and',
          all: [
            { op: 'eq', column: 'day', value: 'x', as: { table: 'days', column: 'day' } },
            { op: 'eq', column: 'at', value: 1 },
          ],
        },
      ],
    },
  ],
  ['all of several conditions', { op: 'and', all: rows(40) }],
  ['no rows', { op: 'or', all: [] }],
])('makes no list of %s', ([, predicate]) => {
  expect(listedRows(predicate)).toBeUndefined()
})

test('SQLite looks up each of many rows by its key, however the page is sorted', () => {
  const { path, remove } = makeDataFile(
    `create table hours (day text, at integer, note text, primary key (day, at));
     create index hours_note on hours (note);`,
  )
  const database = new DatabaseSync(path)
  const own = { name: 'hours', isWritable: false, onReplaced: () => undefined }
  const file = new SqliteFile(path, own)
  onTestFinished(() => {
    file.close()
    database.close()
    remove()
  })
  const catalogue = file.describe()
  const context = { catalogue, dialect: sqliteDialect }
  const planOf = (sort: string[]) => {
    const shape = pageShape(catalogue, fullAccess(catalogue.schema.tables[0]!), {
      ...{ columns: ['note'], where: { op: 'or', all: rows(600) }, size: 25 },
      ...{ place: { at: 'first' }, sort: sort.map((column) => ({ column, descending: false })) },
    })
    const { text, binds } = render(
      runsSql(context, shape, runsOf(context, shape, { backwards: false }), 26),
      sqliteDialect,
    )
    // Statements bind texts and numbers here.
    const steps = database.prepare(`explain query plan ${text}`).all(...(binds as string[]))
    return steps.map(({ detail }) => String(detail)).join('; ')
  }
  for (const sort of [[], ['day'], ['at']])
    expect(planOf(sort)).toMatch(/SEARCH t0 USING .*\(day=\? AND at=\?\)/)
})
