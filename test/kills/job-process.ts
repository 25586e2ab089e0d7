/**
 * A node that runs the one job there is, and is killed or stopped at a step of it: prints `done` once the job
 * has ended.
 */

import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import * as v from 'valibot'
import { openDatabase } from '../../src/cli/open-database.ts'
import { openJobStore } from '../../src/database/jobs/sql-job-store.ts'
import { openLedger, stepSettler } from '../../src/database/ledger/open-ledger.ts'
import { LeaseRunner } from '../../src/jobs/lease-runner.ts'
import { later } from '../../src/server/timer.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import { createChangeDoor } from '../../src/table/changes/door.ts'
import { entryId } from '../../src/table/changes/entry-id.ts'
import { ENDED, type JobRun } from '../../src/table/source/job-engine.ts'
import type { EntryStep } from '../../src/table/source/ledger-entry.ts'
import { everything } from '../../src/table/source/predicate.ts'
import { admin } from '../table-of.ts'
import type { DyingOptions } from './dying-recorder.ts'
import { anything } from './jars.ts'
import { countSteps } from './steps.ts'

const optionsSchema = v.object({
  address: v.string(),
  dataFolder: v.string(),
  isBeside: v.boolean(),
  /** How far its clock is ahead, ms: leases of those before it have ended. */
  aheadMs: v.number(),
  /** Step before which the process is killed, and of which thread; `null`: it lives. */
  dieAt: v.nullable(
    v.object({ step: v.union([v.number(), v.string()]), of: v.picklist(['writer', 'node']) }),
  ),
  /** Row before which the process stops until it is woken; `null`: it does not. */
  stopAt: v.nullable(v.number()),
  /** Rows that the job counts up, one in each step. */
  rows: v.number(),
  /** What protects the job and is missing: that a step is saved with what it writes. */
  lacks: v.nullable(v.literal('fence')),
})

export type JobProcessOptions = v.InferOutput<typeof optionsSchema>

export const LEASE_MS = 1000

const given = v.parse(optionsSchema, JSON.parse(process.argv[2] ?? ''))
const { address, dataFolder, isBeside, dieAt, stopAt, rows, lacks } = given

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
const catalog = await createCatalog(source, anything, {})
const door = createChangeDoor({ source, catalog: () => catalog, ledger, now, newId })
await source.writing?.allow(true)

const store = await openJobStore(metadata, { isBeside })
if (dieAt?.of === 'node') countSteps({ dieAt: dieAt.step, seen: () => undefined, isArmed: true })
const engine = new LeaseRunner({
  ...{ store, node: String(process.pid), newId, now, later, leaseMs: LEASE_MS, idleMs: 50 },
  settle: ({ id }, number) => settle(id, number),
})
const job = await engine.enqueue({
  ...{ kind: 'count', by: admin, tables: ['crates'], input: null, key: 'the one' },
})
engine.watch(({ state }) => {
  if (!ENDED.some((end) => end === state)) return
  writeSync(1, `${state}\n`)
  process.exit()
})
engine.handle('count', count)
// Another process may have ended it.
if ((await engine.find(job.id))?.state === 'done') process.exit()

/** Adds one to each row: done twice, it holds two. */
async function count(run: JobRun): Promise<null> {
  for (let at = run.progress.done; at < rows; at++)
    await run.write({ checkpoint: null, progress: { done: at + 1, total: rows } }, (step) =>
      at === stopAt ? stopped(() => countUp(at, step)) : countUp(at, step),
    )
  return null
}

const countUp = (at: number, step: EntryStep) =>
  door.save(admin, {
    ...(lacks === 'fence' ? {} : { step }),
    door: 'bulk',
    tables: [
      { table: 'crates', sets: [{ in: [[at]], where: everything, set: { n: { add: 1 } } }] },
    ],
  })

/** Stops just before a write, and tells what became of it once the process is woken. */
async function stopped<T>(write: () => Promise<T>): Promise<T> {
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
