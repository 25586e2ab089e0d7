/** What the changes of a part share while they are written, and their common failures. */

import { AppError } from '../../server/app-error.ts'
import type { Refused } from '../../table/source/write-unit.ts'
import type { Images } from './images.ts'
import type { PartPlan } from './plan.ts'
import type { WriteDialect } from './write-dialect.ts'

export type Writing = {
  readonly plan: PartPlan
  readonly dialect: WriteDialect
  /** Absent if nothing is recorded. */
  readonly images: Images | undefined
}

/** For rows that the policy would not allow once they are written. */
export const outsidePolicy = (): AppError => new AppError('FORBIDDEN')

/** For values that their columns' types cannot hold. */
export const invalidValues = (columns: readonly string[]): Refused => ({
  status: 'refused',
  rule: 'type',
  columns,
})

/** For a row that matched and still was not written: only a trigger can prevent that. */
export const untouched: Refused = { status: 'refused', rule: 'trigger', columns: [] }

/** For a declared key that would not be the key of one row. */
export const ambiguous = (columns: readonly string[]): Refused => ({
  status: 'refused',
  rule: 'ambiguous',
  columns,
})

/** Another transaction changed rows that a decision was based on: the unit may be retried. */
export class Interfered extends Error {}
