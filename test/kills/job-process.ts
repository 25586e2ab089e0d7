/**
 * A node that writes a sealed plan by its job, or takes it back, and is killed or stopped at a step: prints
 * `ready`, `wrote` and the number of rows of each step that it writes, and in the end how the job has ended.
 */

import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import * as v from 'valibot'
import { openDatabase } from '../../src/cli/open-database.ts'
import { openJobStore } from '../../src/database/jobs/sql-job-store.ts'
import { openLedger, stepSettler } from '../../src/database/ledger/open-ledger.ts'
import { openMetadata } from '../../src/database/metadata/metadata.ts'
import { bullmqSignal } from '../../src/jobs/bullmq-signal.ts'
import { LeaseRunner } from '../../src/jobs/lease-runner.ts'
import { passingKeys } from '../../src/server/keys.ts'
import { later } from '../../src/server/timer.ts'
import { actorSource } from '../../src/table/actor-source.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import type { Change, ChangeOutcome } from '../../src/table/changes/change.ts'
import { type ChangeDoor, createChangeDoor } from '../../src/table/changes/door.ts'
import { entryId } from '../../src/table/changes/entry-id.ts'
import { createUndoJob } from '../../src/table/history/undo-job.ts'
import { createJobs } from '../../src/table/jobs/jobs.ts'
import { createBulkJob } from '../../src/table/plans/bulk-job.ts'
import { ENDED } from '../../src/table/source/job-engine.ts'
import type { DyingOptions } from './dying-recorder.ts'
import { anything } from './jars.ts'
import { countSteps } from './steps.ts'

const optionsSchema = v.object({
  address: v.string(),
  dataFolder: v.string(),
  isBeside: v.boolean(),
  /** The job that it waits for. */
  job: v.string(),
  stepRows: v.optional(v.number()),
  leaseMs: v.number(),
  /** How far its clock is ahead, ms: leases of those before it have ended. */
  aheadMs: v.number(),
  /** The queue by which nodes hear of jobs; `null`: they hear of none. */
  queue: v.nullable(v.object({ url: v.string(), name: v.string() })),
  /** Step before which the process is killed, and of which thread; `null`: it lives. */
  dieAt: v.nullable(
    v.object({ step: v.union([v.number(), v.string()]), of: v.picklist(['writer', 'node']) }),
  ),
  /** Write before which the process stops until it is woken, counted from 1; `null`: it does not. */
  stopAt: v.nullable(v.number()),
  /** What protects the job and is missing: that a step is saved with what it writes. */
  lacks: v.nullable(v.literal('fence')),
  /** Whether it compares what rows hold, as it does with plans of this version. */
  isComparing: v.boolean(),
})

/** How often it looks whether another process has ended the job. */
const LOOK_MS = 250

export type JobProcessOptions = v.InferOutput<typeof optionsSchema>

const given = v.parse(optionsSchema, JSON.parse(process.argv[2] ?? ''))
const { address, dataFolder, isBeside, dieAt, stopAt, leaseMs, stepRows, lacks, queue } = given

const now = (): number => Date.now() + given.aheadMs
const newId = (): string => entryId(now(), randomBytes(10))
const source = await openDatabase(address)
const { recording } = source
const options: DyingOptions = {
  ...{ kept: null, steps: null, isLate: false },
  dieAt: dieAt?.of === 'writer' ? dieAt.step : null,
}
const metadata = isBeside ? address : `${dataFolder}/meta.sqlite`
const ledgerOptions = {
  source: {
    describe: () => source.describe(),
    row: (...args: Parameters<typeof source.row>) => source.row(...args),
    page: (...args: Parameters<typeof source.page>) => source.page(...args),
    recording:
      recording?.by === 'thread'
        ? {
            ...recording,
            use: ({ options: kept }: { options: unknown }) =>
              recording.use({
                url: new URL('dying-recorder.ts', import.meta.url).href,
                options: { ...options, kept },
              }),
          }
        : recording,
  },
  ...{ dataFolder, newId, isBeside, keptDays: 90, now, metadata },
}
const ledger = await openLedger(ledgerOptions)
if (!ledger) throw new Error('The source keeps no entries.')
const settle = stepSettler(ledger, ledgerOptions)
const current = await createCatalog(source, anything, {})
const catalog = () => current
const door = watched(createChangeDoor({ source, catalog, ledger, now, newId }))
await source.writing?.allow(true)

const store = await openJobStore(metadata, { isBeside })
const { plans: planStore } = await openMetadata(metadata, { isBeside })
if (!given.isComparing) {
  const chunks = planStore.chunks.bind(planStore)
  planStore.chunks = async function* (id) {
    for await (const { keys } of chunks(id)) yield { keys, digests: null }
  }
}
const signal = queue && (await bullmqSignal({ ...queue, atOnce: 4 }))
if (dieAt?.of === 'node') countSteps({ dieAt: dieAt.step, seen: () => undefined, isArmed: true })
const engine = new LeaseRunner({
  ...{ store, node: String(process.pid), newId, now, later, leaseMs, idleMs: 50 },
  ...(signal && { signal }),
  settle: ({ id }, number) => settle(id, number),
})
engine.watch(({ id, state }) => {
  if (id === given.job && ENDED.some((end) => end === state)) leave(state)
})
const plans = { store: planStore, keys: passingKeys(), newId, now: Date.now, ledger }
createJobs({
  engine,
  kinds: [
    createBulkJob({ source, catalog, door, plans, stepRows, href: (table) => `/tables/${table}` }),
    createUndoJob({ door, ledger, stepImages: stepRows }),
  ],
  source: (actor) => actorSource({ source, catalog, door }, actor),
})
// Another process may have ended it, or end it.
let isStopped = false
const look = async (): Promise<void> => {
  const job = await engine.find(given.job).catch(() => undefined)
  if (job?.endedAt && !isStopped) leave(job.state)
}
await look()
writeSync(1, 'ready\n')
setInterval(() => void look(), LOOK_MS)

function leave(state: string): never {
  writeSync(1, `${state}\n`)
  process.exit()
}

/** Tells of each write, and stops before one of them. */
function watched(door: ChangeDoor): ChangeDoor {
  let writes = 0
  async function write(change: () => Promise<ChangeOutcome>): Promise<ChangeOutcome> {
    const outcome = await (++writes === stopAt ? stopped(change) : change())
    if (outcome.status === 'done') writeSync(1, `wrote ${outcome.written}\n`)
    return outcome
  }
  const unfenced = ({ door: of, tables }: Change): Change => ({ door: of, tables })
  return {
    ...door,
    save: (actor, change, run) =>
      write(() => door.save(actor, lacks === 'fence' ? unfenced(change) : change, run)),
    apply: (plan, run) => write(() => door.apply(plan, run)),
  }
}

/** Stops just before a write, and tells what became of it once the process is woken. */
async function stopped<T>(write: () => Promise<T>): Promise<T> {
  isStopped = true
  writeSync(1, 'stops\n')
  process.kill(process.pid, 'SIGSTOP')
  try {
    const written = await write()
    writeSync(1, 'written\n')
    return written
  } catch (error) {
    writeSync(1, 'refused\n')
    throw error
  } finally {
    process.exit()
  }
}
