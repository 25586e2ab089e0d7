/** A sealed plan over counted rows whose job, and the one that takes it back, processes run that may be killed. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openJobStore } from '../../src/database/jobs/sql-job-store.ts'
import { openLedger } from '../../src/database/ledger/open-ledger.ts'
import { openMetadata } from '../../src/database/metadata/metadata.ts'
import { LeaseRunner } from '../../src/jobs/lease-runner.ts'
import { ALL_SELECTED } from '../../src/protocol/selection.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import { passingKeys } from '../../src/server/keys.ts'
import { later } from '../../src/server/timer.ts'
import { actorSource } from '../../src/table/actor-source.ts'
import { entryId } from '../../src/table/changes/entry-id.ts'
import { runUndo } from '../../src/table/history/undo.ts'
import { createUndoJob } from '../../src/table/history/undo-job.ts'
import { createJobs } from '../../src/table/jobs/jobs.ts'
import { createListComponent } from '../../src/table/list/component.ts'
import { createTotals } from '../../src/table/list/totals.ts'
import { createBulkJob } from '../../src/table/plans/bulk-job.ts'
import { openChanges } from '../contracts/opened-changes.ts'
import type { MetadataPlace } from '../contracts/metadata-places.ts'
import { admin } from '../table-of.ts'
import type { JobProcessOptions } from './job-process.ts'

export type Place = { readonly place: MetadataPlace; readonly isBeside: boolean }

export type Started = {
  readonly child: ChildProcess
  /** What it has printed so far. */
  printed(): string
  /** Settles once it is about to stop. */
  readonly stops: Promise<void>
  /** Settles once it has ended, with what it printed and by which signal it ended. */
  readonly ended: Promise<{ readonly printed: string; readonly signal: string | null }>
}

const PROCESS = fileURLToPath(new URL('job-process.ts', import.meta.url))
/** So far is the clock of each process ahead of the one before: its lease has ended. */
const AHEAD_MS = 60_000
/** Until then nobody says of a change on a server that it was not written. */
const UNSETTLED_MS = 301_000
const INSERTED = 5000
const LEASE_MS = 1000
const reader = { locale: 'en-US', language: 'en' }

export type JobOptions = { readonly rows: number; readonly stepRows?: number | undefined }

