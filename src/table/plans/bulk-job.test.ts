import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { doorTo } from '../../../test/door-to.ts'
import { openPlans } from '../../../test/plan-services.ts'
import { admin } from '../../../test/table-of.ts'
import type { Json } from '../../protocol/json.ts'
import type { BulkAsk, SealResult } from '../../protocol/plan-view.ts'
import { ALL_SELECTED } from '../../protocol/selection.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { bulkAction, type BulkAction } from '../actions/bulk-action.ts'
import { actorSource } from '../actor-source.ts'
import { createCatalog } from '../catalog.ts'
import type { JobStart } from '../jobs/jobs.ts'
import { createListComponent } from '../list/component.ts'
import { createTotals } from '../list/totals.ts'
import { type JobStep, JobStopped, JobUncertain } from '../source/job-engine.ts'
import { createRecordComponent } from '../record/component.ts'
import type { Policy } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import { createBulkJob } from './bulk-job.ts'

const ROWS = 6000
const anything: Policy = {
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    const actions = ['read', 'create', 'update', 'delete'] as const
    return { actions, rows: everything, readable: names, writable: names }
  },
}

let data: OpenDataFile
let kept: Awaited<ReturnType<typeof openPlans>>
let started: JobStart[] = []

beforeAll(async () => {
  data = await openDataFile(
    'create table orders (id integer primary key, name text not null, stars integer check (stars < 100))',
  )
  await data.source.writing?.allow(true)
})
afterAll(() => data.close())

beforeEach(async () => {
  data.run(`delete from orders;
    with recursive ids (id) as (values (1) union all select id + 1 from ids where id < ${ROWS})
      insert into orders select id, 'Order ' || id, 0 from ids`)
  started = []
  const start = async (_actor: unknown, job: JobStart) => {
    started.push(job)
    return { ...RUNNING, id: 'the-job', kind: job.kind, tables: job.tables, input: job.input }
  }
  kept = await openPlans({ jobs: { start } })
})
afterEach(() => kept.close())

const RUNNING = {
  ...({ by: admin, state: 'waiting', asked: null, progress: { done: 0, total: null } } as const),
  ...{ result: null, checkpoint: null, createdAt: 0, run: null, changedAt: 0, endedAt: null },
}

/** `beforeWrite`: what happens once the rows of a step were looked at; `done` lie behind after it. */
async function open(
  actions: { readonly [name: string]: BulkAction } = {},
  beforeWrite: (done: number) => void = () => undefined,
) {
  const { source } = data
  const definitions = { orders: { actions } }
  const current = await createCatalog(source, anything, { definitions })
  const catalog = () => current
  const href = (table: string) => `/tables/${table}`
  const services = { source, catalog, door: doorTo(source, catalog), plans: kept.plans, href }
  const component = createListComponent({ ...services, totals: createTotals(source) })
  const listAt = (query = '', actor = admin) =>
    testComponent(component, {
      ...{ actor, params: { table: 'orders' }, query: new URLSearchParams(query) },
    })
  const list = await listAt()
  const kind = createBulkJob(services)
  const saved: JobStep[] = []
  let isTakenOver = false
  let controller = new AbortController()
  /** Asks for a pause, which every step that is saved from then on tells of. */
  const pause = () => controller.abort(new JobStopped('pause'))
  /** Runs the job from what was saved last, until it ends, or for some steps. `pauseAt`: as that step is saved. */
  async function run(steps = Infinity, pauseAt?: number): Promise<Json> {
    controller = new AbortController()
    const { signal } = controller
    let left = steps
    const save = async (step: JobStep) => {
      if (isTakenOver) throw new Error('It was taken over.')
      saved.push(step)
      if (saved.length === pauseAt) pause()
      signal.throwIfAborted()
      if (--left <= 0) throw new Error('The process ends.')
    }
    const { checkpoint, progress } = saved.at(-1) ?? {
      checkpoint: null,
      progress: { done: 0, total: null },
    }
    return kind.run(
      {
        ...{ id: 'the-job', by: admin, checkpoint, progress, save },
        ...{ signal, ending: new AbortController().signal },
        async write(step, write) {
          const place = {
            job: 'the-job',
            fence: 1,
            number: saved.length + 1,
            at: 0,
            done: 0,
            total: null,
          }
          beforeWrite(step.progress.done)
          const outcome = await write({ ...place, checkpoint: step.checkpoint })
          if (outcome.status === 'done') await save(step)
          return outcome
        },
      },
      { input: started[0]!.input, actor: admin, source: actorSource(services, admin) },
    )
  }
  const told = () =>
    kind.result?.(
      { result: null, checkpoint: saved.at(-1)?.checkpoint ?? null },
      { locale: 'en-US', language: 'en' },
    )
  const left = () =>
    kind.left?.({ input: started[0]!.input, checkpoint: saved.at(-1)?.checkpoint ?? null })
  const takeOver = () => void (isTakenOver = true)
  return { services, list, listAt, run, pause, saved, told, left, kind, takeOver }
}

