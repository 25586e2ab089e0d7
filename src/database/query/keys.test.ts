import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { accessTo } from '../../../test/table-of.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { Run } from '../../table/source/row-source.ts'
import { SqliteQueryRunner } from '../sqlite/query-runner.ts'

const ROWS = 25_000
let data: OpenDataFile

beforeAll(async () => {
  data = await openDataFile(`create table crates (id integer primary key, weight integer);
    with recursive n (i) as (values (1) union all select i + 1 from n where i < ${ROWS})
    insert into crates select i, i % 10 from n`)
})
afterAll(() => data.close())

/** How many rows each statement asks for, and how many rounds of the event loop there were for others. */
async function digest(where: Predicate, run: Run) {
  const read = vi.spyOn(SqliteQueryRunner.prototype, 'read')
  onTestFinished(() => read.mockRestore())
  const { tables } = await data.source.describe()
  const access = accessTo(tables[0]!)
  let [rounds, rows, isOver] = [0, 0, false]
  const turn = () => {
    rounds++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  for await (const { keys } of data.source.digests(access, where, ['weight'], run))
    rows += keys.length
  isOver = true
  const limits = read.mock.calls.map(([{ select }]) => 'limit' in select && select.limit)
  return { rows, rounds, limits }
}

test('what may take long reads small parts where an index serves it, and others have turns between', async () => {
  const { rows, rounds, limits } = await digest(everything, { isLong: true })
  expect(rows).toBe(ROWS)
  expect(new Set(limits)).toEqual(new Set([1000]))
  // Such parts are read on the same thread, where nothing else would let others go on.
  expect(rounds).toBeGreaterThanOrEqual(ROWS / 1000 - 1)
})

test('where each read looks at all rows again, there are few of them', async () => {
  const { limits } = await digest({ op: 'lt', column: 'weight', value: 9 }, { isLong: true })
  expect(limits).toEqual([1000, 10_000, 10_000, 10_000])
})

test('what is short is one read', async () => {
  const { limits } = await digest({ op: 'lte', column: 'id', value: 2000 }, {})
  expect(limits).toEqual([10_000])
})
