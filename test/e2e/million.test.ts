/** A list of a million rows in a browser: every night, because they take a while to write. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMillion } from '../../demo/million.ts'
import { isPlain } from '../tier.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'

const ROWS = 1_000_000

describe.skipIf(isPlain)('a million rows', () => {
  let office: Office
  let page: Page

  beforeAll(async () => {
    office = await openOffice((file) => addMillion(file, ROWS))
    page = await (await office.signedIn({ viewport: { width: 1440, height: 900 } })).newPage()
  }, 600_000)
  afterAll(() => office.close())

  /** The total of the list, once all rows are counted. */
  async function counted(): Promise<number> {
    const total = page.locator('.head .total')
    await expect.poll(() => total.textContent(), { timeout: 60_000 }).toMatch(/^[\d,]+$/)
    return Number((await total.textContent())?.replaceAll(',', ''))
  }

  test('are opened, filtered, selected, paged to the end and exported', async () => {
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
    expect(await page.locator('.pager a[href]').last().getAttribute('aria-label')).toBe(
      'Previous page',
    )

    await region.getByRole('button', { name: 'Bulk actions' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^Orders .*\.csv$/)
    await download.cancel()
    expect(complaints).toEqual([])
  })
})
