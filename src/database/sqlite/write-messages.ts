/** The messages to and from the writer thread. */

import * as v from 'valibot'
import type { SyncRecorder } from '../../table/source/recorder.ts'
import type { UnitPlan } from '../write/plan.ts'
import type { Outcome } from '../write/run-unit.ts'
import type { Failure } from './failure.ts'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

export const writeStartSchema = v.object({
  file: v.string(),
  busyMs: v.number(),
  recorder: v.optional(v.object({ url: v.string(), options: v.unknown() })),
})

/** What a recorder's module exports. */
export const recorderSchema = v.object({
  createRecorder: v.custom<(options: unknown) => SyncRecorder>(
    (value) => typeof value === 'function',
  ),
})

/** Units that share one commit. They come from this process, so their plans need no validation. */
export const writeRequestSchema = v.object({
  id: v.number(),
  units: v.array(v.custom<UnitPlan>(isObject)),
})

/** The outcome of a unit, or why it has none. */
export type WrittenUnit =
  | { readonly outcome: Outcome<Failure> }
  | { readonly failure: Failure }
  /** The policy would not allow a row as written. */
  | { readonly isForbidden: true }

export const writeAnswerSchema = v.object({
  id: v.number(),
  units: v.array(v.custom<WrittenUnit>(isObject)),
  /** Changes whenever anybody but this thread has committed. */
  others: v.string(),
})

export type WriteAnswer = v.InferOutput<typeof writeAnswerSchema>
