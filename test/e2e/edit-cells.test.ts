/** Cells edited in a live list in a real browser, by keyboard and by pointer, alone and by two people. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { rowsIn } from '../data-file.ts'
import { violations } from './axe.ts'
import { openLive } from './live-list.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'
import { hydrated } from './page-probe.ts'

function prepare(file: string): void {
  const made = new DatabaseSync(file)
  made.exec(`pragma journal_mode = wal;
    create table crews (id integer primary key, name text not null);
    create table jobs (
      id integer primary key, title text not null unique, hours integer check (hours < 1000),
      state text not null default 'open' check (state in ('open', 'done')),
      crew_id integer references crews (id), notes text,
      letters integer generated always as (length(title)), due date,
      fee_cents integer, begun_at integer, stage text
    );
    create view longest as select title, hours from jobs;
    insert into crews (name) values ('North'), ('South');
    insert into jobs (title, hours, crew_id, notes, fee_cents, begun_at, stage) values
      ('Wing', 40, 1, null, 1250, 1709645400125, 'draft'),
      ('Door', 30, null, 'first' || char(10) || 'second', null, null, 'approved'),
      ('Seat', 20, null, null, null, null, 'draft'),
      ('Tyre', 10, null, null, null, null, 'approved')`)
  made.close()
}

const shown = ['title', 'hours', 'state', 'crew_id', 'notes', 'letters', 'due']
const office = ownOffice(prepare, {
  ...{ write: true },
  definitions: { jobs: { shown, columns: { fee_cents: { currency: { code: 'EUR' } } } } },
})
afterEach(() => office.closeContexts())

const titles = (page: Page) => page.locator('tbody th').allInnerTexts()
const cell = (page: Page, row: string, column: number) =>
  page.getByRole('row', { name: row }).getByRole('cell').nth(column)
/** The field of a cell that is being edited. */
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true }).locator('.in')
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('th, td, .in')?.textContent)
const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const notice = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text).last().waitFor()
/** Columns by their cells; the first is the tick, and the title heads its row. */
const [HOURS, STATE, CREW, NOTES, LETTERS, FEE, BEGUN, STAGE] = [1, 2, 3, 4, 5, 6, 7, 8]

