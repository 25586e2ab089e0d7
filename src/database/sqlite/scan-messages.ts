/** The messages to and from a scan worker. */

import * as v from 'valibot'
import { FILE_FORMATS } from '../../protocol/export.ts'
import type { FileColumn } from '../../table/source/lines.ts'
import type { WantedLines } from '../query-runner.ts'
import { cellSchema, type Cell } from './values.ts'

/** How a worker is started. */
export const scanStartSchema = v.object({
  file: v.string(),
  busyMs: v.number(),
  /** Shared with a thread: the id of the request to cancel. A process is killed instead. */
  ended: v.optional(v.instance(SharedArrayBuffer)),
})

export type ScanStart = v.InferOutput<typeof scanStartSchema>

/** Lines of a file. */
export type ScanLines = WantedLines & {
  /** Whether an index gives the order, so that reading may be tried twice. */
  readonly isServed: boolean
}

export type ScanRequest = {
  readonly id: number
  readonly text: string
  readonly binds: readonly Cell[]
  /** Asks for lines of a file, instead of rows. */
  readonly lines?: ScanLines | undefined
}

export const scanRequestSchema = v.object({
  id: v.number(),
  text: v.string(),
  binds: v.array(cellSchema),
  // The main thread names types of the schema only.
  lines: v.optional(
    v.object({
      format: v.picklist(FILE_FORMATS),
      columns: v.array(v.custom<FileColumn>((column) => typeof column === 'object')),
      first: v.number(),
      bytes: v.number(),
      isServed: v.boolean(),
    }),
  ),
})

const linesSchema = v.object({
  pieces: v.array(v.instance(Uint8Array<ArrayBuffer>)),
  count: v.number(),
  firstLength: v.number(),
  isFull: v.boolean(),
})

/** Rows as JSON, see `rowsToJson`; with lines, the first and the last row; or why there are none. */
export const scanAnswerSchema = v.union([
  v.object({ id: v.number(), rows: v.string(), lines: v.optional(linesSchema) }),
  v.object({
    id: v.number(),
    failure: v.object({ errcode: v.nullable(v.number()), message: v.string() }),
  }),
])

export type ScanAnswer = v.InferOutput<typeof scanAnswerSchema>