const starred: BulkAsk = { do: 'edit', fields: { stars: { how: 'add', text: '1' } } }

async function start({ list }: Awaited<ReturnType<typeof open>>, ask: BulkAsk) {
  const sealed = await list.call.seal(ALL_SELECTED, ask)
  if (sealed.status !== 'sealed') throw new Error(JSON.stringify(sealed.errors))
  const { plan } = sealed
  return { plan, result: await list.call.writePlan(plan.handle, plan.typed) }
}

const counts = () =>
  data
    .rows('select stars, count(*) as n from orders group by 1 order by 1')
    .map(({ stars, n }) => [stars, n])

test('many rows are written by a job, step by step, each once, however often it is begun', async () => {
  const opened = await open()
  const { plan, result } = await start(opened, starred)
  expect(plan).toMatchObject({
    runs: 'job',
    seal: expect.stringContaining('A job writes them in steps.'),
  })
  expect(result).toEqual({ status: 'started', text: expect.any(String), job: 'the-job' })
  expect(await opened.list.call.writePlan(plan.handle, plan.typed)).toEqual(result)
  expect(started).toHaveLength(1)
  expect(started[0]).toMatchObject({
    kind: 'bulk',
    tables: ['orders'],
    key: plan.handle.split('.')[0],
  })
  expect(opened.kind.title?.(started[0]!.input, { locale: 'en-US', language: 'en' })).toBe(
    plan.title,
  )
  await expect(opened.run(1)).rejects.toThrow('The process ends.')
  expect(counts()).toEqual([
    [0, ROWS - 2000],
    [1, 2000],
  ])
  data.run('delete from orders where id in (1, 5000, 5001)')
  data.run(`insert into orders values (9999, 'New', 0)`)
  await opened.run()
  expect(counts()).toEqual([
    [0, 1],
    [1, ROWS - 3],
  ])
  expect(opened.saved.at(-1)).toMatchObject({ progress: { done: ROWS, total: ROWS } })
  expect(opened.told()).toBe('5,998 rows are written. 2 rows no longer match.')
  expect(await opened.list.call.writePlan(plan.handle, plan.typed)).toMatchObject({
    status: 'started',
  })
})

test('rows that the database refuses are told, and the others are written', async () => {
  const opened = await open()
  data.run('update orders set stars = 99 where id in (7, 4321)')
  await start(opened, starred)
  await opened.run()
  expect(counts()).toEqual([
    [1, ROWS - 2],
    [99, 2],
  ])
  expect(opened.told()).toMatch(
    /^5,998 rows are written\. 2 rows: The database does not accept this: Stars\./,
  )
})

