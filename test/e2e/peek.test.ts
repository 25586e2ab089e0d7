/** What is done with one row of a list, in a real browser: it is peeked at, and its cells, it and its link are copied. */

import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { openLive } from './live-list.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'

function prepare(file: string): void {
  const made = new DatabaseSync(file)
  made.exec(`pragma journal_mode = wal;
    create table crews (id integer primary key, name text not null);
    create table jobs (
      id integer primary key, title text not null, hours integer,
      crew_id integer references crews (id), notes text,
      due_at datetime default '1999-07-01 11:35:45'
    );
    insert into crews (name) values ('North'), ('South');
    with recursive n (at) as (values (1) union all select at + 1 from n where at < 30)
      insert into crews (name) select 'West ' || at from n;
    insert into jobs (title, hours, crew_id, notes) values
      ('Wing', 40, 1, 'first'), ('Door', 30, 1, 'second'), ('Seat', 20, null, 'third')`)
  made.close()
}

const shown = ['title', 'hours', 'crew_id', 'due_at']
const office = ownOffice(prepare, { write: true, definitions: { jobs: { shown } } })
afterEach(() => office.closeContexts())

const panel = (page: Page) => page.getByRole('complementary', { name: /^Peek at/ })
/** What is shown of a column that the list does not show. */
const notes = (page: Page) =>
  panel(page).locator('.fields > div', { hasText: 'Notes' }).locator('dd').innerText()
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('th, td, button, .in-peek')?.textContent)

