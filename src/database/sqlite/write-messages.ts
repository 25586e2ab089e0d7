/** What the writer is asked and what it answers. */

import * as v from 'valibot'
import { cellSchema } from './values.ts'

const statementSchema = v.object({ text: v.string(), binds: v.array(cellSchema) })

/** One change, as statements that the writer runs without asking anybody. */
const stepSchema = v.object({
  /** Gives 1 for a row that may be written, 0 for one that holds something else; else no row. */
  check: v.nullable(statementSchema),
  /** Writes, and gives the row's key. Nothing is left to write where it is `null`. */
  run: v.nullable(statementSchema),
  /** The key of a row that `run` does not give. */
  key: v.array(cellSchema),
  /** Gives a row if the written one may still be seen. The key comes before its own binds. */
  verify: v.nullable(statementSchema),
})

export type Step = v.InferOutput<typeof stepSchema>

/** Changes that happen whole or not at all. */
export type Unit = readonly Step[]

export const writeStartSchema = v.object({ file: v.string(), busyMs: v.number() })

/** Units that share one commit. */
export const writeRequestSchema = v.object({
  id: v.number(),
  units: v.array(v.array(stepSchema)),
})

const failureSchema = v.object({ errcode: v.nullable(v.number()), message: v.string() })

const stepResultSchema = v.variant('status', [
  v.object({ status: v.literal('done'), key: v.array(cellSchema) }),
  v.object({ status: v.literal('missing') }),
  v.object({ status: v.literal('conflict') }),
  v.object({ status: v.literal('refused'), failure: failureSchema }),
  /** The written row would be out of the actor's reach. */
  v.object({ status: v.literal('forbidden') }),
])

export type StepResult = v.InferOutput<typeof stepResultSchema>

/** Of each unit, in order: what became of its steps, or why none was tried. */
const unitResultSchema = v.union([
  v.object({ steps: v.array(stepResultSchema) }),
  v.object({ failure: failureSchema }),
])

export type UnitResult = v.InferOutput<typeof unitResultSchema>

export const writeAnswerSchema = v.object({ id: v.number(), units: v.array(unitResultSchema) })

export type WriteAnswer = v.InferOutput<typeof writeAnswerSchema>
