/** A policy that lets people see more rows than they may change: the others are refused, each with its reason. */

import { expect, test } from 'vitest'
import { bulkAction } from '../../src/table/actions/bulk-action.ts'
import { AppError } from '../../src/server/app-error.ts'
import type { BulkAsk } from '../../src/protocol/plan-view.ts'
import { ALL_SELECTED } from '../../src/protocol/selection.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { Value } from '../../src/table/source/value.ts'
import type { RowChange } from '../../src/table/source/write-unit.ts'
import { anything } from '../kills/jars.ts'
import { admin } from '../table-of.ts'
import { CRATES, idOf, openCrates, openJobs, sealIn } from './crates.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'

/** Everything of crates may be seen but whether they are full; full ones are changed, and the first ten are deleted. */
const policy: Policy = {
  version: 'changeable',
  grant(actor, table) {
    const grant = anything.grant(actor, table)
    if (table.name !== 'crates') return grant
    return {
      ...grant,
      readable: grant.readable.filter((name) => name !== 'room'),
      changes: {
        update: { op: 'eq', column: 'room', value: 1 },
        delete: { op: 'lte', column: 'id', value: 10 },
      },
    }
  },
}

const relabel: BulkAsk = { do: 'edit', fields: { label: { how: 'set', text: 'done' } } }
const NOT_CHANGED = 'You may not change this row.'
const NOT_DELETED = 'You may not delete this row.'

const idsWhere = async (place: MetadataPlace, where: string): Promise<number[]> =>
  (await place.run(`select id from crates where ${where} order by id`)).map(([id]) => Number(id))

const FULL = Array.from({ length: CRATES / 2 }, (_, i) => 2 * i + 2)

