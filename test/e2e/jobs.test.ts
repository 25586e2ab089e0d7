/** A change to so many rows that a job writes it: the person follows, halts, ends and takes it back by keyboard. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'

const PARCELS = 12_000

/** What the database does for each row takes its time, so that there is one to halt the job in. */
function prepare(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`create table parcels (id integer primary key, name text not null, note text);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${PARCELS})
    insert into parcels select i, 'Parcel ' || i, null from n;
    create trigger weighs after update on parcels when new.note = 'Seen' begin
      select max(i) from (with recursive n (i) as (select 1 union all select i + 1 from n where i < 4000)
        select i from n);
    end`)
  db.close()
}

const office = ownOffice(prepare, { write: true })

nightly.detail(
  'a job is paused, survives a reload, goes on, is cancelled and taken back',
  async () => {
    const context = await office.signedIn()
    const page = await context.newPage()
    const complaints = collectComplaints(page)
    const seen = (): number => {
      const db = new DatabaseSync(join(office.folder, 'demo.sqlite'), { readOnly: true })
      try {
        return Number(db.prepare('select count(note) as n from parcels').get()?.['n'])
      } finally {
        db.close()
      }
    }
    const press = async (target: Locator, key = 'Enter') => {
      await target.focus()
      await page.keyboard.press(key)
    }
    const jobs = page.getByRole('region', { name: 'Jobs' })
    const act = (name: string) => jobs.getByRole('button', { name: new RegExp(`^${name}: `) })

    await page.goto(`${office.origin}/tables/parcels`)
    await settled(page)
    await press(page.getByRole('button', { name: /^Select all/ }))
    await page.getByRole('button', { name: /^Select all/, pressed: true }).waitFor()
    await page.keyboard.press('e')
    const fields = page.getByRole('dialog', { name: 'Edit fields' })
    await fields
      .getByRole('combobox', { name: 'Field to change', exact: true })
      .selectOption('Note')
    await fields.getByLabel('Value of Note', { exact: true }).fill('Seen')
    await press(page.getByRole('button', { name: 'Review changes' }))
    const plan = page.getByRole('dialog', { name: 'Review changes' })
    await plan.getByLabel('Type 12,000 to confirm').fill('12000')
    await press(plan.getByRole('button', { name: 'Write 12,000 rows' }))

    await press(act('Pause'))
    await jobs.getByText('Paused').waitFor()
    const halted = seen()
    expect(halted).toBeGreaterThan(0)
    expect(halted).toBeLessThan(PARCELS)
    await page.reload()
    await settled(page)
    await jobs.getByText('Paused').waitFor()
    expect(await violations(page)).toEqual([])
    expect(seen()).toBe(halted)

    await press(act('Go on'))
    await expect.poll(seen).toBeGreaterThan(halted)
    await press(act('Cancel'))
    await jobs.getByText(/^Cancelled\./).waitFor()
    const ended = seen()
    expect(ended).toBeLessThan(PARCELS)

    await page.goto(`${office.origin}/history`)
    await settled(page)
    await jobs.getByText(/^Cancelled\./).waitFor()
    expect(await violations(page)).toEqual([])
    expect(seen()).toBe(ended)
    await press(act('Undo'))
    await expect.poll(seen).toBe(0)

    // What has ended is dismissed for as long as the tab is open; taking it back may have been a job, too.
    await expect
      .poll(async () => {
        if ((await act('Dismiss').count()) > 0) await press(act('Dismiss').first())
        return await jobs.count()
      })
      .toBe(0)
    await expect
      .poll(() => page.locator('h1').evaluate((it) => it === document.activeElement))
      .toBe(true)
    await page.reload()
    await settled(page)
    await expect.poll(() => jobs.count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  },
)