test('by keyboard: refused in words, saved, and the row neither moves nor goes until the table is left', async () => {
  const page = await openLive(office, `${office.origin}/tables/jobs?sort=-hours`)
  const complaints = collectComplaints(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  // What is typed before the field stands there is not lost, nor is the key that ends it.
  await page.keyboard.type('soon')
  await page.keyboard.press('Enter')
  const hours = field(page, 'Hours of Wing')
  await expect.poll(() => hours.inputValue()).toBe('soon')
  await page.getByRole('alert').getByText('Write a number.').waitFor()
  await page.getByText('1 value not saved: Hours of Wing').waitFor()
  await expect.poll(() => hours.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await violations(page)).toEqual([])

  await page.keyboard.press('Control+a')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await notice(page, 'Saved: ')
  // The focus is one row further down already, and the row stays, though it would be the last one.
  await expect.poll(() => cell(page, 'Wing', HOURS).innerText()).toBe('5')
  await expect.poll(() => focused(page)).toBe('30')
  await expect.poll(() => titles(page)).toEqual(['Wing', 'Door', 'Seat', 'Tyre'])
  await expect.poll(() => page.getByText('Changes are waiting').count()).toBe(0)
  await page.keyboard.press('Control+z')
  await notice(page, 'Undone in 1 row.')
  await expect.poll(() => cell(page, 'Wing', HOURS).innerText()).toBe('40')
  await page.getByRole('button', { name: 'Redo' }).waitFor()
  await page.keyboard.press('Control+Shift+z')
  await notice(page, 'Redone in 1 row.')
  await expect.poll(() => cell(page, 'Wing', HOURS).innerText()).toBe('5')
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  await page.keyboard.press('Control+z')
  await expect.poll(() => cell(page, 'Wing', HOURS).innerText()).toBe('40')

  // Tab goes on to the next cell; Escape puts back; what takes no changes says why.
  await page.keyboard.press('F2')
  await expect.poll(() => field(page, 'Hours of Door').inputValue()).toBe('30')
  await page.keyboard.type('1')
  await page.keyboard.press('Tab')
  await expect.poll(() => cell(page, 'Door', HOURS).innerText()).toBe('1')
  await page.keyboard.press('Enter')
  // States are chosen by what they look like in the list; Escape closes the list first.
  const state = page.getByLabel('State of Door', { exact: true })
  await state.locator('select').waitFor()
  await page.keyboard.press('ArrowDown')
  await state.getByRole('option', { name: 'Done' }).locator('.pill').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Open')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => state.locator('select').inputValue()).toBe('=done')
  await state.locator('button .pill').getByText('Done').waitFor()
  await page.keyboard.press('ArrowDown')
  await state.getByRole('option', { name: 'Done' }).locator('.pill').waitFor()
  await page.keyboard.press('Escape')
  await expect
    .poll(() => state.locator('select').evaluate((it) => it === document.activeElement))
    .toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Open')
  await expect.poll(() => titles(page)).toEqual(['Wing', 'Door', 'Seat', 'Tyre'])
  await page.getByRole('searchbox', { name: 'Search' }).focus()
  await expect.poll(() => titles(page)).toEqual(['Wing', 'Seat', 'Tyre', 'Door'])

  // A row that its own change takes out of the filter stays until then, too, and shows what is stored.
  await cell(page, 'Seat', STATE).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Only these' }).click()
  await page.getByRole('button', { name: 'Remove filter: State Open' }).waitFor()
  await settled(page)
  await cell(page, 'Seat', STATE).dblclick()
  await page.getByLabel('State of Seat', { exact: true }).locator('select').selectOption('=done')
  await page.keyboard.press('Enter')
  await expect.poll(() => cell(page, 'Seat', STATE).innerText()).toBe('Done')
  await cell(page, 'Seat', HOURS).dblclick()
  await expect.poll(() => field(page, 'Hours of Seat').inputValue()).toBe('20')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await expect.poll(() => cell(page, 'Seat', HOURS).innerText()).toBe('2')
  await expect.poll(() => cell(page, 'Seat', STATE).innerText()).toBe('Done')
  await expect.poll(() => titles(page)).toEqual(['Wing', 'Seat', 'Tyre', 'Door'])
  // What is taken back shows at once, and so does what the filter leaves out.
  await page.keyboard.press('Control+z')
  await expect.poll(() => titles(page)).toEqual(['Wing', 'Tyre', 'Door'])

  await cell(page, 'Wing', LETTERS).dblclick()
  await notice(page, 'Written by the database itself.')

  await cell(page, 'Wing', STATE).evaluate((it) => {
    it.tabIndex = -1
    it.focus()
  })
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/tables\/jobs\/records\/1\?/)

  const rail = page.getByRole('navigation', { name: 'Tables' })
  await rail.getByRole('link', { name: 'Longest' }).click()
  await page.waitForURL(/\/tables\/longest/)
  await settled(page)
  await page.getByRole('cell', { name: '40', exact: true }).dblclick()
  await notice(page, 'This is a view.')
  expect(complaints).toEqual([])
})

