/** Compares a sealed plan over many rows with a hand-written UPDATE of the same rows, in paired turns. */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLedger } from '../src/database/ledger/open-ledger.ts'
import { openMetadata } from '../src/database/metadata/metadata.ts'
import type { WriteResult } from '../src/protocol/plan-view.ts'
import { DEFAULT_READER } from '../src/server/http/locale.ts'
import { passingKeys } from '../src/server/keys.ts'
import { actorSource } from '../src/table/actor-source.ts'
import { createCatalog } from '../src/table/catalog.ts'
import { createChangeDoor } from '../src/table/changes/door.ts'
import { entryId } from '../src/table/changes/entry-id.ts'
import type { Asking } from '../src/table/plans/asking.ts'
import { sealPlan } from '../src/table/plans/seal.ts'
import { writePlan } from '../src/table/plans/write-plan.ts'
import type { Policy } from '../src/table/source/access.ts'
import { everything } from '../src/table/source/predicate.ts'
import { type Figure, median, reported, timed } from './measure.ts'
import { openScratch, type Scratch } from './scratch.ts'
import type { Site } from './site.ts'
import { systemActor } from './system-actor.ts'

const TABLE = 'bench_bulk'
const ROWS = 100_000
const ROUNDS = 9
const OWN = ['changes', 'change_images', 'change_keys', 'change_values', 'erasures', 'hooks']

const policy: Policy = {
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    return { actions: ['read', 'update'], rows: everything, readable: names, writable: names }
  },
}

/**
 * Written at once, with both images of each row beside the data; then taken back. `rows`: the argument after the
 * address, at most 100,000.
 */
export async function bulk(
  site: Pick<Site, 'database'>,
  rows = Number(process.argv[5] ?? ROWS),
  rounds = ROUNDS,
): Promise<Figure[]> {
  const own = [...OWN, 'ledger_migrations', 'writes'].map((name) => `tablewire_${name}`)
  const scratch = await openScratch(site, [TABLE, ...own], async (run) => {
    await run(
      `create table ${TABLE} (id integer primary key, n integer not null, note varchar(99))`,
    )
    for (let first = 1; first <= rows; first += 10_000) {
      const values = Array.from(
        { length: Math.min(10_000, rows + 1 - first) },
        (_, at) => `(${first + at}, 0, 'A short note.')`,
      )
      await run(`insert into ${TABLE} values ${values.join(', ')}`)
    }
  })
  const plans = await plansOver(scratch, rows)
  const raw = (n: number) => scratch.run(`update ${TABLE} set n = ${n} where n < 1000000`)
  const times = { raw: [] as number[], again: [] as number[], seal: [] as number[] }
  const ours = { write: [] as number[], undo: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [first = 0] = await timed(1, () => raw(round * 10 + 1))
    let handle = ''
    const [seal = 0] = await timed(1, async () => (handle = await plans.seal(round * 10 + 2)))
    let entry = ''
    const [write = 0] = await timed(1, async () => (entry = await plans.write(handle)))
    const [undo = 0] = await timed(1, () => plans.undo(entry))
    const [again = 0] = await timed(1, () => raw(round * 10 + 3))
    if (round === 0) continue
    times.raw.push(first)
    times.again.push(again)
    times.seal.push(seal)
    ours.write.push(write)
    ours.undo.push(undo)
  }
  const ratio = (list: readonly number[], to = times.raw) =>
    median(list.map((ms, at) => ms / (to[at] ?? ms)))
  console.log(
    `  ms: ${Object.entries({ ...times, ...ours })
      .map(([name, list]) => `${name} ${median(list).toFixed(0)}`)
      .join(', ')} (the UPDATE itself again ${ratio(times.again).toFixed(2)})`,
  )
  await plans.close()
  await scratch.close()
  return [
    reported(`${rows} rows by a sealed plan, with its history ÷ UPDATE`, ratio(ours.write)),
    reported('sealing these rows ÷ UPDATE', ratio(times.seal)),
    reported('taking them back ÷ writing them', ratio(ours.undo, ours.write)),
  ]
}

async function plansOver(scratch: Scratch, rows: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-bulk-'))
  const source = await scratch.open()
  const now = Date.now
  const newId = () => entryId(now(), randomBytes(10))
  const ledger = await openLedger({
    ...{ source, dataFolder: folder, now, newId, isBeside: true, keptDays: 90 },
    metadata: scratch.address,
  })
  if (!ledger) throw new Error('The source keeps no history.')
  const metadata = await openMetadata(join(folder, 'meta.sqlite'))
  const current = await createCatalog(source, policy, {})
  const catalog = () => current
  const door = createChangeDoor({ source, catalog, ledger, now, newId })
  const plans = { store: metadata.plans, keys: passingKeys(), newId, now, ledger, keptDays: 90 }
  const actor = systemActor
  const asking: Asking = {
    ...{ actor, lineage: '', open: current.open(actor, TABLE), reader: DEFAULT_READER },
    ...{ signal: new AbortController().signal, source, catalog, door, plans },
    ownSource: actorSource({ source, catalog, door }, actor),
    href: (table) => `/tables/${table}`,
  }
  return {
    async seal(n: number): Promise<string> {
      const fields = { n: { how: 'set', text: String(n) } } as const
      const sealed = await sealPlan(asking, everything, { do: 'edit', fields })
      if (sealed.status === 'sealed') return sealed.plan.handle
      throw new Error(JSON.stringify(sealed.errors))
    },
    async write(handle: string): Promise<string> {
      const result: WriteResult = await writePlan(asking, handle, String(rows))
      if (result.status === 'done' && result.entry !== null) return result.entry
      throw new Error(JSON.stringify(result))
    },
    async undo(entry: string): Promise<void> {
      const { status } = await door.apply((await door.undo(actor, entry)).plan)
      if (status !== 'done') throw new Error(`It is ${status}.`)
    },
    async close() {
      await Promise.all([source.close(), ledger.close(), metadata.close()])
      await rm(folder, { recursive: true })
    },
  }
}
