/** What a person does most with a list, in a browser: on PostgreSQL, and every night on each engine that is a server. */

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMysql } from '../../src/database/mysql/open.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import * as mysql from '../contracts/mysql-server.ts'
import * as postgres from '../contracts/postgres-server.ts'
import { nightly } from '../nightly.ts'
import { isPlain } from '../tier.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'
import { columnOn, keysOn } from './shown-rows.ts'

const CRATES = 120
const STATES = ['new', 'sent', 'lost']

/** Crate n weighs n kg, was packed n days after the last day of 2023, and stands at 10 n. */
const crates = Array.from({ length: CRATES }, (_, at) => {
  const n = at + 1
  const day = new Date(Date.UTC(2023, 11, 31 + n)).toISOString().slice(0, 10)
  return `(${n}, 'Crate ${n}', '${STATES[n % 3]}', ${n}, '${day}', ${1 + (n % 4)}, ${n * 10})`
})

const SCHEMA = [
  'create table depots (id integer primary key, name varchar(40) not null)',
  `create table crates (id integer primary key, name varchar(40) not null,
    state varchar(10) not null check (state in ('new', 'sent', 'lost')), weight_kg integer not null,
    packed_on date not null, depot_id integer not null, position integer not null,
    foreign key (depot_id) references depots (id))`,
  'create index crates_position on crates (position, id)',
  "insert into depots values (1, 'Harbour'), (2, 'Airport'), (3, 'Station'), (4, 'Yard')",
  `insert into crates values ${crates.join()}`,
]

const ENGINES = [
  {
    name: 'PostgreSQL',
    isThere: postgres.postgresVersion !== undefined,
    create: () => postgres.createDatabase(),
    open: openPostgres,
  },
  {
    name: mysql.isMariaDb ? 'MariaDB' : 'MySQL',
    isThere: mysql.mysqlVersion !== undefined,
    create: () => mysql.createDatabase(),
    open: openMysql,
  },
]

let office: Office
let page: Page
let complaints: string[]

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const chip = (name: string) =>
  page.getByRole('region', { name: 'Active filters' }).getByRole('button', { name })
const filter = (name: string): Locator =>
  page
    .getByRole('region', { name: 'Filters', exact: true })
    .getByRole('group', { name, exact: true })
const notice = (text: string) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text).waitFor()
const total = (rows: string) =>
  expect.poll(() => page.locator('.head .total').textContent()).toBe(rows)

async function open(query = ''): Promise<void> {
  await page.goto(`${office.origin}/tables/crates${query}`)
  await settled(page)
}

