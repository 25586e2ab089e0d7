/** Rows that are asked for by their keys are drawn as the list draws them, wherever it has them. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { type Hidden, policyHiding } from '../../../../test/hiding-policy.ts'
import { admin } from '../../../../test/table-of.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { createCatalog } from '../../catalog.ts'
import type { Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import { createListComponent } from '../component.ts'
import { createTotals } from '../totals.ts'

const DATABASE = `
  create table crews (id integer primary key, name text);
  insert into crews values (1, 'North'), (2, 'South');
  create table jobs (
    id integer primary key, title text, state text, crew_id integer references crews (id), price numeric,
    fee_cents integer, currency text, subject_type text, subject_id integer, done_at text, pin text
  );
  insert into jobs values
    (1, 'Wing', 'open', 1, 5, 1250, 'EUR', 'Crew', 2, '2024-03-05T14:30:00Z', 'a'),
    (2, 'Door', 'done', 2, 5, 99, 'JPY', 'Crew', 1, '2024-03-05T14:31:07Z', 'b'),
    (3, 'Seat', 'open', null, 7.25, null, null, null, null, '2024-03-05T14:30:05Z', 'c'),
    (4, 'API token', 'open', 2, null, 1, 'EUR', 'Crew', 2, '2024-03-05T14:30:09Z', 'd');
`

let data: OpenDataFile
beforeAll(async () => void (data = await openDataFile(DATABASE)))
afterAll(() => data.close())

const columns = 'title,state,crew_id,price,fee_cents,subject_id,done_at,pin'

async function open(query: string, { hidden = {}, policy = policyHiding(hidden) }: Options = {}) {
  const { source } = data
  const catalog = await createCatalog(source, policy)
  const component = createListComponent({
    ...{ source, catalog: () => catalog, totals: createTotals(source) },
    ...{ door: doorTo(source, () => catalog), href: (name) => `/tables/${name}` },
  })
  return testComponent(component, {
    ...{ actor: admin, params: { table: 'jobs' } },
    query: new URLSearchParams(`columns=${columns}&${query}`),
  })
}

type Options = { hidden?: Hidden; policy?: Policy }

const filtered = 'filter.state.in=open'
const keysOf = (rows: readonly (readonly unknown[])[]) => rows.map(([key]) => key)

test('a row that the filter leaves out is drawn as among those that are shown', async () => {
  const all = await open('')
  const list = await open(filtered)
  expect(keysOf(list.view.rows)).not.toContain('2')
  const [door] = await list.call.rowsByKey(['2'])
  expect(door).toEqual(all.view.rows.find(([key]) => key === '2'))
  // Labels, amounts and pairs as in the list: with as many digits, and to the second as the others.
  expect(door).toEqual(expect.arrayContaining([['South', '2'], '5.00']))
  expect(JSON.stringify(door)).toMatch(/North.*07/)
})

test('rows of the page are drawn as they stand there', async () => {
  const list = await open(`${filtered}&sort=id`)
  const rows = await list.call.rowsByKey(['1', '3'])
  expect(rows).toEqual(list.view.rows.filter(([key]) => key === '1' || key === '3'))
})

test('what is masked in a row stays so', async () => {
  const policy: Policy = {
    version: '1',
    grant: (_actor, { name, columns }) => ({
      ...{
        actions: ['read'],
        rows: everything,
        readable: columns.map(({ name }) => name),
        writable: [],
      },
      ...(name === 'jobs' && { masked: [{ column: 'pin', by: 'title' }] }),
    }),
  }
  const list = await open('', { policy })
  const secret = list.view.rows.find(([key]) => key === '4')
  expect(secret?.at(-1)).toBe(0)
  expect(await list.call.rowsByKey(['4'])).toEqual([secret])
})

test('a row that is gone, or that the person may not see, is left out', async () => {
  const rows = { jobs: { op: 'in', column: 'state', values: ['open'] } } as const
  const list = await open('', { hidden: { rows } })
  expect(await list.call.rowsByKey(['2', '99', 'no key'])).toEqual([])
  expect(keysOf(await list.call.rowsByKey(['2', '3']))).toEqual(['3'])
  expect(await list.call.rowsByKey([])).toEqual([])
})
