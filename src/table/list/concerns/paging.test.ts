/** Pages by their numbers, and the place that another size keeps. */

import { expect, onTestFinished, test } from 'vitest'
import { openDataFile } from '../../../../test/data-file.ts'
import { policyHiding } from '../../../../test/hiding-policy.ts'
import { admin } from '../../../../test/table-of.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { createCatalog } from '../../catalog.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { createListComponent } from '../component.ts'
import { createTotals } from '../totals.ts'

async function openList() {
  const { source, close } = await openDataFile(
    `create table notes (id integer primary key);
     insert into notes with recursive n (i) as (values (1) union all select i + 1 from n where i < 120)
       select i from n;`,
    {},
  )
  onTestFinished(() => close())
  const catalog = await createCatalog(source, policyHiding({}))
  const component = createListComponent({
    source,
    catalog: () => catalog,
    totals: createTotals(source),
    door: doorTo(source, () => catalog),
    href: (table) => `/tables/${table}`,
  })
  const params = { table: 'notes' }
  return testComponent(component, { actor: admin, params, query: new URLSearchParams('size=25') })
}

test('the page of a number is shown, and the last one for a number beyond', async () => {
  const list = await openList()
  expect(await list.call.turnPage(3)).toBeNull()
  expect(list.view.page).toMatchObject({ number: 3, range: ['51', '75'] })
  expect(await list.call.turnPage(400)).toBe('There are only 5 pages. This is the last one.')
  expect(list.view.page).toMatchObject({ number: 5, range: ['101', '120'] })
  expect(list.effects.url).toMatchObject({ href: '/tables/notes?page=5' })
  await list.call.turnPage(1)
  expect(list.view.page).toMatchObject({ number: 1, range: ['1', '25'] })
  for (const number of [0, 1.5, -1, Infinity])
    await expect(list.call.turnPage(number)).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
})

test('another size keeps the row in sight that was the first', async () => {
  const list = await openList()
  await list.call.turnPage(4)
  await list.call.setSize(50)
  expect(list.view.page).toMatchObject({ number: 2, range: ['51', '100'] })
  await list.call.setSize(25)
  expect(list.view.page).toMatchObject({ number: 3, range: ['51', '75'] })
})
