import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openJobStore } from '../../src/database/jobs/sql-job-store.ts'
import { LeaseRunner } from '../../src/jobs/lease-runner.ts'
import type { BulkAsk, PlanView } from '../../src/protocol/plan-view.ts'
import { ALL_SELECTED, type Selected, selectedIn } from '../../src/protocol/selection.ts'
import { AppError } from '../../src/server/app-error.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import { later } from '../../src/server/timer.ts'
import { actorSource } from '../../src/table/actor-source.ts'
import { entryId } from '../../src/table/changes/entry-id.ts'
import { planUndo, runUndo } from '../../src/table/history/undo.ts'
import { createUndoJob } from '../../src/table/history/undo-job.ts'
import { createJobs } from '../../src/table/jobs/jobs.ts'
import { createListComponent } from '../../src/table/list/component.ts'
import { createTotals } from '../../src/table/list/totals.ts'
import type { PlanServices } from '../../src/table/plans/asking.ts'
import { createBulkJob } from '../../src/table/plans/bulk-job.ts'
import type { PlanStore } from '../../src/table/plans/plan-store.ts'
import { openPlans } from '../plan-services.ts'
import { type Chance, chanceOf } from '../simulator/chance.ts'
import { PLANNED_ROUNDS, SEED } from '../tier.ts'
import { admin } from '../table-of.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { HISTORIES, openChanges } from './opened-changes.ts'

const ROWS = 40

/** A list of crates, of which every second one is full. */
async function open(place: MetadataPlace, isBeside = false) {
  for (const table of ['stamps', 'crates']) await place.run(`drop table if exists ${table}`)
  await place.run(
    'create table crates (id int primary key, label varchar(20) not null, room int, fill decimal(8,2))',
  )
  await place.run(`create table stamps (id int primary key, crate int not null,
    foreign key (crate) references crates (id) on delete cascade)`)
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `(${i + 1}, 'crate ${i + 1}', ${i % 2}, ${i}.25)`,
  )
  await place.run(`insert into crates values ${rows.join(', ')}`)
  await place.run('insert into stamps values (1, 1), (2, 1), (3, 2)')
  // By its values alone, it would be yes or no.
  const definitions = { crates: { columns: { room: { kind: 'number' } } } } as const
  const changes = await openChanges(place, { isBeside, definitions })
  const { source, catalog, door, ledger } = changes
  let passed = 0
  const kept = await openPlans({ ledger, keptDays: 90, now: () => Date.now() + passed })
  onTestFinished(() => kept.close())
  const list = (query = '', plans: PlanServices = kept.plans) => {
    const component = createListComponent({
      ...{ source, catalog: () => catalog, door, plans, totals: createTotals(source) },
      href: (table) => `/tables/${table}`,
    })
    return testComponent(component, {
      ...{ actor: admin, params: { table: 'crates' }, query: new URLSearchParams(query) },
    })
  }
  return { ...changes, list, plans: kept.plans, pass: (ms: number) => void (passed += ms) }
}

type List = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['list']>>

async function seal(list: List, selected: Selected, ask: BulkAsk): Promise<PlanView> {
  const sealed = await list.call.seal(selected, ask)
  if (sealed.status === 'sealed') return sealed.plan
  throw new Error(JSON.stringify(sealed.errors))
}

const relabel: BulkAsk = { do: 'edit', fields: { label: { how: 'set', text: 'done' } } }

/** The ids of the crates that are done. */
const done = async (place: MetadataPlace): Promise<number[]> =>
  (await place.run(`select id from crates where label = 'done' order by id`)).map(([id]) =>
    Number(id),
  )