describeMetadata('rows that may be seen, and not changed,', (place) => {
  const open = (isBeside = false) => openCrates(place(), isBeside, { policy })

  test('are refused by themselves, and with others', async () => {
    const { door } = await open()
    const before = await place().run('select * from crates order by id')
    const set = { label: 'mine' }
    const save = (rows: readonly RowChange[]) =>
      door.save(admin, { door: 'form', tables: [{ table: 'crates', rows }] })
    const refused = (...at: number[]) => ({
      status: 'refused',
      problems: at.map((one) => ({
        ...{ place: { table: 0, of: 'rows', at: one }, kind: 'forbidden', columns: [] },
      })),
    })
    const expect1 = { label: 'crate 1' }
    expect(await save([{ update: [1], set }])).toEqual(refused(0))
    expect(await save([{ update: [1], set, expect: expect1 }])).toEqual(refused(0))
    expect(await save([{ delete: [11] }])).toEqual(refused(0))
    expect(await save([2, 3, 4, 5].map((id) => ({ update: [id], set })))).toEqual(refused(1, 3))
    expect(await save([9, 10, 11].map((id) => ({ delete: [id] })))).toEqual(refused(2))
    expect(await save([{ update: [999], set }])).toMatchObject({
      problems: [{ kind: 'missing' }],
    })
    expect(await place().run('select * from crates order by id')).toEqual(before)
    const allowed = [2, 4, 6].map((id): RowChange => ({ update: [id], set }))
    expect(await save([...allowed, { delete: [7] }])).toMatchObject({ status: 'done' })
    expect(await idsWhere(place(), `label = 'mine'`)).toEqual([2, 4, 6])
  })

  test('are none of a set of rows', async () => {
    const { door } = await open()
    const save = (change: { set: { label: Value } } | { delete: true }) =>
      door.save(admin, {
        door: 'bulk',
        tables: [
          {
            table: 'crates',
            sets: [
              {
                in: Array.from({ length: 14 }, (_, i) => [i + 1]),
                ...{ where: { op: 'and', all: [] }, ...change },
              },
            ],
          },
        ],
      })
    expect(await save({ set: { label: 'set' } })).toMatchObject({ status: 'done' })
    expect(await idsWhere(place(), `label = 'set'`)).toEqual([2, 4, 6, 8, 10, 12, 14])
    await save({ delete: true })
    expect(await idsWhere(place(), 'id < 15')).toEqual([11, 12, 13, 14])
  })

  test('may become such by a change, which then cannot be taken back', async () => {
    const { door, ledger } = await open()
    const rows: RowChange[] = [{ update: [2], set: { room: 0 } }]
    const saved = await door.save(admin, { door: 'form', tables: [{ table: 'crates', rows }] })
    const entry = (saved.status === 'done' && saved.entry) || ''
    await expect.poll(async () => (await ledger.find(entry))?.state).toBe('done')
    const { left, plan } = await door.undo(admin, entry)
    expect(left).toMatchObject([{ key: [2], reason: 'forbidden' }])
    expect(plan.parts).toEqual([])
    expect(await idsWhere(place(), 'room = 1')).not.toContain(2)
  })

  test('are told by a plan before it is written, and are the selection that it leaves', async () => {
    const { list } = await open()
    const all = await list()
    const plan = await sealIn(all, ALL_SELECTED, relabel)
    expect(plan.rows).toBe(CRATES / 2)
    expect(plan.figures.map(({ count }) => count)).toEqual(['40', '−20'])
    expect(plan.refused.reasons).toEqual([{ text: NOT_CHANGED, count: '20' }])
    expect(plan.refused.rows[0]).toEqual({ key: '1', label: 'crate 1', reason: NOT_CHANGED })
    const counts = plan.changes.map(({ count }) => Number(count))
    expect(Math.max(...counts)).toBeLessThanOrEqual(CRATES / 2)
    expect(await all.call.tryPlan(plan.handle)).toMatchObject({ status: 'tried' })
    const written = await all.call.writePlan(plan.handle, null)
    expect(written).toMatchObject({ status: 'done', rows: 20, left: { text: /20/ } })
    expect(await idsWhere(place(), `label = 'done'`)).toEqual(FULL)
    const left = await list(`left=${idOf(plan)}`)
    expect(left.view.left?.reasons).toMatchObject([{ text: NOT_CHANGED, count: '20' }])
  })

  test('stay when others are deleted, with what hangs on them', async () => {
    await openCrates(place(), false, { policy })
    const { list } = await open()
    await place().run('insert into stamps values (4, 20)')
    const all = await list()
    const plan = await sealIn(all, ALL_SELECTED, { do: 'delete' })
    expect(plan.rows).toBe(10)
    expect(plan.refused.reasons).toEqual([{ text: NOT_DELETED, count: '30' }])
    expect(plan.hanging.map(({ text }) => text)).toEqual(['3 rows of Stamps are deleted as well.'])
    expect(await all.call.writePlan(plan.handle, null)).toMatchObject({ status: 'done' })
    expect((await idsWhere(place(), '1 = 1'))[0]).toBe(11)
  })

  test('that become such before a plan is written are told to have gone', async () => {
    const { list } = await open()
    const all = await list()
    const plan = await sealIn(all, ['2', '4'], relabel)
    await place().run('update crates set room = 0 where id = 4')
    expect(await all.call.writePlan(plan.handle, null)).toMatchObject({
      ...{ status: 'changed', went: { count: '1', rows: [{ key: '4' }] } },
    })
    expect(await idsWhere(place(), `label = 'done'`)).toEqual([])
  })

  test('that become such while a job writes are left, with the reason', async () => {
    const opened = await open(true)
    const { jobs, stateOf } = await openJobs(opened, place(), 5)
    const more = await opened.list('', { ...opened.plans, jobs, jobFrom: 10 })
    const plan = await sealIn(more, ALL_SELECTED, relabel)
    // Others take their place, so that as many may be changed as were sealed.
    await place().run('update crates set room = 1 - room where id in (39, 40)')
    const started = await more.call.writePlan(plan.handle, plan.typed)
    const job = started.status === 'started' ? started.job : ''
    await expect.poll(() => stateOf(job), { timeout: 60_000 }).toBe('done')
    expect(await idsWhere(place(), `label = 'done'`)).toEqual(FULL.slice(0, -1))
    const left = await opened.plans.store.left(idOf(plan))
    expect(left.filter(({ key: [id] }) => id === 40)).toEqual([{ key: [40], reason: NOT_CHANGED }])
    expect(left).toHaveLength(21)
  })

  test('are given to an action of the table’s own only if it says itself whom it allows', async () => {
    const given: { [name: string]: number } = { stamp: 0, tell: 0 }
    const action = (name: string, more = {}) =>
      bulkAction({
        ...{ label: name, ...more },
        run: ({ keys }) => void (given[name] = (given[name] ?? 0) + keys.length),
      })
    const actions = { stamp: action('stamp'), tell: action('tell', { allows: () => true }) }
    const { list } = await openCrates(place(), false, {
      policy,
      definitions: { crates: { actions } },
    })
    const all = await list()
    for (const name of ['stamp', 'tell']) {
      const plan = await sealIn(all, ['1', '2', '3', '4'], { do: 'own', name, texts: {} })
      await all.call.writePlan(plan.handle, null)
    }
    expect(given).toEqual({ stamp: 2, tell: 4 })
  })

  test('tell nothing of the column that decides, which is out of reach', async () => {
    const { list } = await open()
    const all = await list()
    const rooms: BulkAsk = { do: 'edit', fields: { label: { how: 'copy', column: 'room' } } }
    const sealed = await all.call.seal(ALL_SELECTED, rooms).catch((error: unknown) => error)
    expect(sealed instanceof AppError || JSON.stringify(sealed)).not.toContain('sealed')
    const plan = await sealIn(all, ALL_SELECTED, relabel)
    expect(JSON.stringify(plan)).not.toMatch(/room/i)
  })
})
