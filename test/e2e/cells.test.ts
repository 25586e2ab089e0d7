/** Cells and heads that need room or an explanation, in a real browser. */

import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'

function prepare(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`
    create table notes (id integer primary key, title text not null, body text, facts json,
      hidden_code text, number_of_passengers_carried integer, name_of_the_reporting_airport text);
    insert into notes values
      (1, 'One line', 'plain', '{}', 'a', 1, 'Wien'),
      (2, 'Two' || char(10) || 'lines', 'first' || char(13, 10) || 'second' || char(10) || 'third',
        '{"a":' || char(10) || '1}', 'b', 2, 'Graz');
  `)
  db.close()
}

let office: Office
let page: Page
let complaints: string[]

beforeAll(
  async () =>
    void (office = await openOffice(prepare, {
      definitions: { notes: { columns: { hidden_code: { sortable: false } } } },
    })),
)
afterAll(() => office.close())
beforeEach(async () => {
  page = await (await office.signedIn({ viewport: { width: 1440, height: 900 } })).newPage()
  complaints = collectComplaints(page)
})
afterEach(async () => {
  expect(complaints).toEqual([])
  await page.context().close()
})

async function open(path = '/tables/notes'): Promise<void> {
  await page.goto(office.origin + path)
  await settled(page)
}

nightly.layout.each([1440, 390])(
  'at %d px, a text of several lines is drawn on one',
  async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await open()
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
    expect(heights[1]).toBe(heights[0])
    await expect.poll(() => page.locator('tbody .break').count()).toBeGreaterThan(1)
  },
)

nightly.detail.each([
  ['Facts', 'Values of this kind have no order'],
  ['Hidden code', 'The configuration does not let a list be sorted'],
])('the head of %s says why it does not sort, by pointer and by keyboard', async (name, why) => {
  await open()
  const head = page.getByRole('columnheader', { name })
  await expect.poll(() => head.getByRole('button').count()).toBe(0)
  const tip = page.getByRole('tooltip').getByText(why)
  await head.hover()
  await tip.waitFor()
  await page.getByRole('heading', { name: 'Notes' }).hover()
  await tip.waitFor({ state: 'hidden' })
  await page.keyboard.press('Tab')
  await head.focus()
  await tip.waitFor()
  expect(await violations(page)).toEqual([])
})

nightly.detail('where a table has room, the button of a head stands beside its title', async () => {
  await open()
  const heads = page.locator('thead th[data-column]')
  // Those of a kind that no filter takes have no menu.
  for (const head of await heads.filter({ hasNotText: 'Facts' }).all()) {
    await head.hover()
    const opens = head.getByRole('link')
    await opens.waitFor()
    const [title, button] = await head.evaluate((cell) => {
      const range = document.createRange()
      const name = cell.querySelector('.name')!
      range.selectNodeContents(name)
      const isCut = name.scrollHeight > name.clientHeight + 1
      const of = ({ left, right }: DOMRect) => ({ left, right })
      return [
        { ...of(range.getBoundingClientRect()), isCut },
        of(cell.querySelector('.headmenu')!.getBoundingClientRect()),
      ]
    })
    expect(title.isCut).toBe(false)
    expect(title.right <= button.left || title.left >= button.right).toBe(true)
  }
})

nightly.detail('where it has none, the button covers no letter of a number’s title', async () => {
  await page.setViewportSize({ width: 700, height: 800 })
  await open()
  const heads = page.locator('thead th.num[data-column]')
  await expect.poll(() => heads.count()).toBeGreaterThan(0)
  for (const head of await heads.all()) {
    await head.scrollIntoViewIfNeeded()
    await head.hover()
    await head.getByRole('link').waitFor()
    const [title, icon] = await head.evaluate((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell.querySelector('.name')!)
      const mark = cell.querySelector('.headmenu .i')!
      return [range.getBoundingClientRect().left, mark.getBoundingClientRect().right]
    })
    expect(title).toBeGreaterThanOrEqual(icon)
  }
})

nightly.detail(
  'a head under a pointer that rests shows the button once the script has come',
  async () => {
    const gate = Promise.withResolvers<void>()
    await page.route(/\/main-[^/]*\.js$/, async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto(`${office.origin}/tables/notes`, { waitUntil: 'commit' })
    const head = page.getByRole('columnheader', { name: 'Title' })
    await head.hover()
    gate.resolve()
    await head.getByRole('link').waitFor()
  },
)

nightly.detail('where nothing matches, there is nothing to select', async () => {
  await open('/tables/notes?search=nothing')
  const region = page.getByRole('region', { name: 'Selection' })
  await region.getByText('0 selected').waitFor()
  await expect.poll(() => region.getByRole('button', { name: /^Select all/ }).count()).toBe(0)
})

nightly.detail(
  'the first ↓ on a page focuses the first row, whether it was loaded or visited',
  async () => {
    await open()
    const isAtFirst = () =>
      page
        .locator('tbody tr')
        .first()
        .evaluate((row) => row.contains(document.activeElement))
    // The keys work once the page is hydrated, and are kept until their script has come.
    await expect.poll(() => page.locator('#tip').count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await expect.poll(isAtFirst).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(isAtFirst).toBe(false)
    await page.goto(`${office.origin}/you`)
    await page
      .getByRole('navigation', { name: 'Tables' })
      .getByRole('link', { name: 'Notes' })
      .first()
      .click()
    const title = page.getByRole('heading', { level: 1, name: 'Notes' })
    await expect.poll(() => title.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(isAtFirst).toBe(true)
  },
)
