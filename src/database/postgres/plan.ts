/** Reads the server's plan for a statement. */

import * as v from 'valibot'
import type { Value } from '../../table/source/value.ts'
import type { Statement } from '../query/sql.ts'

type Plan = {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly Plans?: Plan[] | undefined
}

const planSchema: v.GenericSchema<unknown, Plan> = v.object({
  'Node Type': v.string(),
  'Plan Rows': v.number(),
  Plans: v.optional(v.array(v.lazy(() => planSchema))),
})

const explainedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseTuple([v.object({ Plan: planSchema })]),
)

export const explaining = ({ text, binds }: Statement): Statement => ({
  text: `explain (format json) ${text}`,
  binds,
})

/** Throws if the server explains nothing, or in a form of its own. */
export const planOf = (rows: readonly Value[][]): Plan =>
  v.parse(explainedSchema, rows[0]?.[0])[0].Plan

export const rowsOf = (plan: Plan): number => plan['Plan Rows']

/** Whether the plan reads some run of rows in the order of an index, however many rows that takes. */
export function isWalk(plan: Plan): boolean {
  const runs = plan.Plans?.find((part) => part['Node Type'] === 'Append')?.Plans ?? [plan]
  return runs.some((run) => !hasSort(run))
}

const hasSort = (plan: Plan): boolean =>
  plan['Node Type'] === 'Sort' || (plan.Plans?.some(hasSort) ?? false)
