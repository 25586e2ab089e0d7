import { expect, test } from 'vitest'
import { within } from '../../../test/tier.ts'
import { openBench, readPage } from '../../../test/contracts/opened.ts'
import { openSqliteFixture } from '../../../test/contracts/sqlite-fixture.ts'
import type { Predicate } from '../../table/source/predicate.ts'

const ROWS = 1_000_000
const MB = 2 ** 20

const holds = (text: string): Predicate => ({
  op: 'or',
  all: ['name', 'note'].map((column) => ({ op: 'contains', column, text })),
})

test(
  'no search, sort or count of a million rows takes a hundred megabytes',
  async () => {
    const bench = await openBench(openSqliteFixture, {
      tables: [
        {
          name: 'people',
          columns: [
            { name: 'id', type: 'integer' },
            { name: 'name', type: 'text' },
            { name: 'note', type: 'text' },
          ],
          key: ['id'],
          indexes: [['name']],
          rows: rows(),
        },
      ],
    })
    const { source } = bench
    const access = await bench.access('people')
    const timeoutMs = 60_000
    const byNote = [{ column: 'note', descending: true }]
    const works: Readonly<Record<string, () => Promise<unknown>>> = {
      'a search': () => readPage(source, access, { where: holds('müller') }, { timeoutMs }),
      'a search under an order': () =>
        readPage(source, access, { where: holds('jürgen é'), sort: byNote }, { timeoutMs }),
      'the count of a search': () => source.count(access, holds('Ωmega'), { timeoutMs }),
      'a search for a long text': () =>
        source.count(access, holds('ü'.repeat(5000)), { timeoutMs }),
      'a search for NUL': () => source.count(access, holds('\0'), { timeoutMs }),
      'a sort': () => readPage(source, access, { sort: byNote }, { timeoutMs }),
      'the page in the middle of a sort': () =>
        readPage(
          source,
          access,
          { sort: byNote, place: { at: 'offset', skip: ROWS / 2 } },
          { timeoutMs },
        ),
      'the values of a column': () => source.facets(access, holds('é'), 'name', { timeoutMs }),
    }
    const grown: string[] = []
    for (const [name, work] of Object.entries(works)) {
      const growth = await growthOf(work)
      if (growth >= 100) grown.push(`${name}: ${growth} MB`)
    }
    expect(grown).toEqual([])
  },
  within(240_000),
)

function* rows(): Generator<[number, string, string]> {
  for (let id = 0; id < ROWS; id++) yield [id, `name ${id % 1000}`, `nöte ${(id * 7919) % ROWS}`]
}

/** How much the process has grown at most, MB. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
  try {
    await work()
  } finally {
    clearInterval(look)
  }
  return Math.round((Math.max(most, process.memoryUsage.rss()) - before) / MB)
}
