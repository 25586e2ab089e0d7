/** Compares a filtered page with the first page, and pages during counts of filters and selections with idle ones. */

import type { Json } from '../src/protocol/json.ts'
import { everything, type Predicate } from '../src/table/source/predicate.ts'
import type { PageQuery } from '../src/table/source/row-source.ts'
import { createTotals } from '../src/table/list/totals.ts'
import { sourceWith } from '../test/source-with.ts'
import { atMost, type Figure, interleaved, listed, median, reported, timed } from './measure.ts'
import { type Site, updateBody } from './site.ts'
import { systemActor } from './system-actor.ts'

/** Rounds before the measured ones: by then, V8 has compiled what they need. */
const WARM_UP = 400

export async function filters(site: Site): Promise<Figure[]> {
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  const columns = ['id', 'customer_id', 'status', 'total', 'placed_at', 'note', 'position']
  const at = (where: Predicate, sort: PageQuery['sort']): PageQuery => ({
    columns,
    where,
    sort,
    size: 50,
    place: { at: 'first' },
  })
  const newest = [{ column: 'placed_at', descending: true }]
  const customer: Predicate = { op: 'eq', column: 'customer_id', value: 777 }
  const status: Predicate = { op: 'eq', column: 'status', value: 'refunded' }
  const since: Predicate = { op: 'gte', column: 'placed_at', value: '2023-01-01 00:00:00' }
  const several: Predicate = {
    op: 'and',
    all: [customer, since, { op: 'gte', column: 'total', value: 100 }],
  }
  const { rows: latest } = await site.source.page(access, at(everything, newest))
  const value = latest.at(-1)?.values[columns.indexOf('placed_at')] ?? null
  const recent: Predicate = { op: 'gte', column: 'placed_at', value }
  const pages = {
    first: () => site.source.page(access, at(everything, newest)),
    status: () => site.source.page(access, at(status, [])),
    sorted: () => site.source.page(access, at(status, newest)),
    customer: () => site.source.page(access, at(customer, [])),
    since: () => site.source.page(access, at(since, newest)),
    several: () => site.source.page(access, at(several, [])),
    recent: () => site.source.page(access, at(recent, [])),
  }
  await interleaved(WARM_UP, pages)
  const times = await interleaved(101, pages)
  console.log(`  ms: ${listed(times, 3)}`)
  return [
    atMost('page of one status ÷ first page', times.status / times.first, 1.3),
    reported('page of one status in an order that its index does not give, ms', times.sorted),
    reported('page of the latest rows in the order of the key, ms', times.recent),
    atMost('page of one customer ÷ first page', times.customer / times.first, 1.3),
    atMost('page since a date ÷ first page', times.since / times.first, 1.3),
    atMost('page of several filters ÷ first page', times.several / times.first, 1.3),
    await wholeRequests(site),
    await countsOnce(site, status),
    ...(await countsBeside(site)),
  ]
}

/** The same for whole requests, of which a worker reads one in SQLite; both pages have 50 rows. */
async function wholeRequests(site: Site): Promise<Figure> {
  const turning = async (address: string) => {
    const turn = updateBody(await site.page(address), 'turnPage', 'first')
    return () => site.update(turn)
  }
  const turns = {
    first: await turning('/tables/orders?size=50&sort=-placed_at'),
    several: await turning(
      '/tables/orders?size=50&sort=id&filter.status.in=refunded&filter.total.min=100',
    ),
  }
  await interleaved(WARM_UP, turns)
  const { first, several } = await interleaved(101, turns)
  console.log(`  request ms: first ${first.toFixed(2)}, several ${several.toFixed(2)}`)
  return atMost('page of several filters ÷ first page, whole request', several / first, 1.3)
}

/** Pages under several filters; each `round` is another question, so that no count is remembered. */
const filtered = (round: number) =>
  '/tables/orders?size=50&sort=-placed_at&filter.total.min=100' +
  `&filter.total.max=${4000 + round}` +
  '&filter.placed_at.minDate=2021-06-01&filter.placed_at.maxDate=2024-06-30'

type Counting = {
  readonly what: string
  readonly method: string
  readonly params: Json[]
  /** Whether the list's own count is over by then. Otherwise the database does both at once. */
  readonly isAlone?: boolean
}

const FACETS = { method: 'facets', params: ['status'] }
const SUMS = { method: 'selectedSums', params: [{ except: [] }, ['total']] }

const COUNTS: readonly Counting[] = [
  { what: 'the values of a filter are counted', ...FACETS },
  { what: 'they are counted, and nothing else', ...FACETS, isAlone: true },
  { what: 'a selection is counted', method: 'selectedCount', params: [{ except: [] }] },
  { what: 'the sums of a selection are added up', ...SUMS },
  { what: 'they are added up, and nothing else', ...SUMS, isAlone: true },
]

const ROUNDS = 8
const PAGES = 20

/** Turns pages alone, and while the same person's filters and selection are counted. */
async function countsBeside(site: Site): Promise<Figure[]> {
  const page = await site.page(filtered(0))
  await site.update(updateBody(page, 'selectedCount', { except: [] }))
  const turn = () => site.update(updateBody(page, 'turnPage', 'next'))
  await timed(WARM_UP, turn)
  let round = 0
  const figures: Figure[] = []
  for (const { what, method, params, isAlone } of COUNTS) {
    const [idle, busy]: [number[], number[]] = [[], []]
    for (let left = ROUNDS; left > 0; left--) {
      idle.push(...(await timed(PAGES, turn)))
      const other = await site.page(filtered(++round))
      const total = updateBody(other, 'total')
      while (isAlone && (await site.update(total)).includes('"counting":true'));
      const count = updateBody(other, method, ...params)
      let isOver = false
      // One that takes too long is refused, and has run as well.
      const counting = site
        .update(count)
        .catch(() => undefined)
        .finally(() => (isOver = true))
      for (let turns = 0; turns < PAGES && !isOver; turns++) busy.push(...(await timed(1, turn)))
      await counting
    }
    const [quiet, loud] = [median(idle), median(busy)]
    console.log(
      `  page idle ${quiet.toFixed(2)} ms; ${busy.length} while ${what} ${loud.toFixed(2)} ms`,
    )
    figures.push(atMost(`page while ${what} ÷ idle`, loud / quiet, 1.3))
  }
  return figures
}

/** Turning pages under one filter must not count again while nothing is written. */
async function countsOnce(site: Site, where: Predicate): Promise<Figure> {
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  let counts = 0
  const counted = sourceWith(site.source, {
    count(...given) {
      counts++
      return site.source.count(...given)
    },
  })
  const totals = createTotals(counted)
  for (let turn = 0; turn < 20; turn++)
    await totals.find(access, where, 'status', { maxWaitMs: 120_000 })
  return atMost('counts of one filter in twenty page turns', counts, 2, '', 0)
}
