/** Jobs in an admin: who starts them, who sees and steers them, and what becomes of them when it is closed. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Admin, AdminOptions } from '../src/admin/compose/admin-options.ts'
import { createAdmin } from '../src/admin/compose/create-admin.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import type { Actor } from '../src/server/actor.ts'
import { sourceServices } from '../src/table/actor-source.ts'
import { createJobsComponent } from '../src/table/jobs/component.ts'
import { defineJob } from '../src/table/jobs/job-kind.ts'
import { hasEnded } from '../src/table/jobs/draw-job.ts'
import type { Policy } from '../src/table/source/access.ts'
import type { RowSource } from '../src/table/source/row-source.ts'
import { everything } from '../src/table/source/predicate.ts'
import { testComponent } from '../src/server/component/test-component.ts'
import { HOST_SIGN_IN } from './embedding/guest.ts'

const person = (id: string, role = 'editor'): Actor => ({
  ...{ id, role, name: id, email: `${id}@example.org` },
})
const [ana, bo, cleo] = [person('Ana'), person('Bo', 'viewer'), person('Cleo', 'admin')]
/** Sees some rows of the parts, and no other table. */
const dan = person('Dan', 'viewer')

const policy: Policy = {
  version: '1',
  grant({ id }, { name, columns }) {
    const names = columns.map((column) => column.name)
    return {
      actions: name === 'secrets' && id === dan.id ? [] : ['read', 'create', 'update', 'delete'],
      rows: id === dan.id ? { op: 'eq', column: 'id', value: 1 } : everything,
      ...{ readable: names, writable: names },
    }
  },
}

/** Adds one to each part, one in each step, and waits before the second until it is let go on. */
function countUp() {
  const reached = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  const kind = defineJob({
    name: 'count-up',
    label: () => 'Counting',
    title: () => 'Count up Parts',
    result: ({ result }) => (result === null ? null : `${JSON.stringify(result)} counted.`),
    async run(run, { actor, source }) {
      for (let at = run.progress.done; at < 3; at++) {
        if (at === 1) {
          reached.resolve()
          await goes.promise
        }
        await run.write({ checkpoint: at, progress: { done: at + 1, total: 3 } }, (step) =>
          source.table('parts').change({
            sets: [{ in: [[at + 1]], where: everything, set: { n: { add: 1 } } }],
            step,
          }),
        )
      }
      return actor.id
    },
  })
  return { kind, reached: reached.promise, go: () => goes.resolve() }
}

const sources = new WeakMap<Admin, RowSource>()

async function open(options: Partial<AdminOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-jobs-'))
  const file = join(folder, 'parts.sqlite')
  const db = new DatabaseSync(file)
  db.exec(`create table parts (id integer primary key, n integer);
    create table secrets (id integer primary key);
    insert into parts values (1, 0), (2, 0), (3, 0)`)
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  const admins: Admin[] = []
  onTestFinished(async () => {
    for (const admin of admins) await admin.close()
  })
  return {
    counts: () =>
      db
        .prepare('select n from parts')
        .all()
        .map(({ n }) => n),
    async start(more: Partial<AdminOptions> = {}): Promise<Admin> {
      const source = await openSqlite(file)
      const dataFolder = join(folder, 'data')
      const admin = await createAdmin({
        ...{ source, dataFolder, auth: HOST_SIGN_IN, write: true, policy, ...options, ...more },
      })
      admins.push(admin)
      sources.set(admin, source)
      return admin
    },
    closed: (admin: Admin) => {
      admins.splice(admins.indexOf(admin), 1)
      return admin.close()
    },
  }
}

const start = (admin: Admin, tables = ['parts']) =>
  admin.jobs.start(ana, { kind: 'count-up', tables, input: 'parts', key: crypto.randomUUID() })

/** However busy the machine is. */
const WAIT = { timeout: 30_000 }
const ended = (admin: Admin, id: string) =>
  vi.waitUntil(async () => {
    const job = await admin.jobs.find(id)
    return job && hasEnded(job) ? job : false
  }, WAIT)

/** The component, as somebody sees it. */
async function seen(admin: Admin, actor: Actor, table: string | null = 'parts', now = Date.now) {
  const jobs = createJobsComponent({
    ...{ jobs: admin.jobs, catalog: admin.catalog, isLive: true, now },
    href: (table) => `/tables/${table}`,
  })
  const services = await sourceServices(sources.get(admin)!)
  return testComponent(jobs, { actor, params: { table }, services })
}