/** All rows are to be counted up by one. */
export async function openJob({ place, isBeside }: Place, { rows, stepRows }: JobOptions) {
  for (const table of ['crates', 'tablewire_jobs', 'tablewire_job_migrations'])
    await place.run(`drop table if exists ${table}`)
  await place.run('create table crates (id integer primary key, n integer, label varchar(20))')
  for (let from = 0; from < rows; from += INSERTED) {
    const size = Math.min(INSERTED, rows - from)
    const values = Array.from({ length: size }, (_, at) => `(${from + at}, 0, 'crate ${at}')`)
    await place.run(`insert into crates values ${values.join()}`)
  }
  const { address } = place
  const changes = await openChanges(place, { isBeside })
  const { source, catalog: current, door, ledger, dataFolder } = changes
  const catalog = () => current
  const metadata = isBeside ? address : join(dataFolder, 'meta.sqlite')
  const { plans: store, close } = await openMetadata(metadata, { isBeside })
  const newId = () => entryId(Date.now(), randomBytes(10))
  // It starts jobs and runs none.
  const engine = new LeaseRunner({
    ...{ store: await openJobStore(metadata, { isBeside }), node: 'the test', atOnce: 0 },
    ...{ newId, now: Date.now, later },
  })
  onTestFinished(async () => {
    await engine.close()
    await close()
  })
  const plans = { store, keys: passingKeys(), newId, now: Date.now, ledger }
  const href = (table: string) => `/tables/${table}`
  const services = { source, catalog, door, href }
  const jobs = createJobs({
    engine,
    kinds: [createBulkJob({ ...services, plans }), createUndoJob({ door, ledger })],
    source: (actor) => actorSource(services, actor),
  })
  const component = createListComponent({
    ...{ ...services, plans: { ...plans, jobs, jobFrom: 1 }, totals: createTotals(source) },
  })
  const list = await testComponent(component, { actor: admin, params: { table: 'crates' } })
  const fields = { n: { how: 'add', text: '1' } } as const
  const sealed = await list.call.seal(ALL_SELECTED, { do: 'edit', fields })
  if (sealed.status !== 'sealed') throw new Error(JSON.stringify(sealed.errors))
  const result = await list.call.writePlan(sealed.plan.handle, sealed.plan.typed)
  if (result.status !== 'started') throw new Error(JSON.stringify(result))
  const allRows = () => place.run('select * from crates order by id')
  const before = result.job && JSON.stringify(await allRows(), bigintText)
  let processes = 0

  async function told(id: string): Promise<string> {
    const job = await engine.find(id)
    const words = job && jobs.kinds.get(job.kind)?.result?.(job, reader)
    return `${job?.state}: ${words}`
  }

  /** What the history says, once all of it can be settled. */
  async function entriesOf(): Promise<string[]> {
    const now = () => Date.now() + processes * AHEAD_MS + UNSETTLED_MS
    const settled = await openLedger({
      ...{ source, dataFolder, metadata, now, newId, isBeside, keptDays: 90 },
    })
    if (!settled) throw new Error('The source keeps no entries.')
    const entries = await settled.list({ size: 100 })
    await settled.close()
    const known = new Set([result.status === 'started' && result.job])
    return entries
      .filter(({ id, undoes }) => known.has(id) || known.has(undoes ?? ''))
      .map(({ state, tables }) => `${state}: ${tables.map((one) => one.updated).join()}`)
  }

  return {
    job: result.job,
    engine,
    start: (more: Partial<JobProcessOptions> = {}): Started =>
      start({
        ...{ address, dataFolder, isBeside, job: result.job, stepRows, leaseMs: LEASE_MS },
        ...{ aheadMs: processes++ * AHEAD_MS, queue: null, dieAt: null, stopAt: null, lacks: null },
        isComparing: true,
        ...more,
      }),
    /** Has the job taken back by another one; returns that one's id. */
    async undo(): Promise<string> {
      const undo = { ...services, ledger, jobs, jobFrom: 1, historyHref: '/history' }
      await runUndo(undo, admin, { id: result.job, reader })
      const [found] = (await jobs.list({ size: 10 })).filter(({ kind }) => kind === 'undo')
      if (!found) throw new Error('It is not taken back.')
      return found.id
    },
    /** What is wrong once the job has ended, with its rows, with what it tells, and with its history. */
    async wrong(): Promise<string[]> {
      const counts = await place.run('select n, count(*) from crates group by n')
      const [entries, words] = [await entriesOf(), await told(result.job)]
      return [
        ...unlike(counts.map((row) => row.map(Number).join()).join(' '), `1,${rows}`),
        ...unlike(words, `done: ${rows.toLocaleString('en')} rows are written.`),
        ...unlike(entries.join(' '), `done: ${rows}`),
      ]
    },
    /** What is wrong once it has been taken back. */
    async wrongUndone(undo: string): Promise<string[]> {
      const [entries, words] = [await entriesOf(), await told(undo)]
      const now = JSON.stringify(await allRows(), bigintText)
      return [
        ...(now === before ? [] : ['Rows are not as they were.']),
        ...(words.startsWith('done:') ? [] : [words]),
        ...unlike(entries.join(' '), `done: ${rows} done: ${rows}`),
      ]
    },
  }
}

const bigintText = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value

const unlike = (found: string, wanted: string): string[] =>
  found === wanted ? [] : [`${found}, not ${wanted}`]

function start(options: JobProcessOptions): Started {
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(options)])
  let [printed, failures] = ['', '']
  const stops = Promise.withResolvers<void>()
  child.stdout.on('data', (data) => {
    printed += String(data)
    if (printed.includes('stops')) stops.resolve()
  })
  child.stderr.on('data', (data) => (failures += String(data)))
  const ended = once(child, 'close').then(([code, signal]) => {
    if (code !== 0 && signal === null) throw new Error(failures)
    // Of a child that has ended by a signal, it is its name.
    return { printed, signal: signal as string | null }
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, printed: () => printed, stops: stops.promise, ended }
}
