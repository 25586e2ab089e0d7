/** What the parts of a unit share while they are written, and how they end. */

import { AppError } from '../../server/app-error.ts'
import type { BeforeImages, Refused } from '../../table/source/write-unit.ts'
import type { UnitPlan } from './plan.ts'
import type { WriteDialect } from './write-dialect.ts'

export type Writing = {
  readonly plan: UnitPlan
  readonly dialect: WriteDialect
  /** Takes what rows held before, where that is asked for. */
  readonly before: BeforeImages[]
}

/** Of rows that would be out of the actor's reach once they are written. */
export const outOfReach = (): AppError => new AppError('FORBIDDEN')

/** Of values that their columns' types cannot hold. */
export const misfit = (columns: readonly string[]): Refused => ({
  status: 'refused',
  rule: 'type',
  columns,
})

/** Nothing was in the way but a trigger, which keeps rows from being written. */
export const untouched: Refused = { status: 'refused', rule: 'trigger', columns: [] }

/** Another transaction changed the rows that a decision was made by: the unit may be tried again. */
export class Interfered extends Error {}
