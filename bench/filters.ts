/** Compares a filtered page with the first page, and checks how often a filter is counted. */

import { everything, type Predicate } from '../src/table/source/predicate.ts'
import type { PageQuery, RowSource } from '../src/table/source/row-source.ts'
import { createTotals } from '../src/table/list/totals.ts'
import { atMost, type Figure, interleaved } from './measure.ts'
import type { Site } from './site.ts'
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
  const times = await interleaved(51, {
    first: () => site.source.page(access, at(everything, newest)),
    status: () => site.source.page(access, at(status, [])),
    customer: () => site.source.page(access, at(customer, [])),
    since: () => site.source.page(access, at(since, newest)),
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
    await countsOnce(site, status),
  ]
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
