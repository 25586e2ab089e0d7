/** Hostile onlookers with a clock: where an index serves a policy, it does not tell how many rows are hidden. */

import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Access } from '../../src/table/source/access.ts'
import type { Predicate } from '../../src/table/source/predicate.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { fullAccess } from '../contracts/actors.ts'
import type { Fixture, Opened, OpenFixture } from '../contracts/fixture.ts'
import { mysqlFixtures } from '../contracts/mysql-fixture.ts'
import { describeMysql } from '../contracts/mysql-server.ts'
import { readPage } from '../contracts/opened.ts'
import { postgresFixtures } from '../contracts/postgres-fixture.ts'
import { describePostgres } from '../contracts/postgres-server.ts'
import { openSqliteFixture } from '../contracts/sqlite-fixture.ts'
import { nightly } from '../nightly.ts'

const VISIBLE = 1000
/** Both are large for a planner of searches, which on PostgreSQL begins at 20,000 rows; see SECURITY.md. */
const FEW = 30_000
const MANY = 150_000

/** Both columns say whether a row may be seen; an index serves the first of them. */
const SERVED = 'team'
const UNSERVED = 'region'

/** A column with an index of its own, which hidden rows hold the same values of. */
const FOUND = 'kind'

/** The same visible rows, after those that are hidden. */
const worldWith = (hidden: number): Fixture => ({
  tables: [
    {
      name: 'notes',
      columns: [
        { name: 'id', type: 'integer' },
        { name: SERVED, type: 'integer' },
        { name: UNSERVED, type: 'integer' },
        { name: FOUND, type: 'text' },
        { name: 'title', type: 'text' },
      ],
      key: ['id'],
      indexes: [[SERVED, 'id'], [FOUND]],
      rows: (function* () {
        for (let id = MANY - hidden + 1; id <= MANY + VISIBLE; id++) {
          const seen = id > MANY ? 1 : 2
          yield [id, seen, seen, `kind ${id % 7}`, `note ${id}`]
        }
      })(),
    },
  ],
})

type Reader = { readonly source: RowSource; readonly access: Access }

/** What a person asks of a list who may see the rows where `column` is 1. */
const QUESTIONS: Readonly<Record<string, Ask>> = {
  'a page': ({ source, access }) => readPage(source, access, { size: 25 }),
  'a search': ({ source, access }) => readPage(source, access, { size: 25, where: SEARCH }),
  'a search that finds nothing': ({ source, access }) =>
    readPage(source, access, { size: 25, where: IN_VAIN }),
  'a count': ({ source, access }) => source.count(access, SEARCH),
  'the counts of values': ({ source, access }) => source.facets(access, SEARCH, FOUND),
  'a filter by a column with an index': ({ source, access }) =>
    readPage(source, access, { size: 25, where: FILTER }),
  'a count under such a filter': ({ source, access }) => source.count(access, FILTER),
}
const FILTER: Predicate = { op: 'eq', column: FOUND, value: 'kind 3' }
const SEARCH: Predicate = { op: 'contains', column: 'title', text: 'note 1005' }
const IN_VAIN: Predicate = { op: 'contains', column: 'title', text: 'nothing' }

/** Questions whose times show that the test can tell worlds apart. */
const TOLD = ['a page', 'a count']

/** Pairs of each attempt, and how often it is tried: a machine that others share is noisy. */
const PAIRS = 21
const ATTEMPTS = 5
/** How many times the control's spread the median difference may be, and which part of the time itself. */
const SPREADS = 4
const PART = 0.25

const median = (values: readonly number[]): number =>
  // There are some.
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

type Ask = (reader: Reader) => Promise<unknown>

/** A pair of times, ms. */
type Pair = { readonly one: number; readonly other: number }

/** Asks both worlds in turn; each goes first in every other pair. */
async function timePairs(ask: Ask, one: Reader, other: Reader): Promise<Pair[]> {
  const timeOf = async (reader: Reader): Promise<number> => {
    const begin = performance.now()
    await ask(reader)
    return performance.now() - begin
  }
  const pairs: Pair[] = []
  for (let at = 0; at < PAIRS; at++)
    if (at % 2 === 0) pairs.push({ one: await timeOf(one), other: await timeOf(other) })
    else {
      const first = await timeOf(other)
      pairs.push({ one: await timeOf(one), other: first })
    }
  return pairs
}

const differencesIn = (pairs: readonly Pair[]) => pairs.map(({ one, other }) => other - one)

type Worlds = {
  readonly few: Reader
  /** Equal to `few`: what differs between the two is the machine's noise. */
  readonly control: Reader
  readonly many: Reader
}

/** Whether the rows that are hidden in `many` show in time more than two equal worlds differ. */
async function isToldApart(ask: Ask, { few, control, many }: Worlds): Promise<boolean> {
  const pairs = await timePairs(ask, few, control)
  const noise = differencesIn(pairs)
  const middle = median(noise)
  const spread = median(noise.map((one) => Math.abs(one - middle)))
  const time = median(pairs.map(({ one }) => one))
  const difference = median(differencesIn(await timePairs(ask, few, many)))
  return Math.abs(difference) > Math.abs(middle) + SPREADS * spread + PART * time
}

/** Whether more than half of the attempts tell the worlds apart, or do not. */
async function toldApart(ask: Ask, worlds: Worlds): Promise<'mostly' | 'seldom'> {
  for (const reader of Object.values(worlds)) await ask(reader)
  let [apart, alike] = [0, 0]
  while (Math.max(apart, alike) <= ATTEMPTS / 2)
    if (await isToldApart(ask, worlds)) apart++
    else alike++
  return apart > alike ? 'mostly' : 'seldom'
}

function timing(open: OpenFixture, analyze: string): void {
  const opened: Opened[] = []
  let readers: (column: string) => Promise<Worlds>

  beforeAll(async () => {
    for (const hidden of [FEW, FEW, MANY]) {
      const world = await open(worldWith(hidden))
      opened.push(world)
      await world.query(analyze)
    }
    const readerOf = async (at: number, column: string): Promise<Reader> => {
      // There are three worlds, and each has one table.
      const { source } = opened[at]!
      const [table] = (await source.describe()).tables
      return { source, access: fullAccess(table!, { rows: { op: 'eq', column, value: 1 } }) }
    }
    readers = async (column) => ({
      few: await readerOf(0, column),
      control: await readerOf(1, column),
      many: await readerOf(2, column),
    })
  }, 120_000)
  afterAll(async () => {
    for (const { close } of opened) await close()
  })

  nightly.benchmark.each(Object.entries(QUESTIONS))(
    '%s takes as long however many rows are hidden, if an index serves the policy',
    async (_, ask) => expect(await toldApart(ask, await readers(SERVED))).toBe('seldom'),
    120_000,
  )

  nightly.benchmark.each(TOLD)(
    '%s tells by its time how many rows are hidden, if no index serves the policy',
    // The question is one of them.
    async (name) =>
      expect(await toldApart(QUESTIONS[name]!, await readers(UNSERVED))).toBe('mostly'),
    120_000,
  )
}

describe('SQLite', () => timing(openSqliteFixture, 'analyze'))

describePostgres('PostgreSQL', () => {
  const fixtures = postgresFixtures()
  timing(fixtures.open, 'analyze')
  afterAll(() => fixtures.close())
})

describeMysql('MySQL', () => {
  const fixtures = mysqlFixtures()
  timing(fixtures.open, 'analyze table notes')
  afterAll(() => fixtures.close())
})
