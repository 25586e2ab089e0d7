/** Compares a change to ten thousand rows by their keys with a hand-written UPDATE of the same rows. */

import type { Access } from '../src/table/source/access.ts'
import type { Unit } from '../src/table/source/write-unit.ts'
import { type Figure, median, reported, timed } from './measure.ts'
import { openScratch, type Scratch } from './scratch.ts'
import type { Site } from './site.ts'

const TABLE = 'bench_writing'
const ROWS = 100_000
const CHUNK = 10_000
const ROUNDS = 15
const NOTE = 'The customer asked for a call before the parcel leaves. '.repeat(2)

/** The same rows each time, so that both statements find them in memory. */
const DENSE = Array.from({ length: CHUNK }, (_, i) => [50_000 + i])
const SPREAD = Array.from({ length: CHUNK }, (_, i) => [i * 10 + 3])

export async function writing(site: Site): Promise<Figure[]> {
  const scratch = await openScratch(site, [TABLE], async (run) => {
    await run(`create table ${TABLE} (id bigint primary key, n bigint not null, note text)`)
    for (let first = 1; first <= ROWS; first += CHUNK) {
      const values = Array.from({ length: CHUNK }, (_, i) => `(${first + i}, 0, '${NOTE}')`)
      await run(`insert into ${TABLE} values ${values.join(', ')}`)
    }
  })
  const all = await scratch.access(TABLE)
  const some = await scratch.access(TABLE, { op: 'gte', column: 'n', value: 0 })
  const set = (access: Access, keys: number[][], n: number): Unit => ({
    parts: [
      { access, sets: [{ in: keys, where: { op: 'gte', column: 'n', value: 0 }, set: { n } }] },
    ],
  })
  const dense = 'id between 50000 and 59999'
  const spread = 'id % 10 = 3'
  const figures: Figure[] = []
  for (const [what, rows, write] of [
    ['a chunk of neighbours', dense, (n: number) => scratch.source.write(set(all, DENSE, n))],
    [
      'a chunk of every tenth row',
      spread,
      (n: number) => scratch.source.write(set(all, SPREAD, n)),
    ],
    ['under a policy on rows', dense, (n: number) => scratch.source.write(set(some, DENSE, n))],
  ] as const) {
    const times = { ours: [] as number[], raw: [] as number[], again: [] as number[] }
    const raw = (n: number) => scratch.run(`update ${TABLE} set n = ${n} where ${rows} and n >= 0`)
    for (let round = 0; round < ROUNDS + 2; round++) {
      const took = [
        ...(await timed(1, () => write(round * 3))),
        ...(await timed(1, () => raw(round * 3 + 1))),
        ...(await timed(1, () => raw(round * 3 + 2))),
      ] as [number, number, number]
      if (round < 2) continue
      times.ours.push(took[0])
      times.raw.push(took[1])
      times.again.push(took[2])
    }
    const ratio = (list: readonly number[]) => median(list.map((ms, i) => ms / times.raw[i]!))
    console.log(
      `  ${what}: ${median(times.ours).toFixed(0)} ms, by hand ${median(times.raw).toFixed(0)} ms (itself again ${ratio(times.again).toFixed(2)})`,
    )
    figures.push(reported(`10,000 rows by key, ${what} ÷ UPDATE by hand`, ratio(times.ours)))
  }
  figures.push(await valuesByKey(scratch, all))
  await scratch.close()
  return figures
}

/** A statement that sets a value of its own in each row of the chunk, as an expert would write it. */
function byHand(kind: Scratch['kind'], valueOf: (i: number) => number): string {
  const pairs = DENSE.map(([id], i) => [id, valueOf(i)] as const)
  if (kind === 'mysql') {
    const [[id, n] = [0, 0], ...others] = pairs
    const rows = others.map((pair) => `select ${pair.join(', ')}`)
    return `update ${TABLE} t join (select ${id} as id, ${n} as n union all ${rows.join(' union all ')}) v
      on t.id = v.id set t.n = v.n`
  }
  const rows = `(values ${pairs.map((pair) => `(${pair.join(', ')})`).join(', ')})`
  return `with v(id, n) as ${rows} update ${TABLE} set n = v.n from v where ${TABLE}.id = v.id`
}

/** Ten thousand rows, each with a value of its own and what it is expected to hold. */
async function valuesByKey(scratch: Scratch, access: Access): Promise<Figure> {
  let round = 0
  const valueOf = (i: number): number => i * 7 + round
  const expected = new Map<number, number>()
  const write = async (): Promise<void> => {
    const rows = DENSE.map(([id = 0], i) => ({
      update: [id],
      set: { n: valueOf(i) },
      expect: expected.size > 0 ? { n: expected.get(id) ?? 0 } : {},
    }))
    const { isDone } = await scratch.source.write({ parts: [{ access, rows }] })
    if (!isDone) throw new Error('The rows were not written.')
  }
  const times = { ours: [] as number[], raw: [] as number[] }
  for (round = 1; round <= ROUNDS + 2; round++) {
    const [raw = NaN] = await timed(1, () => scratch.run(byHand(scratch.kind, valueOf)))
    for (const [i, [id = 0]] of DENSE.entries()) expected.set(id, valueOf(i))
    round++
    const [ours = NaN] = await timed(1, write)
    if (round < 3) continue
    times.ours.push(ours)
    times.raw.push(raw)
  }
  console.log(
    `  values by key: ${median(times.ours).toFixed(0)} ms, by hand ${median(times.raw).toFixed(0)} ms`,
  )
  const ratio = median(times.ours.map((ms, i) => ms / times.raw[i]!))
  return reported('10,000 rows with values of their own ÷ one UPDATE by hand', ratio)
}
