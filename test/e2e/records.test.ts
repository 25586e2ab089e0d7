/** Rows created, corrected, deleted and brought back in a real browser, by one person and by two. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { showWithoutScript, violations } from './axe.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'
import { hydrated } from './page-probe.ts'

function prepare(file: string): void {
  const made = new DatabaseSync(file)
  made.exec(`create table crews (id integer primary key, name text not null unique);
    create table jobs (
      id integer primary key, title text not null, due_on date check (due_on is date(due_on)),
      state text not null default 'open' check (state in ('open', 'done')),
      crew_id integer references crews (id)
    );
    create table notes (id integer primary key, text text not null, deleted_at datetime);
    insert into notes (text) values ('Wet paint');
    insert into crews (name) values ('North'), ('South'), ('Deep South');
    insert into jobs (title, due_on, crew_id) values
      ('Wing', '2027-01-05', 1), ('Door', null, 2), ('Seat', null, null), ('Tyre', null, null)`)
  made.close()
}

const office = ownOffice(prepare, { write: true })
afterEach(() => office.closeContexts())

async function open(page: Page, path: string): Promise<void> {
  await page.goto(office.origin + path)
  await hydrated(page)
}

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const title = (page: Page, text: string) =>
  page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
/** Holds the next save back; returns what lets it go. */
async function holdSave(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => void (release = resolve))
  await page.route('**/tablewire/update', async (route) => {
    if (route.request().postData()?.includes('"save"')) await released
    await route.fallback()
  })
  return release
}
const isInSight = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
const notice = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text).last().waitFor()

test('a row is created by keyboard, corrected, undone by Mod+Z, and the creation is undone in History', async () => {
  const page = await (await office.signedIn()).newPage()
  const complaints = collectComplaints(page)
  await open(page, '/tables/jobs')
  await page.getByRole('link', { name: 'New', exact: true }).click()
  // The first field that must be filled has the focus.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('set.title')
  await page.keyboard.type('Nose')
  await page.keyboard.press('Tab')
  await page.keyboard.type('tomorrow')
  await page.keyboard.press('Control+s')
  await page.getByText('Not saved: 1 field has a problem').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('set.due_on')
  // What was refused is still there.
  await expect.poll(() => field(page, 'Due').inputValue()).toBe('tomorrow')
  expect(await violations(page)).toEqual([])

  // Of several, a summary has the focus, and leads to each.
  await field(page, 'Crew').fill('Nowhere')
  await page.keyboard.press('Control+s')
  const summary = page.getByRole('group', { name: 'Not saved: 2 fields have problems' })
  await expect.poll(() => summary.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await violations(page)).toEqual([])
  await summary.getByRole('link', { name: 'Crew' }).click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('set.crew_id')
  await summary.getByRole('link', { name: 'Due' }).press('Enter')

  await page.keyboard.press('Control+a')
  await page.keyboard.type('2027-02-03')
  // The same field by its calendar, without the mouse.
  await page.keyboard.press('Alt+ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Due' })
  await calendar.getByRole('button', { name: 'Thursday, February 4, 2027' }).focus()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await calendar.waitFor({ state: 'detached' })
  await expect.poll(() => field(page, 'Due').inputValue()).toBe('2027-02-04')
  await page.locator('input[name="set.title"]').fill('Hatch')
  await field(page, 'Crew').fill('South')
  // Enter is about what was typed, whatever stands in the list before that is found.
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await title(page, 'Hatch')
  await page.getByRole('link', { name: 'South', exact: true }).waitFor()

  await page.keyboard.press('e')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('set.title')
  await field(page, 'Title').fill('Rear hatch')
  await field(page, 'State').selectOption('=done')
  await page.getByText('2 fields changed, not saved').waitFor()
  // While a person types, Mod+Z belongs to the text.
  await field(page, 'Title').press('Control+z')
  await expect.poll(() => field(page, 'Title').inputValue()).toBe('Hatch')
  await field(page, 'Title').fill('Rear hatch')
  await page.keyboard.press('Control+s')
  await title(page, 'Rear hatch')
  await page.keyboard.press('Control+z')
  await notice(page, 'Undone in 1 row.')
  await title(page, 'Hatch')
  const history = page.getByRole('region', { name: 'History' })
  await history
    .getByRole('button', { name: /^Restore this value: State, / })
    .first()
    .waitFor()
  expect(await violations(page)).toEqual([])

  await open(page, '/history')
  await page.getByRole('search').getByLabel('Table').selectOption('jobs')
  await page.waitForURL(/table=jobs/)
  // A sentence names the row once, by the link to it.
  const added = page.getByRole('listitem').filter({ hasText: 'Added Hatch to Jobs' })
  await added.getByRole('link', { name: 'Hatch', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo: Added “Hatch” to Jobs.' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 row will be as before').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Undo in 1 row' }).click()
  await page.getByText('Deleted “Hatch” from Jobs').waitFor()
  expect(complaints).toEqual([])
})

