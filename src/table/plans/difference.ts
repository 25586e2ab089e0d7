/** Which rows match now and were not sealed, and which were sealed and match no more. */

import type { WriteResult } from '../../protocol/plan-view.ts'
import { keyName } from '../changes/read-rows.ts'
import { formatterFor } from '../format.ts'
import type { KeyValues } from '../source/value.ts'
import type { Predicate } from '../source/predicate.ts'
import { type Asking, TIMEOUT_MS, TOLD_ROWS } from './asking.ts'
import { toldRows } from './told-values.ts'

export type Difference = {
  readonly came: readonly KeyValues[]
  readonly went: readonly KeyValues[]
}

/**
 * Both are read in the order of the keys, side by side, so that only keys of one side alone are held: those that
 * differ, and those of a chunk.
 */
export async function differenceOf(
  { source, open, plans, signal }: Asking,
  id: string,
  where: Predicate,
): Promise<Difference> {
  const run = { signal, timeoutMs: TIMEOUT_MS, isLong: true }
  const now = sideOf(source.keys(open.access, where, run))
  const sealed = sideOf(plans.store.chunks(id))
  for (let isMore = true; isMore;) {
    const isMoreNow = await step(now, sealed)
    isMore = (await step(sealed, now)) || isMoreNow
  }
  return { came: [...now.only.values()], went: [...sealed.only.values()] }
}

type Side = {
  readonly chunks: AsyncIterator<readonly KeyValues[]>
  /** Keys that the other side has not had yet. */
  readonly only: Map<string, KeyValues>
}

const sideOf = (chunks: AsyncIterable<readonly KeyValues[]>): Side => ({
  chunks: chunks[Symbol.asyncIterator](),
  only: new Map(),
})

/** Whether there was another chunk. */
async function step({ chunks, only }: Side, { only: others }: Side): Promise<boolean> {
  const { value, done } = await chunks.next()
  if (done) return false
  for (const key of value) {
    const name = keyName(key)
    if (!others.delete(name)) only.set(name, key)
  }
  return true
}

type Changed = Extract<WriteResult, { status: 'changed' }>

/** The first rows of each, by their labels. */
export async function drawDifference(
  asking: Asking,
  { came, went }: Difference,
): Promise<Pick<Changed, 'came' | 'went'>> {
  const { number } = formatterFor(asking.reader)
  const told = async (keys: readonly KeyValues[]) => ({
    count: number(keys.length),
    rows: await toldRows(asking, keys.slice(0, TOLD_ROWS)),
  })
  return { came: await told(came), went: await told(went) }
}