test('Space peeks at a row, keys and buttons move on, it follows what others write, and Escape gives the focus back', async () => {
  const page = await openLive(office, `${office.origin}/tables/jobs?sort=-hours`)
  const complaints = collectComplaints(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.getByRole('complementary', { name: 'Peek at Wing' }).waitFor()
  await expect.poll(() => notes(page)).toBe('first')
  await expect.poll(() => page.locator('tr[data-peeked] th').innerText()).toBe('Wing')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => notes(page)).toBe('second')
  await page.keyboard.press('j')
  await expect.poll(() => notes(page)).toBe('third')
  await page.keyboard.press('k')
  await expect.poll(() => notes(page)).toBe('second')
  // Only the panel shows the column.
  const behind = new DatabaseSync(join(office.folder, 'demo.sqlite'))
  behind.exec(`update jobs set notes = 'written behind' where title = 'Door'`)
  behind.close()
  await expect.poll(() => notes(page)).toBe('written behind')
  await panel(page).getByRole('button', { name: 'Previous row' }).click()
  await expect.poll(() => notes(page)).toBe('first')
  await page.keyboard.press('j')
  await expect.poll(() => notes(page)).toBe('written behind')
  await page.keyboard.press('F6')
  await expect.poll(() => focused(page)).toBe('Door')
  await page.keyboard.press('F6')
  await expect
    .poll(() =>
      panel(page)
        .getByRole('region', { name: 'Door' })
        .evaluate((it) => it === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.press('Space')
  await expect.poll(() => panel(page).count()).toBe(0)
  await expect.poll(() => focused(page)).toBe('Door')
  await page.getByRole('cell', { name: '20' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Peek' }).click()
  await expect.poll(() => notes(page)).toBe('third')
  // A tick has the key for itself.
  await page.getByRole('checkbox', { name: 'Select Seat' }).focus()
  await page.keyboard.press('Space')
  await expect
    .poll(() => page.getByRole('checkbox', { name: 'Select Seat' }).isChecked())
    .toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => panel(page).count()).toBe(0)
  await expect
    .poll(() => page.getByRole('checkbox', { name: 'Select Seat' }).isChecked())
    .toBe(true)
  // A row that has gone keeps its name, and has no page to lead to.
  await page.getByRole('cell', { name: '20' }).click()
  await page.keyboard.press('Space')
  await page.getByRole('complementary', { name: 'Peek at Seat' }).waitFor()
  await expect.poll(() => notes(page)).toBe('third')
  const others = new DatabaseSync(join(office.folder, 'demo.sqlite'))
  others.exec(`delete from jobs where title = 'Seat'`)
  await panel(page).getByText('This row has gone').waitFor()
  await page.getByRole('complementary', { name: 'Peek at Seat' }).waitFor()
  await expect.poll(() => panel(page).getByRole('link').count()).toBe(0)
  others.exec(`insert into jobs (id, title, hours, notes) values (3, 'Seat', 20, 'third')`)
  others.close()

  await page.getByRole('rowheader', { name: 'Door' }).focus()
  await page.getByRole('cell', { name: '30' }).click()
  await page.getByRole('complementary', { name: 'Peek at Door' }).waitFor()
  // Escape in a field is the field's; what is searched for is another list.
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('d')
  await page.waitForURL(/search=d/)
  await search.press('Escape')
  await page.waitForURL((url) => !url.search.includes('search='))
  await page.getByRole('complementary', { name: 'Peek at Door' }).waitFor()
  await search.fill('wing')
  await expect.poll(() => panel(page).count()).toBe(0)
  await search.fill('')
  await page.getByRole('cell', { name: '30' }).click()
  await page.keyboard.press('Space')
  await panel(page).getByRole('link', { name: 'Open' }).click()
  await page.getByRole('heading', { name: 'Door', level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

test('the panel closes with the next page and, as a sheet, with Back', async () => {
  const page = await openLive(office, `${office.origin}/tables/crews`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await panel(page).waitFor()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.waitForURL(/page=2/)
  await expect.poll(() => panel(page).count()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  const peek = async () => {
    await page
      .locator('tbody tr')
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Peek' }).click()
    await panel(page).waitFor()
  }
  await peek()
  await page.goBack()
  await expect.poll(() => panel(page).count()).toBe(0)
  await page.waitForURL((url) => url.search.includes('page=2') && url.hash === '')
  // Closed by its cross, it leaves no step behind.
  await peek()
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await page.waitForURL((url) => url.search.includes('page=2') && url.hash === '')
  await page.goBack()
  await page.waitForURL(/crews$/)
  await expect.poll(() => panel(page).count()).toBe(0)
})

test('the button of a row opens its menu, and a cell, the row and its link are copied', async () => {
  const context = await office.signedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/jobs?sort=-hours`)
  await settled(page)
  const pasted = () => page.evaluate(() => navigator.clipboard.readText())
  const copied = () =>
    page.getByRole('status', { name: 'Notifications' }).getByText('Copied.').waitFor()
  const button = page.getByRole('button', { name: 'Actions for Door' })
  await button.click()
  const menu = page.getByRole('menu', { name: 'This row' })
  await menu.getByRole('menuitem', { name: 'Delete…' }).waitFor()
  await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true')
  expect(await violations(page)).toEqual([])
  await button.click()
  await expect.poll(() => menu.count()).toBe(0)
  // By the keyboard, from the link of the row and from any of its cells; the buttons are no steps.
  await expect.poll(() => page.locator('.rowmenu:not([tabindex="-1"])').count()).toBe(0)
  const ofTitle = page.getByRole('menu', { name: 'Title' })
  await page.getByRole('link', { name: 'Door' }).focus()
  await page.keyboard.press('.')
  await ofTitle.getByRole('menuitem', { name: 'Copy row' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => ofTitle.count()).toBe(0)
  await page.getByRole('rowheader', { name: 'Door' }).focus()
  await page.keyboard.press('Shift+F10')
  await ofTitle.getByRole('menuitem', { name: 'Copy row' }).waitFor()
  await page.keyboard.press('Escape')
  await button.click()
  await expect
    .poll(() =>
      menu
        .getByRole('menuitem')
        .first()
        .evaluate((it) => it === document.activeElement),
    )
    .toBe(true)
  await menu.getByRole('menuitem', { name: 'Copy row' }).click()
  await copied()
  await expect
    .poll(pasted)
    .toMatch(/^Title\tHours\tCrew\tDue\nDoor\t30\tNorth\tJul 1, 1999, 11:35:45\sAM$/)
  await button.click()
  await menu.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect.poll(pasted).toBe(`${office.origin}/tables/jobs/records/2`)
  await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.getByRole('cell', { name: '20', exact: true }).click()
  await page.keyboard.press('Control+c')
  await expect.poll(pasted).toBe('20')
  // Shown to the minute, a time is told and copied whole.
  const due = page.getByRole('cell', { name: 'Jul 1, 1999, 11:35 AM', exact: true }).first()
  await due.hover()
  await page.getByRole('tooltip').getByText('Jul 1, 1999, 11:35:45 AM', { exact: true }).waitFor()
  await due.click()
  await page.keyboard.press('Control+c')
  await expect.poll(pasted).toMatch(/^Jul 1, 1999, 11:35:45\sAM$/)
  await page.getByRole('cell', { name: '40', exact: true }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy cell' }).click()
  await expect.poll(pasted).toBe('40')
  await button.click()
  await menu.getByRole('menuitem', { name: 'Open' }).click()
  await page.getByRole('heading', { name: 'Door', level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

nightly.layout.each([1440, 768, 390])('at %d px it has no violations', async (width) => {
  const context = await office.signedIn({ viewport: { width, height: 800 } })
  const page = await context.newPage()
  await page.goto(`${office.origin}/tables/jobs?sort=-hours`)
  await settled(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect.poll(() => notes(page)).toBe('first')
  expect(await violations(page)).toEqual([])
})

nightly.detail(
  'a row that cannot be read is told of under its own name, and read on request',
  async () => {
    const page = await openLive(office, `${office.origin}/tables/jobs?sort=-hours`)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await expect.poll(() => notes(page)).toBe('first')
    const UPDATE = '**/tablewire/update'
    await page.route(UPDATE, (route) =>
      route.request().postData()?.includes('"peek"')
        ? route.fulfill({ status: 500, body: '' })
        : route.continue(),
    )
    await page.keyboard.press('Control+End')
    await page.getByRole('complementary', { name: 'Peek at Seat' }).waitFor()
    await panel(page).getByText('The row could not be read.').waitFor()
    await expect.poll(() => panel(page).locator('.fields').count()).toBe(0)
    await page.unroute(UPDATE)
    // The page of the error lies above.
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await panel(page).getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => notes(page)).toBe('third')
  },
)
