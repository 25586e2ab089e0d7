/** A kind of work in the background: what it is called, and what it does. */

import type { Json } from '../../protocol/json.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { ActorSource } from '../actor-source.ts'
import type { JobRun } from '../source/job-engine.ts'

/** What a job works with: the rights of who started it, as they are now. */
export type JobContext = {
  readonly input: Json
  readonly actor: Actor
  readonly source: ActorSource
}

export type JobKind = {
  readonly name: string
  /** What such a job is called, for everybody who may see its tables: it tells nothing of their rows. */
  label(reader: Reader): string
  /** What this one does, for who started it. Default: its label. */
  title?(input: Json, reader: Reader): string
  /** Does the work; what it returns is its result. */
  run(run: Omit<JobRun, 'input'>, context: JobContext): Promise<Json>
  /** What became of it, in words, for who started it; of one that has ended early, `result` is `null`. */
  result?(job: { readonly result: Json; readonly checkpoint: Json }, reader: Reader): string | null
  /** The sealed plan that it writes, and how many rows of it were not written. */
  left?(job: { readonly input: Json; readonly checkpoint: Json }): {
    readonly plan: string
    readonly rows: number
  }
}

/**
 * Declares a kind of job of your own, to be listed under `jobs` and started by `admin.jobs.start`.
 *
 * @example
 * const tidy = defineJob({
 *   name: 'tidy',
 *   label: () => 'Tidy up',
 *   async run(run, { source }) {
 *     const parts = source.table('parts')
 *     for (let done = run.progress.done; done < 3; done++)
 *       await run.write({ checkpoint: null, progress: { done: done + 1, total: 3 } }, (step) =>
 *         parts.change({ rows: [{ update: [done], set: { note: null } }], step }),
 *       )
 *     return null
 *   },
 * })
 */
export const defineJob = (kind: JobKind): JobKind => kind
