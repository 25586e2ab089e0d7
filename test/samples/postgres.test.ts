import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { Table } from '../../src/table/source/schema.ts'
import type { KeyValues } from '../../src/table/source/value.ts'
import { fullAccess } from '../contracts/actors.ts'
import { readPage } from '../contracts/opened.ts'
import { postgresVersion } from '../contracts/postgres-server.ts'
import { addressOn, POSTGRES } from '../contracts/servers.ts'
import { isPlain, runs } from '../tier.ts'
import { dropPostgres, loadPostgres, type Sample } from './load.ts'

const SAMPLES: readonly (readonly [Sample, tables: number])[] = [
  ['chinook', 11],
  ['sakila', 28],
]

/** A busy machine takes its time. */
const PATIENT = { timeoutMs: 60_000 }

/** Texts that are searched for in every column. */
const TEXTS = isPlain ? ["'"] : ['a', 'É', "'", '7']

/** Of larger tables, so many records are opened, evenly from first to last. */
const OPENED = runs(300, 60)

describe.skipIf(postgresVersion === undefined).each(SAMPLES)(
  '%s on PostgreSQL',
  (sample, count) => {
    const name = `tablewire_sample_${sample}_${process.pid}`
    let source: RowSource
    let tables: readonly Table[]

    beforeAll(async () => {
      await loadPostgres(sample, name)
      source = await openPostgres(addressOn(POSTGRES, name))
      tables = (await source.describe()).tables
    })
    afterAll(async () => {
      await source.close()
      dropPostgres(name)
    })

    test('every table and view lists, in the order of any column, with what it refers to', async () => {
      expect(tables).toHaveLength(count)
      for (const table of tables) {
        const access = fullAccess(table)
        const related = table.foreignKeys.flatMap(({ columns, table: other, references }) => {
          const target = tables.find(({ name }) => name === other)!
          const label = target.columns.find(({ type }) => type === 'text') ?? target.columns[0]!
          const [column] = columns
          return columns.length === 1
            ? [
                {
                  column: column!,
                  access: fullAccess(target),
                  references: references[0]!,
                  label: label.name,
                },
              ]
            : []
        })
        const { count: rows } = await source.count(access, everything, PATIENT)
        // Each order of a view makes the whole view once more.
        const isSlow = isPlain && table.kind !== 'table'
        for (const { name: column } of isSlow ? table.columns.slice(0, 1) : table.columns)
          for (const descending of [false, true]) {
            const sort = [{ column, descending }]
            const first = await readPage(source, access, { sort, size: 20, related }, PATIENT)
            expect(first.rows).toHaveLength(Math.min(20, rows))
            const place = { at: 'last', rows: 5 } as const
            expect((await readPage(source, access, { sort, place }, PATIENT)).rows).toHaveLength(
              Math.min(5, rows),
            )
          }
      }
    }, 300_000)

    test('every record opens', async () => {
      for (const table of tables.filter(({ key }) => key.length > 0)) {
        const access = fullAccess(table)
        const keys: KeyValues[] = []
        for await (const chunk of source.keys(access, everything)) keys.push(...chunk)
        const step = Math.max(1, Math.floor(keys.length / OPENED))
        for (const key of keys.filter((_, i) => i % step === 0)) {
          const { rows } = await readPage(source, access, { where: isKey(table, key) })
          expect(rows.map((row) => row.key)).toEqual([key])
        }
      }
    }, 300_000)

    test('every text can be searched for', async () => {
      for (const table of tables)
        for (const { name: column } of table.columns)
          for (const text of TEXTS) {
            const where: Predicate = { op: 'contains', column, text }
            const { count: rows } = await source.count(fullAccess(table), where, PATIENT)
            const page = await readPage(source, fullAccess(table), { where, size: 10 }, PATIENT)
            expect(page.rows).toHaveLength(Math.min(10, rows))
          }
    }, 300_000)
  },
)

const isKey = ({ key: columns }: Table, key: KeyValues): Predicate => ({
  op: 'and',
  all: columns.map((column, i): Predicate => ({ op: 'eq', column, value: key[i]! })),
})
