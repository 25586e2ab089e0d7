/**
 * A list of a million rows in a browser, of ten million before a release: not in every run, because they take a
 * while to write.
 */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { addMillion } from '../../demo/million.ts'
import { DEPTH_ROWS, isPlain } from '../tier.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'

const ROWS = DEPTH_ROWS

describe.skipIf(isPlain)('millions of rows', () => {
  let office: Office
  let page: Page

  beforeAll(async () => {
    office = await openOffice((file) => addMillion(file, ROWS), { write: true })
    page = await (await office.signedIn({ viewport: { width: 1440, height: 900 } })).newPage()
  }, 600_000)
  afterAll(() => office.close())

  /** The total of the list, once all rows are counted. */
  async function counted(): Promise<number> {
    const total = page.locator('.head .total')
    await expect.poll(() => total.textContent(), { timeout: 60_000 }).toMatch(/^[\d,]+$/)
    return Number((await total.textContent())?.replaceAll(',', ''))
  }

  nightly.lengthy('are opened, filtered, selected, paged to the end and exported', async () => {
    const complaints = collectComplaints(page)
    await page.goto(`${office.origin}/tables/orders`)
    await settled(page)
    expect(await counted()).toBe(ROWS)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    const status = page.getByRole('group', { name: 'Status', exact: true })
    await status.getByRole('checkbox', { name: /^Refunded/ }).check()
    await page.getByRole('button', { name: 'Remove filter: Status Refunded' }).waitFor()
    await expect.poll(counted).toBeLessThan(ROWS)
    const rows = (await counted()).toLocaleString('en')

    const region = page.getByRole('region', { name: 'Selection' })
    await region.getByRole('button', { name: `Select all ${rows}` }).click()
    await region.getByText(`${rows} selected`, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Last page' }).click()
    await page.getByText(`–${rows} of ${rows}`).first().waitFor()
    await region.getByText(`${rows} selected`, { exact: true }).waitFor()
    await expect
      .poll(() => page.locator('.pager a[href]').last().getAttribute('aria-label'))
      .toBe('Previous page')

    await region.getByRole('button', { name: 'Bulk actions' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^Orders .*\.csv$/)
    await download.cancel()
    expect(complaints).toEqual([])
  })

  nightly.lengthy('are put in order, and back as they were', async () => {
    const complaints = collectComplaints(page)
    const first = () =>
      page
        .locator('tbody tr')
        .evaluateAll((all) => all.slice(0, 3).map((row) => (row as HTMLElement).dataset['rowKey']))
    const notices = page.getByRole('status', { name: 'Notifications' })
    await page.goto(`${office.origin}/tables/orders`)
    await settled(page)
    const before = await first()
    const [, , third] = before
    await page.getByRole('button', { name: 'Reorder' }).click()
    const grips = page.getByRole('button', { name: /^Move / })
    await grips.nth(2).press('t')
    await page.getByText('1 move not saved').waitFor()
    await page.getByRole('button', { name: 'Save order' }).click()
    await expect.poll(first).toEqual([third, ...before.slice(0, 2)])
    await notices.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(first).toEqual(before)
    expect(complaints).toEqual([])
  })
})
