/** Entries that were written ahead: which are not settled, and what has become of them. */

import type { Kysely } from 'kysely'
import type { StepLedger } from '../../table/changes/settle.ts'
import type { Entry, EntryState } from '../../table/changes/ledger.ts'
import { entriesOf } from './read-entries.ts'
import type { Store } from '../metadata/store.ts'
import { placesOf, stepOf } from './steps.ts'
import type { LedgerTables } from './tables.ts'

export function settlingOf({
  db,
  transaction,
}: Pick<Store<LedgerTables>, 'db' | 'transaction'>): Omit<StepLedger, 'images'> {
  /** Entries that were written ahead and whose outcome nobody has told, the oldest first. */
  async function pending(before: number): Promise<Entry[]> {
    const rows = await db
      .selectFrom('tablewireChanges')
      .selectAll()
      .where('state', '=', 'pending')
      .where('at', '<', before)
      .orderBy('at')
      .limit(1000)
      .execute()
    return entriesOf(db, rows)
  }

  /** The entry of a job's step; one that is void was reserved for what a run did not come to write. */
  async function stepEntry(
    job: string,
    number: number,
  ): Promise<Pick<Entry, 'id' | 'state' | 'step'> | undefined> {
    const row = await db
      .selectFrom('tablewireChanges')
      .select(['id', 'state', 'step'])
      .where('jobId', '=', job)
      .where('jobStep', '=', number)
      .executeTakeFirst()
    return row && { id: row.id, state: row.state, ...stepOf(row) }
  }

  /** Unless whoever has written the change has told its outcome meanwhile. */
  function settle(id: string, state: EntryState): Promise<void> {
    return transaction(async (within) => {
      const { whole, ...places } = await placesOf(within, id)
      const { numUpdatedRows } = await within
        .updateTable('tablewireChanges')
        // A step of a job that was not written may be tried again.
        .set({ state, ...(state === 'void' && { jobStep: null }) })
        .where('id', '=', id)
        .where(({ eb, or, and }) =>
          or([
            eb('state', '=', 'pending'),
            // Of a step that was reserved, nothing can have been written.
            ...(state === 'void'
              ? [and([eb('state', '=', state), eb('jobStep', 'is not', null)])]
              : []),
          ]),
        )
        .executeTakeFirstOrThrow()
      if (state === 'void' && whole !== id && numUpdatedRows > 0n)
        await forgetImages(within, whole, places)
    })
  }

  return { pending, stepEntry, settle }
}

async function forgetImages(
  db: Kysely<LedgerTables>,
  id: string,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  await db
    .deleteFrom('tablewireChangeImages')
    .where('changeId', '=', id)
    .where('place', '>=', from)
    .where('place', '<', until)
    .execute()
}
