/** Measures SQLite pages against bare statements. Run with `node test/contracts/page-cost.ts`. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { Place } from '../../src/table/source/row-source.ts'
import { fullAccess } from './actors.ts'

const ROWS = 1_000_000
const CALLS = 300

const folder = mkdtempSync(join(tmpdir(), 'tablewire-cost-'))
try {
  await measure(makeDatabase(join(folder, 'orders.db')))
} finally {
  rmSync(folder, { recursive: true })
}

function makeDatabase(file: string): string {
  const db = new DatabaseSync(file)
  db.exec(`
    create table customers (id integer primary key, name text not null);
    create table orders (id integer primary key, customer_id integer not null references customers,
      status text not null, total real not null, placed_at text not null, note text, position integer,
      flag boolean not null);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      insert into customers select i, 'Customer ' || i from n;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into orders select i, 1 + i * 7919 % 1000,
        substr('new    paid   shipped', 1 + 7 * (i % 3), 7), i % 5000 / 100.0,
        datetime(1609459200 + i * 7919 % 126230400, 'unixepoch'),
        'note number ' || i || ' about something', i, i % 2 from n;
    create index placed on orders (placed_at);
    create index by_status on orders (status);
  `)
  db.close()
  return file
}

async function measure(file: string): Promise<void> {
  const columns = ['id', 'customer_id', 'status', 'total', 'placed_at', 'note', 'position', 'flag']
  const bare = new DatabaseSync(file, { readOnly: true })
  const statement = bare.prepare(
    `select ${columns.join(', ')} from orders where (placed_at, id) < (?, ?)
      order by placed_at desc, id desc limit 51`,
  )
  statement.setReturnArrays(true)
  const source = await openSqlite(file)
  const { tables } = await source.describe()
  const access = fullAccess(tables.find(({ name }) => name === 'orders')!)
  const sort = [{ column: 'placed_at', descending: true }]
  const anchors = Array.from({ length: CALLS }, (_, i): [string, number] => {
    const id = 1 + ((i * 104_729) % ROWS)
    const row = bare.prepare('select placed_at from orders where id = ?').get(id)
    return [String(row?.['placed_at']), id]
  })
  const page = (place: Place, related = false, cut: readonly string[] = []) =>
    source.page(access, {
      columns,
      where: everything,
      sort,
      size: 50,
      place,
      cut: { columns: cut, length: 160 },
      related: related
        ? [
            {
              column: 'customer_id',
              access: fullAccess(tables.find(({ name }) => name === 'customers')!),
              references: 'id',
              label: 'name',
            },
          ]
        : [],
    })
  const after = ([placedAt, id]: [string, number]): Place => ({
    at: 'after',
    anchor: { sort: [placedAt], key: [id] },
  })
  const ways: Record<string, (anchor: [string, number]) => unknown> = {
    'bare statement, arrays': (anchor) => statement.all(...anchor),
    'page after an anchor': (anchor) => page(after(anchor)),
    'with related labels': (anchor) => page(after(anchor), true),
    'with texts cut': (anchor) => page(after(anchor), false, ['status', 'note', 'placed_at']),
    'first page': () => page({ at: 'first' }),
    'last page': () => page({ at: 'last', rows: 50 }),
  }
  // Interleaved call by call, so that other load affects all of them equally.
  const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]))
  for (const anchor of [...anchors, ...anchors])
    for (const [name, way] of Object.entries(ways)) {
      const started = performance.now()
      await way(anchor)
      times.get(name)!.push((performance.now() - started) * 1000)
    }
  const bareTimes = median(times.get('bare statement, arrays')!.slice(CALLS))
  for (const [name, all] of times) {
    const warm = all.slice(CALLS)
    const mean = warm.reduce((sum, one) => sum + one, 0) / warm.length
    const ratio = median(warm) / bareTimes
    console.log(
      `${name.padEnd(24)} median ${median(warm).toFixed(1)} µs (${ratio.toFixed(2)}), mean ${mean.toFixed(1)} µs`,
    )
  }
  await source.close()
  bare.close()
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!
}
