/** Entries that were written ahead: which are not settled, and what has become of them. */

import type { Kysely } from 'kysely'
import type { StepLedger } from '../../table/changes/settle.ts'
import type { Entry, EntryState } from '../../table/changes/ledger.ts'
import { entriesOf } from './read-entries.ts'
import { placesOf, stepOf } from './steps.ts'
import type { LedgerTables } from './tables.ts'

export function settlingOf(db: Kysely<LedgerTables>): Omit<StepLedger, 'images'> {
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

  /** The entry of a job's step, unless it is known that nothing was written. */
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
  async function settle(id: string, state: EntryState): Promise<void> {
    if (state === 'void') await forgetStep(id)
    await db
      .updateTable('tablewireChanges')
      // A step of a job that was not written may be tried again.
      .set({ state, ...(state === 'void' && { jobStep: null }) })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .execute()
  }

  /** The images of a job's step that was not written. */
  async function forgetStep(id: string): Promise<void> {
    const { whole, from, until } = await placesOf(db, id)
    if (whole === id) return
    await db
      .deleteFrom('tablewireChangeImages')
      .where('changeId', '=', whole)
      .where('place', '>=', from)
      .where('place', '<', until)
      .execute()
  }

  return { pending, stepEntry, settle }
}
