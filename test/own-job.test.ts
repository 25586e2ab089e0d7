/** An action of a table's own as a job: how far it says that it is, who ends it, and what is not known then. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openJobStore } from '../src/database/jobs/sql-job-store.ts'
import { LeaseRunner } from '../src/jobs/lease-runner.ts'
import { testComponent } from '../src/server/component/test-component.ts'
import type { Actor } from '../src/server/actor.ts'
import { bulkAction, type BulkAction } from '../src/table/actions/bulk-action.ts'
import { actorSource } from '../src/table/actor-source.ts'
import { createCatalog } from '../src/table/catalog.ts'
import { entryId } from '../src/table/changes/entry-id.ts'
import { createJobsComponent } from '../src/table/jobs/component.ts'
import { createJobs } from '../src/table/jobs/jobs.ts'
import { createListComponent } from '../src/table/list/component.ts'
import { createTotals } from '../src/table/list/totals.ts'
import { createBulkJob } from '../src/table/plans/bulk-job.ts'
import type { Policy } from '../src/table/source/access.ts'
import type { JobStore } from '../src/table/source/job-store.ts'
import { everything } from '../src/table/source/predicate.ts'
import { type OpenDataFile, openDataFile } from './data-file.ts'
import { doorTo } from './door-to.ts'
import { openPlans } from './plan-services.ts'
import { admin } from './table-of.ts'

const ana: Actor = { id: 'Ana', name: 'Ana', email: 'ana@example.org', role: 'editor' }
const bo: Actor = { ...ana, id: 'Bo', name: 'Bo' }
const policy: Policy = {
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    return { actions: ['read', 'update'], rows: everything, readable: names, writable: names }
  },
}
const ROWS = ['1', '2', '3', '4']
const WAIT = { timeout: 30_000 }

let data: OpenDataFile
beforeAll(async () => {
  data = await openDataFile(`create table orders (id integer primary key, name text);
    insert into orders values (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')`)
  await data.source.writing?.allow(true)
})
afterAll(() => data.close())

const later = (task: () => void, delayMs: number) => {
  const timer = setTimeout(task, delayMs)
  return () => clearTimeout(timer)
}

/** `kept`: where the jobs are kept. */
async function open(action: BulkAction, kept = (store: JobStore) => store) {
  const { source } = data
  const definitions = { orders: { actions: { action } } }
  const catalog = await createCatalog(source, policy, { definitions })
  const { plans, close } = await openPlans()
  const newId = () => entryId(Date.now(), randomBytes(10))
  const file = join(data.folder, `${newId()}.sqlite`)
  const services = {
    ...{ source, catalog: () => catalog, door: doorTo(source, () => catalog) },
    href: (table: string) => `/tables/${table}`,
  }
  /** Each runs the jobs that the one before has left. */
  async function begin() {
    const engine = new LeaseRunner({
      ...{ store: kept(await openJobStore(file)), node: newId() },
      ...{ newId, now: Date.now, later, idleMs: 20 },
    })
    const kinds = [createBulkJob({ ...services, plans })]
    const jobs = createJobs({ engine, kinds, source: (actor) => actorSource(services, actor) })
    return { engine, jobs }
  }
  const first = await begin()
  const engines = [first.engine]
  onTestFinished(async () => {
    for (const engine of engines) await engine.close()
    await close()
  })
  const list = await testComponent(
    createListComponent({
      ...{ ...services, plans: { ...plans, jobs: first.jobs }, totals: createTotals(source) },
    }),
    { actor: ana, params: { table: 'orders' } },
  )
  const sealed = await list.call.seal(ROWS, { do: 'own', name: 'action', texts: {} })
  if (sealed.status !== 'sealed') throw new Error(JSON.stringify(sealed.errors))
  const started = await list.call.writePlan(sealed.plan.handle, null)
  if (started.status !== 'started') throw new Error(JSON.stringify(started))
  let { jobs } = first
  const seenBy = async (actor: Actor) => {
    const component = createJobsComponent({
      ...{ ...services, jobs, isLive: true, now: Date.now },
    })
    return testComponent(component, { actor, params: { table: 'orders' } })
  }
  const told = async () => (await seenBy(ana)).view.jobs[0]
  return {
    ...{ seenBy, told, id: started.job },
    async restart() {
      await first.engine.close()
      const next = await begin()
      engines[0] = next.engine
      jobs = next.jobs
    },
  }
}

