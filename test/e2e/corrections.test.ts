/** An administrator corrects a table and a column in a browser: by keyboard, by touch, and without script. */

import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints } from './office.ts'
import { ownOffice } from './own-office.ts'
import { hydrated } from './page-probe.ts'

let page: Page
let complaints: string[]

/** Tables of which code declares nothing. */
const office = ownOffice((file) => {
  const database = new DatabaseSync(file)
  for (const name of ['routes', 'airports', 'species', 'operators'])
    database.exec(`create table ${name} (id integer primary key, name text, code text, speed_kt integer);
      insert into ${name} (name, code, speed_kt) values ('Denver', 'DEN', 120), ('Boston', 'BOS', 90)`)
  database.close()
})
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

nightly.detail('a table and a column, from the menus of their list by keyboard', async () => {
  await page.goto(`${office.origin}/tables/routes`)
  await hydrated(page)
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Correct this table…' }).press('Enter')
  await expect.poll(heading).toBe('Correct Routes')
  await hydrated(page)
  expect(await violations(page)).toEqual([])
  const unsaved = (text: string) => page.getByRole('status').getByText(text).waitFor()
  await expect.poll(() => save().isDisabled()).toBe(true)
  await page.getByLabel('Label', { exact: true }).fill('Paths')
  await page.getByRole('combobox', { name: 'A row’s name', exact: true }).selectOption('code')
  await unsaved('2 changes, not saved')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Revert' }).press('Enter')
  await expect.poll(() => page.getByLabel('Label', { exact: true }).inputValue()).toBe('Routes')
  await expect.poll(() => save().isDisabled()).toBe(true)
  await page.getByLabel('Label', { exact: true }).fill('Flights')
  await unsaved('1 change, not saved')
  const boxes = page.locator('.column-order input[type=checkbox]')
  const second = await boxes.nth(1).inputValue()
  const up = page
    .locator('.column-order li')
    .nth(1)
    .getByRole('button', { name: /^Move .* up$/ })
  await up.press('Enter')
  await expect.poll(() => boxes.first().inputValue()).toBe(second)
  await unsaved('2 changes, not saved')
  const isFocusKept = () => page.evaluate(() => document.activeElement?.closest('li') !== null)
  await expect.poll(isFocusKept).toBe(true)
  await page.getByLabel('Label', { exact: true }).press('Enter')
  await page.getByRole('status').getByText('Saved for everyone.').waitFor()
  await expect.poll(heading).toBe('Correct Flights')
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the list' }).press('Enter')
  await expect.poll(heading).toBe('Flights')
  await hydrated(page)
  const head = page.locator('thead th[data-column]').first()
  await head.getByRole('button').focus()
  await head.getByRole('link').press('Enter')
  await page.getByRole('link', { name: 'Correct this column…' }).press('Enter')
  await expect.poll(heading).toMatch(/^Correct /)
  await page.getByLabel('Label', { exact: true }).fill('Called')
  await save().press('Enter')
  await page.getByRole('status').getByText('Saved for everyone.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Put back: Label' }).press('Enter')
  await page.getByRole('status').getByText('Put back.').waitFor()
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
  await page.getByRole('button', { name: 'Name another value' }).tap()
  await page.getByLabel('Value 4', { exact: true }).fill('120')
  await page.getByLabel('Name 4', { exact: true }).fill('Cruising')
  await save().last().tap()
  await page.getByRole('status').getByText('Saved for everyone.').waitFor()
  await page.goto(`${office.origin}/tables/airports`)
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
