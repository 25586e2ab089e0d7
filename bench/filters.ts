/** Compares a filtered page with the first page, and pages during counts of filters and selections with idle ones. */

import type { Json } from '../src/protocol/json.ts'
import { everything, type Predicate } from '../src/table/source/predicate.ts'
import type { PageQuery, RowSource } from '../src/table/source/row-source.ts'
import { createTotals } from '../src/table/list/totals.ts'
import { atMost, type Figure, interleaved, median, timed } from './measure.ts'
import { type Site, updateBody } from './site.ts'
import { systemActor } from './system-actor.ts'

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
  const times = await interleaved(51, {
    first: () => site.source.page(access, at(everything, newest)),
    status: () => site.source.page(access, at(status, [])),
    customer: () => site.source.page(access, at(customer, [])),
    since: () => site.source.page(access, at(since, newest)),
    several: () => site.source.page(access, at(several, [])),
  })
  console.log(
    `  ms: ${Object.entries(times)
      .map(([name, ms]) => `${name} ${ms.toFixed(3)}`)
      .join(', ')}`,
  )
  return [
    atMost('page of one status ÷ first page', times.status / times.first, 1.3),
    atMost('page of one customer ÷ first page', times.customer / times.first, 1.3),
    atMost('page since a date ÷ first page', times.since / times.first, 1.3),
    atMost('page of several filters ÷ first page', times.several / times.first, 1.3),
    await countsOnce(site, status),
    ...(await countsBeside(site)),
  ]
}

/** Pages under several filters; each `round` is another question, so that no count is remembered. */
const filtered = (round: number) =>
  '/tables/orders?size=50&sort=-placed_at&filter.total.min=100' +
  `&filter.total.max=${4000 + round}` +
  '&filter.placed_at.minDate=2021-06-01&filter.placed_at.maxDate=2024-06-30'

const COUNTS: readonly (readonly [what: string, method: string, params: Json[]])[] = [
  ['the values of a filter are counted', 'facets', ['status']],
  ['a selection is counted', 'selectedCount', [{ except: [] }]],
  ['the sums of a selection are added up', 'selectedSums', [{ except: [] }, ['total']]],
]

const ROUNDS = 8
const PAGES = 20

/** Turns pages alone, and while the same person's filters and selection are counted. */
async function countsBeside(site: Site): Promise<Figure[]> {
  const post = async (body: string) => {
    const response = await fetch(`${site.origin}/tablewire/update`, {
      method: 'POST',
      headers: { ...site.headers, 'content-type': 'application/json', 'x-tablewire': '1' },
      body,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
  }
  const page = await site.page(filtered(0))
  await post(updateBody(page, 'selectedCount', { except: [] }))
  const turn = () => post(updateBody(page, 'turnPage', 'next'))
  let round = 0
  const figures: Figure[] = []
  for (const [what, method, params] of COUNTS) {
    const [idle, busy]: [number[], number[]] = [[], []]
    for (let left = ROUNDS; left > 0; left--) {
      idle.push(...(await timed(PAGES, turn)))
      const count = updateBody(await site.page(filtered(++round)), method, ...params)
      let isOver = false
      // One that takes too long is refused, and has run as well.
      const counting = post(count)
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
  const { source } = site
  const counted: RowSource = {
    describe: (run) => source.describe(run),
    page: (access, query, run) => source.page(access, query, run),
    csv: (access, query, run) => source.csv(access, query, run),
    count(access, where, options) {
      counts++
      return source.count(access, where, options)
    },
    sums: (access, where, columns, run) => source.sums(access, where, columns, run),
    facets: (access, where, column, options) => source.facets(access, where, column, options),
    rank: (access, where, sort, key, run) => source.rank(access, where, sort, key, run),
    row: (access, key, lookup, run) => source.row(access, key, lookup, run),
    keys: (access, where, options) => source.keys(access, where, options),
    write: (access, unit, run) => source.write(access, unit, run),
    dataVersion: () => source.dataVersion(),
    exactVersion: () => source.exactVersion(),
    close: () => source.close(),
  }
  const totals = createTotals(counted)
  for (let turn = 0; turn < 20; turn++) await totals.find(access, where, 'status', 120_000)
  return atMost('counts of one filter in twenty page turns', counts, 2, '', 0)
}
