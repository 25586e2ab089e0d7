import { expect, test } from 'vitest'
import { AppError } from '../../src/server/app-error.ts'
import type { ChangeOutcome } from '../../src/table/changes/change.ts'
import type { ChangeDoor, UndoPlan } from '../../src/table/changes/door.ts'
import type { Entry, ImageQuery } from '../../src/table/changes/ledger.ts'
import type { RowImage } from '../../src/table/source/ledger-entry.ts'
import { chanceOf } from '../simulator/chance.ts'
import { admin } from '../table-of.ts'
import { RANDOM_CHANGES, SEED, within } from '../tier.ts'
import { stateOf, unbalanced } from './image-steps.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { HISTORIES, openChanges } from './opened-changes.ts'
import { createShelves, randomChanges, REFERRING, storedIn, TABLES } from './random-changes.ts'

/** People who change rows at once. */
const WRITERS = 4
/** The share of changes that take an earlier one back, which may have taken one back itself. */
const UNDOES = 0.3
/** How far back such a change is. */
const RECENT = 30

async function open(place: MetadataPlace, isBeside: boolean) {
  await createShelves(place)
  const { source, catalog, ...opened } = await openChanges(place, { isBeside })
  return {
    ...opened,
    state: () =>
      stateOf(
        source,
        TABLES.map((table) => catalog.open(admin, table).access),
      ),
  }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Makes changes at random, several at once; returns the entries of those that were written. */
async function changeAtRandom({ door }: Opened, count: number, seed: number): Promise<string[]> {
  const chance = chanceOf(seed)
  const next = randomChanges(chance)
  const written: string[] = []
  let left = count
  const one = async (): Promise<void> => {
    const recent = written.slice(-RECENT)
    const [first, ...others] = recent
    const undone =
      first !== undefined && chance.happens(UNDOES) ? chance.pick([first, ...others]) : undefined
    const outcome = await refusedIfBusy(async () =>
      undone === undefined
        ? door.save(admin, next())
        : applied(door, await door.undo(admin, undone)),
    )
    if (outcome?.status === 'done' && outcome.entry !== null) written.push(outcome.entry)
  }
  const write = async (): Promise<void> => {
    while (left-- > 0) await one()
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return written
}

const applied = async (door: ChangeDoor, { plan }: UndoPlan): Promise<ChangeOutcome | undefined> =>
  plan.change.tables.length === 0 ? undefined : door.apply(plan)

/** `undefined` for what was not written because others were in its way, or is there no more. */
async function refusedIfBusy(
  work: () => Promise<ChangeOutcome | undefined>,
): Promise<ChangeOutcome | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'BUSY' || error.code === 'NOT_FOUND'))
      return undefined
    throw error
  }
}

async function imagesOf({ ledger }: Opened, ids: readonly string[]): Promise<RowImage[]> {
  const images: RowImage[] = []
  for (const id of ids) for await (const some of ledger.images(id)) images.push(...some)
  return images
}

/** What is still to be taken back of an entry: all of it, or some rows. */
type Pending = { readonly id: string; readonly rows: readonly ImageQuery[] }

/**
 * Takes all entries back, the last one first. Those that overlapped may stand in another order than they
 * were written in: what has changed since waits for the others.
 */
async function undoAll(opened: Opened, place: MetadataPlace, entries: readonly Entry[]) {
  let pending: Pending[] = []
  const again = async (): Promise<void> => {
    const waiting = pending
    pending = []
    for (const one of waiting) pending.push(...(await undoOne(opened, place, one)))
  }
  for (const { id, tables } of entries) {
    if (tables.length === 0) continue
    pending.unshift({ id, rows: [{}] })
    await again()
  }
  for (let before = Infinity; pending.length > 0 && pending.length < before;) {
    before = pending.length
    await again()
  }
  return pending
}

/** What is left of it. */
async function undoOne(
  { door }: Opened,
  place: MetadataPlace,
  { id, rows }: Pending,
): Promise<Pending[]> {
  const left: ImageQuery[] = []
  for (const row of rows) {
    const undo = await door.undo(admin, id, row)
    const isReferredTo = await wouldTakeAlong(place, undo)
    const outcome = isReferredTo ? undefined : await applied(door, undo)
    const isWhole = outcome?.status === 'done' || undo.plan.change.tables.length === 0
    left.push(
      ...(isWhole && undo.left.length > 0
        ? undo.left.map(({ table, key }) => ({ table, key }))
        : outcome?.status === 'done'
          ? []
          : [row]),
    )
  }
  return left.length > 0 ? [{ id, rows: left }] : []
}

/** Whether rows refer to one that it deletes, which later changes have made do so. */
async function wouldTakeAlong({ run }: MetadataPlace, { plan }: UndoPlan): Promise<boolean> {
  const changed = new Set(
    plan.change.tables.flatMap(({ table, rows = [] }) =>
      rows.flatMap((row) =>
        'insert' in row ? [] : [`${table} ${('update' in row ? row.update : row.delete).join()}`],
      ),
    ),
  )
  for (const { table, rows = [] } of plan.change.tables)
    for (const row of rows) {
      const [referring, column] = REFERRING[table] ?? []
      if (!('delete' in row) || referring === undefined) continue
      const found = await run(
        `select id from ${referring} where ${column} = ${String(row.delete[0])}`,
      )
      if (found.some(([id]) => !changed.has(`${referring} ${String(id)}`))) return true
    }
  return false
}

describeMetadata('random changes of several people', (place) => {
  test.each(HISTORIES)(
    'are what the history says, and taken back leave the very same bytes; it is %s',
    { timeout: within(60_000) },
    async (_, isBeside) => {
      const opened = await open(place(), isBeside)
      const [stored, first] = [await storedIn(place()), await opened.state()]
      const written = await changeAtRandom(opened, RANDOM_CHANGES / 2, SEED)
      const entries = await opened.ledger.list({ size: RANDOM_CHANGES * 2 })
      expect(entries.map(({ id }) => id).toSorted()).toEqual(written.toSorted())
      expect(entries.filter(({ state }) => state !== 'done')).toEqual([])
      const [images, last] = [await imagesOf(opened, written), await opened.state()]
      expect(unbalanced(images, first, last)).toEqual([])
      // A history that lacks one image is noticed.
      expect(unbalanced(images.slice(1), first, last)).not.toEqual([])
      expect(await storedIn(place())).not.toEqual(stored)
      expect(await undoAll(opened, place(), entries)).toEqual([])
      expect(await storedIn(place())).toEqual(stored)
    },
  )
})
