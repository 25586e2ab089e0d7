/** Plans of rows of which some are so already: the numbers are of those that change, and the others are told apart. */

import { expect, test } from 'vitest'
import type { BulkAsk, FieldEdit, PlanView, WriteResult } from '../../src/protocol/plan-view.ts'
import { ALL_SELECTED } from '../../src/protocol/selection.ts'
import type { Actor } from '../../src/server/actor.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import { createJobsComponent } from '../../src/table/jobs/component.ts'
import type { Jobs } from '../../src/table/jobs/jobs.ts'
import { refuse } from '../../src/server/refuse.ts'
import { admin } from '../table-of.ts'
import { hrefOf, idOf, type OpenCrates, openCrates, openJobs, sealIn } from './crates.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'

const edit = (fields: { [column: string]: FieldEdit }): BulkAsk => ({ do: 'edit', fields })
const room = (text: string): BulkAsk => edit({ room: { how: 'set', text } })

const rowsOf = (place: MetadataPlace) =>
  place.run('select id, label, room, fill, price from crates order by id')

/** The jobs of the crates, as somebody sees them. */
const jobsOf = ({ catalog, ledger }: OpenCrates, jobs: Jobs, actor: Actor = admin) =>
  testComponent(
    createJobsComponent({
      ...{ jobs, catalog: () => catalog, ledger, isLive: false, href: hrefOf, now: Date.now },
    }),
    { actor, params: { table: 'crates' } },
  )

/** The numbers of a plan, wherever they stand. */
const numbersOf = ({ rows, rowsText, write, figures, changes }: PlanView) => ({
  ...{ rows, rowsText, write },
  figures: figures.map(({ text, count }) => `${text} ${count}`),
  changes: changes.map(({ before, after, count }) => `${before} → ${after}: ${count}`),
})

