/** Removes expired records from the metadata. */

import type { Kysely } from 'kysely'
import { PENDING_MS } from '../../server/upload/uploads.ts'
import { sweepPlans } from './plans.ts'
import type { Store } from './store.ts'
import type { MetadataTables } from './tables.ts'

/** How long an idempotency key is kept, ms. */
export const IDEMPOTENCY_KEPT_MS = 24 * 60 * 60 * 1000

/**
 * Removes expired sessions, links, limits and plans, idempotency records and uploads older than 24 hours, and changes
 * of people and corrections older than `historyMs`.
 */
export async function sweep(
  store: Store<MetadataTables>,
  now: number,
  historyMs = Infinity,
): Promise<void> {
  const { db } = store
  await db.deleteFrom('tablewireSessions').where('expiresAt', '<=', now).execute()
  await db.deleteFrom('tablewireLinks').where('expiresAt', '<=', now).execute()
  await db.deleteFrom('tablewireLimits').where('until', '<=', now).execute()
  await db
    .deleteFrom('tablewireUploads')
    .where('createdAt', '<', now - PENDING_MS)
    .execute()
  if (historyMs < now)
    for (const table of ['tablewirePeopleChanges', 'tablewireCorrectionChanges'] as const)
      await db
        .deleteFrom(table)
        .where('at', '<', now - historyMs)
        .execute()
  await sweepIdempotency(db, now)
  await sweepPlans(db, now)
  await store.sweep(now)
}

/** Removes the idempotency records older than 24 hours. */
export async function sweepIdempotency(db: Kysely<MetadataTables>, now: number): Promise<void> {
  await db
    .deleteFrom('tablewireIdempotency')
    .where('createdAt', '<', now - IDEMPOTENCY_KEPT_MS)
    .execute()
}
