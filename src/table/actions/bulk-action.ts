/** Declares actions on many rows of a table. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Actor } from '../../server/actor.ts'
import type { ActorSource } from '../actor-source.ts'
import type { KeyValues } from '../source/value.ts'

/** One batch of the rows that a person has confirmed. */
export type BulkChunk<Input> = {
  /** The person on whose behalf it runs. */
  readonly actor: Actor
  /** What they entered, as the schema's output. */
  readonly input: Input
  /** Keys of rows that still match, at most 10,000. */
  readonly keys: readonly KeyValues[]
  /** The database, as far as the actor may see and change it: the same as a component is given. */
  readonly source: ActorSource
  /** Aborted when the action is cancelled. */
  readonly signal: AbortSignal
}

export type BulkActionOptions<Input> = {
  /** Its name in the menu, 1 to 100 characters. */
  readonly label: string
  /** What a person enters first: any Standard Schema. Default: nothing. */
  readonly input?: StandardSchemaV1<unknown, Input>
  /**
   * The question that a person confirms, or a function of the number of rows. Default: a plain
   * question.
   */
  readonly confirm?: string | ((rows: number) => string)
  /**
   * Acts on a chunk. It must be idempotent: after a failure it is called again with the same keys.
   */
  run(chunk: BulkChunk<Input>): void | Promise<void>
}

/**
 * A declared action with any type of input; the schema checks the input before `run` receives it.
 */
export type BulkAction = {
  readonly label: string
  readonly input?: StandardSchemaV1
  readonly confirm?: string | ((rows: number) => string)
  run(chunk: BulkChunk<unknown>): void | Promise<void>
}

/**
 * Declares an action on rows that a person selects, for `actions` of a table. `run` receives `input`
 * in the output type of the schema.
 *
 * @example
 * const refund = bulkAction({
 *   label: 'Refund',
 *   input: v.object({ reason: v.pipe(v.string(), v.minLength(1)) }),
 *   confirm: (rows) => `Refund ${rows} orders?`,
 *   async run({ keys, input, source }) {
 *     const where = { op: 'eq', column: 'status', value: 'paid' } as const
 *     const set = { status: 'refunded', reason: input.reason }
 *     await source.table('orders').change({ sets: [{ in: keys, where, set }] })
 *   },
 * })
 */
export const bulkAction = <Input = undefined>(options: BulkActionOptions<Input>): BulkAction =>
  options