describeMetadata('a plan', (place) => {
  test.each(HISTORIES)(
    '%s: its rows are written as one change, which can be taken back',
    async (_, isBeside) => {
      const { list, ledger, door } = await open(place(), isBeside)
      const before = await place().run('select * from crates order by id')
      const full = await list('filter.room.min=1')
      const plan = await seal(full, { except: ['4'] }, relabel)
      expect(plan.rows).toBe(ROWS / 2 - 1)
      const result = await full.call.writePlan(plan.handle, null)
      expect(result).toMatchObject({ status: 'done', entry: expect.any(String) })
      expect(await done(place())).toEqual(
        Array.from({ length: ROWS / 2 }, (_, i) => 2 * i + 2).filter((id) => id !== 4),
      )
      const id = (result.status === 'done' && result.entry) || ''
      await expect.poll(async () => (await ledger.find(id))?.state).toBe('done')
      expect(await ledger.find(id)).toMatchObject({
        ...{ door: 'bulk', tables: [{ table: 'crates', updated: ROWS / 2 - 1 }] },
      })
      const { plan: back, left } = await door.undo(admin, id)
      expect(left).toEqual([])
      expect(await door.apply(back)).toMatchObject({ status: 'done' })
      expect(await place().run('select * from crates order by id')).toEqual(before)
    },
  )

  test('works values out as the database does', async () => {
    const { list } = await open(place())
    const all = await list()
    const fields = {
      fill: { how: 'multiply', text: '1.1' },
      room: { how: 'add', text: '-1' },
    } as const
    const plan = await seal(all, ['2', '3'], { do: 'edit', fields })
    const shown = plan.sample.map(({ changes }) => changes.map(({ after }) => after))
    await all.call.writePlan(plan.handle, null)
    const stored = await place().run('select fill, room from crates where id in (2, 3) order by id')
    expect(stored.map((row) => row.map(Number))).toEqual(shown.map((row) => row.map(Number)))
  })

  test('deletes, and counts what goes along', async () => {
    const { list } = await open(place())
    const all = await list()
    const plan = await seal(all, ['1', '2', '3'], { do: 'delete' })
    expect(plan.hanging.map(({ text }) => text)).toEqual(['3 rows of Stamps are deleted as well.'])
    expect(await all.call.writePlan(plan.handle, null)).toMatchObject({ status: 'done', rows: 3 })
    expect(Number((await place().run('select count(*) from stamps'))[0]?.[0])).toBe(0)
    expect(Number((await place().run('select count(*) from crates'))[0]?.[0])).toBe(ROWS - 3)
  })

  test('that is tried leaves nothing, and is written as it was tried', async () => {
    const { list, ledger, source } = await open(place())
    const all = await list()
    const plan = await seal(all, ['1', '2', '3'], { do: 'delete' })
    const before = await place().run('select * from crates order by id')
    const [version, entries] = [await source.dataVersion(), await ledger.list({ size: 100 })]
    expect(await all.call.tryPlan(plan.handle)).toMatchObject({
      status: 'tried',
      tables: [
        { text: 'Deleted from Crates', count: '3' },
        { text: 'Deleted from Stamps', count: '3' },
      ],
    })
    expect(await place().run('select * from crates order by id')).toEqual(before)
    expect(await ledger.list({ size: 100 })).toEqual(entries)
    if (place().engine === 'sqlite') expect(await source.dataVersion()).toBe(version)
    const written = await all.call.writePlan(plan.handle, null)
    const id = (written.status === 'done' && written.entry) || ''
    expect(await ledger.find(id)).toMatchObject({
      tables: [
        { table: 'crates', deleted: 3 },
        { table: 'stamps', deleted: 3 },
      ],
    })
  })

  test('that the database would refuse is refused when it is tried', async () => {
    const { list } = await open(place())
    await place().run('create unique index one_label on crates (label)')
    const all = await list()
    const plan = await seal(all, ['1', '2'], relabel)
    const refused = { status: 'refused', text: expect.stringContaining('Nothing was written.') }
    expect(await all.call.tryPlan(plan.handle)).toMatchObject(refused)
    expect(await all.call.writePlan(plan.handle, null)).toMatchObject(refused)
    expect(await done(place())).toEqual([])
  })

  test('writes nothing where others match, and names them', async () => {
    const { list } = await open(place())
    const full = await list('filter.room.min=1')
    const plan = await seal(full, ALL_SELECTED, relabel)
    await place().run('update crates set room = 1 - room where id in (1, 2)')
    expect(await full.call.writePlan(plan.handle, null)).toMatchObject({
      status: 'changed',
      came: { count: '1', rows: [{ key: '1', label: 'crate 1' }] },
      went: { count: '1', rows: [{ key: '2', label: 'crate 2' }] },
    })
    expect(await done(place())).toEqual([])
  })

  test('is written once, however many ask at once', async () => {
    const { list } = await open(place())
    const all = await list()
    const more: BulkAsk = { do: 'edit', fields: { room: { how: 'add', text: '1' } } }
    const plan = await seal(all, ['1', '2'], more)
    const sessions = await Promise.all([list(), list(), list()])
    const results = await Promise.allSettled(
      sessions.map(({ call }) => call.writePlan(plan.handle, null)),
    )
    expect(results.some((one) => one.status === 'fulfilled' && one.value.status === 'done')).toBe(
      true,
    )
    expect(await all.call.writePlan(plan.handle, null)).toMatchObject({ status: 'done' })
    const stored = await place().run('select room from crates where id in (1, 2) order by id')
    expect(stored.map(([room]) => Number(room))).toEqual([1, 2])
  })

  test('that a process wrote before it died is known to be written, and else is written yet', async () => {
    const { list, plans, pass } = await open(place())
    const all = await list()
    const more: BulkAsk = { do: 'edit', fields: { room: { how: 'add', text: '1' } } }
    const [first, second] = [await seal(all, ['1', '2'], more), await seal(all, ['3'], more)]
    const { store } = plans
    const dying = await list('', { ...plans, store: withoutEnd(store) })
    await expect(dying.call.writePlan(first.handle, null)).rejects.toThrow()
    await store.claim(idOf(second), admin)
    await expect(all.call.writePlan(first.handle, null)).rejects.toMatchObject({ code: 'BUSY' })
    pass(4 * 60_000)
    await expect(all.call.writePlan(second.handle, null)).rejects.toMatchObject({ code: 'BUSY' })
    pass(2 * 60_000)
    for (const { handle } of [first, second])
      expect(await all.call.writePlan(handle, null)).toMatchObject({ status: 'done' })
    const stored = await place().run('select room from crates where id < 4 order by id')
    expect(stored.map(([room]) => Number(room))).toEqual([1, 2, 1])
  })

  test('whose keys go while they are read writes nothing', async () => {
    const { list, plans } = await open(place())
    const plan = await seal(await list(), ['1', '2'], relabel)
    const { store } = plans
    const going = await list('', { ...plans, store: { ...withoutEnd(store), chunks: firstKeys } })
    async function* firstKeys(id: string) {
      for await (const keys of store.chunks(id)) yield keys.slice(0, 1)
    }
    expect(await going.call.tryPlan(plan.handle)).toMatchObject({ status: 'refused' })
    await expect(going.call.writePlan(plan.handle, null)).rejects.toThrow()
    expect(await done(place())).toEqual([])
  })

  test('of many rows is written by a job, stands as one change, and is taken back by another', async () => {
    const many = 300
    const { list, ledger, plans, source, catalog, door } = await open(place(), true)
    const values = Array.from({ length: many }, (_, i) => `(${i + 1000}, 'more', 2, 0)`)
    await place().run(`insert into crates values ${values.join(', ')}`)
    const before = await place().run('select * from crates order by id')
    const newId = () => entryId(Date.now(), randomBytes(10))
    const engine = new LeaseRunner({
      ...{ store: await openJobStore(place().address), node: newId(), now: Date.now, newId, later },
    })
    onTestFinished(() => engine.close())
    const services = { source, catalog: () => catalog, door }
    const jobs = createJobs({
      engine,
      kinds: [
        createBulkJob({ ...services, plans, href: (table) => `/tables/${table}` }),
        createUndoJob({ door, ledger }),
      ],
      source: (actor) => actorSource(services, actor),
    })
    const more = await list('filter.room.min=2', { ...plans, jobs, jobFrom: 100 })
    const plan = await seal(more, ALL_SELECTED, relabel)
    const started = await more.call.writePlan(plan.handle, plan.typed)
    const job = started.status === 'started' ? started.job : ''
    const stateOf = async (id: string) => (await jobs.find(id))?.state
    await expect.poll(() => stateOf(job), { timeout: 60_000 }).toBe('done')
    expect(await done(place())).toHaveLength(many)
    const entry = await ledger.find(job)
    expect(entry).toMatchObject({ state: 'done', tables: [{ table: 'crates', updated: many }] })
    const undo = {
      ...{ ...services, ledger, jobs, jobFrom: many, historyHref: '/history' },
      href: (table: string) => `/tables/${table}`,
    }
    const asked = { id: job, reader: { locale: 'en-US', language: 'en' } }
    expect(await planUndo(undo, admin, asked)).toMatchObject({
      ...{ title: 'Undo: Changed 300 rows of Crates.', confirm: 'Undo by a job', left: [] },
    })
    expect(await runUndo(undo, admin, asked)).toMatchObject({ status: 'done', entry: null })
    const undone = (await jobs.list({ size: 10 })).find(({ kind }) => kind === 'undo')?.id ?? ''
    await expect.poll(() => stateOf(undone), { timeout: 60_000 }).toBe('done')
    expect(await place().run('select * from crates order by id')).toEqual(before)
    expect((await ledger.find(job))?.undoneBy).toEqual([undone])
  })

  test(
    'writes what was confirmed, whatever others write meanwhile',
    { timeout: 3_600_000 },
    async () => {
      const opened = await open(place())
      const chance = chanceOf(SEED)
      const told = { done: 0, changed: 0 }
      for (let round = 0; round < PLANNED_ROUNDS; round++) {
        const { status, faults } = await interfere(place(), opened, `r${round}`, chance)
        expect({ round, faults }).toEqual({ round, faults: [] })
        told[status]++
      }
      expect(told.done).toBeGreaterThan(0)
      expect(told.changed).toBeGreaterThan(0)
    },
  )
})