test('rows that were not written come back as a selection, by their reasons, from which it is asked again', async () => {
  data.run('delete from orders where id > 400')
  kept = { ...kept, plans: { ...kept.plans, jobFrom: 100 } }
  const opened = await open()
  data.run('update orders set stars = 99 where id in (7, 321)')
  const { plan } = await start(opened, starred)
  // One process dies after it has kept what it left, and before the step is saved.
  await expect(opened.run(1)).rejects.toThrow('The process ends.')
  data.run('delete from orders where id = 350')
  await opened.run()
  const id = plan.handle.split('.')[0] ?? ''
  expect(opened.left()).toEqual({ plan: id, rows: 3 })
  const list = await opened.listAt(`left=${id}`)
  expect(list.view.left).toMatchObject({
    title: `Not changed by “${plan.title}”`,
    reasons: [
      { text: expect.stringContaining('Stars'), count: '2', isShown: false },
      { text: 'No longer matched', count: '1', isShown: false },
    ],
    ...{ allHref: '/tables/orders', wholeHref: null },
    again: { label: `Try again: ${plan.title}`, ask: starred },
  })
  expect(list.data).toMatchObject({ selected: { except: [] }, paginationCurrentItems: [321, 7] })
  const [reason] = list.view.left?.reasons ?? []
  expect(reason?.href).toBe(`/tables/orders?left=${id}.0`)
  const ofOne = await opened.listAt(`left=${id}.0`)
  expect(ofOne.view.left).toMatchObject({
    wholeHref: `/tables/orders?left=${id}`,
    reasons: [{ isShown: true }, { isShown: false }],
  })
  const record = await testComponent(createRecordComponent(opened.services), {
    ...{ actor: admin, params: { table: 'orders', key: '321' } },
    query: new URLSearchParams({ from: `left=${id}` }),
  })
  expect(await record.call.around()).toMatchObject({
    ...{ place: '1 of 2', next: expect.stringContaining('/records/7?') },
  })
  expect(record.view).toMatchObject({ listHref: `/tables/orders?left=${id}` })
  data.run('update orders set stars = 0 where stars = 99')
  const again = await list.call.seal(ALL_SELECTED, list.view.left!.again!.ask)
  expect(again).toMatchObject({ status: 'sealed', plan: { rows: 2 } })
  expect((await opened.listAt(`left=${id}`, { ...admin, id: 'other' })).view).toMatchObject({
    left: { again: null, reasons: [] },
    rows: [],
  })
  expect((await opened.listAt(`left=${id}.9`)).view).toMatchObject({
    left: { title: 'Rows of a change that is no longer kept', reasons: [] },
    rows: [],
  })
  await expect(opened.listAt('left=a b')).rejects.toMatchObject({ code: 'TABLE_BAD_PARAMETER' })
})

test('rows that hold something else than was shown are left with that reason, and the others are written', async () => {
  const opened = await open()
  const { plan } = await start(opened, starred)
  await expect(opened.run(1)).rejects.toThrow('The process ends.')
  // What was written already is not compared any more; of the name, nothing was shown.
  data.run(`update orders set stars = 5 where id in (3, 2001, 5999);
    update orders set name = 'Other' where id = 2002`)
  await opened.run()
  expect(counts()).toEqual([
    [1, ROWS - 3],
    [5, 3],
  ])
  expect(opened.told()).toBe('5,998 rows are written. 2 rows have changed since they were shown.')
  const id = plan.handle.split('.')[0] ?? ''
  expect(opened.left()).toEqual({ plan: id, rows: 2 })
  const list = await opened.listAt(`left=${id}`)
  expect(list.view.left?.reasons).toMatchObject([
    { text: 'Changed since it was shown', count: '2' },
  ])
  expect(list.data).toMatchObject({ paginationCurrentItems: [5999, 2001] })
})

test('a step whose rows are changed while it is written leaves them', async () => {
  let tries = 0
  // Of each step, one row as it is written for the first time, and another one once it was found which.
  const opened = await open({}, (done) =>
    data.run(`update orders set stars = 9 where id = ${done - 1999 + (tries++ % 2)}`),
  )
  const { plan } = await start(opened, starred)
  await opened.run()
  expect(counts()).toEqual([
    [1, ROWS - 6],
    [9, 6],
  ])
  expect(opened.left()).toEqual({ plan: plan.handle.split('.')[0], rows: 6 })
})

test('rows are looked at before they are written only where some of them were others', async () => {
  const opened = await open()
  await start(opened, starred)
  const digests = vi.spyOn(data.source, 'digests')
  onTestFinished(() => digests.mockRestore())
  await expect(opened.run(1)).rejects.toThrow('The process ends.')
  expect(digests).not.toHaveBeenCalled()
  data.run('update orders set stars = 9 where id = 2001')
  await opened.run()
  expect(digests).toHaveBeenCalledTimes(2)
  expect(counts()).toEqual([
    [1, ROWS - 1],
    [9, 1],
  ])
})

test('a run that was taken over keeps none of the rows that the other one has written', async () => {
  const opened = await open({}, () => {
    data.run('update orders set stars = 1')
    opened.takeOver()
  })
  const { plan } = await start(opened, starred)
  await expect(opened.run()).rejects.toThrow('taken over')
  expect(await kept.plans.store.left(plan.handle.split('.')[0] ?? '')).toEqual([])
})

