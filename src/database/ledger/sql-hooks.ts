/** Which entries tables are yet to be told of: each is taken by one node at a time, by a lease. */

import type { HookLedger, Lease } from '../../table/changes/hooks.ts'
import type { Ledger } from '../../table/changes/ledger.ts'
import type { Store } from '../metadata/store.ts'
import type { LedgerTables } from './tables.ts'

/** Entries that are tried at a time, as other nodes may be faster. */
const SOME = 10

export function sqlHooks(
  { db, transaction }: Pick<Store<LedgerTables>, 'db' | 'transaction'>,
  { find, images }: Pick<Ledger, 'find' | 'images'>,
): HookLedger {
  /** Entries of which the outcome is known, the one that is due first before the others. */
  const due = () =>
    db
      .selectFrom('tablewireHooks as hook')
      .innerJoin('tablewireChanges as change', 'change.id', 'hook.changeId')
      .where('change.state', '=', 'done')
      .orderBy('hook.until')

  /** Only one of the nodes that find an entry due changes its row. */
  async function take(id: string, now: number, { node, until }: Lease): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('tablewireHooks')
      .set({ node, until })
      .where('changeId', '=', id)
      .where('until', '<=', now)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  const held = (id: string, node: string) =>
    db.updateTable('tablewireHooks').where('changeId', '=', id).where('node', '=', node)

  return {
    images,
    async claimHook(now, lease) {
      const found = await due()
        .select(['hook.changeId', 'hook.failures'])
        .where('hook.until', '<=', now)
        .limit(SOME)
        .execute()
      for (const { changeId, failures } of found) {
        if (!(await take(changeId, now, lease))) continue
        const entry = await find(changeId)
        if (entry) return { entry, failures: Number(failures) }
      }
      return undefined
    },
    async holdHook(id, { node, until }) {
      await held(id, node).set({ until }).execute()
    },
    async pauseHook(id, { node, until }, failures) {
      await held(id, node).set({ until, failures }).execute()
    },
    endHook: (id, node, hook) =>
      transaction(async (within) => {
        const { numDeletedRows } = await within
          .deleteFrom('tablewireHooks')
          .where('changeId', '=', id)
          .where('node', '=', node)
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) return
        await within.updateTable('tablewireChanges').set({ hook }).where('id', '=', id).execute()
      }),
    async nextHook() {
      const next = await due().select('hook.until').limit(1).executeTakeFirst()
      return next && Number(next.until)
    },
  }
}
