/** How far the job of a plan has come: kept after each step, and told in words. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { Json } from '../../protocol/json.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../format.ts'
import type { ComparedRows } from './confirmed-rows.ts'

/** Reasons that are kept apart. */
const MOST_REASONS = 20

const reached = v.object({
  /** How many rows of the plan lie behind, written or not. */
  done: v.number(),
  written: v.number(),
  /** How many of those that lie behind were so already, and are not written. */
  so: v.optional(v.number(), 0),
  /** Rows that did not match any more. */
  left: v.number(),
  /** Rows that held something else than was shown. */
  changed: v.optional(v.number(), 0),
  /** How many were refused, by reason. */
  refused: v.array(v.tuple([v.string(), v.number()])),
  /** Whether an action of the table's own does it: what it does need not be writing. */
  isOwn: v.exactOptional(v.literal(true)),
  /** How many rows an action of the table's own was given, and has not come back from. */
  given: v.exactOptional(v.number()),
})

export type Reached = v.InferOutput<typeof reached>

const START: Reached = { done: 0, written: 0, so: 0, left: 0, changed: 0, refused: [] }

export const readReached = (checkpoint: Json): Reached =>
  checkpoint === null ? START : v.parse(reached, checkpoint)

/** Rows of the plan that lie behind and were not written. */
export const notWritten = ({ left, changed, refused }: Reached): number =>
  refused.reduce((sum, [, rows]) => sum + rows, left + changed)

/** What has been done, in sentences. */
export function tellReached(
  { written, left, changed, refused, given = 0, isOwn }: Reached,
  reader: Reader,
): string {
  const { job, own } = messagesFor(reader.language).sealing
  const amount = (count: number) => ({ count, text: formatterFor(reader).number(count) })
  return [
    isOwn ? own.job.done(amount(written)) : job.written(amount(written)),
    ...(left > 0 ? [own.left(amount(left))] : []),
    ...(changed > 0 ? [own.changed(amount(changed))] : []),
    ...refused.map(([reason, count]) => own.refused(amount(count), reason)),
    ...(given > 0 ? [own.stopped(amount(given))] : []),
  ].join(' ')
}

/** Once it is known of rows that were so already which of them still are; the others are told as changed. */
export const reachedPast = (at: Reached, compared: ComparedRows, reason: string): Reached => {
  const { written } = at
  const reached = reachedWith(at, compared, reason)
  return { ...reached, written, so: at.so + reached.done - at.done }
}

/** Once those of the rows are written that are as they were. `reason`: why the actor may not change some of them. */
export const reachedWith = (
  at: Reached,
  { same, changed, gone, barred }: ComparedRows,
  reason: string,
): Reached => ({
  ...at,
  done: at.done + same.keys.length + changed.length + gone.length + barred.length,
  written: at.written + same.keys.length,
  left: at.left + gone.length,
  changed: at.changed + changed.length,
  refused: barred.length > 0 ? refusedWith(at, reason, barred.length) : at.refused,
})

export function refusedWith(at: Reached, reason: string, rows: number): Reached['refused'] {
  const refused = new Map(at.refused)
  const known = refused.has(reason) || refused.size < MOST_REASONS ? reason : '…'
  return [...refused.set(known, (refused.get(known) ?? 0) + rows)]
}
