/** Changing many rows at once, in a real browser: what is confirmed is what is written, or nothing. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'

let context: BrowserContext
let page: Page
let complaints: string[]

/** Crates; the first thirty stand in the yard. Of three pallets, the second has a load. */
function prepare(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`create table crates (
      id integer primary key, name text not null, place text not null check (place <> 'moon'),
      weight integer, note text);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 40)
    insert into crates select i, 'Crate ' || i, iif(i <= 30, 'Yard', 'Hall'), i * 10, null from n;
    create table pallets (id integer primary key, name text not null);
    create table loads (id integer primary key, pallet integer not null references pallets (id));
    insert into pallets values (1, 'Pallet 1'), (2, 'Pallet 2'), (3, 'Pallet 3');
    insert into loads values (1, 2)`)
  db.close()
}

const office = ownOffice(prepare, { write: true })
afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

async function open(path: string, options = {}): Promise<void> {
  context = await office.signedIn(options)
  page = await context.newPage()
  complaints = collectComplaints(page)
  await page.goto(office.origin + path)
  await settled(page)
}

/** Reads or changes the database as somebody else would. */
function elsewhere(sql: string): unknown[] {
  const db = new DatabaseSync(join(office.folder, 'demo.sqlite'))
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const dialog = (name: string | RegExp = 'Review changes') => page.getByRole('dialog', { name })
const button = (name: string | RegExp) => dialog(/./).getByRole('button', { name, exact: true })
const notice = (text: string | RegExp) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text, { exact: true })
const tick = (at: number) => page.locator('tbody tr').nth(at).getByRole('checkbox').check()
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

/** Chooses a field and the way to change it. */
async function change(field: string, way?: string): Promise<void> {
  await dialog('Edit fields')
    .getByRole('combobox', { name: 'Field to change', exact: true })
    .selectOption(field)
  if (way) await page.getByRole('combobox', { name: `How to change ${field}` }).selectOption(way)
}

const value = (field: string) =>
  dialog('Edit fields').getByLabel(`Value of ${field}`, { exact: true })

test('selected rows are edited as the plan says, which no key confirms by chance, and taken back', async () => {
  await open('/tables/crates?sort=id')
  await tick(0)
  await tick(2)
  await page.keyboard.press('e')
  await expect.poll(() => focused()).toBe('Field to change')
  await change('Weight', 'Add')
  await value('Weight').press('5')
  await page.keyboard.type(' kg')
  await page.keyboard.press('Enter')
  await expect.poll(() => value('Weight').getAttribute('aria-invalid')).toBe('true')
  await value('Weight').fill('5')
  await change('Note')
  await value('Note').fill('Seen')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await dialog().getByText('To be written').waitFor()
  expect(await violations(page)).toEqual([])
  // Enter, pressed once more, confirms nothing.
  await expect.poll(() => focused()).toBe('The plan')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => dialog().getByRole('button', { name: 'Write 2 rows' }).isEnabled())
    .toBe(true)
  await button('Write 2 rows').click()
  await notice('Changed 2 rows.').waitFor()
  await expect.poll(() => dialog(/./).count()).toBe(0)
  const rows = () => elsewhere('select id, weight, note from crates where id <= 3')
  const [one, two, three] = [1, 2, 3].map((id) => ({ id, weight: id * 10, note: null }))
  expect(rows()).toEqual([
    { id: 1, weight: 15, note: 'Seen' },
    two,
    { id: 3, weight: 35, note: 'Seen' },
  ])
  await page.getByRole('region', { name: 'Selection' }).getByText('0 selected').waitFor()
  // What was changed is marked where it stands, and nothing else.
  await expect.poll(() => page.locator('[data-changed]').count()).toBe(4)
  await page.keyboard.press('Control+z')
  await expect.poll(() => rows()).toEqual([one, two, three])
})

