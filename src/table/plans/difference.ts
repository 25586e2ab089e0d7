/** Which rows match now and were not sealed, and which were sealed and match no more, or hold something else. */

import { messagesFor } from '../../messages/messages.ts'
import type { WriteResult } from '../../protocol/plan-view.ts'
import { keyName } from '../changes/read-rows.ts'
import { formatterFor } from '../format.ts'
import type { DigestedRows } from '../source/row-digest.ts'
import type { KeyValues } from '../source/value.ts'
import { type Asking, TIMEOUT_MS, TOLD_ROWS } from './asking.ts'
import { changeableRows } from './changeable-rows.ts'
import { compareRows } from './confirmed-rows.ts'
import type { FoundPlan } from './find-plan.ts'
import { toldRows } from './told-values.ts'

/** How many keys stand on one side alone, and the first of them. */
export type KeysAlone = { readonly count: number; readonly first: readonly KeyValues[] }

export type Difference = {
  readonly came: KeysAlone
  readonly went: KeysAlone
  /** Whether so many keys differ in a row that they were not compared to their end: then there may be more. */
  readonly isCut: boolean
}

/** Most keys of one side that are held until it is known whether the other side has them. */
const MOST_HELD = 200_000

export const isDifferent = ({ came, went, isCut }: Difference): boolean =>
  isCut || came.count + went.count > 0

export function differenceOf(
  { source, open, plans, signal }: Asking,
  { id, holds: { where, write } }: Pick<FoundPlan, 'id' | 'holds'>,
): Promise<Difference> {
  const { access } = changeableRows(open, write)
  const run = { signal, timeoutMs: TIMEOUT_MS, isLong: true }
  return compareKeys(source.keys(access, where, run), keysOf(plans.store.chunks(id)))
}

async function* keysOf(chunks: AsyncIterable<DigestedRows>): Chunks {
  for await (const { keys } of chunks) yield keys
}

/** The rows that still match and hold something else than was shown. */
export async function changedRows(asking: Asking, { id, holds }: FoundPlan): Promise<KeysAlone> {
  let count = 0
  const first: KeyValues[] = []
  for await (const chunk of asking.plans.store.chunks(id)) {
    if (!chunk.digests) continue
    const { changed } = await compareRows(asking, chunk, holds)
    count += changed.length
    first.push(...changed.slice(0, TOLD_ROWS - first.length))
  }
  return { count, first }
}

type Chunks = AsyncIterable<readonly KeyValues[]>

/**
 * Both are read side by side in the order of the keys, so that of two rows that both have, none between them is held
 * any longer: it stands on one side alone.
 */
export async function compareKeys(
  now: Chunks,
  sealed: Chunks,
  mostHeld = MOST_HELD,
): Promise<Difference> {
  const [came, went] = [new Side(now), new Side(sealed)]
  let isCut = false
  while (!isCut && !(came.isDone && went.isDone)) {
    // Who holds more is ahead.
    const isCame = went.isDone || (!came.isDone && came.held <= went.held)
    await (isCame ? came.step(went) : went.step(came))
    isCut = came.held > mostHeld || went.held > mostHeld
  }
  return { came: came.alone, went: went.alone, isCut }
}

class Side {
  readonly #chunks: AsyncIterator<readonly KeyValues[]>
  /** Keys that the other side has not had yet, in their order. */
  readonly #held = new Map<string, KeyValues>()
  readonly #first: KeyValues[] = []
  #count = 0
  isDone = false

  constructor(chunks: Chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  get alone(): KeysAlone {
    return { count: this.#count, first: this.#first }
  }

  get held(): number {
    return this.#held.size
  }

  /** Reads the next chunk. */
  async step(other: Side): Promise<void> {
    const { value, done } = await this.#chunks.next()
    if (done) {
      this.isDone = true
      other.#standAlone()
      return
    }
    for (const key of value) {
      const name = keyName(key)
      if (other.#held.has(name)) {
        other.#standAlone(name)
        this.#standAlone()
      } else this.#held.set(name, key)
    }
    if (other.isDone) this.#standAlone()
  }

  /** The other side has none of the held keys, or only `until`, and those after it are not known yet. */
  #standAlone(until?: string): void {
    for (const [name, key] of this.#held) {
      this.#held.delete(name)
      if (name === until) return
      this.#count++
      if (this.#first.length < TOLD_ROWS) this.#first.push(key)
    }
  }
}

type Changed = Extract<WriteResult, { status: 'changed' }>

/** The first rows of each, by their labels. */
export async function drawDifference(
  asking: Asking,
  { came, went, isCut }: Difference,
  differ: KeysAlone = { count: 0, first: [] },
): Promise<Pick<Changed, 'came' | 'went' | 'differ'>> {
  const { reader } = asking
  const { number } = formatterFor(reader)
  const { atLeast } = messagesFor(reader.language).sealing
  const told = async ({ count, first }: KeysAlone, isLeast = false) => ({
    count: isLeast ? atLeast(number(count)) : number(count),
    rows: await toldRows(asking, first),
  })
  return {
    ...{ came: await told(came, isCut), went: await told(went, isCut) },
    differ: await told(differ),
  }
}