test('by pointer: a long text has a panel, a related row is found by its name, and two people choose', async () => {
  const page = await (await office.signedIn({ timezoneId: 'Europe/Vienna' })).newPage()
  const further = 'title,hours,state,crew_id,notes,letters,fee_cents,begun_at,stage'
  await page.goto(`${office.origin}/tables/jobs?sort=id&columns=${further}`)
  await hydrated(page)
  await settled(page)
  await cell(page, 'Door', NOTES).dblclick()
  // Also before the field is there, this is about its text and not about the rows.
  await page.keyboard.press('Control+a')
  const notes = field(page, 'Notes of Door')
  await expect.poll(() => notes.inputValue()).toBe('first\nsecond')
  await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('third')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await notice(page, 'Saved: ')
  await notes.waitFor({ state: 'detached' })

  // An empty text is a value; the key that the foot names leaves none.
  await cell(page, 'Seat', NOTES).click({ button: 'right' })
  await page.getByRole('menuitem').first().getByText('Edit').click()
  await field(page, 'Notes of Seat').fill('soon')
  await page.locator('.foot').getByText('Delete', { exact: true }).waitFor()
  await page.keyboard.press('Control+Delete')
  await expect.poll(() => field(page, 'Notes of Seat').getAttribute('placeholder')).toBe('No value')
  await page.keyboard.press('Escape')
  await field(page, 'Notes of Seat').waitFor({ state: 'detached' })

  // A click on a link chooses its cell, and the arrow beside it leads there; two clicks edit.
  const north = cell(page, 'Wing', CREW)
  await north.getByRole('link', { name: 'North' }).click()
  await expect.poll(() => focused(page)).toMatch(/^North/)
  const arrow = north.locator('.follow')
  await expect.poll(() => arrow.getAttribute('href')).toMatch(/\/tables\/crews\/records\/1$/)
  await north.getByRole('link', { name: 'North' }).dblclick()
  await field(page, 'Crew of Wing').waitFor()
  await page.keyboard.press('Escape')
  expect(page.url()).toContain('/tables/jobs?')

  await cell(page, 'Door', CREW).dblclick()
  await expect.poll(() => field(page, 'Crew of Door').count()).toBe(1)
  await page.keyboard.type('Sauth')
  await page.keyboard.press('Tab')
  await page.getByText('Crews has no row that is called “Sauth”.').waitFor()
  await page.getByRole('button', { name: 'Put “No value” back' }).waitFor()
  await field(page, 'Crew of Door').fill('South')
  await page.getByRole('option', { name: 'South' }).waitFor()
  // To leave a cell saves it.
  await page.getByRole('searchbox', { name: 'Search' }).click()
  await cell(page, 'Door', CREW).getByText('South').waitFor()

  // An amount in the one currency of its column, and a count of milliseconds, whose fraction stays.
  await cell(page, 'Wing', FEE).dblclick()
  await expect.poll(() => field(page, 'Fee of Wing').inputValue()).toBe('12.50')
  await field(page, 'Fee of Wing').fill('1,234.5')
  await page.keyboard.press('Enter')
  await expect.poll(() => cell(page, 'Wing', FEE).innerText()).toBe('1,234.50')
  const nothingBelow = () => expect.poll(() => focused(page)).toBe('– no value')
  await nothingBelow()
  await cell(page, 'Wing', BEGUN).dblclick()
  await expect.poll(() => field(page, 'Begun of Wing').inputValue()).toBe('2024-03-05 14:30:00.125')
  await field(page, 'Begun of Wing').fill('2024-07-05 14:30:00.125')
  await page.keyboard.press('Enter')
  await expect.poll(() => cell(page, 'Wing', BEGUN).innerText()).toMatch(/^Jul 5, 2024, 02:30 PM/)
  await nothingBelow()
  const wing = 'select fee_cents, begun_at from jobs where id = 1'
  expect(rowsIn(join(office.folder, 'demo.sqlite'), wing)).toEqual([
    { fee_cents: 123_450, begun_at: 1_720_182_600_125 },
  ])

  // States that the database does not list are typed, and those that are stored are suggested as they are stored.
  await cell(page, 'Wing', STAGE).dblclick()
  const stage = field(page, 'Stage of Wing')
  await expect.poll(() => stage.inputValue()).toBe('draft')
  const suggested = await stage.evaluate((it) =>
    it instanceof HTMLInputElement ? [...(it.list?.options ?? [])].map(({ value }) => value) : [],
  )
  expect(suggested).toEqual(['draft', 'approved'])
  expect(await violations(page)).toEqual([])
  await stage.fill('lost')
  await page.keyboard.press('Enter')
  await cell(page, 'Wing', STAGE).getByText('Lost').waitFor()

  const ben = await (await office.colleague('Ben Okafor')).newPage()
  await ben.goto(`${office.origin}/tables/jobs/records/4?edit=on`)
  await hydrated(ben)
  // The cell that was clicked is the one that keys are for.
  await cell(page, 'Tyre', HOURS).click()
  await page.keyboard.press('F2')
  await expect.poll(() => field(page, 'Hours of Tyre').inputValue()).toBe('10')
  await ben.getByLabel('Hours', { exact: true }).fill('11')
  await ben.getByRole('button', { name: 'Save', exact: true }).click()
  await ben.getByRole('heading', { level: 1, name: 'Tyre' }).waitFor()
  await ben.locator('dl.fields dd').getByText('11', { exact: true }).waitFor()
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  const theirs = page.getByRole('button', { name: 'Theirs: 11' })
  await theirs.waitFor()
  expect(await violations(page)).toEqual([])
  const hours = field(page, 'Hours of Tyre')
  await expect.poll(() => hours.evaluate((it) => it === document.activeElement)).toBe(true)
  // The field says what it asks; Tab leads to both values, and on from the last.
  const said = await hours.evaluate((it) => {
    const ids = it.getAttribute('aria-describedby')?.split(' ') ?? []
    return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
  })
  expect(said).toMatch(/^Ben Okafor changed this, .* Which value stays\?.*Tab saves and goes on/)
  const mine = page.getByRole('button', { name: 'Mine: 12' })
  const order: (string | null | undefined)[] = []
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press('Tab')
    order.push(await focusedName(page))
  }
  expect(order).toEqual(['Mine: 12', 'Theirs: 11', 'Open'])
  await page.keyboard.press('Shift+Tab')
  await page.getByRole('button', { name: 'Go to it' }).click()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await mine.waitFor({ state: 'detached' })
  await expect.poll(() => cell(page, 'Tyre', HOURS).innerText()).toBe('12')
  await expect.poll(() => focused(page)).toBe('12')
})