const idOf = ({ handle }: PlanView): string => handle.split('.')[0] ?? ''

/** The store of a process that cannot say any more what became of a plan that it has written. */
const withoutEnd = (store: PlanStore): PlanStore => ({
  addChunk: (...given) => store.addChunk(...given),
  add: (...given) => store.add(...given),
  find: (id) => store.find(id),
  keepLeft: (...given) => store.keepLeft(...given),
  dropLeft: (...given) => store.dropLeft(...given),
  left: (id) => store.left(id),
  chunks: (id) => store.chunks(id),
  claim: (...given) => store.claim(...given),
  release: (held) => store.release(held),
  hand: (...given) => store.hand(...given),
  end: () => Promise.reject(new AppError('DATABASE_UNAVAILABLE')),
  forget: (id) => store.forget(id),
})

async function matchingNow(place: MetadataPlace, selected: Selected): Promise<number[]> {
  const isIn = selectedIn(selected)
  const found = await place.run('select id from crates where room = 1 order by id')
  return found.map(([id]) => Number(id)).filter((id) => isIn(String(id)))
}

/** Somebody else changes which rows match: before the plan is written, or while it is. */
async function interfere(
  place: MetadataPlace,
  { list, plans }: Awaited<ReturnType<typeof open>>,
  label: string,
  chance: Chance,
) {
  const full = await list('filter.room.min=1')
  const selected = chance.happens(0.5)
    ? ALL_SELECTED
    : { except: [String(chance.between(1, ROWS))] }
  const fields = { label: { how: 'set', text: label } } as const
  const plan = await seal(full, selected, { do: 'edit', fields })
  const sealed: number[] = []
  for await (const keys of plans.store.chunks(idOf(plan)))
    sealed.push(...keys.map(([id]) => Number(id)))
  const change = () => {
    const id = chance.between(1, ROWS)
    return place.run(`update crates set room = 1 - room where id in (${id}, ${1 + (id % ROWS)})`)
  }
  const isBefore = chance.happens(0.3)
  if (isBefore) await change()
  const matching = isBefore ? await matchingNow(place, selected) : sealed
  const writing = full.call.writePlan(plan.handle, null)
  if (!isBefore && chance.happens(0.8)) await change()
  const result = await writing
  const stored = await place.run(`select id from crates where label = '${label}' order by id`)
  const written = stored.map(([id]) => Number(id))
  const faults: string[] = []
  if (result.status !== 'done' && result.status !== 'changed')
    throw new Error(JSON.stringify(result))
  const expected = result.status === 'done' ? sealed : []
  if (String(written) !== String(expected))
    faults.push(`wrote ${String(written)}, not ${String(expected)}`)
  const isOther = String(matching) !== String(sealed)
  if (isOther && result.status === 'done') faults.push(`wrote though ${String(matching)} match`)
  return { status: result.status, faults }
}
