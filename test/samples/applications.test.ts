import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/cli/open-database.ts'
import type { Table } from '../../src/table/source/schema.ts'
import { WALKED_ROWS, within } from '../tier.ts'
import { APPLICATIONS, type LoadedApplication } from './applications.ts'
import { generateRows } from './generated-rows.ts'
import { type OpenedSample, openSample } from './opened.ts'
import { differences, disorder, walkLists } from './walked-lists.ts'

for (const { name, engine, isThere, load, ...expected } of APPLICATIONS)
  describe.skipIf(!isThere)(`${name} on ${engine}`, () => {
    let database: LoadedApplication
    let opened: OpenedSample
    let tables: readonly Table[]

    beforeAll(async () => {
      database = await load()
      tables = await fill(database)
      opened = await openSample(database.address)
    }, 120_000)

    afterAll(async () => {
      await opened?.close()
      await database?.drop()
    })

    test(
      'every list has each row once, in the database’s own order by any column both ways',
      async () => {
        const { wrong, long, ...walked } = await walkLists({ opened, database }, tables)
        expect(wrong).toEqual([])
        expect(walked).toEqual(expected)
        // Some tables are empty.
        expect(long).toBeGreaterThan(0.9 * tables.length)
        expect(long).toBeLessThan(tables.length)
      },
      within(300_000),
    )
  })

async function fill(database: LoadedApplication): Promise<readonly Table[]> {
  const source = await openDatabase(database.address)
  const { tables } = await source.describe()
  await source.close()
  for (const { table, columns, rows } of generateRows(tables, WALKED_ROWS))
    if (rows.length > 0) await database.insert(table, columns, rows)
  await database.analyze()
  return tables
}

describe('a walk', () => {
  const truth = ['a', 'b', 'c'].map((identity) => ({ identity }))

  test.each([
    ['misses a row', ['a', 'b']],
    ['sees a row twice', ['a', 'b', 'b', 'c']],
    ['sees a row in place of another', ['a', 'b', 'b']],
    ['sees a row that is not there', ['a', 'b', 'c', 'd']],
  ])('that %s is found', (_, walked) => {
    expect(differences(walked, truth)).toHaveLength(1)
    expect(differences(['c', 'a', 'b'], truth)).toEqual([])
  })

  test('in another order is found', () => {
    const ranks = new Map([
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['d', null],
    ])
    expect(disorder(['b', 'a', 'c', 'd'], ranks, '')).toEqual([])
    expect(disorder(['c', 'a', 'b', 'd'], ranks, '-')).toEqual([])
    expect(disorder(['c', 'b', 'a', 'd'], ranks, '')).toHaveLength(1)
    expect(disorder(['d', 'c', 'b', 'a'], ranks, '-')).toHaveLength(1)
  })
})
