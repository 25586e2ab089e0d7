/** Compares a save that is kept in the history with the UPDATE alone, in a transaction of its own. */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLedger } from '../src/database/ledger/open-ledger.ts'
import { createCatalog } from '../src/table/catalog.ts'
import { createChangeDoor } from '../src/table/changes/door.ts'
import { entryId } from '../src/table/changes/entry-id.ts'
import type { Policy } from '../src/table/source/access.ts'
import { everything } from '../src/table/source/predicate.ts'
import { type Figure, median, reported, timed } from './measure.ts'
import { openScratch, type Scratch } from './scratch.ts'
import type { Site } from './site.ts'
import { systemActor } from './system-actor.ts'

const TABLE = 'bench_ledger'
const ROWS = 10_000
const ROUNDS = 200
const OWN = ['changes', 'change_images', 'change_keys', 'change_values', 'erasures', 'hooks']

const policy: Policy = {
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    return { actions: ['read', 'update'], rows: everything, readable: names, writable: names }
  },
}

export async function ledger(site: Site): Promise<Figure[]> {
  const own = [...OWN, 'ledger_migrations', 'writes'].map((name) => `tablewire_${name}`)
  const scratch = await openScratch(site, [TABLE, ...own], async (run) => {
    await run(
      `create table ${TABLE} (id integer primary key, n integer not null, note varchar(200))`,
    )
    for (let first = 1; first <= ROWS; first += 1000) {
      const values = Array.from({ length: 1000 }, (_, at) => `(${first + at}, 0, 'A short note.')`)
      await run(`insert into ${TABLE} values ${values.join(', ')}`)
    }
  })
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-ledger-'))
  const [apart, beside] = [
    await savingWith(scratch, { folder, isBeside: false }),
    await savingWith(scratch, { folder, isBeside: true }),
  ]
  let next = 0
  const raw = async () => {
    const id = 1 + (next++ % ROWS)
    await scratch.run('begin')
    await scratch.run(`update ${TABLE} set n = n + 1 where id = ${id}`)
    await scratch.run('commit')
  }
  const times = {
    raw: [] as number[],
    again: [] as number[],
    apart: [] as number[],
    beside: [] as number[],
  }
  const runs = { raw, again: raw, apart: apart.save, beside: beside.save }
  for (let round = 0; round < ROUNDS; round++)
    for (const name of ['raw', 'apart', 'again', 'beside'] as const)
      times[name].push(...(await timed(1, () => runs[name](1 + (round % ROWS)))))
  const ratio = (list: readonly number[]) =>
    median(list.map((ms, at) => ms / (times.raw[at] ?? ms)))
  console.log(
    `  ms: ${Object.entries(times)
      .map(([name, list]) => `${name} ${median(list).toFixed(2)}`)
      .join(', ')} (the UPDATE itself again ${ratio(times.again).toFixed(2)})`,
  )
  await Promise.all([apart.close(), beside.close()])
  await scratch.close()
  await rm(folder, { recursive: true })
  return [
    reported(
      'a save with its history beside the data ÷ UPDATE in a transaction',
      ratio(times.beside),
    ),
    reported('a save with its history apart ÷ UPDATE in a transaction', ratio(times.apart)),
  ]
}

/** Saves through the door, on a source of its own. */
async function savingWith(
  scratch: Scratch,
  { folder, isBeside }: { folder: string; isBeside: boolean },
) {
  const source = await scratch.open()
  const now = Date.now
  const newId = () => entryId(now(), randomBytes(10))
  const kept = await openLedger({
    ...{ source, dataFolder: folder, now, newId, isBeside, keptDays: 90 },
    metadata: isBeside ? scratch.address : join(folder, 'meta.sqlite'),
  })
  if (!kept) throw new Error('The source keeps no history.')
  const catalog = await createCatalog(source, policy, {})
  const door = createChangeDoor({ source, catalog: () => catalog, ledger: kept, now, newId })
  let n = 0
  return {
    async save(id: number) {
      const rows = [{ update: [id], set: { n: ++n * 1000 } }]
      const { status } = await door.save(systemActor, {
        ...{ door: 'code', tables: [{ table: TABLE, rows }] },
      })
      if (status !== 'done') throw new Error(`The save is ${status}.`)
    },
    close: () => Promise.all([source.close(), kept.close()]),
  }
}
