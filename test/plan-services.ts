/** What plans are made with in a test: a store in memory, and handles that end with it. */

import { randomBytes } from 'node:crypto'
import { openMetadata } from '../src/database/metadata/metadata.ts'
import { passingKeys } from '../src/server/keys.ts'
import { entryId } from '../src/table/changes/entry-id.ts'
import type { PlanServices } from '../src/table/plans/asking.ts'

export async function openPlans(
  over: Partial<PlanServices> = {},
): Promise<{ readonly plans: PlanServices; close(): Promise<void> }> {
  const now = over.now ?? Date.now
  const metadata = await openMetadata(':memory:', { now })
  const newId = () => entryId(now(), randomBytes(10))
  return {
    plans: { store: metadata.plans, keys: passingKeys(), newId, now, ...over },
    close: () => metadata.close(),
  }
}