nightly.detail('where rows are others by then, nothing is written and each is named', async () => {
  await open('/tables/crates?filter.place.in=Yard&sort=id')
  await page.getByRole('button', { name: 'Select all 30' }).click()
  await page.getByRole('button', { name: 'Bulk actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit fields…' }).click()
  await change('Note')
  await value('Note').fill('Counted')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await button('Write 30 rows').waitFor()
  elsewhere("update crates set place = 'Hall' where id = 4")
  elsewhere("update crates set place = 'Yard' where id in (33, 34)")
  elsewhere("update crates set note = 'Theirs' where id = 5")
  await button('Write 30 rows').click()
  await dialog('Nothing was written').waitFor()
  const names = (title: RegExp) =>
    dialog('Nothing was written').getByRole('region', { name: title }).getByRole('rowheader')
  await expect
    .poll(() => names(/^Came since, 2/).allTextContents())
    .toEqual(['Crate 33', 'Crate 34'])
  await expect.poll(() => names(/^Left since, 1/).allTextContents()).toEqual(['Crate 4'])
  await expect.poll(() => names(/^Changed since, 1/).allTextContents()).toEqual(['Crate 5'])
  expect(await violations(page)).toEqual([])
  expect(elsewhere("select id from crates where note = 'Counted'")).toEqual([])
  await button('Make the plan anew').click()
  await button('Write 31 rows').click()
  await notice('Changed 31 rows.').waitFor()
  expect(elsewhere("select id from crates where note = 'Counted'")).toHaveLength(31)
  elsewhere('update crates set note = null')
})

nightly.detail('a plan that was left is void, also where the person comes back to it', async () => {
  await open('/tables/crates?sort=id')
  await page.getByRole('link', { name: 'Crate 1', exact: true }).click()
  await page.getByRole('heading', { name: 'Crate 1' }).waitFor()
  await page.goBack()
  await tick(5)
  await page.keyboard.press('Backspace')
  await button('Delete').waitFor()
  await page.goForward()
  await page.getByRole('heading', { name: 'Crate 1' }).waitFor()
  await page.goBack()
  await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor()
  await expect.poll(() => dialog(/./).count()).toBe(0)
  // Escape leaves one just so.
  await page.keyboard.press('Backspace')
  await button('Delete').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog(/./).count()).toBe(0)
  expect(elsewhere('select id from crates')).toHaveLength(40)
})

nightly.detail('a single row is deleted from the menu of its cells, and brought back', async () => {
  await open('/tables/crates?sort=-id')
  const last = page.locator('tr[data-row-key="40"]')
  await last.getByText('Hall').click({ button: 'right' })
  expect(await violations(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await button('Delete').click()
  await notice('Deleted: Crate 40').waitFor()
  await expect.poll(() => last.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await last.waitFor()
})

nightly.detail(
  'on a phone the dialogs are sheets, and what was typed survives a look at the plan',
  async () => {
    await open('/tables/crates?sort=id', { viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.getByRole('checkbox', { name: 'Select Crate 7' }).tap()
    await page.getByRole('button', { name: 'Bulk actions' }).tap()
    await page.getByRole('menuitem', { name: 'Edit fields…' }).tap()
    await change('Note')
    await value('Note').fill('By hand')
    await page.getByRole('button', { name: 'Review changes' }).tap()
    await button('Write 1 row').waitFor()
    const box = await dialog().boundingBox()
    expect(box).toMatchObject({ x: 0, width: 390 })
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844)
    expect(await violations(page)).toEqual([])
    await button('Back').tap()
    await expect.poll(() => value('Note').inputValue()).toBe('By hand')
    await button('Cancel').tap()
    await expect.poll(() => dialog(/./).count()).toBe(0)
  },
)

nightly.detail('rows that were left are selected, with their reason, and tried again', async () => {
  elsewhere(
    "insert or ignore into pallets values (1, 'Pallet 1'), (2, 'Pallet 2'), (3, 'Pallet 3')",
  )
  elsewhere('insert or ignore into loads values (1, 2)')
  await open('/tables/pallets?sort=id')
  for (const at of [0, 1, 2]) await tick(at)
  await page.keyboard.press('Backspace')
  await button('Delete 2 rows').click()
  await dialog(/./).getByRole('link', { name: 'Show the 1 row that was not changed' }).click()
  const left = page.getByRole('region', { name: /^Not changed by/ })
  await left.getByRole('link', { name: /^1 / }).waitFor()
  await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await expect.poll(() => dialog(/./).count()).toBe(0)
  expect(await violations(page)).toEqual([])
  elsewhere('delete from loads')
  await page.getByRole('button', { name: 'Bulk actions' }).click()
  await page.getByRole('menuitem', { name: /^Try again/ }).click()
  await button('Delete').click()
  await notice(/^Deleted: Pallet/).waitFor()
  expect(elsewhere('select id from pallets')).toEqual([])
  await left.getByRole('link', { name: 'Show all rows' }).click()
  await expect.poll(() => left.count()).toBe(0)
})