describeMetadata('a plan of rows of which some are so already', (place) => {
  const updatedBy = async (
    { ledger }: OpenCrates,
    result: WriteResult,
  ): Promise<number | undefined> => {
    const id = (result.status === 'done' && result.entry) || ''
    await expect.poll(async () => (await ledger.find(id))?.state).toBe('done')
    return (await ledger.find(id))?.tables[0]?.updated
  }

  test('says everywhere how many change, as the history does, and writes no other', async () => {
    const opened = await openCrates(place())
    const all = await opened.list()
    const before = await rowsOf(place())
    const plan = await sealIn(all, ['1', '2', '3', '4', '6'], room('1'))
    expect(numbersOf(plan)).toEqual({
      ...{ rows: 2, rowsText: '2', write: 'Write 2 rows' },
      ...{ figures: ['Selected 5', 'Already so −3'], changes: ['0 → 1: 2'] },
    })
    expect(plan).toMatchObject({ moreChanges: null, title: 'Set Room to 1 in 2 rows of Crates' })
    expect(plan.sample.map(({ key }) => key)).toEqual(['1', '3'])
    expect(await all.call.tryPlan(plan.handle)).toMatchObject({
      ...{ status: 'tried', tables: [{ text: 'Changed in Crates', count: '2' }] },
    })
    const result = await all.call.writePlan(plan.handle, null)
    expect(result).toMatchObject({ status: 'done', rows: 2, text: 'Changed 2 rows.' })
    expect(await updatedBy(opened, result)).toBe(2)
    const { door } = opened
    const { plan: back } = await door.undo(admin, (result.status === 'done' && result.entry) || '')
    expect(await door.apply(back)).toMatchObject({ status: 'done' })
    expect(await rowsOf(place())).toEqual(before)
  })

  test.each<[string, { [column: string]: FieldEdit }, string, number[]]>([
    ['multiplied', { fill: { how: 'multiply', text: '1.5' } }, 'fill = 0 where id < 3', [3, 4]],
    ['added to', { fill: { how: 'add', text: '2' } }, 'fill = null where id = 3', [1, 2, 4]],
    [
      'copied into',
      { fill: { how: 'copy', column: 'price' } },
      'fill = price where id > 2',
      [1, 2],
    ],
    [
      'replaced in',
      { label: { how: 'replace', text: 'crate', with: 'box' } },
      `label = 'Crate 2' where id = 2`,
      [1, 3, 4],
    ],
    [
      'set, together,',
      { room: { how: 'set', text: '1' }, fill: { how: 'set', text: '2.50' } },
      'fill = 2.5 where id in (2, 3)',
      [1, 3, 4],
    ],
  ])('knows them where values are %s', async (_, fields, given, changed) => {
    const opened = await openCrates(place())
    await place().run(`update crates set ${given}`)
    const all = await opened.list()
    const before = await rowsOf(place())
    const plan = await sealIn(all, ['1', '2', '3', '4'], edit(fields))
    expect(plan).toMatchObject({
      rows: changed.length,
      figures: [{ count: '4' }, { text: 'Already so', count: `−${4 - changed.length}` }],
    })
    expect(plan.sample.map(({ key }) => Number(key))).toEqual(changed)
    const result = await all.call.writePlan(plan.handle, null)
    expect(await updatedBy(opened, result)).toBe(changed.length)
    const after = await rowsOf(place())
    const differing = after.filter((row, at) => row.join() !== before[at]?.join())
    expect(differing.map(([id]) => Number(id))).toEqual(changed)
  })

  test('says of each field how many change, where one stays in some of the rows', async () => {
    const { list } = await openCrates(place())
    const fields = {
      room: { how: 'set', text: '1' },
      label: { how: 'set', text: 'crate 1' },
    } as const
    const plan = await sealIn(await list(), ['1', '2', '3'], edit(fields))
    expect(numbersOf(plan)).toMatchObject({
      rows: 3,
      changes: ['0 → 1: 2', 'crate 2 → crate 1: 1', 'crate 3 → crate 1: 1'],
    })
    expect(plan.moreChanges).toBe('Room is so already in 1 row. Label is so already in 1 row.')
  })

  test('of which none changes is refused', async () => {
    const { list } = await openCrates(place())
    expect(await (await list()).call.seal(['2', '4'], room('1'))).toMatchObject({
      ...{ status: 'refused', errors: { '': ['All rows of the selection are so already.'] } },
    })
  })

  test.each([
    ['another one that was so', 'set room = 0 where id = 2', '2'],
    ['one that is to be written, though only to what is asked,', 'set room = 1 where id = 1', '1'],
  ])('writes nothing where somebody has changed %s, and names it', async (_, change, key) => {
    const { list } = await openCrates(place())
    const all = await list()
    const plan = await sealIn(all, ['1', '2', '3'], room('1'))
    await place().run(`update crates ${change}`)
    const before = await rowsOf(place())
    expect(await all.call.tryPlan(plan.handle)).toMatchObject({ status: 'refused' })
    expect(await all.call.writePlan(plan.handle, null)).toMatchObject({
      ...{ status: 'changed', came: { count: '0' }, went: { count: '0' } },
      differ: { count: '1', rows: [{ key }] },
    })
    expect(await rowsOf(place())).toEqual(before)
  })

  test('asks the table’s own rules only about those that change', async () => {
    const asked: unknown[] = []
    const definitions = {
      crates: {
        changing: ({ before }: { before: { readonly [column: string]: unknown } | null }) => {
          asked.push(Number(before?.['id']))
          if (before?.['id'] === 3) refuse('Crate 3 stays.')
          return { price: 7 }
        },
      },
    }
    const opened = await openCrates(place(), false, { definitions })
    const all = await opened.list()
    const plan = await sealIn(all, ['1', '2', '3', '5'], room('1'))
    expect(numbersOf(plan)).toMatchObject({
      ...{ rows: 2, changes: ['0 → 1: 2'] },
      figures: ['Selected 4', 'Already so −1', 'Refused −1'],
    })
    const result = await all.call.writePlan(plan.handle, null)
    expect(await updatedBy(opened, result)).toBe(2)
    expect(asked).not.toContain(2)
    const prices = await place().run('select price from crates where id in (1, 2, 5) order by id')
    expect(prices.map(([price]) => Number(price))).toEqual([7, 1.5, 7])
  })

  test('of many rows: its job counts, writes and tells those that change, and leaves one that is no longer so', async () => {
    const many = 200
    const opened = await openCrates(place(), true)
    const { list, ledger, plans } = opened
    const values = Array.from(
      { length: many },
      (_, i) => `(${i + 1000}, 'more', ${2 + (i % 4 && 1)}, 0, 0)`,
    )
    await place().run(`insert into crates values ${values.join(', ')}`)
    const { jobs, stateOf } = await openJobs(opened, place(), 30)
    const more = await list('filter.room.min=2', { ...plans, jobs, jobFrom: 100 })
    const plan = await sealIn(more, ALL_SELECTED, room('3'))
    expect(numbersOf(plan)).toEqual({
      ...{ rows: 50, rowsText: '50', write: 'Write 50 rows' },
      ...{ figures: ['Selected 200', 'Already so −150'], changes: ['2 → 3: 50'] },
    })
    await place().run('update crates set room = 2 where id in (1001, 1150)')
    await place().run('update crates set room = 3 where id = 1004')
    const started = await more.call.writePlan(plan.handle, plan.typed)
    const job = started.status === 'started' ? started.job : ''
    await expect.poll(() => stateOf(job), { timeout: 60_000 }).toBe('done')
    const reason = 'Changed since it was shown'
    expect(await plans.store.left(idOf(plan))).toEqual(
      [1001, 1004, 1150].map((id) => ({ key: [id], reason })),
    )
    expect(await ledger.find(job)).toMatchObject({ tables: [{ table: 'crates', updated: 49 }] })
    expect(await jobs.find(job)).toMatchObject({
      progress: { done: 50, total: 50 },
      checkpoint: { done: many, written: 49, so: 150, changed: 3 },
    })
    const shown = await jobsOf(opened, jobs)
    expect(shown.view.jobs).toMatchObject([
      {
        ...{ title: 'Set Room to 3 in 50 rows of Crates', about: 'by you', entry: job },
        result: '49 rows are written. 3 rows have changed since they were shown.',
      },
    ])
    // Who looks as another role takes nothing back.
    const looking = await jobsOf(opened, jobs, { ...admin, isLooking: true })
    expect(looking.view.jobs).toMatchObject([{ id: job, entry: null }])
    const still = await place().run('select id from crates where room = 2 order by id')
    expect(still.map(([id]) => Number(id))).toEqual([1001, 1150])
  })
})
