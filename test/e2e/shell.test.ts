/** What stands around every page, in a real browser. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { collectComplaints, type Office, standardOffice } from './office.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => void (office = await standardOffice()))
afterAll(() => office.close())

beforeEach(async () => {
  context = await office.signedIn()
  page = await context.newPage()
  complaints = collectComplaints(page)
})

afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

const open = (path: string) => page.goto(office.origin + path)

describe('breadcrumbs', () => {
  const crumbs = () => page.getByRole('navigation', { name: 'Breadcrumbs' })
  const steps = () => crumbs().getByRole('listitem').allTextContents()

  test('lead from the database to the table and to the account', async () => {
    await open('/tables/airports')
    await expect.poll(() => steps()).toEqual(['demo', 'Airports'])
    await expect
      .poll(() => crumbs().locator('[aria-current="page"]').textContent())
      .toBe('Airports')
    await page.getByRole('button', { name: 'Ana Kovač' }).click()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await expect.poll(() => steps()).toEqual(['demo', 'Account'])
    await crumbs().getByRole('link', { name: 'demo' }).click()
    await page.getByRole('table', { name: 'Airports' }).waitFor()
    await expect.poll(() => steps()).toEqual(['demo', 'Airports'])
  })

  nightly.detail('stand in the line of the title and do not say it twice', async () => {
    await open('/tables/airports')
    const link = (await crumbs().getByRole('link', { name: 'demo' }).boundingBox())!
    const title = (await page.getByRole('heading', { level: 1 }).boundingBox())!
    expect(link.x + link.width).toBeLessThan(title.x)
    expect(Math.abs(link.y + link.height / 2 - title.y - title.height / 2)).toBeLessThan(4)
    await expect
      .poll(async () => (await crumbs().locator('[aria-current="page"]').boundingBox())!.width)
      .toBeLessThan(2)
  })

  nightly.layout('are one step back at 390 px, large enough for a finger', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/tables/airports')
    const links = crumbs().getByRole('link')
    await expect.poll(() => links.count()).toBe(1)
    const link = (await links.boundingBox())!
    const title = (await page.getByRole('heading', { level: 1 }).boundingBox())!
    expect(link.height).toBeGreaterThanOrEqual(24)
    expect(link.y + link.height).toBeLessThanOrEqual(title.y)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await links.click()
    await page.getByRole('table', { name: 'Strikes' }).waitFor()
  })
})
