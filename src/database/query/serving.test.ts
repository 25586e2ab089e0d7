import { expect, test } from 'vitest'
import type { Column, Index } from '../../table/source/schema.ts'
import type { IndexedRun } from '../query-runner.ts'
import { type IndexBehaviour, servesOrder, servingColumns } from './serving.ts'
import { name } from './sql.ts'
import type { SourceTable } from '../tables.ts'

const postgres: IndexBehaviour = { endsWithKey: false, nulls: 'greatest' }
const mariadb: IndexBehaviour = { endsWithKey: true, nulls: 'least', sortsTies: false }

const column = (name: string, distinct?: number): Column => ({
  name,
  declared: '',
  type: 'text',
  nullable: false,
  generated: false,
  hasDefault: false,
  ...(distinct !== undefined && { distinct }),
})

function orders(...indexes: string[]): SourceTable {
  const columns = [column('id'), column('placed_at', 900_000), column('status', 5), column('total')]
  const parsed = indexes.map((text, i): Index => ({
    name: `i${i}`,
    columns: text.split(' ').map((part) => ({
      name: part.replace('-', ''),
      descending: part.startsWith('-'),
    })),
    unique: false,
    partial: false,
  }))
  return {
    table: {
      name: 'orders',
      kind: 'table',
      columns,
      key: ['id'],
      foreignKeys: [],
      indexes: parsed,
      estimate: 1_000_000,
    },
    from: name('orders'),
    columns: new Map(columns.map((one) => [one.name, one])),
    locator: ['id'],
  }
}

/** `-placed_at -id` in rows whose `equal` columns are given. */
function run(order: string, equal: string[] = [], entered: string[] | undefined = equal) {
  const terms = order.split(' ').map((part) => ({
    column: part.replace('-', ''),
    descending: part.startsWith('-'),
    nulls: 'none' as const,
  }))
  const one: IndexedRun = {
    terms,
    equal,
    entered,
    unfiltered: { terms, equal: [], entered: [] },
  }
  return { of: 'order', runs: [one] } as const
}

test.each([
  ['the key by itself', [], 'id', [], true],
  ['an order that the index has', ['placed_at id'], 'placed_at id', [], true],
  ['the same order from its end', ['placed_at id'], '-placed_at -id', [], true],
  ['a mixed order that the index has', ['-placed_at id'], '-placed_at id', [], true],
  ['a mixed order that no index has', ['placed_at id'], '-placed_at id', [], true],
  ['a mixed order of many equal values', ['status id'], '-status id', [], false],
  ['ties that are few', ['placed_at'], 'placed_at id', [], true],
  ['ties that are many', ['status'], 'status id', [], false],
  ['an order without any index', [], 'total id', [], false],
  ['a given value before the order', ['status placed_at id'], 'placed_at id', ['status'], true],
  ['a given value that no index begins with', ['placed_at id'], 'placed_at id', ['status'], false],
] as const)('%s', (_, indexes, order, equal, expected) => {
  expect(servesOrder(orders(...indexes), run(order, [...equal]), postgres)).toBe(expected)
})

test('an index that ends with the key needs no key of its own', () => {
  expect(servesOrder(orders('status'), run('status id'), mariadb)).toBe(true)
  expect(servingColumns(orders(), run('status id'), mariadb)).toEqual([
    { name: 'status', descending: false },
  ])
})

test('where equal rows are not sorted as they come, an index has to give the whole order', () => {
  const [table, need] = [orders('placed_at'), run('-placed_at id')]
  expect(servesOrder(table, need, mariadb)).toBe(false)
  expect(servesOrder(table, need, postgres)).toBe(true)
})

test('NULLs have to lie where the order wants them', () => {
  const { runs } = run('total placed_at id')
  const withNulls = (nulls: 'first' | 'last') => ({
    of: 'order' as const,
    runs: runs.map((one) => ({
      ...one,
      terms: one.terms.map((term, i) => (i === 1 ? { ...term, nulls } : term)),
    })),
  })
  const table = orders('total placed_at id')
  expect(servesOrder(table, withNulls('last'), postgres)).toBe(true)
  expect(servesOrder(table, withNulls('first'), postgres)).toBe(false)
  expect(servesOrder(table, withNulls('last'), mariadb)).toBe(false)
})

test('a condition that no index can serve leaves nothing to advise', () => {
  const need = run('placed_at id', [])
  const searched = { ...need, runs: need.runs.map((one) => ({ ...one, entered: undefined })) }
  expect(servesOrder(orders('placed_at id'), searched, postgres)).toBe(false)
  expect(servingColumns(orders(), searched, postgres)).toBeUndefined()
})

test('advice begins with what is given and goes on with the order', () => {
  expect(servingColumns(orders(), run('-placed_at -id', ['status']), postgres)).toEqual([
    { name: 'status', descending: false },
    { name: 'placed_at', descending: false },
    { name: 'id', descending: false },
  ])
  expect(servingColumns(orders(), run('-placed_at id'), postgres)).toEqual([
    { name: 'placed_at', descending: true },
    { name: 'id', descending: false },
  ])
})
