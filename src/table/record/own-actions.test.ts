import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { doorTo } from '../../../test/door-to.ts'
import { openPlans } from '../../../test/plan-services.ts'
import { admin } from '../../../test/table-of.ts'
import type { RecordView } from '../../protocol/record-view.ts'
import type { Actor } from '../../server/actor.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { bulkAction, type BulkAction } from '../actions/bulk-action.ts'
import { createCatalog } from '../catalog.ts'
import type { Policy } from '../source/access.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import { createRecordComponent } from './component.ts'

let data: OpenDataFile
let kept: Awaited<ReturnType<typeof openPlans>>

beforeAll(async () => {
  data = await openDataFile(`create table orders (id integer primary key, name text);
    insert into orders values (1, 'Lamp'), (2, 'Vase')`)
  await data.source.writing?.allow(true)
})
afterAll(() => data.close())
beforeEach(async () => {
  kept = await openPlans()
})
afterEach(() => kept.close())

type Opening = { actor?: Actor; rows?: Predicate; hasPlans?: boolean; bulkActions?: boolean }

async function open(key: string, action: BulkAction, opening: Opening = {}) {
  const { actor = admin, rows = everything, hasPlans = true, bulkActions = true } = opening
  const { source } = data
  const policy: Policy = {
    version: '1',
    grant(_actor, { columns }) {
      const names = columns.map(({ name }) => name)
      return { actions: ['read', 'update'], rows, readable: names, writable: names }
    },
  }
  const definitions = { orders: { actions: { action }, bulkActions } }
  const catalog = await createCatalog(source, policy, { definitions })
  const component = createRecordComponent({
    ...{ source, catalog: () => catalog, door: doorTo(source, () => catalog) },
    ...{ href: (table) => `/tables/${table}`, plans: hasPlans ? kept.plans : undefined },
  })
  return testComponent(component, { actor, params: { table: 'orders', key } })
}

const ownOf = ({ view }: Awaited<ReturnType<typeof open>>) => (view as RecordView).own

/** Keeps the keys that it was given. */
function wrapping(more: Pick<BulkAction, 'allows'> = {}) {
  const given: unknown[] = []
  const action = bulkAction({
    label: 'Wrap',
    input: v.object({ paper: v.pipe(v.string(), v.minLength(3, 'Say which.')) }),
    ...more,
    run: ({ keys, input }) => void given.push(...keys.flat(), input.paper),
  })
  return { action, given }
}

test('an action of the table’s own is planned and confirmed for the row of a page, and runs over it alone', async () => {
  const { action, given } = wrapping()
  const record = await open('2', action)
  expect(ownOf(record)).toEqual([{ name: 'action', label: 'Wrap', hasForm: true }])
  expect(await record.call.bulkForm('action')).toMatchObject([{ name: 'paper', required: true }])
  expect(await record.call.seal('action', { paper: 'x' })).toEqual({
    ...{ status: 'refused', errors: { paper: ['Say which.'] } },
  })
  const sealed = await record.call.seal('action', { paper: 'blue' })
  if (sealed.status !== 'sealed') throw new Error(JSON.stringify(sealed))
  expect(sealed.plan).toMatchObject({ title: 'Wrap', rows: 1, sample: [{ label: 'Vase' }] })
  expect(given).toEqual([])
  const done = { status: 'done', text: 'Wrap: done in 1 row.' }
  expect(await record.call.writePlan(sealed.plan.handle, null)).toMatchObject(done)
  expect(await record.call.writePlan(sealed.plan.handle, null)).toMatchObject(done)
  expect(given).toEqual([2, 'blue'])
})

test('a plan that is dropped is not written', async () => {
  const { action, given } = wrapping()
  const record = await open('2', action)
  const sealed = await record.call.seal('action', { paper: 'blue' })
  const handle = sealed.status === 'sealed' ? sealed.plan.handle : ''
  await record.call.dropPlan(handle)
  expect(await record.call.writePlan(handle, null)).toMatchObject({ status: 'gone' })
  expect(given).toEqual([])
})

test('it is offered, asked and run only as it allows, and over rows that the actor may see', async () => {
  let mayRun = false
  const { action, given } = wrapping({ allows: () => mayRun })
  const refused = await open('2', action)
  expect(ownOf(refused)).toBeUndefined()
  const isUnknown = { code: 'NOT_FOUND' }
  await expect(refused.call.bulkForm('action')).rejects.toMatchObject(isUnknown)
  await expect(refused.call.seal('action', { paper: 'blue' })).rejects.toMatchObject(isUnknown)
  mayRun = true
  const record = await open('2', action)
  for (const name of ['none', 'constructor'])
    await expect(record.call.seal(name, {})).rejects.toMatchObject(isUnknown)
  const sealed = await record.call.seal('action', { paper: 'blue' })
  const handle = sealed.status === 'sealed' ? sealed.plan.handle : ''
  const other = await open('2', action, { actor: { ...admin, id: 'other' } })
  expect(await other.call.writePlan(handle, null)).toMatchObject({ status: 'gone' })
  mayRun = false
  expect(await record.call.writePlan(handle, null)).toMatchObject({ status: 'gone' })
  mayRun = true
  const rows: Predicate = { op: 'eq', column: 'id', value: 1 }
  const hidden = await open('2', action, { rows })
  expect(await hidden.call.seal('action', { paper: 'blue' })).toMatchObject({ status: 'refused' })
  expect(given).toEqual([])
})

test('nothing is offered where no plans are kept, or actions on rows are turned off', async () => {
  const { action } = wrapping()
  const seal = (record: Awaited<ReturnType<typeof open>>) =>
    record.call.seal('action', { paper: 'blue' })
  const bare = await open('2', action, { hasPlans: false })
  expect(ownOf(bare)).toBeUndefined()
  await expect(seal(bare)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const off = await open('2', action, { bulkActions: false })
  expect(ownOf(off)).toBeUndefined()
  await expect(seal(off)).rejects.toMatchObject({ code: 'TABLE_NO_SELECTION' })
})
