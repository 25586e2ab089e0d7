/** Finds out whether changes were written whose entries were written ahead, after a process died. */

import { isKept, type RowImage } from '../source/ledger-entry.ts'
import { withDeclaredKeys } from '../definition/declared-keys.ts'
import type { Definitions } from '../definition/define-table.ts'
import type { RowSource } from '../source/row-source.ts'
import type { SettledStep } from '../source/job-store.ts'
import type { Table } from '../source/schema.ts'
import { isSame } from '../source/value.ts'
import type { Entry, EntryState, Ledger } from './ledger.ts'
import type { Values } from '../source/write-unit.ts'
import { keyName, readRows, type RowReader } from './read-rows.ts'
import { wholeAccess } from './whole-access.ts'

export type PendingLedger = Pick<Ledger, 'images'> & {
  /** Entries from before that time whose outcome nobody has told, the oldest first. */
  pending(before: number): Promise<readonly Entry[]>
  settle(id: string, state: EntryState): Promise<void>
}

export type Settling = {
  /** Which entries are looked at: those from before this time, ms. */
  readonly before: number
  /** No transaction from before this time still runs, ms. A later one may yet write its rows. */
  readonly ended: number
  /** Keys that are declared. */
  readonly definitions?: Definitions | undefined
}

/**
 * Settles entries whose outcome nobody has told. All rows as they were made: done. All as they were, and no
 * transaction that could still write them: nothing was written. Anything else cannot be known, and is said so.
 */
export async function settlePending(
  source: RowReader & Pick<RowSource, 'describe'>,
  ledger: PendingLedger,
  { before, ended, definitions = {} }: Settling,
): Promise<void> {
  const tables = async () => withDeclaredKeys(await source.describe(), definitions).tables
  for (const entry of await ledger.pending(before)) {
    const state = await outcomeOf({ source, tables }, ledger, entry.id)
    if (state === 'done' || entry.at < ended) await ledger.settle(entry.id, state)
  }
}

/** Steps of jobs that were written ahead. */
export type StepLedger = PendingLedger & {
  /** The entry of a job's step; one that is void was reserved for what a run did not come to write. */
  stepEntry(job: string, number: number): Promise<Pick<Entry, 'id' | 'state' | 'step'> | undefined>
}

export type StepSettling = Pick<Settling, 'definitions'> & {
  readonly job: string
  readonly number: number
  /** Settles once no transaction from before this call still runs; else tells from when all have ended, ms. */
  ended(): Promise<number>
}

/** Finds out whether a job's step was written, before it could be done again. */
export async function settleStep(
  source: RowReader & Pick<RowSource, 'describe'>,
  ledger: StepLedger,
  { job, number, ended, definitions = {} }: StepSettling,
): Promise<SettledStep> {
  const entry = await ledger.stepEntry(job, number)
  if (!entry?.step) return { state: 'none' }
  if (entry.state === 'void') {
    // Its run ended before all that it was to write was recorded.
    await ledger.settle(entry.id, 'void')
    return { state: 'none' }
  }
  const { step } = entry
  if (entry.state === 'done') return { state: 'done', step }
  if (entry.state === 'uncertain') return { state: 'uncertain' }
  const until = await ended()
  const tables = async () => withDeclaredKeys(await source.describe(), definitions).tables
  const state = await outcomeOf({ source, tables }, ledger, entry.id)
  if (state !== 'done' && step.at >= until) return { state: 'pending' }
  await ledger.settle(entry.id, state)
  // Whoever wrote it may have told meanwhile.
  const settled = await ledger.stepEntry(job, number)
  if (settled?.state === 'done') return { state: 'done', step }
  return { state: settled?.state === 'uncertain' ? 'uncertain' : 'none' }
}

type Compared = { readonly source: RowReader; tables(): Promise<readonly Table[]> }

async function outcomeOf(
  compared: Compared,
  ledger: PendingLedger,
  id: string,
): Promise<EntryState> {
  let [isAfter, isBefore] = [true, true]
  for await (const images of ledger.images(id))
    for (const found of await compare(compared, images)) {
      isAfter = isAfter && found.isAfter
      isBefore = isBefore && found.isBefore
    }
  // Neither, or an entry without rows, of which nothing can be said.
  if (isAfter === isBefore) return 'uncertain'
  return isAfter ? 'done' : 'void'
}

type Found = { readonly isAfter: boolean; readonly isBefore: boolean }

async function compare(
  { source, tables }: Compared,
  images: readonly RowImage[],
): Promise<Found[]> {
  const all = await tables()
  const found = [...Map.groupBy(images, ({ table }) => table)].map(async ([name, some]) => {
    const access = wholeAccess(all, name)
    // A table that is gone, or whose key is, tells nothing.
    if (!access || access.table.key.length === 0)
      return some.map(() => ({ isAfter: false, isBefore: false }))
    const rows = await readRows(
      source,
      access,
      some.map(({ key }) => key),
    )
    return some.map((image) => {
      const current = rows.get(keyName(image.key))
      return {
        isAfter: holds(current, image.after),
        // A row whose key has changed stands, if nothing was written, under the old one.
        isBefore: holds(current, image.before),
      }
    })
  })
  return (await Promise.all(found)).flat()
}

/** Whether the row is as the image says; values that are kept apart are left out of it. */
const holds = (current: Values | undefined, image: RowImage['after']): boolean =>
  image === null || !current
    ? image === null && !current
    : Object.entries(image).every(
        ([name, value]) => !isKept(value) || isSame(current[name] ?? null, value),
      )
