/** Allowing changes in a browser: an administrator's switch, which is remembered. */

import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyDemo } from '../copy-demo.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints } from './office.ts'
import { ownOffice } from './own-office.ts'
import { hydrated } from './page-probe.ts'

let page: Page
let complaints: string[]

/** The demo, and a table without a primary key. */
function prepare(file: string): void {
  copyDemo(file)
  const database = new DatabaseSync(file)
  database.exec("create table scraps (text text); insert into scraps values ('one')")
  database.close()
}

const office = ownOffice(prepare)
beforeEach(async () => {
  page = await (await office.signedIn()).newPage()
  complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/operators`)
})
afterEach(async () => {
  await page.context().close()
  expect(complaints).toEqual([])
})

const button = (name: string) => page.getByRole('button', { name, exact: true })

test('says what it means, allows changes, remembers it, and takes it back; others have no switch', async () => {
  const reason = page.getByText('Changes to this database are not allowed.')
  await reason.waitFor()
  await button('Allow changes').click()
  const dialog = page.getByRole('dialog', { name: 'Allow changes to this database?' })
  await dialog.getByText('demo.sqlite” can be written.').waitFor()
  await expect.poll(() => dialog.getByText('history').count()).toBe(0)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Allow changes' }).click()
  await page.getByRole('status', { name: 'Notifications' }).getByText('allowed now').waitFor()
  await reason.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('Read-only', { exact: true }).count()).toBe(0)

  await page.reload()
  await hydrated(page)
  const other = await (await office.colleague('Edi')).newPage()
  await other.goto(page.url())
  await other.getByRole('table', { name: 'Operators' }).waitFor()
  const item = page.getByRole('menuitem', { name: 'Make read-only' })
  const theirs = other.getByRole('menuitem', { name: 'Make read-only', includeHidden: true })
  await expect.poll(() => theirs.count()).toBe(0)
  await button('More').click()
  await item.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make read-only' }).click()
  await reason.waitFor()
  expect(await violations(page)).toEqual([])

  // Other people see why, and no switch.
  await other.getByRole('link', { name: 'Species' }).first().click()
  await other.getByRole('table', { name: 'Species' }).waitFor()
  await other.getByText('Changes to this database are not allowed.').waitFor()
  await expect
    .poll(() => other.getByRole('button', { name: 'Allow changes', exact: true }).count())
    .toBe(0)
  await other.context().close()
})

nightly.detail.each([
  ['scraps', 'The table has no primary key.'],
  ['costly_strikes', 'This is a view.'],
])('is not offered where it changes nothing: %s', async (table, reason) => {
  await page.goto(`${office.origin}/tables/${table}`)
  await page.getByText(reason).waitFor()
  await expect.poll(() => button('Allow changes').count()).toBe(0)
})

nightly.detail(
  'leaving the dialog changes nothing, and the keyboard comes back to the button',
  async () => {
    await button('Allow changes').press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect
      .poll(() => button('Allow changes').evaluate((it) => it === document.activeElement))
      .toBe(true)
  },
)
