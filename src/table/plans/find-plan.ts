/** Finds the plan of a handle for the person who holds it. */

import type { Asking } from './asking.ts'
import { openHandle } from './handle.ts'
import { decodeContent, type PlanContent } from './plan-content.ts'
import type { PlanRecord } from './plan-store.ts'

export type FoundPlan = PlanRecord & { readonly holds: PlanContent }

/** How many rows a plan writes: all of its rows but those that are so already. */
export const rowsToWrite = (rows: number, { so = 0 }: Pick<PlanContent, 'so'>): number => rows - so

/** `undefined` for a handle of somebody else, of another session or table, or of a plan that is gone. */
export async function findPlan(
  { actor, lineage, open, plans }: Asking,
  handle: string,
): Promise<FoundPlan | undefined> {
  const id = openHandle(plans.keys, handle, { person: actor.id, lineage })
  const plan = id === undefined ? undefined : await plans.store.find(id)
  if (!plan || plan.table !== open.access.table.name || plan.by.id !== actor.id) return undefined
  if (plan.state !== 'writing' && plan.endsAt <= plans.now()) return undefined
  return { ...plan, holds: decodeContent(plan.content) }
}
