/** Keys of tables that others inherit from: no constraint keeps the others from repeating them. */

import { join, name, render, sql, type Sql } from '../query/sql.ts'
import { notation } from './notation.ts'
import type { SampleTools } from './sample.ts'

/** Longest time of one look, ms. */
const LOOK_MS = 1000

export type Parent = {
  readonly oid: number
  readonly from: Sql
  readonly key: readonly string[]
}

/** The tables whose key is repeated, or may be: a key that cannot be checked in time counts as repeated. */
export async function readRepeatedKeys(
  parents: readonly Parent[],
  look: SampleTools['read'],
): Promise<Set<number>> {
  const repeated = new Set<number>()
  for (const { oid, from, key } of parents) {
    if (key.length === 0) continue
    const columns = join(key.map(name))
    const asked = sql`select 1 from ${from} group by ${columns} having count(*) > 1 limit 1`
    const isUnique = await look(render(asked, notation), LOOK_MS).then(
      (rows) => rows.length === 0,
      () => false,
    )
    if (!isUnique) repeated.add(oid)
  }
  return repeated
}