test('by touch: a long press offers to edit, in a sheet that holds the focus', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await (await office.signedIn(phone)).newPage()
  const complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/jobs?sort=id`)
  await settled(page)
  await page.locator('.tw[data-edits]').waitFor()
  const finger = await page.context().newCDPSession(page)
  const item = page.getByRole('menuitem').first()
  const seat = page.getByRole('row', { name: 'Seat' })
  async function edit(at: Locator): Promise<void> {
    const { x, y, width, height } = (await at.boundingBox())!
    const point = { x: x + width / 2, y: y + height / 2 }
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
    await item.waitFor()
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect.poll(() => item.innerText()).toBe('Edit')
    await item.tap()
  }
  await edit(cell(page, 'Seat', HOURS))
  const hours = page.getByRole('dialog', { name: 'Hours of Seat' })
  await expect.poll(() => hours.locator('.in').inputValue()).toBe('20')
  expect(await violations(page)).toEqual([])
  // Nothing else can be reached; beside it a tap puts an untouched value back.
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => focusedName(page)).toBe('Save')
  await page.touchscreen.tap(100, 200)
  await hours.waitFor({ state: 'detached' })

  await edit(cell(page, 'Seat', HOURS))
  await hours.locator('.in').fill('soon')
  await page.touchscreen.tap(100, 200)
  await hours.getByRole('button', { name: 'Save' }).tap()
  await hours.getByText('Write a number.').waitFor()
  expect(await violations(page)).toEqual([])
  await hours.locator('.in').fill('25')
  await hours.getByRole('button', { name: 'Save' }).tap()
  await hours.waitFor({ state: 'detached' })
  await expect.poll(() => cell(page, 'Seat', HOURS).innerText()).toContain('25')

  await edit(seat.locator('.card-date'))
  const due = page.getByRole('dialog', { name: 'Due of Seat' })
  await due.getByRole('button', { name: 'Open calendar' }).tap()
  const calendar = due.getByRole('dialog')
  await calendar.getByRole('button', { name: / 15, / }).tap()
  await expect.poll(() => due.locator('.in').first().inputValue()).toMatch(/^\d{4}-\d{2}-15$/)
  const [left, right] = await due.evaluate((it) => [it.scrollLeft, it.scrollWidth])
  expect([left, right]).toEqual([0, 390])
  await due.getByRole('button', { name: 'Save' }).tap()
  await due.waitFor({ state: 'detached' })
  expect(page.url()).toBe(`${office.origin}/tables/jobs?sort=id`)
  expect(complaints).toEqual([])
})
