/** Plans over the rows of one table, written at once or as jobs, and taken back, as the admin does it. */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJobStore } from '../src/database/jobs/sql-job-store.ts'
import { openLedger } from '../src/database/ledger/open-ledger.ts'
import { openMetadata } from '../src/database/metadata/metadata.ts'
import { LeaseRunner } from '../src/jobs/lease-runner.ts'
import type { WriteResult } from '../src/protocol/plan-view.ts'
import { DEFAULT_READER } from '../src/server/http/locale.ts'
import { passingKeys } from '../src/server/keys.ts'
import { later } from '../src/server/timer.ts'
import { actorSource } from '../src/table/actor-source.ts'
import { createCatalog } from '../src/table/catalog.ts'
import { createChangeDoor } from '../src/table/changes/door.ts'
import { entryId } from '../src/table/changes/entry-id.ts'
import { runUndo } from '../src/table/history/undo.ts'
import { createUndoJob } from '../src/table/history/undo-job.ts'
import { createJobs } from '../src/table/jobs/jobs.ts'
import type { Asking } from '../src/table/plans/asking.ts'
import { createBulkJob } from '../src/table/plans/bulk-job.ts'
import { sealPlan } from '../src/table/plans/seal.ts'
import { writePlan } from '../src/table/plans/write-plan.ts'
import type { Policy } from '../src/table/source/access.ts'
import { everything } from '../src/table/source/predicate.ts'
import type { Scratch } from './scratch.ts'
import { systemActor } from './system-actor.ts'

const policy: Policy = {
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    return { actions: ['read', 'update'], rows: everything, readable: names, writable: names }
  },
}

/** The history and the jobs are kept beside the data. */
export async function plansOver(scratch: Scratch, table: string, rows: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-bulk-'))
  const source = await scratch.open()
  const now = Date.now
  const newId = () => entryId(now(), randomBytes(10))
  const ledger = await openLedger({
    ...{ source, dataFolder: folder, now, newId, isBeside: true, keptDays: 90 },
    metadata: scratch.address,
  })
  if (!ledger) throw new Error('The source keeps no history.')
  const metadata = await openMetadata(join(folder, 'meta.sqlite'))
  const current = await createCatalog(source, policy, {})
  const catalog = () => current
  const door = createChangeDoor({ source, catalog, ledger, now, newId })
  const store = await openJobStore(scratch.address, { isBeside: true })
  const engine = new LeaseRunner({ ...{ store, node: 'bench', newId, now, later, idleMs: 50 } })
  const kept = { store: metadata.plans, keys: passingKeys(), newId, now, ledger, keptDays: 90 }
  const services = { source, catalog, door, href: (name: string) => `/tables/${name}` }
  const actor = systemActor
  const jobs = createJobs({
    engine,
    kinds: [createBulkJob({ ...services, plans: kept }), createUndoJob({ door, ledger })],
    source: (of) => actorSource(services, of),
  })
  const askingWith = (plans: Asking['plans']): Asking => ({
    ...{ ...services, actor, lineage: '', open: current.open(actor, table), plans },
    ...{ signal: new AbortController().signal, reader: DEFAULT_READER },
    ownSource: actorSource(services, actor),
  })
  const [atOnce, asJob] = [
    askingWith({ ...kept, jobFrom: Infinity }),
    askingWith({ ...kept, jobs, jobFrom: 1 }),
  ]
  const ended = async (id: string): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stop = engine.watch((job) => {
      if (job.id !== id || !job.endedAt) return
      if (job.state === 'done') resolve()
      else reject(new Error(`The job is ${job.state}.`))
    })
    await promise
    stop()
  }
  const sealIn = async (asking: Asking, n: number): Promise<string> => {
    const fields = { n: { how: 'set', text: String(n) } } as const
    const sealed = await sealPlan(asking, everything, { do: 'edit', fields })
    if (sealed.status === 'sealed') return sealed.plan.handle
    throw new Error(JSON.stringify(sealed.errors))
  }
  return {
    /** The first page of the table, as a list reads it. */
    async page(): Promise<void> {
      const { access } = current.open(actor, table)
      const place = { at: 'first' } as const
      await source.page(access, {
        ...{ columns: ['id', 'n', 'note'], where: everything, sort: [], size: 50, place },
      })
    },
    seal: (n: number): Promise<string> => sealIn(atOnce, n),
    async write(handle: string): Promise<string> {
      const result: WriteResult = await writePlan(atOnce, handle, String(rows))
      if (result.status === 'done' && result.entry !== null) return result.entry
      throw new Error(JSON.stringify(result))
    },
    async undo(entry: string): Promise<void> {
      const { status } = await door.apply((await door.undo(actor, entry)).plan)
      if (status !== 'done') throw new Error(`It is ${status}.`)
    },
    sealJob: (n: number): Promise<string> => sealIn(asJob, n),
    /** Returns the job, whose entry has its id. */
    async writeByJob(handle: string): Promise<string> {
      const result = await writePlan(asJob, handle, String(rows))
      if (result.status !== 'started') throw new Error(JSON.stringify(result))
      await ended(result.job)
      return result.job
    },
    async undoByJob(id: string): Promise<void> {
      const undo = { ...services, ledger, jobs, jobFrom: 1, historyHref: '/history' }
      const before = new Set((await jobs.list({ size: 100 })).map((one) => one.id))
      await runUndo(undo, actor, { id, reader: DEFAULT_READER })
      const found = (await jobs.list({ size: 100 })).find((one) => !before.has(one.id))
      if (!found) throw new Error('It is not taken back.')
      if (!found.endedAt) await ended(found.id)
    },
    async close() {
      await engine.close()
      await Promise.all([source.close(), ledger.close(), metadata.close()])
      await rm(folder, { recursive: true })
    },
  }
}
