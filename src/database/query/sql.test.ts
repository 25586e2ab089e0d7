import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { fullAccess } from '../../../test/contracts/actors.ts'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { PageQuery, Place, SortColumn } from '../../table/source/row-source.ts'
import type { Column, Table } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { Notation } from '../dialect.ts'
import { jumpSql, pageShape, runsOf, runsSql } from './page-sql.ts'
import { bind, join, name, render, sql } from './sql.ts'
import { guardedDialect, sqliteDialect } from '../sqlite/dialect.ts'
import type { SqliteCatalogue } from '../sqlite/tables.ts'

const postgres: Notation = {
  placeholder: (position) => `$${position}`,
  quote: (text) => `"${text.replaceAll('"', '""')}"`,
}

describe('fragments', () => {
  test('keep text and values apart, whatever the values are', () => {
    const values: Value[] = [1, "'; drop table t; --", null]
    const fragment = sql`select ${name('a"b')} from t where x in (${join(values.map(bind))}) and y = ${bind('?')}`
    expect(render(fragment, sqliteDialect)).toEqual({
      text: 'select "a""b" from t where x in (?, ?, ?) and y = ?',
      binds: [...values, '?'],
    })
    expect(render(fragment, postgres).text).toBe(
      'select "a""b" from t where x in ($1, $2, $3) and y = $4',
    )
  })

  test('take only values that a driver cannot mistake for SQL', () => {
    for (const value of [{}, [], new Date(0), undefined, () => 1, Symbol('x')])
      expect(() => render(bind(value as unknown as Value), sqliteDialect)).toThrow(TypeError)
  })
})

const columns: Column[] = ['id', 'a', 'b', 'c'].map((column, i) => ({
  name: column,
  declared: '',
  type: i % 2 ? 'integer' : 'text',
  nullable: i > 1,
  generated: false,
  hasDefault: false,
}))
const table: Table = {
  name: 't',
  kind: 'table',
  columns,
  key: ['id'],
  foreignKeys: [],
  indexes: [],
  estimate: null,
}
const catalogue: SqliteCatalogue = {
  schema: { name: 's', engine: 'SQLite', tables: [table] },
  tables: new Map([
    [
      't',
      {
        table,
        from: name('t'),
        columns: new Map(columns.map((column) => [column.name, column])),
        locator: ['rowid'],
        rowid: 'rowid',
        integerKey: null,
        checks: new Map(),
      },
    ],
  ]),
}
const access: Access = fullAccess(table)

const valueOf: fc.Arbitrary<Exclude<Value, null>> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom("'; drop table t; --", '"', '?', '%_\\', "\0' or 1=1", '${x}', '$1', ':a', '--'),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.uint8Array(),
)
const columnOf = fc.constantFrom('id', 'a', 'b', 'c')

/** A condition with placeholders for its values. */
type Make = (next: () => Value) => Predicate

const make = (condition: Make): Make => condition

type Shape = {
  readonly where: Make
  readonly sort: readonly SortColumn[]
  readonly at: 'first' | 'after' | 'before' | 'offset'
}

const leafOf: fc.Arbitrary<Make> = fc.oneof(
  fc
    .record({ op: fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte'), column: columnOf })
    .map((leaf) => make((next) => ({ ...leaf, value: next() }))),
  columnOf.map((column) => make(() => ({ op: 'null', column }))),
  fc
    .record({ column: columnOf, mark: fc.constantFrom('', '%', '_', '\\') })
    .map(({ column, mark }) =>
      make((next) => ({ op: 'contains', column, text: `${String(next())}${mark}` })),
    ),
  fc
    .record({ column: columnOf, size: fc.integer({ min: 0, max: 5 }) })
    .map(({ column, size }) =>
      make((next) => ({ op: 'in', column, values: Array.from({ length: size }, next) })),
    ),
)

const { tree: whereOf } = fc.letrec<{ tree: Make }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'where' },
    leafOf,
    tie('tree').map((of) => make((next) => ({ op: 'not', of: of(next) }))),
    fc
      .record({ op: fc.constantFrom('and', 'or'), all: fc.array(tie('tree'), { maxLength: 3 }) })
      .map(({ op, all }) => make((next) => ({ op, all: all.map((part) => part(next)) }))),
  ),
}))

const shapeOf: fc.Arbitrary<Shape> = fc.record({
  where: whereOf,
  sort: fc.uniqueArray(fc.record({ column: columnOf, descending: fc.boolean() }), {
    selector: ({ column }) => column,
    maxLength: 3,
  }),
  at: fc.constantFrom('first', 'after', 'before', 'offset'),
})

function statementsOf(shape: Shape, values: readonly Value[]) {
  let used = 0
  const next = (): Value => values[used++ % values.length]!
  const where = shape.where(next)
  const anchor = { sort: shape.sort.map(next), key: [next()] }
  const backwards = shape.at === 'before'
  const place: Place = { at: 'first' }
  const query: PageQuery = { columns: ['id', 'a'], where, sort: shape.sort, size: 10, place }
  const page = pageShape(catalogue, access, query)
  const context = { catalogue, dialect: guardedDialect }
  const isAnchored = shape.at === 'after' || shape.at === 'before'
  const runs = runsOf(context, page, { backwards, ...(isAnchored && { anchor }) })
  const statements =
    shape.at === 'offset'
      ? runs.map((run) => jumpSql(context, page, run, { skip: used, limit: 11 }))
      : [runsSql(context, page, runs, 11)]
  return statements.map((statement) => render(statement, guardedDialect))
}

const many = fc.array(valueOf, { minLength: 1, maxLength: 8 })
/**
 * `contains` has other forms for texts that LIKE cannot take, those that are not plain ASCII, and for
 * those with marks of LIKE's own, which belong to the shape here.
 */
const plain = many.map((values) =>
  values.map((value) =>
    typeof value === 'string' ? value.replace(/\0|[\\%_]|\P{ASCII}/gu, 'x') : value,
  ),
)

describe('statements', () => {
  test('have a text that depends on the shape of the query alone', () => {
    fc.assert(
      fc.property(shapeOf, plain, plain, (shape, some, others) => {
        const a = statementsOf(shape, some)
        const b = statementsOf(shape, others)
        expect(a.map(({ text }) => text)).toEqual(b.map(({ text }) => text))
        for (const { text, binds } of a) expect(text.split('?').length - 1).toBe(binds.length)
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('hold no piece of any value', () => {
    fc.assert(
      fc.property(shapeOf, many, (shape, values) => {
        const marked = values.map((value) => (typeof value === 'string' ? `Ж${value}Ж` : value))
        for (const { text } of statementsOf(shape, marked)) expect(text).not.toContain('Ж')
      }),
      { numRuns: runs(2000) },
    )
  })
})
