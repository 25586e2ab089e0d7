/** Samples a few values of every table's columns, within limits of number and time. */

import type { Value } from '../../table/source/value.ts'
import { bind, join, name, sql, type Sql } from '../query/sql.ts'
import { failureOf, isDenied, isOutdated } from './failure.ts'
import type { Kind } from './kinds.ts'

/** Size of a sample: rows, and characters of each text. */
const ROWS = 20
const CHARACTERS = 200
/** Tables sampled at once. */
const AT_ONCE = 4
/** Time limits of one sample, and of all of them, ms. */
const LOOK_MS = 250
const ALL_MS = 3000

export type Sampled = {
  readonly name: string
  readonly columns: readonly SampledColumn[]
}

type SampledColumn = { readonly name: string; readonly kind: Kind }

/** Rows of values in the order of the columns, or why there are none. */
export type Sample = readonly Value[][] | 'unknown' | 'unreadable'

export type Look = (fragment: Sql, timeoutMs: number) => Promise<Value[][]>

/**
 * The samples by table: `unreadable` for a table that the user may not read, or a view of a missing
 * one; `unknown` after a timeout or another failure.
 */
export async function readSamples(
  look: Look,
  tables: readonly Sampled[],
  now: () => number,
): Promise<Map<string, Sample>> {
  const samples = new Map<string, Sample>()
  const end = now() + ALL_MS
  const queue = tables.values()
  const work = async (): Promise<void> => {
    for (const table of queue)
      samples.set(table.name, now() < end ? await sampleOf(look, table) : 'unknown')
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return samples
}

async function sampleOf(look: Look, table: Sampled): Promise<Sample> {
  const pieces = table.columns.map(piece)
  try {
    return await look(
      sql`select ${join(pieces)} from ${name(table.name)} limit ${bind(ROWS)}`,
      LOOK_MS,
    )
  } catch (error) {
    const failure = failureOf(error)
    return isDenied(failure) || isOutdated(failure) ? 'unreadable' : 'unknown'
  }
}

function piece({ name: column, kind: { is } }: SampledColumn): Sql {
  const whole = name(column)
  if (is === 'geometry') return sql`left(st_astext(${whole}), ${bind(CHARACTERS)})`
  return is === 'text' || is === 'json' || is === 'bytes'
    ? sql`left(${whole}, ${bind(CHARACTERS)})`
    : whole
}
