/** An administrator corrects a table and a column in a browser: by keyboard, by touch, and without script. */

import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'
import { hydrated } from './page-probe.ts'

let page: Page
let complaints: string[]

/** Tables of which code declares nothing. */
const office = ownOffice(
  (file) => {
    const database = new DatabaseSync(file)
    for (const name of ['routes', 'airports', 'species', 'operators'])
      database.exec(`create table ${name} (id integer primary key, name text, code text, speed_kt integer);
      insert into ${name} (name, code, speed_kt) values ('Denver', 'DEN', 120), ('Boston', 'BOS', 90)`)
    database.exec(`create table fares (id integer primary key, name text, code text, price_cents integer);
    insert into fares (name, code, price_cents) values ('Denver', 'DEN', 1250), ('Boston', 'BOS', 980)`)
    database.close()
  },
  { write: true },
)
beforeEach(async () => {
  page = await (await office.signedIn({ viewport: { width: 1440, height: 900 } })).newPage()
  complaints = collectComplaints(page)
})
afterEach(async () => {
  await page.context().close()
  expect(complaints).toEqual([])
})

const heading = () => page.getByRole('heading', { level: 1 }).textContent()
const save = () => page.getByRole('button', { name: 'Save for everyone' })

const panel = () => page.getByRole('complementary').filter({ has: page.getByRole('form') })
const label = () => page.getByLabel('Label', { exact: true })
const unsaved = (text: string) => page.getByRole('status').getByText(text).waitFor()
const panelOf = (title: string) => page.getByRole('heading', { level: 2, name: title }).waitFor()
const focused = () => page.evaluate(() => document.activeElement?.textContent)

test('a table and a column beside the list, by keyboard, seen at once and saved together', async () => {
  await page.goto(`${office.origin}/tables/routes`)
  await hydrated(page)
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Correct this table…' }).press('Enter')
  await panelOf('Correct Routes')
  await expect.poll(focused).toBe('Correct Routes')
  await expect.poll(() => save().isDisabled()).toBe(true)
  expect(await violations(page)).toEqual([])
  await label().fill('Flights')
  await unsaved('1 change, not saved')
  // Whoever corrects it sees it.
  await expect.poll(heading).toBe('Flights')
  const second = page.getByRole('button', { name: /^Move Code, 2 of/ })
  await second.press('ArrowDown')
  await unsaved('2 changes, not saved')
  await page.getByRole('button', { name: /^Move Code, 3 of/ }).waitFor()
  await panel().getByRole('link', { name: 'Correct Code' }).press('Enter')
  await panelOf('Correct Code')
  await label().fill('Called')
  await unsaved('3 changes, not saved')
  await page.locator('thead').getByText('Called').waitFor()
  expect(await violations(page)).toEqual([])
  // Nobody else sees it.
  const other = await page.context().newPage()
  await other.goto(`${office.origin}/tables/routes`)
  await expect.poll(() => other.getByRole('heading', { level: 1 }).textContent()).toBe('Routes')
  await other.close()
  await page.getByRole('button', { name: 'Put back: Label' }).press('Enter')
  await unsaved('2 changes, not saved')
  await expect.poll(() => label().inputValue()).toBe('Code')
  await label().fill('Called')
  await label().press('Enter')
  await page.getByText('Saved for everyone.').waitFor()
  await expect.poll(heading).toBe('Flights')
  await page.locator('thead').getByText('Called').waitFor()
  await page.getByRole('link', { name: 'Flights' }).first().waitFor()
  const isOnMenu = () => page.evaluate(() => document.activeElement?.id)
  await expect.poll(isOnMenu).toBe('more')
  // What is not saved is not lost by a link, and is dropped by Cancel.
  const head = page.locator('thead th[data-column]').first()
  await head.getByRole('button').focus()
  await head.getByRole('link').press('Enter')
  await page.getByRole('link', { name: 'Correct this column…' }).press('Enter')
  await panelOf('Correct Name')
  await label().fill('Lost')
  await unsaved('1 change, not saved')
  await page.getByRole('link', { name: 'Species' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  // Back shows the list as it was then, without what is not saved any more.
  const heads = page.locator('thead')
  await heads.getByRole('button', { name: 'Lost' }).click()
  await page.waitForURL(/sort=/)
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await heads.getByText('Name', { exact: true }).waitFor()
  await expect.poll(() => panel().count()).toBe(0)
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('sort='))
  await heads.getByText('Name', { exact: true }).waitFor()
  await expect.poll(() => heads.getByText('Lost').count()).toBe(0)
})

nightly.detail('a table on its page, to which the links lead without the list', async () => {
  await page.goto(`${office.origin}/tables/routes/corrections`)
  await hydrated(page)
  const before = await label().inputValue()
  await label().fill('Paths')
  await page.getByRole('combobox', { name: 'A row’s name', exact: true }).selectOption('code')
  await unsaved('2 changes, not saved')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Revert' }).press('Enter')
  await expect.poll(() => label().inputValue()).toBe(before)
  await label().fill('Paths')
  await unsaved('1 change, not saved')
  await label().press('Enter')
  await page.getByRole('status').getByText('Saved for everyone.').waitFor()
  await page.getByRole('button', { name: 'Put back: Label' }).press('Enter')
  await page.getByRole('status').getByText('Put back.').waitFor()
  // What is typed meanwhile is in cents.
  const [form, list] = [await page.context().newPage(), await page.context().newPage()]
  await form.goto(`${office.origin}/tables/fares/records/1?edit=on`)
  await hydrated(form)
  await form.getByLabel('Price cents', { exact: true }).fill('1300')
  await list.goto(`${office.origin}/tables/fares?sort=id`)
  await hydrated(list)
  await settled(list)
  await list.getByRole('cell', { name: '980', exact: true }).dblclick()
  await list.getByLabel('Price cents of Boston', { exact: true }).locator('.in').fill('990')
  await page.bringToFront()
  await page.goto(`${office.origin}/tables/fares/corrections?column=price_cents`)
  const currency = page.getByRole('combobox', { name: 'Currency', exact: true })
  // Columns come first, then currencies in a group of their own.
  await expect
    .poll(() => currency.locator('> option').allTextContents())
    .toEqual(['None', 'Name', 'Code'])
  const group = currency.locator('optgroup')
  await expect.poll(() => group.getAttribute('label')).toBe('One currency for all')
  await currency.selectOption('JPY, Japanese Yen')
  await currency.selectOption('EUR, Euro')
  await save().press('Enter')
  await page.getByRole('status').getByText('Saved for everyone.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the list' }).press('Enter')
  await page.getByRole('columnheader', { name: 'Price €' }).waitFor()
  await page.getByRole('cell', { name: '12.50', exact: true }).first().waitFor()

  // It is not saved as euros, but asked for again, and stands in its field until then.
  const again = 'This is entered in EUR now. Enter it again.'
  const price = form.getByLabel('Price', { exact: true })
  await form.bringToFront()
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.getByText(again).first().waitFor()
  await expect.poll(() => price.inputValue()).toBe('1300')
  expect(await violations(form)).toEqual([])
  await price.fill('13')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitForURL(/\/records\/1$/)
  const cell = list.getByLabel('Price of Boston', { exact: true }).locator('.in')
  await list.bringToFront()
  await cell.press('Enter')
  await list.getByText(again).first().waitFor()
  await expect.poll(() => cell.inputValue()).toBe('990')
  // Nor is it once more.
  await cell.press('Enter')
  await list.getByText(again).first().waitFor()
  await cell.fill('9.9')
  await cell.press('Enter')
  await list.getByRole('cell', { name: '9.90', exact: true }).waitFor()
})

