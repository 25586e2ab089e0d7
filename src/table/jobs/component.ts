/** The jobs of a table, or of all, as a live component: what runs, how far it is, and how to stop it. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { JobOrder, JobsComponent } from '../../protocol/job-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import { notWhileLooking } from '../../server/not-while-looking.ts'
import type { Catalog } from '../catalog.ts'
import type { Ledger } from '../changes/ledger.ts'
import type { Job, JobAsk } from '../source/job-engine.ts'
import { drawJob, hasEnded, isOwn, maySee, maySteer } from './draw-job.ts'
import { jobChannelOf } from './job-channel.ts'
import { inputOf, type Jobs } from './jobs.ts'
import { createRecentRates, type Rate } from './recent-rates.ts'

export type JobsComponentOptions = {
  readonly jobs: Jobs
  catalog(): Catalog
  readonly ledger?: Pick<Ledger, 'find'> | undefined
  readonly isLive: boolean
  /** Address of a table's list. */
  href(table: string): string
  now(): number
}

/** How long what has become of a job is told, ms; and that of one that has left rows. */
const TOLD_MS = 60_000
const LEFT_TOLD_MS = 60 * TOLD_MS
/** How long it is believed that there are no jobs, unless one begins on this node, ms. */
const EMPTY_MS = 1000
/** Most jobs that are looked at, and tables whose jobs the history's page follows. */
const MOST = 500
const FOLLOWED = 60

const params = v.object({ table: v.nullable(v.string()) })

export type JobsList = Component<v.InferOutput<typeof params>, TypesOf<JobsComponent>>

export function createJobsComponent(options: JobsComponentOptions): JobsList {
  const { jobs, catalog, ledger, isLive, href } = options

  async function order(actor: Actor, id: string, ask: JobAsk, language: string): Promise<JobOrder> {
    notWhileLooking(actor)
    const { orders } = messagesFor(language).jobs
    const job = await jobs.find(id)
    if (!job || !maySee(job, actor, catalog())) throw new AppError('NOT_FOUND')
    if (!maySteer(job, actor)) throw new AppError('FORBIDDEN')
    const asked = await jobs.ask(id, ask)
    return asked ? { isDone: true, text: orders[ask] } : { isDone: false, text: orders.late }
  }

  const action = (ask: JobAsk) => ({
    kind: 'write' as const,
    args: v.strictTuple([v.pipe(v.string(), v.maxLength(64))]),
    run: ({ actor, language }: { actor: Actor; language: string }, id: string) =>
      order(actor, id, ask, language),
  })

  const recent = createRecentJobs(options)
  const rates = createRecentRates()
  jobs.watch((job) => rates.note(job))
  /** Jobs of other nodes are known by what their records say. */
  function ratesOf(shown: readonly Job[]): Map<string, Rate> {
    for (const job of shown) rates.note(job)
    const found = shown.map(({ id }) => [id, rates.rateOf(id, options.now())] as const)
    return new Map(found.flatMap(([id, rate]) => (rate ? [[id, rate] as const] : [])))
  }

  /** Of jobs that have ended, and whose changes can be taken back. */
  async function entriesOf(shown: readonly Job[]): Promise<Map<string, string>> {
    if (!ledger) return new Map()
    const ended = shown.filter(hasEnded)
    const found = await Promise.all(ended.map(({ id }) => ledger.find(id)))
    return new Map(found.flatMap((entry) => (entry ? [[entry.id, entry.id] as const] : [])))
  }

  return defineComponent({
    name: 'jobs',
    params,
    state: {},
    authorize: ({ actor, params: { table } }) =>
      table === null || catalog().find(actor, table) !== undefined,
    mount: () => ({}),
    // It follows its jobs to their end, whatever holds the rows of the list back.
    yields: false,
    channels({ actor, params: { table } }) {
      if (!isLive) return []
      const readable = catalog().readable(actor)
      const tables =
        table === null ? readable.slice(0, FOLLOWED).map((one) => one.table.name) : [table]
      return tables.flatMap((name) => jobChannelOf(name) ?? [])
    },
    actions: {
      pauseJob: action('pause'),
      resumeJob: action('resume'),
      cancelJob: action('cancel'),
    },
    async load({ actor, params: { table } }) {
      const shown = (await recent()).filter(
        (job) =>
          (table === null || job.tables.includes(table)) &&
          maySee(job, actor, catalog()) &&
          (!hasEnded(job) || isOwn(job, actor)),
      )
      return { data: { actor, shown, entries: await entriesOf(shown), rates: ratesOf(shown) } }
    },
    view({ data: { actor, shown, entries, rates }, ...reader }) {
      const context = { actor, reader, catalog: catalog(), kinds: jobs.kinds, entries, rates, href }
      return { jobs: shown.map((job) => drawJob(job, context)) }
    },
  })
}

/** The jobs that somebody may be told of. Mostly there are none, and then pages need not ask each time. */
function createRecentJobs({
  jobs,
  now,
}: Pick<JobsComponentOptions, 'jobs' | 'now'>): () => Promise<readonly Job[]> {
  const hasLeft = ({ kind, input, checkpoint }: Job): boolean => {
    const left = jobs.kinds.get(kind)?.left
    return left !== undefined && left({ input: inputOf({ input }), checkpoint }).rows > 0
  }
  const endedWithin = (ms: number) => jobs.list({ endedSince: now() - ms, size: MOST })
  let emptyUntil = 0
  let changes = 0
  jobs.watch(() => {
    emptyUntil = 0
    changes++
  })
  return async () => {
    if (now() < emptyUntil) return []
    const before = changes
    // Asked apart, so that many ended ones crowd out none that runs.
    const [recent, ended] = await Promise.all([endedWithin(TOLD_MS), endedWithin(LEFT_TOLD_MS)])
    const known = new Set(recent.map(({ id }) => id))
    const left = ended.filter((job) => !known.has(job.id) && hasLeft(job))
    const found = [...left, ...recent]
    if (found.length === 0 && changes === before) emptyUntil = now() + EMPTY_MS
    return found
  }
}