test('rows are not deleted that are called or shown otherwise by then', async () => {
  const opened = await open()
  await start(opened, { do: 'delete' })
  data.run(
    `update orders set stars = 5 where id = 3; update orders set name = 'Other' where id = 4`,
  )
  await opened.run()
  expect(data.rows('select id from orders')).toEqual([{ id: 3 }, { id: 4 }])
  expect(opened.told()).toContain(' 2 rows have changed since they were shown.')
})

test('nothing begins where other rows match than were confirmed', async () => {
  const opened = await open()
  const sealed = await opened.list.call.seal(ALL_SELECTED, starred)
  if (sealed.status !== 'sealed') throw new Error('It is sealed.')
  data.run(`insert into orders values (9999, 'New', 0)`)
  const { handle, typed } = sealed.plan
  expect(await opened.list.call.writePlan(handle, typed)).toMatchObject({
    ...{ status: 'changed', came: { count: '1' }, went: { count: '0' } },
  })
  expect(started).toEqual([])
})

test('an action of the table’s own is given each row once, or nobody knows', async () => {
  const seen = new Set<unknown>()
  const mark = bulkAction({
    label: 'Mark',
    run({ keys }) {
      for (const [id] of keys) {
        if (seen.has(id)) throw new Error(`${String(id)} comes twice.`)
        seen.add(id)
      }
    },
  })
  const opened = await open({ mark })
  await start(opened, { do: 'own', name: 'mark', texts: {} })
  // It has been told what it is given, and what became of it: the first step, and the beginning of the second.
  await expect(opened.run(3)).rejects.toThrow('The process ends.')
  expect(seen.size).toBe(2000)
  await expect(opened.run()).rejects.toThrow(JobUncertain)
  const again = await open({ mark: { ...mark, repeatable: true } })
  again.saved.push(opened.saved[1]!)
  await again.run()
  expect(seen.size).toBe(ROWS)
  expect(again.told()).toBe('6,000 rows are done.')
})

test('an action of the table’s own that is paused goes on where it was', async () => {
  const given: unknown[] = []
  let whileGiven: (signal: AbortSignal) => void = () => undefined
  const mark = bulkAction({
    label: 'Mark',
    run({ keys, signal }) {
      whileGiven(signal)
      given.push(...keys.flat())
    },
  })
  const opened = await open({ mark })
  await start(opened, { do: 'own', name: 'mark', texts: {} })
  // As what it is to be given is saved: it has not begun.
  await expect(opened.run(Infinity, 1)).rejects.toThrow(JobStopped)
  expect(given).toEqual([])
  whileGiven = (signal) => {
    opened.pause()
    expect(signal.aborted).toBe(false)
  }
  // While it works on these rows: it comes back from them first.
  await expect(opened.run()).rejects.toThrow(JobStopped)
  expect(given).toHaveLength(2000)
  whileGiven = () => undefined
  await opened.run()
  expect(given).toHaveLength(ROWS)
  expect(new Set(given).size).toBe(ROWS)
  expect(opened.told()).toBe('6,000 rows are done.')
})

test('an action of the table’s own is given no row that is called otherwise by then', async () => {
  const given: unknown[] = []
  const mark = bulkAction({ label: 'Mark', run: ({ keys }) => void given.push(...keys.flat()) })
  const opened = await open({ mark })
  const ask: BulkAsk = { do: 'own', name: 'mark', texts: {} }
  const sealed = await opened.list.call.seal(['1', '2', '3'], ask)
  await start(opened, ask)
  data.run(`update orders set name = 'Other' where id in (2, 5000); update orders set stars = 5`)
  expect(await opened.list.call.writePlan(handleOf(sealed), null)).toMatchObject({
    status: 'done',
    text: 'Mark: done in 2 rows. 1 row has changed since it was shown.',
    left: { text: 'Show the 1 row that was not changed' },
  })
  expect(given.splice(0)).toEqual([1, 3])
  await opened.run()
  expect(given).toHaveLength(ROWS - 2)
  expect(opened.told()).toContain(' 2 rows have changed since they were shown.')
})

const handleOf = (sealed: SealResult): string =>
  sealed.status === 'sealed' ? sealed.plan.handle : ''
