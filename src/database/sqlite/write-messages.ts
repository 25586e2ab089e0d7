/** What the writer is asked and what it answers. */

import * as v from 'valibot'
import type { UnitPlan } from '../write/plan.ts'
import type { Outcome } from '../write/run-unit.ts'
import type { Failure } from './failure.ts'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

export const writeStartSchema = v.object({ file: v.string(), busyMs: v.number() })

/** Units that share one commit. Only this process asks, so that their plans need no check. */
export const writeRequestSchema = v.object({
  id: v.number(),
  units: v.array(v.custom<UnitPlan>(isObject)),
})

/** What became of a unit, or why none of it was tried to the end. */
export type WrittenUnit =
  | { readonly outcome: Outcome<Failure> }
  | { readonly failure: Failure }
  /** Rows would have been out of the actor's reach. */
  | { readonly isForbidden: true }

export const writeAnswerSchema = v.object({
  id: v.number(),
  units: v.array(v.custom<WrittenUnit>(isObject)),
})

export type WriteAnswer = v.InferOutput<typeof writeAnswerSchema>
