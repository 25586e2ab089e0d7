/** Saved views in a real browser: saved, changed, shared and opened, by keys and on a phone. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'

let context: BrowserContext
let page: Page
let complaints: string[]

const office = ownOffice()
afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

const LIST = '/tables/strikes'

async function open(path: string, options = {}): Promise<void> {
  context = await office.signedIn(options)
  page = await context.newPage()
  complaints = collectComplaints(page)
  await page.goto(office.origin + path)
  await settled(page)
}

const name = () => page.getByRole('banner').or(page.locator('.head')).locator('.viewbtn')
const dialog = (title: string) => page.getByRole('dialog', { name: title, exact: true })
const item = (text: string | RegExp) => dialog('Views').getByRole('link', { name: text })
const query = () => new URL(page.url()).searchParams

nightly.detail(
  'a view is saved, changed by nobody but who says so, and opens the table',
  async () => {
    await open(`${LIST}?filter.cost_total_usd.min=10000`)
    await name().click()
    await expect.poll(() => item('All rows 10,000').count()).toBe(1)
    await page.keyboard.press('Escape')

    // By keys alone.
    await page.keyboard.press('ControlOrMeta+Shift+S')
    await expect.poll(() => dialog('Save view').getByLabel('Name').count()).toBe(1)
    expect(await violations(page, { within: 'dialog' })).toEqual([])
    await dialog('Save view').getByLabel('Name').fill('Costly')
    await dialog('Save view')
      .getByRole('checkbox', { name: /Open .* with this view/ })
      .check()
    await page.keyboard.press('Enter')
    await expect.poll(() => name().innerText()).toBe('Costly')
    await expect.poll(() => query().get('view')).not.toBeNull()

    // What differs is said, and not saved by itself.
    await page.getByRole('columnheader', { name: 'Phase' }).getByRole('button').first().click()
    await expect.poll(() => page.locator('.differs').innerText()).toContain('The order differs')
    expect(await violations(page, { within: '.chips' })).toEqual([])
    await page.getByRole('link', { name: 'Discard' }).click()
    await expect.poll(() => page.locator('.differs').count()).toBe(0)
    await expect.poll(() => query().get('sort')).toBeNull()
    await page.getByRole('columnheader', { name: 'Phase' }).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => page.locator('.differs').count()).toBe(0)

    // The table opens with it, and all rows are one click away.
    await page.goto(office.origin + LIST)
    await settled(page)
    await expect.poll(() => query().get('sort')).toBe('phase')
    await expect.poll(() => name().innerText()).toBe('Costly')
    await name().click()
    await item('All rows').click()
    await expect.poll(() => query().get('filter.cost_total_usd.min')).toBeNull()
    await expect.poll(() => name().innerText()).toBe('All rows')

    // For everyone, as a tab.
    await name().click()
    await dialog('Views').getByRole('button', { name: 'Rename, share, order…' }).click()
    await page.getByRole('button', { name: 'Change: Costly' }).click()
    await dialog('Change view')
      .getByRole('radio', { name: /Everyone/ })
      .check()
    await dialog('Change view')
      .getByRole('checkbox', { name: /as a tab/ })
      .check()
    await dialog('Change view').getByRole('button', { name: 'Save changes' }).click()
    await dialog('Views').getByRole('button', { name: 'Done' }).click()
    // With how many rows it finds, which the list itself counts as well.
    const tab = page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Costly [\d,]+$/ })
    await expect.poll(() => tab.count()).toBe(1)
    await tab.click()
    await expect.poll(() => tab.getAttribute('aria-current')).toBe('page')
    const counted = await tab.locator('.n').innerText()
    await expect.poll(() => page.locator('.head .total').innerText()).toBe(counted)
    expect(await violations(page)).toEqual([])

    // On a phone the menu is a sheet.
    await page.setViewportSize({ width: 390, height: 844 })
    await name().click()
    const sheet = () => dialog('Views').boundingBox()
    await expect.poll(sheet).toMatchObject({ x: 0, width: 390 })
    expect(await violations(page, { within: '.menu.views' })).toEqual([])
  },
)

nightly.detail('somebody else has everyone’s views at once, and other pages are told', async () => {
  await open(LIST)
  const other = await (await office.colleague('Ben Okafor')).newPage()
  await other.goto(`${office.origin}${LIST}?sort=-incident_date`)
  await settled(other)
  await other.keyboard.press('ControlOrMeta+Shift+S')
  await other.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Newest')
  await other.getByRole('radio', { name: /Everyone/ }).check()
  await other.getByRole('button', { name: 'Save view' }).click()
  await expect.poll(() => other.locator('.viewbtn').innerText()).toBe('Newest')
  await name().click()
  await expect.poll(() => item(/^Newest.*Ben Okafor/).count()).toBe(1)
  await item(/^Newest/).click()
  await expect.poll(() => query().get('sort')).toBe('-incident_date')
})
