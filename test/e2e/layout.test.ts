/** Nothing covers, cuts off or scrolls away what a page shows, with scroll bars that take room. */

import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { copyDemo } from '../copy-demo.ts'
import { nightly } from '../nightly.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'

const STATUS = { new: 1, review: 2, verified: 3 }

/** The demo, and a table with long values, to whose rows another table refers. */
function prepare(file: string): void {
  copyDemo(file)
  const database = new DatabaseSync(file)
  database.exec(`
    create table notes (id integer primary key, title text not null, body text, extra json);
    create table replies (id integer primary key, note_id integer references notes (id), text text)`)
  const body = 'A long remark of several lines.\n'.repeat(40)
  database
    .prepare('insert into notes values (1, ?, ?, ?)')
    .run('First note', body, JSON.stringify(STATUS))
  database.exec(`insert into replies values (1, 1, 'Yes')`)
  database.close()
}

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => void (office = await openOffice(prepare, { scrollbars: true })), 240_000)
afterAll(() => office.close())
beforeEach(async () => {
  context = await office.signedIn({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  complaints = collectComplaints(page)
})
afterEach(async () => {
  await context.close()
  expect(complaints).toEqual([])
})

async function open(path: string): Promise<void> {
  await page.goto(office.origin + path)
  await settled(page)
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 720, height: 450 },
]

describe('a record with long values', () => {
  nightly.layout.each(SIZES)('shows each in its own line at $width px', async (size) => {
    await page.setViewportSize(size)
    await open('/tables/notes/records/1')
    const tops = await page
      .locator('.fields dd')
      .evaluateAll((all) => all.map((one) => one.firstElementChild!.getBoundingClientRect().top))
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    // A covered link would not take the click.
    await page
      .getByRole('link', { name: /Replies/ })
      .last()
      .click({ trial: true })
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').last().click()
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor()
  })
})

const NINE = [
  ...['airport_name', 'incident_date', 'aircraft_type_id', 'operator_id', 'species_id'],
  ...['phase', 'speed_kt', 'cost_total_usd', 'status'],
]

nightly.layout('nine columns with ticks fit 1440 px beside a scroll bar', async () => {
  await open(`/tables/strikes?columns=${NINE.join()}`)
  const rows = page.locator('.scroller')
  await expect
    .poll(() => rows.evaluate((one) => one.scrollHeight - one.clientHeight))
    .toBeGreaterThan(0)
  await expect.poll(() => rows.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
})

nightly.layout('twelve are scrolled beside the column that names the row', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open('/tables/strikes')
  const cell = (place: string) => page.locator(`tbody tr:first-child > ${place}`)
  const left = (place: string) => cell(place).evaluate((one) => one.getBoundingClientRect().left)
  const name = await left('th')
  await page.locator('.scroller').evaluate((one) => one.scrollTo({ left: 1000 }))
  await expect.poll(() => left('th')).toBe(name)
  const beyond = () =>
    cell('td:nth-last-child(2)').evaluate((one) => one.getBoundingClientRect().right - innerWidth)
  await expect.poll(() => beyond()).toBeLessThanOrEqual(0)
})

describe('the document ends with its page', () => {
  /** How far it scrolls beyond the end of the page, and to the side, px. */
  const beyond = () =>
    page.evaluate(() => {
      const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.scrollingElement!
      const { bottom } = document.querySelector('.app, .ticket')!.getBoundingClientRect()
      return [scrollHeight - Math.max(clientHeight, Math.ceil(bottom)), scrollWidth - clientWidth]
    })

  describe.each(SIZES)('at $width × $height', (size) => {
    beforeEach(() => page.setViewportSize(size))

    nightly.layout.each([
      '/tables/strikes/records/7285',
      '/tables/notes/records/1',
      '/tables/strikes?filter.phase.in=climb',
      '/you',
    ])('%s', async (path) => {
      await open(path)
      await expect.poll(() => beyond()).toEqual([0, 0])
    })

    nightly.layout('an error page', async () => {
      await open('/tables/nothing_like_it')
      await expect.poll(() => beyond()).toEqual([0, 0])
      expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
    })

    nightly.layout('the page to sign in', async () => {
      await context.clearCookies()
      await open('/sign-in')
      await expect.poll(() => beyond()).toEqual([0, 0])
    })
  })
})

describe('the panel of filters', () => {
  const panel = () => page.getByRole('region', { name: 'Filters', exact: true })
  /** How far the panel has left the place where it is shown, px. */
  const displaced = () =>
    panel().evaluate(
      (one) =>
        one.parentElement!.parentElement!.getBoundingClientRect().top -
        one.getBoundingClientRect().top,
    )

  nightly.layout(
    'stays where it is while its last control is chosen, and when it is opened again',
    async () => {
      await open('/tables/strikes?filters=open')
      const none = panel().getByRole('radio', { name: 'None' }).last()
      await none.focus()
      await page.keyboard.press('Space')
      await settled(page)
      await expect.poll(() => displaced()).toBe(0)
      await expect
        .poll(() =>
          panel()
            .locator('.grid')
            .evaluate((grid) => grid.scrollTop),
        )
        .toBeGreaterThan(0)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Enter')
      await panel().getByRole('radio', { name: 'None' }).last().waitFor()
      await expect.poll(() => displaced()).toBe(0)
    },
  )

  nightly.layout(
    'touches what stands below it, and only one button clears all filters',
    async () => {
      await open('/tables/strikes?filters=open&filter.phase.in=Climb&filter.status.in=new')
      const clear = page.getByRole('button', { name: 'Clear all filters' })
      const chips = page.getByRole('region', { name: 'Active filters' })
      const { y, height } = (await panel().boundingBox())!
      await expect.poll(async () => (await chips.boundingBox())!.y).toBeCloseTo(y + height)
      await expect.poll(() => clear.count()).toBe(1)
      await page.getByRole('button', { name: /^Filters/ }).click()
      await panel().waitFor({ state: 'hidden' })
      await expect.poll(() => clear.count()).toBe(1)
      await clear.click()
      await chips.waitFor({ state: 'detached' })
    },
  )

  nightly.layout('leaves rows in sight at 200 % zoom', async () => {
    await page.setViewportSize({ width: 720, height: 450 })
    await open('/tables/strikes?filters=open&filter.phase.in=Climb')
    await panel().waitFor()
    const bottom = async (what: string) => {
      const { y, height } = (await page.locator(what).boundingBox())!
      return y + height
    }
    const third = await bottom('.tw tbody tr:nth-child(3)')
    const foot = (await page.locator('.foot').boundingBox())!
    expect(third).toBeLessThanOrEqual(foot.y)
    await expect.poll(() => bottom('.foot')).toBeLessThanOrEqual(450)
    // Nothing covers the row.
    await page.locator('.tw tbody tr:nth-child(3) th').click({ trial: true })
  })

  nightly.layout('shows its first label when the key opens it', async () => {
    await open('/tables/strikes')
    await page.keyboard.press('f')
    await page.waitForFunction(() => document.activeElement?.closest('.filters'))
    await expect.poll(() => displaced()).toBe(0)
    await expect
      .poll(() =>
        panel()
          .locator('.grid')
          .evaluate((grid) => grid.scrollTop),
      )
      .toBe(0)
  })
})