/** Reports three of its four rows again and again, and waits until it is ended. */
function lasting(repeatable = false) {
  const reached = Promise.withResolvers<void>()
  const calls: number[] = []
  const action = bulkAction({
    ...{ label: 'Send', asJob: true, repeatable },
    async run({ keys, signal, progress }) {
      calls.push(keys.length)
      const tells = setInterval(() => progress(75, 100), 10)
      reached.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      clearInterval(tells)
      signal.throwIfAborted()
    },
  })
  return { action, calls, reached: reached.promise }
}

const UNKNOWN = 'It has ended early: what became of 4 rows is not known.'

test('few rows are a job, too, where it asks for one, which shows what it reports', async () => {
  const { action, reached } = lasting()
  const { told } = await open(action)
  await reached
  await expect.poll(told, WAIT).toMatchObject({
    ...{ state: 'running', done: 3, total: 4, doneText: '3', totalText: 'of 4', mayCancel: true },
  })
})

test('it is cancelled by who has started it and by administrators, by nobody else', async () => {
  for (const actor of [ana, admin]) {
    const { action, reached, calls } = lasting()
    const { seenBy, told, id } = await open(action)
    await reached
    const other = await seenBy(bo)
    expect(other.view.jobs).toMatchObject([{ mayPause: false, mayCancel: false }])
    await expect(other.call.cancelJob(id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await (await seenBy(actor)).call.cancelJob(id)).toMatchObject({ isDone: true })
    await expect.poll(told, WAIT).toMatchObject({
      ...{ state: 'cancelled', result: `Cancelled. 0 rows are done. ${UNKNOWN}` },
    })
    expect(calls).toEqual([4])
  }
})

test('where it is to pause, it is still cancelled, and ends where the server shuts down', async () => {
  const cancelled = lasting()
  const { seenBy, told, id } = await open(cancelled.action)
  await cancelled.reached
  const { call } = await seenBy(ana)
  await call.pauseJob(id)
  await call.cancelJob(id)
  await expect.poll(told, WAIT).toMatchObject({ state: 'cancelled' })
  const shut = lasting()
  const other = await open(shut.action)
  await shut.reached
  await (await other.seenBy(ana)).call.pauseJob(other.id)
  await other.restart()
  await expect.poll(other.told, WAIT).toMatchObject({ state: 'paused' })
  expect(shut.calls).toEqual([4])
})

test('where the server shuts down, it is not given its rows again, unless it may be', async () => {
  const once = lasting()
  const opened = await open(once.action)
  await once.reached
  await opened.restart()
  await expect.poll(opened.told, WAIT).toMatchObject({
    ...{ state: 'uncertain', result: expect.stringContaining(UNKNOWN) },
  })
  expect(once.calls).toEqual([4])
  const twice = lasting(true)
  const reopened = await open(twice.action)
  await twice.reached
  await reopened.restart()
  await expect.poll(() => twice.calls, WAIT).toEqual([4, 4])
})

test('where it fails, what is not known is told beside the failure', async () => {
  const action = bulkAction({
    label: 'Send',
    asJob: true,
    per: 'row',
    async run({ key }) {
      if (key[0] === 3) throw new Error('The line is dead.')
    },
  })
  const { told } = await open(action)
  await expect.poll(told, WAIT).toMatchObject({
    state: 'failed',
    result: expect.stringMatching(
      /^Stopped: .+ 2 rows are done\. It has ended early: what became of 1 row is not known\.$/,
    ),
  })
})

test('what was done is told where the database has kept what it reported, and its answer was lost', async () => {
  let isLost = false
  const losing = (store: JobStore): JobStore => {
    const save = store.save.bind(store)
    store.save = async (hold, step) => {
      const state = await save(hold, step)
      if (step.progress.done !== 3) return state
      isLost = true
      throw new Error('The connection was lost.')
    }
    return store
  }
  const action = bulkAction({
    ...{ label: 'Send', asJob: true },
    async run({ progress }) {
      await vi.waitUntil(() => {
        progress(75, 100)
        return isLost
      }, WAIT)
    },
  })
  const { told } = await open(action, losing)
  await expect.poll(told, WAIT).toMatchObject({ state: 'done', result: '4 rows are done.' })
})