nightly.layout('fits a phone, by touch', async () => {
  await page.context().close()
  const viewport = { width: 390, height: 844 }
  page = await (await office.signedIn({ viewport, hasTouch: true })).newPage()
  for (const query of ['', '?column=speed_kt']) {
    await page.goto(`${office.origin}/tables/airports/corrections${query}`)
    await hydrated(page)
    const isWide = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return scrollWidth > clientWidth
      })
    await expect.poll(isWide).toBe(false)
    expect(await violations(page)).toEqual([])
    await expect.poll(smallTargets).toEqual([])
  }
  await page.goto(`${office.origin}/tables/airports`)
  await hydrated(page)
  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Correct this table…' }).tap()
  await panelOf('Correct Airports')
  expect(await violations(page)).toEqual([])
  await expect.poll(smallTargets).toEqual([])
  await page.getByRole('link', { name: 'Correct Speed' }).tap()
  await panelOf('Correct Speed')
  await page.getByRole('button', { name: 'Name another value' }).tap()
  await page.getByLabel('Value 3', { exact: true }).fill('120')
  await page.getByLabel('Name 3', { exact: true }).fill('Cruising')
  await unsaved('1 change, not saved')
  await save().tap()
  await page.getByText('Saved for everyone.').waitFor()
  await page.getByText('Cruising').first().waitFor()
})

/** Sizes of what is smaller than a finger needs. */
const smallTargets = () =>
  page.locator('.corrections :is(button, a, select, input):visible').evaluateAll((all) =>
    all
      .filter((one) => !one.matches('.sr, [type=checkbox]'))
      .map((one) => one.getBoundingClientRect())
      .filter(({ width, height }) => width < 24 || height < 24)
      .map(({ width, height }) => [width, height]),
  )

nightly.detail('an open list shows what another administrator corrects', async () => {
  await page.goto(`${office.origin}/tables/species`)
  await hydrated(page)
  const other = await page.context().newPage()
  await other.goto(`${office.origin}/tables/species/corrections`)
  await other.getByLabel('Label', { exact: true }).fill('Kinds of birds')
  await other.getByRole('button', { name: 'Save for everyone' }).click()
  await other.getByText('Saved for everyone.').waitFor()
  await expect.poll(heading).toBe('Kinds of birds')
})

nightly.detail('without script, columns are put in order by their places', async () => {
  const context = await office.signedIn({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(`${office.origin}/tables/operators/corrections`)
  const boxes = plain.locator('.column-order input[type=checkbox]')
  // What names a row stays first.
  const [first, second] = [await boxes.nth(1).inputValue(), await boxes.nth(2).inputValue()]
  await plain.locator('.column-order input[type=number]').nth(1).fill('3.5')
  await plain.getByRole('button', { name: 'Save for everyone' }).click()
  await plain.getByText('Saved for everyone.').waitFor()
  const now = () => Promise.all([boxes.nth(1).inputValue(), boxes.nth(2).inputValue()])
  await expect.poll(now).toEqual([second, first])
  await context.close()
})