describe('a job', () => {
  test('writes each row once, with the rights of who started it, and is one entry of the history', async () => {
    const { kind, go } = countUp()
    const place = await open({ jobs: [kind] })
    const admin = await place.start()
    go()
    const { id } = await start(admin)
    expect(await ended(admin, id)).toMatchObject({ state: 'done', result: 'Ana' })
    expect(place.counts()).toEqual([1, 1, 1])
    const { view } = await seen(admin, ana)
    expect(view.jobs).toMatchObject([{ state: 'done', result: '"Ana" counted.' }])
  })

  test('of a node that is closed is finished by the next one, from its last step', async () => {
    const first = countUp()
    const place = await open()
    const admin = await place.start({ jobs: [first.kind] })
    const { id } = await start(admin)
    await first.reached
    const closed = place.closed(admin)
    first.go()
    await closed
    // The step under way was finished.
    expect(place.counts()).toEqual([1, 1, 0])
    const next = countUp()
    next.go()
    const other = await place.start({ jobs: [next.kind] })
    expect(await ended(other, id)).toMatchObject({ state: 'done' })
    expect(place.counts()).toEqual([1, 1, 1])
  })

  test('of a kind that nobody has declared is not started', async () => {
    const admin = await (await open()).start()
    await expect(start(admin)).rejects.toThrow('count-up')
  })

  test('is not started by an administrator who sees the admin as a role does', async () => {
    const admin = await (await open({ jobs: [countUp().kind] })).start()
    const job = { kind: 'count-up', tables: [], input: null, key: 'k' }
    await expect(admin.jobs.start({ ...cleo, isLooking: true }, job)).rejects.toMatchObject({
      code: 'ONLY_LOOKING',
    })
  })
})

describe('the region of jobs', () => {
  test('leads who started a job to the rows that it left, for an hour', async () => {
    const { kind, go } = countUp()
    let rows = 2
    const left = () => ({ plan: 'p1', rows })
    const admin = await (await open({ jobs: [{ ...kind, left }] })).start()
    go()
    await ended(admin, (await start(admin)).id)
    const toldTo = async (actor: Actor, minutes = 0) => {
      const now = () => Date.now() + minutes * 60_000
      return (await seen(admin, actor, 'parts', now)).view.jobs.map((job) => job.left)
    }
    const link = { text: 'Show the 2 rows that were not changed', href: '/tables/parts?left=p1' }
    expect([await toldTo(ana), await toldTo(bo)]).toEqual([[link], []])
    expect([await toldTo(ana, 50), await toldTo(ana, 61)]).toEqual([[link], []])
    rows = 0
    expect([await toldTo(ana), await toldTo(ana, 50)]).toEqual([[null], []])
  })

  async function running() {
    const { kind, reached, go } = countUp()
    const place = await open({ jobs: [kind] })
    const admin = await place.start()
    onTestFinished(go)
    const { id } = await start(admin)
    await reached
    return { admin, id, go, place }
  }

  test('tells everybody who may see the table how far it is, and its title to who started it', async () => {
    const { admin } = await running()
    const own = await seen(admin, ana)
    expect(own.view.jobs).toMatchObject([
      {
        ...{ title: 'Count up Parts', about: 'by you', state: 'running' },
        ...{ done: 1, total: 3, doneText: '1', totalText: 'of 3' },
        ...{ mayPause: true, mayResume: false, mayCancel: true, result: null },
      },
    ])
    const others = await seen(admin, bo)
    expect(others.view.jobs).toMatchObject([
      { title: 'Counting', about: 'Parts, by Ana', done: 1, mayPause: false, mayCancel: false },
    ])
    expect((await seen(admin, bo, null)).view.jobs).toHaveLength(1)
    expect((await seen(admin, bo, 'secrets')).view.jobs).toEqual([])
  })

  test('tells no numbers of rows that its reader may not see, and nothing of tables', async () => {
    const { admin, go } = await running()
    const [job] = (await seen(admin, dan)).view.jobs
    expect(job).toMatchObject({
      done: 0,
      total: null,
      doneText: '',
      totalText: '',
      pace: 'Running',
    })
    go()
    const { id } = await start(admin, ['parts', 'secrets'])
    await vi.waitUntil(async () => (await admin.jobs.find(id)) !== undefined)
    expect((await seen(admin, dan)).view.jobs.map((one) => one.id)).not.toContain(id)
    const steered = (await seen(admin, dan)).call.cancelJob(id)
    await expect(steered).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is steered by who started the job, and by administrators', async () => {
    const { admin, id, go } = await running()
    for (const other of [bo, { ...cleo, isLooking: true as const }])
      await expect((await seen(admin, other)).call.cancelJob(id)).rejects.toThrow()
    const own = await seen(admin, ana)
    expect(await own.call.pauseJob(id)).toMatchObject({ isDone: true })
    expect((await seen(admin, ana)).view.jobs).toMatchObject([
      { pace: 'Pausing after this step', mayPause: false, mayResume: true },
    ])
    go()
    await vi.waitUntil(async () => (await admin.jobs.find(id))?.state === 'paused')
    const paused = await seen(admin, cleo)
    expect(paused.view.jobs).toMatchObject([{ pace: 'Paused', mayResume: true, mayCancel: true }])
    expect(await paused.call.cancelJob(id)).toMatchObject({ isDone: true })
    expect(await paused.call.resumeJob(id)).toMatchObject({ isDone: false })
    expect((await seen(admin, ana)).view.jobs).toMatchObject([
      { state: 'cancelled', result: 'Cancelled. What was done until then stays.' },
    ])
  })
})
