import { expect, test } from 'vitest'
import type { BulkAsk } from '../../src/protocol/plan-view.ts'
import { ALL_SELECTED } from '../../src/protocol/selection.ts'
import { AppError } from '../../src/server/app-error.ts'
import { planUndo, runUndo } from '../../src/table/history/undo.ts'
import type { PlanStore } from '../../src/table/plans/plan-store.ts'
import { slicedRows } from '../../src/table/source/row-digest.ts'
import { admin } from '../table-of.ts'
import { CRATES, hrefOf, idOf, openCrates, openJobs, sealIn } from './crates.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { HISTORIES } from './opened-changes.ts'

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
      const { list, ledger, door } = await openCrates(place(), isBeside)
      const before = await place().run('select * from crates order by id')
      const full = await list('filter.room.min=1')
      const plan = await sealIn(full, { except: ['4'] }, relabel)
      expect(plan.rows).toBe(CRATES / 2 - 1)
      const result = await full.call.writePlan(plan.handle, null)
      expect(result).toMatchObject({ status: 'done', entry: expect.any(String) })
      expect(await done(place())).toEqual(
        Array.from({ length: CRATES / 2 }, (_, i) => 2 * i + 2).filter((id) => id !== 4),
      )
      const id = (result.status === 'done' && result.entry) || ''
      await expect.poll(async () => (await ledger.find(id))?.state).toBe('done')
      expect(await ledger.find(id)).toMatchObject({
        ...{ door: 'bulk', tables: [{ table: 'crates', updated: CRATES / 2 - 1 }] },
      })
      const { plan: back, left } = await door.undo(admin, id)
      expect(left).toEqual([])
      expect(await door.apply(back)).toMatchObject({ status: 'done' })
      expect(await place().run('select * from crates order by id')).toEqual(before)
    },
  )

  test('works values out as the database does', async () => {
    const { list } = await openCrates(place())
    const all = await list()
    const fields = {
      fill: { how: 'multiply', text: '1.1' },
      room: { how: 'add', text: '-1' },
    } as const
    const plan = await sealIn(all, ['2', '3'], { do: 'edit', fields })
    const shown = plan.sample.map(({ changes }) => changes.map(({ after }) => after))
    await all.call.writePlan(plan.handle, null)
    const stored = await place().run('select fill, room from crates where id in (2, 3) order by id')
    expect(stored.map((row) => row.map(Number))).toEqual(shown.map((row) => row.map(Number)))
  })

  test('deletes, and counts what goes along', async () => {
    const { list } = await openCrates(place())
    const all = await list()
    const plan = await sealIn(all, ['1', '2', '3'], { do: 'delete' })
    expect(plan.hanging.map(({ text }) => text)).toEqual(['3 rows of Stamps are deleted as well.'])
    expect(await all.call.writePlan(plan.handle, null)).toMatchObject({ status: 'done', rows: 3 })
    expect(Number((await place().run('select count(*) from stamps'))[0]?.[0])).toBe(0)
    expect(Number((await place().run('select count(*) from crates'))[0]?.[0])).toBe(CRATES - 3)
  })

  test('that is tried leaves nothing, and is written as it was tried', async () => {
    const { list, ledger, source } = await openCrates(place())
    const all = await list()
    const plan = await sealIn(all, ['1', '2', '3'], { do: 'delete' })
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
    const { list } = await openCrates(place())
    await place().run('create unique index one_label on crates (label)')
    const all = await list()
    const plan = await sealIn(all, ['1', '2'], relabel)
    const refused = { status: 'refused', text: expect.stringContaining('Nothing was written.') }
    expect(await all.call.tryPlan(plan.handle)).toMatchObject(refused)
    expect(await all.call.writePlan(plan.handle, null)).toMatchObject(refused)
    expect(await done(place())).toEqual([])
  })

  test('writes nothing where others match, and names them', async () => {
    const { list } = await openCrates(place())
    const full = await list('filter.room.min=1')
    const plan = await sealIn(full, ALL_SELECTED, relabel)
    await place().run('update crates set room = 1 - room where id in (1, 2)')
    expect(await full.call.writePlan(plan.handle, null)).toMatchObject({
      status: 'changed',
      came: { count: '1', rows: [{ key: '1', label: 'crate 1' }] },
      went: { count: '1', rows: [{ key: '2', label: 'crate 2' }] },
    })
    expect(await done(place())).toEqual([])
  })

  test('is written once, however many ask at once', async () => {
    const { list } = await openCrates(place())
    const all = await list()
    const more: BulkAsk = { do: 'edit', fields: { room: { how: 'add', text: '1' } } }
    const plan = await sealIn(all, ['1', '2'], more)
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
    const { list, plans, pass } = await openCrates(place())
    const all = await list()
    const more: BulkAsk = { do: 'edit', fields: { room: { how: 'add', text: '1' } } }
    const [first, second] = [await sealIn(all, ['1', '2'], more), await sealIn(all, ['3'], more)]
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
    const { list, plans } = await openCrates(place())
    const plan = await sealIn(await list(), ['1', '2'], relabel)
    const { store } = plans
    const going = await list('', { ...plans, store: { ...withoutEnd(store), chunks: firstKeys } })
    async function* firstKeys(id: string) {
      for await (const rows of store.chunks(id)) yield slicedRows(rows, 0, 1)
    }
    expect(await going.call.tryPlan(plan.handle)).toMatchObject({ status: 'refused' })
    await expect(going.call.writePlan(plan.handle, null)).rejects.toThrow()
    expect(await done(place())).toEqual([])
  })

  test('of many rows is written by a job, stands as one change, and is taken back by another', async () => {
    const many = 300
    const opened = await openCrates(place(), true)
    const { list, ledger, plans, source, catalog, door } = opened
    const values = Array.from({ length: many }, (_, i) => `(${i + 1000}, 'more', 2, 0, 0)`)
    await place().run(`insert into crates values ${values.join(', ')}`)
    const { jobs, stateOf } = await openJobs(opened, place())
    const more = await list('filter.room.min=2', { ...plans, jobs, jobFrom: 100 })
    const plan = await sealIn(more, ALL_SELECTED, relabel)
    await place().run(`update crates set label = 'theirs' where id in (1001, 1100)`)
    const before = await place().run('select * from crates order by id')
    const started = await more.call.writePlan(plan.handle, plan.typed)
    const job = started.status === 'started' ? started.job : ''
    await expect.poll(() => stateOf(job), { timeout: 60_000 }).toBe('done')
    expect(await done(place())).toHaveLength(many - 2)
    const reason = 'Changed since it was shown'
    expect(await plans.store.left(idOf(plan))).toEqual([
      { key: [1001], reason },
      { key: [1100], reason },
    ])
    const entry = await ledger.find(job)
    expect(entry).toMatchObject({ state: 'done', tables: [{ table: 'crates', updated: many - 2 }] })
    const undo = {
      ...{ source, catalog: () => catalog, door, ledger, jobs, href: hrefOf },
      ...{ jobFrom: many - 2, historyHref: '/history' },
    }
    const asked = { id: job, reader: { locale: 'en-US', language: 'en' } }
    expect(await planUndo(undo, admin, asked)).toMatchObject({
      ...{ title: 'Undo: Changed 298 rows of Crates.', confirm: 'Undo by a job', left: [] },
    })
    expect(await runUndo(undo, admin, asked)).toMatchObject({ status: 'done', entry: null })
    const undone = (await jobs.list({ size: 10 })).find(({ kind }) => kind === 'undo')?.id ?? ''
    await expect.poll(() => stateOf(undone), { timeout: 60_000 }).toBe('done')
    expect(await place().run('select * from crates order by id')).toEqual(before)
    expect((await ledger.find(job))?.undoneBy).toEqual([undone])
  })
})

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