test('a related row that is missing is created beside the form, which keeps what was typed', async () => {
  const page = await (await office.signedIn()).newPage()
  await open(page, '/tables/jobs/records/2?edit=on')
  await field(page, 'Title').fill('Trap door')
  await field(page, 'Crew').fill('West')
  await page.getByRole('option', { name: 'New row of Crews' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  const beside = page.getByRole('dialog', { name: 'New row of Crews' })
  const inName = () =>
    beside.getByLabel('Name', { exact: true }).evaluate((input) => input === document.activeElement)
  await expect.poll(() => beside.getByLabel('Name', { exact: true }).inputValue()).toBe('West')
  await expect.poll(inName).toBe(true)
  await beside.getByLabel('Name', { exact: true }).fill('South')
  await beside.getByRole('button', { name: 'Save', exact: true }).click()
  await beside.getByText('Another row has the same Name.').waitFor()
  await expect.poll(inName).toBe(true)
  expect(await violations(page)).toEqual([])
  await beside.getByLabel('Name', { exact: true }).fill('West')
  await page.keyboard.press('Enter')
  await beside.waitFor({ state: 'detached' })
  await expect.poll(() => field(page, 'Crew').inputValue()).toBe('West')
  await expect.poll(() => field(page, 'Title').inputValue()).toBe('Trap door')
  await page.getByText('2 fields changed, not saved').waitFor()
})

test('a row is marked as deleted first, restored, and deleted for good second', async () => {
  const page = await (await office.signedIn()).newPage()
  const complaints = collectComplaints(page)
  await open(page, '/tables/notes/records/1')
  const dialog = page.getByRole('dialog')
  const note = page.getByText(/^This row is marked as deleted: /)
  await button(page, 'Delete').click()
  await dialog.getByText('“Deleted” is set to the present moment.').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Mark as deleted' }).click()
  await note.waitFor()
  await expect.poll(() => page.locator('.head .pill').textContent()).toBe('Deleted')
  await notice(page, 'Marked as deleted: Wet paint')
  expect(await violations(page)).toEqual([])
  await button(page, 'Restore').click()
  await expect.poll(() => note.count()).toBe(0)
  await button(page, 'Delete').click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await page.waitForURL(/\/tables\/notes\?filter\.deleted_at\.empty=true$/)
  await expect.poll(() => page.getByText('Wet paint').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('two people change one field: who saves last chooses between both values; other fields are merged', async () => {
  const [ana, ben] = [
    await (await office.signedIn()).newPage(),
    await (await office.colleague('Ben Okafor')).newPage(),
  ]
  await open(ana, '/tables/jobs/records/1?edit=on')
  await open(ben, '/tables/jobs/records/1?edit=on&from=sort%3D-title')
  await field(ana, 'Title').fill('Right wing')
  await field(ben, 'Title').fill('Left wing')
  await field(ben, 'State').selectOption('=done')
  await button(ben, 'Save').click()
  await title(ben, 'Left wing')
  // The row is still one of the list that he came from.
  await expect.poll(() => new URL(ben.url()).search).toBe('?from=sort%3D-title')

  // It is told while she types, before anything is saved; her text stays.
  await ana.getByText('Not saved: 1 field needs your choice').waitFor()
  await ana.getByText(/^Ben Okafor changed this, .* Which value stays\?/).waitFor()
  expect(await violations(ana)).toEqual([])
  // Saving leads to the question, which is in sight as a whole.
  await ana.setViewportSize({ width: 390, height: 420 })
  await field(ana, 'Due').focus()
  await ana.keyboard.press('Control+s')
  await expect.poll(() => isInSight(button(ana, 'Theirs: Left wing'))).toBe(true)
  await button(ana, 'Mine: Right wing').click()
  await expect
    .poll(() => ana.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('set.title')
  await button(ana, 'Save').click()
  await title(ana, 'Right wing')
  await ana.locator('dl.fields').getByText('done').waitFor()
})

test('a row is deleted and comes back; one that others refer to names them, and stays', async () => {
  const page = await (await office.signedIn()).newPage()
  await open(page, '/tables/jobs/records/2')
  const dialog = page.getByRole('dialog')
  await button(page, 'Delete').click()
  await dialog.getByText('Door').waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await button(page, 'Delete').click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(/\/tables\/jobs$/)
  await notice(page, 'Deleted: Door')
  await settled(page)
  await page.keyboard.press('Control+z')
  await notice(page, 'Undone in 1 row.')
  await open(page, '/tables/jobs')
  await page.getByRole('link', { name: 'Door', exact: true }).waitFor()

  await open(page, '/tables/crews/records/1')
  await button(page, 'Delete').click()
  // Nothing is asked that cannot be done.
  await page
    .getByRole('dialog', { name: 'This row of Crews cannot be deleted' })
    .getByRole('link', { name: /^1 row of Jobs refers to it/ })
    .waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('what was typed and not saved is asked for, and is offered after a reload; a copy begins with the row', async () => {
  const page = await (await office.signedIn()).newPage()
  await open(page, '/tables/jobs/records/3?edit=on')
  // What is said of the form takes the place of the links to other rows, and nothing moves.
  const steps = page.getByRole('navigation', { name: 'Rows of the list' })
  const top = () => page.getByRole('form').evaluate((form) => form.getBoundingClientRect().top)
  const before = await top()
  await expect.poll(() => steps.count()).toBe(1)
  await field(page, 'Title').fill('')
  await expect.poll(() => steps.count()).toBe(0)
  await expect.poll(top).toBe(before)
  await field(page, 'Title required').fill('Front seat')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByText('1 field is not saved').waitFor()
  await page.keyboard.press('Escape')
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
  await button(page, 'Restore').click()
  await expect.poll(() => field(page, 'Title').inputValue()).toBe('Front seat')
  // What is typed while it is saved stays, as a change of what was saved.
  const release = await holdSave(page)
  await button(page, 'Save').click()
  await field(page, 'Title').fill('Frontal seat')
  await field(page, 'State').selectOption('=done')
  release()
  await notice(page, 'Saved: Front seat')
  await page.getByText('2 fields changed, not saved').waitFor()
  await expect.poll(() => page.locator('.conflict').count()).toBe(0)
  await field(page, 'Title').fill('Front seat')
  await page.getByText('1 field changed, not saved').waitFor()
  await button(page, 'Save').click()
  await title(page, 'Front seat')

  await page.getByRole('link', { name: 'Duplicate' }).click()
  await page.waitForURL(/copy=3/)
  await expect.poll(() => field(page, 'Title').inputValue()).toBe('Front seat')
  await button(page, 'Save').click()
  await page.waitForURL(/records\/5$/)
  await title(page, 'Front seat')
  // What is taken back under one's eyes says so, and leads on.
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone by Ana Kovač, .*: the row is no longer there\.$/).waitFor()
  await expect.poll(() => page.locator('h1 > s').textContent()).toBe('Front seat')
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.waitForURL(/\/tables\/jobs$/)
  // Back leads to the row that was copied, not to the form that was saved.
  await page.goBack()
  await page.goBack()
  await page.waitForURL(/records\/3$/)
})

nightly.detail(
  'what is typed while a new row is saved goes on in the form of that row',
  async () => {
    const page = await (await office.signedIn()).newPage()
    await open(page, '/tables/notes/new')
    const text = page.locator('[name="set.text"]')
    await text.fill('Closed')
    const release = await holdSave(page)
    await button(page, 'Save').click()
    await text.fill('Closed on Monday')
    release()
    await page.waitForURL(/records\/\d+\?edit=on$/)
    await expect.poll(() => text.inputValue()).toBe('Closed on Monday')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('set.text')
    await page.getByText('1 field changed, not saved').waitFor()
    await button(page, 'Save').click()
    await title(page, 'Closed on Monday')
  },
)

nightly.detail(
  'a draft is offered in another tab of the same person, and all are gone once they sign out in one',
  async () => {
    // A session of their own, which ends here.
    const context = await office.colleague('Ben Okafor')
    const [one, two] = [await context.newPage(), await context.newPage()]
    const drafts = () =>
      one.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('draft')))
    await open(one, '/tables/jobs/records/4?edit=on')
    await field(one, 'Title').fill('Front tyre')
    await open(two, '/tables/jobs/records/4?edit=on')
    await two.getByText(/^Unsaved draft from today, \d/).waitFor()
    await button(two, 'Restore').click()
    await expect.poll(() => field(two, 'Title').inputValue()).toBe('Front tyre')
    await expect.poll(async () => (await drafts()).length).toBe(1)
    two.once('dialog', (asked) => void asked.accept())
    await button(two, /Ben Okafor/).click()
    await button(two, 'Sign out').click()
    await two.waitForURL(/\/sign-in/)
    await expect.poll(drafts).toEqual([])
    await field(one, 'Title').fill('Rear tyre')
    await field(one, 'State').selectOption('=done')
    await one.getByText('2 fields changed, not saved').waitFor()
    await expect.poll(drafts).toEqual([])
  },
)

test('without script a row is created, corrected, settled between two people, and deleted', async () => {
  const page = await (await office.signedIn({ javaScriptEnabled: false })).newPage()
  const save = () => button(page, 'Save').click()
  const told = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
  const beside = await (await office.signedIn()).newPage()
  /** What axe finds on the page, wide and narrow. */
  const wrong = async () => {
    await showWithoutScript(page, beside)
    const found: string[] = []
    for (const width of [1440, 390]) {
      await beside.setViewportSize({ width, height: 900 })
      found.push(...(await violations(beside)).map((text) => `at ${width} px, ${text}`))
    }
    return found
  }
  await page.goto(`${office.origin}/tables/jobs`)
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await page.locator('input[name="set.title"]').fill('Ladder')
  await field(page, 'Due').fill('tomorrow')
  await field(page, 'Crew').fill('South')
  await save()
  await page.getByText('Write a date such as 2024-03-05.').waitFor()
  await expect.poll(() => page.locator('input[name="set.title"]').inputValue()).toBe('Ladder')
  expect(await wrong()).toEqual([])
  await field(page, 'Due').fill('2027-03-01')
  await save()
  await told('Saved.')
  await title(page, 'Ladder')
  await page.getByRole('link', { name: 'South' }).waitFor()

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await field(page, 'Title').fill('Long ladder')
  await field(page, 'State').selectOption('=done')
  const data = new DatabaseSync(join(office.folder, 'demo.sqlite'))
  data.exec(`update jobs set title = 'Short ladder' where title = 'Ladder'`)
  data.close()
  await save()
  const choice = page.getByRole('group', { name: 'Title' })
  await choice.getByText('This was changed outside Tablewire.').waitFor()
  expect(await wrong()).toEqual([])
  await choice.getByRole('radio', { name: 'Mine: Long ladder' }).check()
  await save()
  await title(page, 'Long ladder')
  await page.locator('dl.fields').getByText('done').waitFor()

  await page.getByRole('link', { name: 'Delete', exact: true }).click()
  await page.getByRole('form', { name: 'Delete this row of Jobs?' }).waitFor()
  expect(await wrong()).toEqual([])
  await button(page, 'Delete').click()
  await page.waitForURL(`${office.origin}/tables/jobs`)
  await told('Deleted.')
  await page.goto(`${office.origin}/tables/jobs`)
  await expect.poll(() => page.getByRole('link', { name: 'Long ladder' }).count()).toBe(0)
})
