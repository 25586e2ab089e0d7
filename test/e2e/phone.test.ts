/** A list on a phone: rows are cards, and what a table says beside its rows is there as well. */

import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { copyDemo } from '../copy-demo.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'
import { keysOn } from './shown-rows.ts'

let page: Page
let complaints: string[]

/** The demo, with tasks whose positions have no gaps. */
function prepare(file: string): void {
  copyDemo(file)
  const database = new DatabaseSync(file)
  database.exec(`
    create table tasks (id integer primary key, title text not null, position integer);
    create index tasks_position on tasks (position, id);
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 60)
    insert into tasks select n, 'Task ' || n, n from numbers`)
  database.close()
}

const office = ownOffice(prepare, { write: true })
beforeEach(async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  page = await (await office.signedIn(phone)).newPage()
  complaints = collectComplaints(page)
})
afterEach(async () => {
  await page.context().close()
  expect(complaints).toEqual([])
})

async function open(path: string): Promise<void> {
  await page.goto(office.origin + path)
  await settled(page)
}

const button = (name: string) => page.getByRole('button', { name, exact: true })

/** The middle of a row's handle, at a part of the row's height. */
async function at(id: number, part: number): Promise<{ x: number; y: number }> {
  const row = page.locator(`tr[data-row-key="${id}"]`)
  const [box, handle] = await Promise.all([
    row.boundingBox(),
    button(`Move Task ${id}`).boundingBox(),
  ])
  return { x: handle!.x + handle!.width / 2, y: box!.y + box!.height * part }
}

/** The name of what has the focus. */
const focused = () => page.evaluate(() => document.activeElement?.textContent)

test('rows are dragged, a move is taken back, and positions are spaced out, by a finger and by keys', async () => {
  await open('/tables/tasks')
  await button('Reorder').tap()
  const bar = page.getByRole('region', { name: 'Reorder' })
  const height = () => bar.evaluate((element) => element.getBoundingClientRect().height)
  await bar.getByText('By Position, 1 to 60').waitFor()
  const before = await height()

  const finger = await page.context().newCDPSession(page)
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: { x: number; y: number }[],
  ) => finger.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [await at(1, 0.5)])
  for (const part of [0.2, 0.9]) await touch('touchMove', [await at(4, part)])
  await page.locator('.lifted').waitFor()
  await touch('touchEnd', [])
  await expect.poll(async () => (await keysOn(page)).slice(0, 4)).toEqual(['2', '3', '4', '1'])
  await button('Move Task 1').and(page.locator(':focus')).waitFor()
  await expect.poll(() => page.locator('[role=tooltip].shown').count()).toBe(0)
  expect(await violations(page)).toEqual([])
  await button('Undo last move').tap()
  await bar.getByText('Nothing moved yet').waitFor()

  await button('Move Task 3').tap()
  await page.getByRole('dialog').getByRole('button', { name: 'To the bottom' }).tap()
  await button('Undo last move').tap()
  await bar.getByText('Nothing moved yet').waitFor()

  await button('Move Task 3').focus()
  await page.keyboard.press('b')
  await bar.getByText('A move this far may write all rows between.').waitFor()
  await expect.poll(() => height()).toBe(before)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await button('Cancel').focus()
  const path: (string | null | undefined)[] = []
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press('Tab')
    path.push(await focused())
  }
  expect(path).toEqual(['Save order', 'Space out positions', 'Undo last move'])
  await page.keyboard.press('Enter')
  await bar.getByText('Nothing moved yet').waitFor()

  // The page on which the row stands again.
  await button('Move Task 1').waitFor()
  await button('Move Task 3').focus()
  await page.keyboard.press('b')
  await button('Space out positions').tap()
  await page.getByText('The positions have room between them now.').waitFor()
  await button('Save order').tap()
  await page.getByText('The row’s new position is saved.').waitFor()
})

nightly.detail(
  'the sums of the page stand after the rows, and those of the selection in sight',
  async () => {
    await open('/tables/strikes')
    const sums = page.locator('.sums')
    const text = async () => (await sums.innerText()).replaceAll(/\s+/g, ' ')
    const labels = 'Speed kt Mean ø [\\d,.]+ Cost repair \\$ Sum Σ [\\d,.]+ Cost total \\$ Sum Σ'
    await sums.waitFor()
    expect(await text()).toMatch(new RegExp(`^${labels}`))
    const rows = page.locator('tbody tr').filter({ hasNotText: '–' })
    for (const at of [0, 1]) await rows.nth(at).getByRole('checkbox').tap()
    await expect.poll(text).toMatch(new RegExp(`^2 selected ${labels}`))
    await expect.poll(() => sums.isVisible()).toBe(true)
    await page.setViewportSize({ width: 1440, height: 844 })
    await page.locator('tfoot').getByText('2 selected').waitFor()
    await expect.poll(() => sums.isVisible()).toBe(false)
  },
)
