/** The messages to and from a scan worker. */

import * as v from 'valibot'
import { cellSchema, type Cell } from './values.ts'

/** How a worker is started. */
export const scanStartSchema = v.object({
  file: v.string(),
  busyMs: v.number(),
  /** Shared with a thread: the id of the request to cancel. A process is killed instead. */
  ended: v.optional(v.instance(SharedArrayBuffer)),
})

export type ScanStart = v.InferOutput<typeof scanStartSchema>

export type ScanRequest = {
  readonly id: number
  readonly text: string
  readonly binds: readonly Cell[]
}

export const scanRequestSchema = v.object({
  id: v.number(),
  text: v.string(),
  binds: v.array(cellSchema),
})

/** Rows as JSON, see `rowsToJson`; or why there are none. */
export const scanAnswerSchema = v.union([
  v.object({ id: v.number(), rows: v.string() }),
  v.object({
    id: v.number(),
    failure: v.object({ errcode: v.nullable(v.number()), message: v.string() }),
  }),
])

export type ScanAnswer = v.InferOutput<typeof scanAnswerSchema>
