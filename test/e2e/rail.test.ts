/** The sidebar of a database with many tables, in a real browser. */

import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { isPlain } from '../tier.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, openOffice } from './office.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]

/** Twenty-one tables of their own, and eight whose names begin with the same word. */
function manyTables(file: string): void {
  const database = new DatabaseSync(file)
  const words = 'apple bird cloud door echo fern glass hill iron juice key lake moon nest oak pine'
  const names = `${words} quay rain sand tree urn`.split(' ')
  const orders = words.split(' ').slice(0, 8)
  database.exec('begin')
  for (const name of [...names, ...orders.map((word) => `order_${word}`)])
    database.exec(`create table ${name} (id integer primary key, name text);
      insert into ${name} (name) values ('one')`)
  database.exec('commit')
  database.close()
}

beforeAll(async () => {
  if (!isPlain) office = await openOffice(manyTables)
})
afterAll(() => office?.close())

beforeEach(async () => {
  if (isPlain) return
  context = await office.signedIn()
  page = await context.newPage()
  complaints = collectComplaints(page)
})

afterEach(async () => {
  if (isPlain) return
  expect(complaints).toEqual([])
  await context.close()
})

const open = (path: string) => page.goto(office.origin + path)
const rail = () => page.getByRole('navigation', { name: 'Tables' })
const group = (name: string) => page.locator(`nav h2:text-is("${name}") + ul`)
const linksOf = (name: string) =>
  group(name)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))

describe('the sidebar of many tables', () => {
  nightly.detail(
    'lists the tables opened last, at most five, and marks the current one',
    async () => {
      const order = ['apple', 'bird', 'cloud', 'door', 'echo', 'fern']
      for (const table of order) await open(`/tables/${table}`)
      await open('/you')
      const last = order.toReversed().slice(0, 5)
      await expect.poll(() => linksOf('Recent')).toEqual(last.map((name) => `/tables/${name}`))
      await group('Recent').getByRole('link').last().click()
      await page.getByRole('table', { name: 'Bird' }).waitFor()
      const current = page.locator('nav a[aria-current]')
      await expect.poll(() => current.count()).toBe(1)
      await expect.poll(() => current.getAttribute('href')).toBe('/tables/bird')
    },
  )

  nightly.detail(
    'folds those of one prefix, opens them for the current one, and keeps what is chosen',
    async () => {
      const part = () => rail().locator('summary', { hasText: 'Order …' })
      const apple = () => rail().getByRole('link', { name: 'Order apple' })
      await open('/tables/apple')
      await part().waitFor()
      await expect.poll(() => apple().isVisible()).toBe(false)
      await open('/tables/order_bird')
      await apple().waitFor()
      await expect.poll(() => violations(page, { within: '.rail' })).toEqual([])
      const kept = page.waitForResponse('**/tablewire/update')
      await part().press('Enter')
      await kept
      await expect.poll(() => apple().isVisible()).toBe(false)
      await open('/tables/order_bird')
      await part().waitFor()
      await expect.poll(() => apple().isVisible()).toBe(false)
    },
  )

  nightly.detail(
    'pins a table by its menu, by keyboard, and takes it down from the palette',
    async () => {
      await open('/tables/key')
      await rail().getByRole('button', { name: 'More of Key' }).waitFor()
      await rail().getByRole('link', { name: /^Lake/ }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Pin to the sidebar' }).press('Enter')
      await expect.poll(() => linksOf('Pinned')).toEqual(['/tables/lake'])
      await open('/tables/lake')
      await expect.poll(() => linksOf('Pinned')).toEqual(['/tables/lake'])
      await expect.poll(() => page.locator('nav a[aria-current]').count()).toBe(1)
      await rail().getByRole('button', { name: 'More of Lake' }).waitFor()
      await expect.poll(() => violations(page, { within: '.rail' })).toEqual([])
      await page.keyboard.press('Control+k')
      await page
        .getByRole('combobox', { name: 'Find a table, a record or an action' })
        .fill('unpin')
      await page.getByRole('option', { name: 'Unpin from the sidebar' }).click()
      await expect.poll(() => group('Pinned').count()).toBe(0)
    },
  )
})
