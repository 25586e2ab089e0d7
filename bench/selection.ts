/** Selecting all rows, beside turning a page; and exporting all rows, beside reading them. */

import type { FileFormat } from '../src/protocol/export.ts'
import { startDownloader } from './download.ts'
import { atLeast, atMost, type Figure, interleaved, reported, timed } from './measure.ts'
import { openRaw } from './raw.ts'
import { type Site, updateBody } from './site.ts'

const ROUNDS = 15

const LIST = '/tables/orders?size=50&sort=-placed_at'

export async function selection(site: Site): Promise<Figure[]> {
  const page = await site.page(LIST)
  const turn = updateBody(page, 'turnPage', 'next')
  const all = updateBody(page, 'setAllSelected')
  const none = updateBody(page, 'clearSelected')
  const taken = await interleaved(ROUNDS, {
    turn: () => site.update(turn),
    all: () => site.update(all),
  })
  const sizes = await Promise.all([site.update(all), site.update(none)])
  const more = sizes[0]!.length - sizes[1]!.length
  return [
    atMost('selecting all rows ÷ turning a page', taken.all / taken.turn, 2),
    atMost('bytes that all rows selected add to an answer', more, 1000, ' B', 0),
  ]
}

const MB = 2 ** 20

/** The whole table, as the form asks for it. */
export async function exporting(site: Site): Promise<Figure[]> {
  const { csrf } = await site.page(LIST)
  const raw = await openRaw(site)
  const columns = (await site.page('/tables/orders')).components.find(
    ({ name }) => name === 'list',
  )!
    // The view's own type names them.
    .view as { columns: { name: string }[] }
  const names = columns.columns.map(({ name }) => name).join()
  const idle = process.memoryUsage().rss
  const exported = async (path: string, format: FileFormat) => {
    let most = idle
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    const download = await startDownloader()
    const done = await download({
      url: `${site.origin}${path}`,
      headers: { ...site.headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ _token: csrf, format }).toString(),
    })
    clearInterval(watch)
    return { ...done, above: (most - idle) / MB }
  }
  const { bytes, firstMs, allMs, above } = await exported('/tables/orders/export', 'csv')
  const sheet = await exported('/tables/orders/export', 'xlsx')
  const sorted = await exported('/tables/orders/export?sort=note', 'xlsx')
  const [one] = await timed(1, () =>
    raw.all(`select ${names} from orders order by position, id`).then(() => undefined),
  )
  const [pieces] = await timed(1, async () => {
    for (let from = 0; from < site.rows; from += 100_000)
      await raw.all(`select ${names} from orders where id > ${from} and id <= ${from + 100_000}`)
  })
  await raw.close()
  return [
    atMost('first byte of an export', firstMs, 1000, ' ms', 0),
    atMost('memory of an export above idle', above, 100, ' MB', 0),
    atMost('the same as XLSX', sheet.above, 150, ' MB', 0),
    atMost('the same as XLSX, in an order without an index', sorted.above, 150, ' MB', 0),
    atLeast('reading all rows raw, in one statement ÷ exporting them', one! / allMs, 0.5),
    reported('reading them raw in pieces, by key ÷ exporting them', pieces! / allMs),
    reported('exported rows, thousands a second', site.rows / allMs),
    reported('MB exported', bytes / MB),
    reported('exporting as XLSX ÷ as CSV', sheet.allMs / allMs),
    reported('the same in an order without an index', sorted.allMs / allMs),
  ]
}
