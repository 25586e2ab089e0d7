/** Filters that no index serves, in a table of 60,000 rows: set together, applied by one button. */

import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]
/** The edits of filters that each request carried. */
let sent: object[]

/** Level and pressure are the row's number, the one indexed, the other not; every third is a storm. */
function makeReadings(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`
    create table readings (
      id integer primary key, level integer not null, pressure integer not null, note text not null
    ) strict;
    insert into readings
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)
      select i, i, i, case when i % 3 = 0 then 'storm' else 'calm' end from n;
    create index readings_level on readings (level);
    analyze;
  `)
  database.close()
}

beforeAll(async () => void (office = await openOffice(makeReadings)))
afterAll(() => office.close())
beforeEach(async () => {
  context = await office.signedIn({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  complaints = collectComplaints(page)
  sent = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/tablewire/update')) return
    const body = JSON.parse(request.postData() ?? '{}') as { components: { updates: object }[] }
    for (const { updates } of body.components)
      if (Object.keys(updates).some((path) => path.startsWith('filterComponents.')))
        sent.push(updates)
  })
  await page.goto(`${office.origin}/tables/readings`)
  await settled(page)
  await toggle().click()
})
afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

const toggle = () => page.getByRole('button', { name: /^Filters/ })
const panel = () => page.getByRole('region', { name: 'Filters', exact: true })
const filter = (name: string) => panel().getByRole('group', { name, exact: true })
const chip = (name: string) =>
  page
    .getByRole('region', { name: 'Active filters' })
    .getByRole('button', { name: `Remove filter: ${name}`, exact: true })
const apply = (changes: string) => panel().getByRole('button', { name: `Apply ${changes}` })

async function setPressureAndNote() {
  await filter('Pressure').getByLabel('Minimum', { exact: true }).fill('59990')
  await page.keyboard.press('Enter')
  await apply('1 change').waitFor()
  await filter('Note').getByRole('searchbox').fill('storm')
  await page.keyboard.press('Enter')
  await apply('2 changes').waitFor()
}

nightly.detail('wait for “Apply”, and travel together', async () => {
  await setPressureAndNote()
  expect(sent).toEqual([])
  expect(await violations(page)).toEqual([])
  await apply('2 changes').click()
  await chip('Pressure ≥ 59,990').waitFor()
  await chip('Note contains “storm”').waitFor()
  expect(sent).toEqual([
    {
      'filterComponents.pressure': { min: 59_990, max: null },
      'filterComponents.note': { test: 'contains', text: 'storm' },
    },
  ])
  await apply('').waitFor({ state: 'hidden' })
  await expect.poll(() => page.locator('tbody tr').count()).toBe(4)
})

nightly.detail('one that an index serves does not wait for the others', async () => {
  await setPressureAndNote()
  await filter('Level').getByLabel('Maximum', { exact: true }).fill('59995')
  await page.keyboard.press('Enter')
  await chip('Level ≤ 59,995').waitFor()
  expect(sent).toEqual([{ 'filterComponents.level': { min: null, max: 59_995 } }])
  await apply('2 changes').click()
  await chip('Pressure ≥ 59,990').waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
})

nightly.detail('what waits is still there when the panel opens again', async () => {
  await setPressureAndNote()
  await panel().getByRole('button', { name: 'Close', exact: true }).click()
  await panel().waitFor({ state: 'hidden' })
  await toggle().click()
  await apply('2 changes').waitFor()
  const minimum = filter('Pressure').getByLabel('Minimum', { exact: true })
  await expect.poll(() => minimum.inputValue()).toBe('59,990')
})