for (const engine of ENGINES)
  describe.skipIf(!engine.isThere || (isPlain && engine !== ENGINES[0]))(
    `on ${engine.name}`,
    () => {
      let database: Awaited<ReturnType<typeof engine.create>>
      /** The ids of the crates as they are stored in order. */
      const stored = async () =>
        (await database.run('select id from crates order by position, id')).map(([id]) =>
          Number(id),
        )

      beforeAll(async () => {
        database = await engine.create()
        for (const statement of SCHEMA) await database.run(statement)
        office = await openOffice(undefined, { source: await engine.open(database.url()) })
      })
      afterAll(async () => {
        await office.close()
        await database.drop()
      })
      beforeEach(async () => {
        page = await (await office.signedIn({ viewport: { width: 1440, height: 900 } })).newPage()
        complaints = collectComplaints(page)
      })
      afterEach(async () => {
        await page.context().close()
        expect(complaints).toEqual([])
      })

      test('a list is filtered by numbers, days, choices, related rows and groups, and its rows are put in order', async () => {
        await open()
        await total('120')
        await button('Filters').click()
        await filter('Weight').getByLabel('Minimum', { exact: true }).fill('41')
        await filter('Weight').getByLabel('Minimum', { exact: true }).press('Enter')
        await chip('Remove filter: Weight ≥ 41').waitFor()
        await total('80')
        await filter('Packed').getByLabel('From').fill('2024-01-01')
        await filter('Packed').getByLabel('To').fill('2024-04-09')
        await filter('Packed').getByLabel('To').press('Enter')
        await chip('Remove filter: Packed Jan 1, 2024 – Apr 9, 2024').waitFor()
        await total('60')
        await filter('State').getByRole('checkbox', { name: 'Sent 20' }).check()
        await chip('Remove filter: State Sent').waitFor()
        await total('20')
        const depot = filter('Depot').getByRole('combobox', { name: 'Add Depot' })
        await depot.fill('harb')
        await filter('Depot').getByRole('option', { name: 'Harbour' }).waitFor()
        await depot.press('Enter')
        await chip('Remove filter: Depot Harbour').waitFor()
        await total('5')
        await expect
          .poll(async () => new Set(await keysOn(page)))
          .toEqual(new Set(['52', '64', '76', '88', '100']))
        await expect
          .poll(async () => new Set(await columnOn(page, 'Depot')))
          .toEqual(new Set(['Harbour']))
        await button('Clear all filters').first().click()
        await total('120')

        await button('Add a group').click()
        const dialog = page.getByRole('dialog', { name: 'Conditions' })
        const condition = dialog.getByRole('combobox', { name: 'Filter', exact: true })
        await dialog.getByRole('combobox', { name: 'Rows fulfil' }).selectOption('any of these')
        await condition.selectOption('Weight')
        await dialog.getByLabel('Minimum', { exact: true }).fill('120')
        await dialog.getByRole('button', { name: 'Add a condition' }).click()
        await condition.last().selectOption('State')
        await dialog.getByRole('checkbox', { name: /^Lost/ }).check()
        await dialog.getByRole('button', { name: 'Apply' }).click()
        await total('41')

        // Once changes are allowed, rows are dragged, moved to another page, saved and put back.
        await button('Clear all filters').first().click()
        await total('120')
        await expect.poll(() => button('Reorder').count()).toBe(0)
        await button('Allow changes').click()
        await page.getByRole('dialog').getByRole('button', { name: 'Allow changes' }).click()
        await notice('Changes are allowed now.')
        await button('Reorder').click()
        const grip = (id: number) => button(`Move Crate ${id}`)
        await grip(1).hover()
        await page.mouse.down()
        const target = (await page.locator('tr[data-row-key="4"]').boundingBox())!
        await page.mouse.move(target.x + 60, target.y + target.height * 0.75, { steps: 4 })
        await page.mouse.up()
        await expect
          .poll(async () => (await keysOn(page)).slice(0, 5))
          .toEqual(['2', '3', '4', '1', '5'])
        await grip(25).focus()
        await page.keyboard.press('Space')
        await page.keyboard.press('ArrowDown')
        // On a busy machine the rows are not counted in time.
        await page.getByText(/^Page 2(?: of 5)?$/).waitFor()
        await expect.poll(async () => (await keysOn(page)).slice(0, 2)).toEqual(['25', '27'])
        await button('Save order').click()
        await notice('The order of 2 rows is saved.')
        const order = await stored()
        expect(order.slice(0, 5)).toEqual([2, 3, 4, 1, 5])
        expect(order.slice(24, 27)).toEqual([26, 25, 27])
        await button('Undo').click()
        await notice('Undone in 2 rows.')
        expect(await stored()).toEqual(Array.from({ length: CRATES }, (_, at) => at + 1))
        await button('More').click()
        await page.getByRole('menuitem', { name: 'Make read-only' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Make read-only' }).click()
        await button('Allow changes').waitFor()
        await expect.poll(() => button('Reorder').count()).toBe(0)
      }, 120_000)

      nightly.detail(
        'rows are selected one by one, in a range, by page and all, and exported',
        async () => {
          await open('?sort=id')
          const region = page.getByRole('region', { name: 'Selection' })
          const said = (text: string) => region.getByText(text, { exact: true }).waitFor()
          const tick = (at: number) => page.locator('tbody tr').nth(at).getByRole('checkbox')
          await tick(1).click()
          await tick(4).click({ modifiers: ['Shift'] })
          await said('4 selected')
          await page.getByRole('checkbox', { name: 'Select page' }).click()
          await said('25 selected')
          await page.getByRole('link', { name: 'Next page' }).click()
          await page.getByText('26–50 of 120', { exact: true }).waitFor()
          await tick(0).click()
          await said('26 selected')
          await region.getByRole('button', { name: 'Select all 120' }).click()
          await said('120 selected')
          await tick(1).click()
          await said('119 selected')
          await region.getByRole('button', { name: 'Bulk actions' }).click()
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.getByRole('menuitem', { name: 'Export CSV' }).click(),
          ])
          const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
          expect(lines).toHaveLength(120)
          expect(lines.filter((line) => line.includes('Crate 27'))).toEqual([])
          await region.getByRole('button', { name: 'Clear selection' }).first().click()
          await said('0 selected')
        },
      )
    },
  )
