/** Compares pages at any depth with the first page, and pages during counts and full scans with idle ones. */

import { systemActor } from './system-actor.ts'
import { atMost, type Figure, interleaved, listed, median, percentile, timed } from './measure.ts'
import type { Site } from './site.ts'
import { everything } from '../src/table/source/predicate.ts'
import type { PageQuery, Place } from '../src/table/source/row-source.ts'
import { createTotals } from '../src/table/list/totals.ts'

const ROUNDS = 101

export async function depth(site: Site): Promise<Figure[]> {
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  const total = (await site.source.count(access, everything, { timeoutMs: 120_000 })).count
  const columns = ['id', 'customer_id', 'status', 'total', 'placed_at', 'note', 'position']
  const at = (place: Place): PageQuery => ({
    columns,
    where: everything,
    sort: [{ column: 'placed_at', descending: true }],
    size: 50,
    place,
  })
  const read = (place: Place) => () => site.source.page(access, at(place))
  const last = await site.source.page(access, at({ at: 'last', rows: total % 50 || 50 }))
  const middle = await site.source.page(
    access,
    at({ at: 'offset', skip: Math.floor(total / 2), total }),
  )
  const times = await interleaved(ROUNDS, {
    first: read({ at: 'first' }),
    middle: read({ at: 'after', anchor: middle.rows[0]! }),
    last: read({ at: 'last', rows: total % 50 || 50 }),
    beforeLast: read({ at: 'before', anchor: last.rows[0]! }),
  })
  console.log(`  ${total} rows; ms: ${listed(times, 3)}`)
  return [
    atMost('last page ÷ first page', times.last / times.first, 1.3),
    atMost('page in the middle, by its anchor ÷ first page', times.middle / times.first, 1.3),
    atMost('page before the last ÷ first page', times.beforeLast / times.first, 1.3),
  ]
}

/** Reads pages while the table is counted. */
export async function countsDoNotDelay(site: Site): Promise<Figure[]> {
  const path = '/tables/orders?size=50'
  await site.page(path)
  const idle = median(await timed(51, () => site.page(path)))
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  const counting = new AbortController()
  const counts = (async () => {
    while (!counting.signal.aborted)
      await site.source
        .count(access, everything, { signal: counting.signal, timeoutMs: 60_000 })
        .catch(() => null)
  })()
  const busy = median(await timed(51, () => site.page(path)))
  counting.abort()
  await counts
  console.log(
    `  page while idle ${idle.toFixed(2)} ms, while the table is counted ${busy.toFixed(2)} ms`,
  )
  return [atMost('page while counts run ÷ idle', busy / idle, 10), await abandonedCounts(site)]
}

/** Starts counts that nobody waits for any more; none of them may occupy a page's thread. */
async function abandonedCounts(site: Site): Promise<Figure> {
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  const holds = (text: string) => ({ op: 'contains', column: 'note', text }) as const
  const query: PageQuery = {
    columns: ['id', 'note'],
    where: holds('zzzzzz'),
    sort: [],
    size: 50,
    place: { at: 'first' },
  }
  const search = () => site.source.page(access, query, { timeoutMs: 60_000 })
  const idle = median(await timed(5, search))
  const totals = createTotals(site.source)
  const typed: Promise<unknown>[] = []
  const type = (text: string) =>
    typed.push(totals.find(access, holds(text), text, { maxWaitMs: 60_000 }))
  const busy: number[] = []
  for (let round = 0; round < 5; round++) {
    for (let letters = 1; letters <= 8; letters++) type('zzzzzzzz'.slice(-letters) + round)
    busy.push(...(await timed(1, search)))
  }
  const taken = median(busy)
  await Promise.all(typed)
  console.log(
    `  search while idle ${idle.toFixed(0)} ms, while abandoned counts run ${taken.toFixed(0)} ms`,
  )
  return atMost('search page while abandoned counts run ÷ idle', taken / idle, 2)
}

export async function scansDoNotBlock(site: Site): Promise<Figure[]> {
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  const query: PageQuery = {
    columns: ['id', 'customer_id', 'status', 'total', 'placed_at', 'note', 'position'],
    where: everything,
    sort: [{ column: 'placed_at', descending: true }],
    size: 50,
    place: { at: 'first' },
  }
  const page = () => site.source.page(access, query)
  const idle = await timed(2000, page)
  const scanning = new AbortController()
  const { signal } = scanning
  const scan = async () => {
    const where = { op: 'contains', column: 'note', text: 'zzzzzz' } as const
    while (!signal.aborted)
      await site.source.count(access, where, { signal, timeoutMs: 60_000 }).catch(() => null)
  }
  const scans = Promise.all([scan(), scan()])
  const busy: number[] = []
  // A pause between pages lets timers and workers run, as between requests.
  for (let i = 0; i < 2000; i++) {
    busy.push(...(await timed(1, page)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  scanning.abort()
  await scans
  const [quiet, loud] = [percentile(idle, 0.99), percentile(busy, 0.99)]
  console.log(
    `  p99 of a page: idle ${quiet.toFixed(3)} ms, while two full scans run ${loud.toFixed(3)} ms`,
  )
  return [atMost('p99 of a page while scans run ÷ idle', loud / quiet, 10)]
}
