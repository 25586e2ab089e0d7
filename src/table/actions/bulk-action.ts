/** Declares actions on rows that a person selects. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Actor } from '../../server/actor.ts'
import type { ActorSource } from '../actor-source.ts'
import type { KeyValues } from '../source/value.ts'

/** What an action is given each time it runs. */
type Given<Input> = {
  /** The person on whose behalf it runs. */
  readonly actor: Actor
  /** What they entered, as the schema's output. */
  readonly input: Input
  /** The database, as far as the actor may see and change it: the same as a component is given. */
  readonly source: ActorSource
  /**
   * Aborted when the action is cancelled, when the server shuts down, and when it has run for too long; a pause waits
   * for the action. Hand it on to what the action waits for, or call `signal.throwIfAborted()`: what became of rows
   * that it ends early over is then told as not known, whereas an action that returns has done them.
   */
  readonly signal: AbortSignal
}

/** Some of the rows that a person has confirmed. */
export type BulkChunk<Input> = Given<Input> & {
  /** Keys of rows that still match, at most 10,000. */
  readonly keys: readonly KeyValues[]
  /**
   * Says how far the action is with these keys, for the bar of its job. It may be called as often as one likes.
   * `total`: how much there is to do, in the unit of `done`. Default: the number of keys.
   */
  progress(done: number, total?: number): void
}

/** One of the rows that a person has confirmed. Its job counts the rows, and so shows how far it is. */
export type BulkRow<Input> = Given<Input> & { readonly key: KeyValues }

type CommonOptions<Input> = {
  /** Its name in the menu, 1 to 100 characters. */
  readonly label: string
  /**
   * What a person enters first: an object schema of Valibot, or of a library that makes JSON Schema of it
   * (Standard JSON Schema), such as Zod 4. Default: nothing.
   */
  readonly input?: StandardSchemaV1<unknown, Input>
  /**
   * The question that a person confirms, or a function of the number of rows. Default: a plain
   * question.
   */
  readonly confirm?: string | ((rows: number) => string)
  /**
   * Whether it may run twice for the same rows. Without that, it never does: where it cannot be found out how
   * far it came, the person is told so. Default: false.
   */
  readonly repeatable?: boolean
  /**
   * Whether it always runs as a job, which shows how far it is, can be cancelled and may take its time. Default: from
   * 50 rows on; with fewer it has 45 seconds.
   */
  readonly asJob?: boolean
  /** Who is offered it, asked again when it runs. Default: whoever may change rows of the table. */
  allows?(actor: Actor): boolean
}

/**
 * `run` acts on rows, whole chunks of them or one after the other. Where it calls `refuse('…')`, its rows are
 * told as refused, and the others go on.
 */
export type BulkActionOptions<Input> = CommonOptions<Input> &
  (
    | { readonly per?: 'set'; run(chunk: BulkChunk<Input>): void | Promise<void> }
    | { readonly per: 'row'; run(row: BulkRow<Input>): void | Promise<void> }
  )

/**
 * A declared action with any type of input; the schema checks the input before `run` receives it.
 */
export type BulkAction = {
  readonly label: string
  readonly input?: StandardSchemaV1
  readonly confirm?: string | ((rows: number) => string)
  readonly repeatable?: boolean
  readonly asJob?: boolean
  allows?(actor: Actor): boolean
  readonly per?: 'set' | 'row'
  run(given: BulkChunk<unknown> | BulkRow<unknown>): void | Promise<void>
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
