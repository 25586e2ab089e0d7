/** Compares a jump to a distant page with a naive OFFSET. */

import { everything } from '../src/table/source/predicate.ts'
import { atMost, type Figure, median, timed } from './measure.ts'
import { openRaw } from './raw.ts'
import type { Site } from './site.ts'
import { systemActor } from './system-actor.ts'

const ROUNDS = 3
/** A slower statement is measured once: with ten million rows it takes minutes. */
const ONCE_MS = 5000

export async function jumps(site: Site): Promise<Figure[]> {
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  const raw = await openRaw(site)
  const figures: Figure[] = []
  for (const share of [0.5, 0.99]) {
    const skip = Math.floor((site.rows * share) / 50) * 50
    const query = {
      columns: ['id', 'customer_id', 'status', 'total', 'placed_at', 'note', 'position'],
      where: everything,
      sort: [{ column: 'placed_at', descending: true }],
      size: 50,
      place: { at: 'offset', skip, total: site.rows },
    } as const
    const naive = `select o.id, o.customer_id, o.status, o.total, o.placed_at, o.note, o.position, c.name
      from orders o left join customers c on c.id = o.customer_id
      order by o.placed_at desc, o.id desc limit 50 offset ${skip}`
    const jump = () => site.source.page(access, query, { timeoutMs: 120_000 })
    const { rows } = await jump()
    let expected: unknown[][] = []
    const walk = async () => {
      expected = await raw.all(naive)
    }
    const theirs = await timed(1, walk)
    if (String(rows[0]?.key[0]) !== String(expected[0]?.[0])) throw new Error('Another page.')
    const ours: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(...(await timed(1, jump)))
      if (theirs[0]! < ONCE_MS) theirs.push(...(await timed(1, walk)))
    }
    const [fast, slow] = [median(ours), median(theirs)]
    console.log(`  at ${share * 100} %: ${fast.toFixed(1)} ms, naive OFFSET ${slow.toFixed(1)} ms`)
    figures.push(atMost(`jump to ${share * 100} % ÷ naive OFFSET`, fast / slow, 1 / 15, '', 3))
  }
  await raw.close()
  return figures
}
