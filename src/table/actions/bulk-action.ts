/** Actions on many rows: how one is declared for a table. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Actor } from '../../server/actor.ts'
import type { Access } from '../source/access.ts'
import type { RowSource } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'

/** Some of the rows that a person has confirmed, to be acted on together. */
export type BulkChunk<Input> = {
  /** Who asked for it, and in whose name it is done. */
  readonly actor: Actor
  /** What they entered, as the schema put it out. */
  readonly input: Input
  /** Keys of rows that still match, at most 10,000. */
  readonly keys: readonly KeyValues[]
  /** What the actor may do with the table, and where its rows are. */
  readonly access: Access
  readonly source: RowSource
  /** Aborted when nobody wants it done any more. */
  readonly signal: AbortSignal
}

export type BulkActionOptions<Input> = {
  /** What the menu calls it, 1 to 100 characters. */
  readonly label: string
  /** What a person enters first: any Standard Schema. Default: nothing. */
  readonly input?: StandardSchemaV1<unknown, Input>
  /** What is asked before it is done, given the number of rows. Default: a plain question. */
  readonly confirm?: string | ((rows: number) => string)
  /** Acts on a chunk; called again with the same keys after a failure, so it has to stand that. */
  run(chunk: BulkChunk<Input>): void | Promise<void>
}

/** A declared action, whatever its input is: the schema guards what `run` is given. */
export type BulkAction = {
  readonly label: string
  readonly input?: StandardSchemaV1
  readonly confirm?: string | ((rows: number) => string)
  run(chunk: BulkChunk<unknown>): void | Promise<void>
}

/**
 * Declares an action on rows that a person selects, for `actions` of a table. What `run` is given as
 * `input` has the type that the schema puts out.
 *
 * @example
 * const refund = bulkAction({
 *   label: 'Refund',
 *   input: v.object({ reason: v.pipe(v.string(), v.minLength(1)) }),
 *   confirm: (rows) => `Refund ${rows} orders?`,
 *   run: ({ keys, input }) => payments.refund(keys.flat(), input.reason),
 * })
 */
export const bulkAction = <Input = undefined>(options: BulkActionOptions<Input>): BulkAction =>
  options
