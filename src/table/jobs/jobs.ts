/** Starts jobs on behalf of people, and runs them with the rights that these people have then. */

import * as v from 'valibot'
import { type Json, parseJson } from '../../protocol/json.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { notWhileLooking } from '../../server/not-while-looking.ts'
import type { ActorSource } from '../actor-source.ts'
import type { Job, JobEngine, JobRequest } from '../source/job-engine.ts'
import type { JobKind } from './job-kind.ts'

export type JobStart = Pick<JobRequest, 'kind' | 'tables' | 'input' | 'key'>

export type Jobs = Pick<JobEngine, 'find' | 'list' | 'ask' | 'watch'> & {
  readonly kinds: ReadonlyMap<string, JobKind>
  /** Throws `BUSY` and `TOO_MANY_REQUESTS` where there are too many jobs, and `ONLY_LOOKING`. */
  start(actor: Actor, job: JobStart): Promise<Job>
}

export type JobsOptions = {
  readonly engine: JobEngine
  readonly kinds: readonly JobKind[]
  /** The person as they are now; `undefined` if they may not come in any more. Default: as they were. */
  readonly actorNow?: ((id: string) => Promise<Actor | undefined>) | undefined
  source(actor: Actor): ActorSource
}

const actorSchema = v.object({
  ...{ id: v.string(), name: v.string(), email: v.string(), role: v.string() },
  isDefined: v.optional(v.literal(true)),
})
/** The input of a job is kept with who started it. */
const keptSchema = v.object({ actor: actorSchema, input: v.unknown() })

export function createJobs({ engine, kinds, actorNow, source }: JobsOptions): Jobs {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  for (const { name, run } of kinds)
    engine.handle(name, async (job) => {
      const { actor: before, input } = readKept(job.input)
      const actor = actorNow ? await actorNow(before.id) : before
      if (!actor) throw new AppError('FORBIDDEN')
      return run(job, { input, actor, source: source(actor) })
    })
  return {
    kinds: byName,
    async start(actor, { kind, tables, input, key }) {
      notWhileLooking(actor)
      if (!byName.has(kind)) throw new TypeError(`There is no job [${kind}].`)
      const { id, name, email, role, isDefined } = actor
      const kept = { id, name, email, role, ...(isDefined && { isDefined }) }
      return engine.enqueue({
        ...{ kind, tables, key, by: { id, name } },
        input: { actor: kept, input },
      })
    },
    find: (id) => engine.find(id),
    list: (query) => engine.list(query),
    ask: (id, ask) => engine.ask(id, ask),
    watch: (listener) => engine.watch(listener),
  }
}

/** The input that a job was started with. */
export const inputOf = ({ input }: Pick<Job, 'input'>): Json => readKept(input).input

function readKept(kept: Json): { readonly actor: Actor; readonly input: Json } {
  const { actor, input } = v.parse(keptSchema, kept)
  const { isDefined, ...rest } = actor
  return {
    actor: { ...rest, ...(isDefined && { isDefined }) },
    input: parseJson(JSON.stringify(input ?? null)),
  }
}
