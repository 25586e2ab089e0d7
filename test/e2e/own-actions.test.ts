/** An action of a table's own, by keyboard: its form and plan, how far it is, cancelling it, and running it on one row. */

import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import * as v from 'valibot'
import { bulkAction } from '../../src/table/actions/bulk-action.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'

/** Says that it is at half, and goes on until it is cancelled. */
const send = bulkAction({
  label: 'Send',
  asJob: true,
  input: v.object({ text: v.pipe(v.string(), v.minLength(3), v.title('What to say')) }),
  async run({ signal, progress }) {
    const tells = setInterval(() => progress(1, 2), 50)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    clearInterval(tells)
    signal.throwIfAborted()
  },
})
const name = bulkAction({
  label: 'Name',
  async run({ keys, source }) {
    await source.table('crates').change({ rows: keys.map((key) => ({ update: key, set: NAMED })) })
  },
})
const NAMED = { name: 'Named' }

const office = ownOffice(
  (file) => {
    const db = new DatabaseSync(file)
    db.exec(`create table crates (id integer primary key, name text not null);
      insert into crates values (1, 'One'), (2, 'Two'), (3, 'Three'), (4, 'Four')`)
    db.close()
  },
  { write: true, definitions: { crates: { actions: { send, name } } } },
)

nightly.detail('it is filled in, confirmed, watched and cancelled by keyboard', async () => {
  const context = await office.signedIn()
  const page = await context.newPage()
  const complaints = collectComplaints(page)
  const dialog = (called: string) => page.getByRole('dialog', { name: called })
  const { keyboard } = page
  await page.goto(`${office.origin}/tables/crates?sort=id`)
  await settled(page)
  for (const row of ['One', 'Two', 'Three', 'Four']) {
    await page.getByRole('checkbox', { name: `Select ${row}` }).focus()
    await keyboard.press('Space')
  }
  await page.getByRole('button', { name: 'Bulk actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Send…' }).press('Enter')
  const text = dialog('Send').getByRole('textbox', { name: 'What to say' })
  await expect.poll(() => text.evaluate((field) => field === document.activeElement)).toBe(true)
  await keyboard.type('Hi')
  await keyboard.press('Enter')
  await expect.poll(() => text.getAttribute('aria-invalid')).toBe('true')
  expect(await violations(page)).toEqual([])
  await keyboard.type(' there')
  await keyboard.press('Enter')
  const confirm = dialog('Review changes').getByRole('button', { name: 'Send: 4 rows' })
  await confirm.waitFor()
  expect(await violations(page)).toEqual([])
  await confirm.press('Enter')
  const jobs = page.getByRole('region', { name: 'Jobs' })
  const bar = jobs.getByRole('progressbar')
  await expect.poll(() => bar.getAttribute('value'), { timeout: 60_000 }).toBe('2')
  await expect.poll(() => bar.getAttribute('max')).toBe('4')
  expect(await violations(page)).toEqual([])
  await jobs.getByRole('button', { name: 'Cancel: Send' }).press('Enter')
  await jobs
    .getByText(
      'Cancelled. 0 rows are done. It has ended early: what became of 4 rows is not known.',
    )
    .waitFor({ timeout: 60_000 })

  await page.goto(`${office.origin}/tables/crates/records/2`)
  await settled(page)
  await page.getByRole('button', { name: 'Actions', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Send…' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Name', exact: true }).press('Enter')
  const one = dialog('Review changes').getByRole('button', { name: 'Name: 1 row' })
  await one.waitFor()
  expect(await violations(page)).toEqual([])
  await one.press('Enter')
  await page.getByRole('heading', { name: 'Named', level: 1 }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
