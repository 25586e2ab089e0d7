/** Selecting rows and exporting them, in a real browser: by pointer, touch, keyboard and without script. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { copyDemo } from '../copy-demo.ts'
import type { UpdateRequest } from '../../src/protocol/wire.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { sourceWith } from '../source-with.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { goLive } from './live-list.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'
import { holdScript, hydrated } from './page-probe.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]

/** The demo, and loads that weigh 1, 2, 3, … kg; every second one is heavy. */
function prepare(file: string): void {
  copyDemo(file)
  const db = new DatabaseSync(file)
  db.exec(`create table loads (id integer primary key, name text not null, weight_kg integer);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
    insert into loads select i, 'Load ' || i || iif(i % 2, '', ' heavy'), i from n`)
  db.close()
}

/** Of species, the database has but an estimate. */
const estimating = (source: RowSource): RowSource =>
  sourceWith(source, {
    async count(access, ...rest) {
      if (access.table.name === 'species') return { kind: 'estimate', count: 12_000 }
      return await source.count(access, ...rest)
    },
  })

beforeAll(
  async () =>
    void (office = await openOffice(prepare, {
      wrap: estimating,
      definitions: {
        loads: { columns: { weight_kg: { summary: 'sum' } } },
        operators: { bulkActions: false },
        reporters: { hideBulkActionsWhenEmpty: true },
      },
    })),
)
afterAll(() => office.close())

async function begin(options = {}): Promise<void> {
  context = await office.signedIn(options)
  page = await context.newPage()
  complaints = collectComplaints(page)
}
beforeEach(() => begin())
afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

async function open(path: string): Promise<void> {
  await page.goto(office.origin + path)
  await settled(page)
}
const region = () => page.getByRole('region', { name: 'Selection' })
const said = (text: string | RegExp) => region().getByText(text, { exact: true }).waitFor()
const row = (at: number) => page.locator('tbody tr').nth(at)
const tick = (at: number) => row(at).getByRole('checkbox')
const button = (name: string | RegExp) => region().getByRole('button', { name })
const isSearchFocused = () =>
  page.getByRole('searchbox', { name: 'Search' }).evaluate((it) => it.matches(':focus'))
const selectedRows = () => page.locator('tbody tr[aria-selected=true]').count()

/** The updates and calls of every request to the server that changes something. */
function sent() {
  const all: { updates: object; methods: string[] }[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/tablewire/update')) return
    const { components } = request.postDataJSON() as UpdateRequest
    for (const { updates, calls } of components)
      all.push({ updates, methods: calls.map(({ method }) => method) })
  })
  return all
}

async function downloaded(act: () => Promise<void>): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  expect(download.suggestedFilename()).toMatch(/^[\w ]+ \d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  return text.slice(1).trimEnd().split('\r\n')
}

test('rows are ticked by the whole cell, in ranges, and by page, and ticking calls nothing', async () => {
  await open('/tables/airports')
  const requests = sent()
  await said('0 selected')
  // It is read out, and takes no room.
  const none = region().getByText('0 selected')
  await expect.poll(() => none.evaluate((text) => text.clientWidth)).toBeLessThan(2)
  await row(1)
    .locator('td.pick')
    .click({ position: { x: 3, y: 3 } })
  await said('1 selected')
  await tick(4).click({ modifiers: ['Shift'] })
  await said('4 selected')
  await expect.poll(() => selectedRows()).toBe(4)
  const whole = page.getByRole('checkbox', { name: 'Select page' })
  await expect
    .poll(() => whole.evaluate((input: HTMLInputElement) => input.indeterminate))
    .toBe(true)
  expect(await violations(page)).toEqual([])
  await whole.click()
  await said('25 selected')
  await whole.click()
  await said('0 selected')
  // Where the total comes late, the page asks how many of the rows still match. Questions change nothing,
  // and a refresh is the page's own.
  const isAboutTicks = ({ methods: [method], updates }: (typeof requests)[number]) =>
    method === undefined
      ? Object.keys(updates).length > 0
      : !['selectedSums', 'selectedCount', 'total', 'people'].includes(method)
  expect(requests.filter(isAboutTicks)).toEqual([])
  await tick(0).click()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByText(/26–50/).first().waitFor()
  await said('1 selected')
  await page.getByRole('checkbox', { name: 'Select page' }).click()
  await said('26 selected')
  const turned = requests.find(({ methods }) => methods.includes('turnPage'))
  expect(turned?.updates).toEqual({ selected: [expect.any(String)] })

  // It survives sorting, other pages and the back button, and goes at reload.
  await button('Clear selection').first().click()
  await said('0 selected')
  await tick(0).click()
  await tick(1).click()
  await page.getByRole('columnheader', { name: 'City' }).getByRole('button').click()
  await page.locator('th[aria-sort=ascending]').waitFor()
  await said('2 selected')
  await row(0).getByRole('link').first().click()
  await page.waitForURL(/records/)
  await page.getByRole('link', { name: 'Species' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Species' }).waitFor()
  await said('0 selected')
  await page.getByRole('link', { name: 'Airports' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Airports' }).waitFor()
  await said('2 selected')
  await tick(3).click()
  await said('3 selected')
  for (let i = 0; i < 3; i++) await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Airports' }).waitFor()
  // What the tab keeps, not what was selected when the list was left.
  await said('3 selected')
  await page.reload()
  await settled(page)
  await said('0 selected')
})

nightly.detail.each(['none', 'active'] as const)(
  'the tick of the page is drawn otherwise for no row, for some and for all, with forced colours %s',
  async (forcedColors) => {
    await page.emulateMedia({ forcedColors })
    await open('/tables/airports')
    const whole = page.getByRole('checkbox', { name: 'Select page' })
    const drawn = async () => {
      await page.locator('h1').click()
      return (await whole.screenshot()).toString('base64')
    }
    const looks = [await drawn()]
    await tick(0).click()
    looks.push(await drawn())
    await whole.click()
    await said('25 selected')
    looks.push(await drawn())
    expect(new Set(looks).size).toBe(3)
  },
)

nightly.detail(
  'the toggle selects all by setAllSelected, and none by clearSelected where all are',
  async () => {
    await open('/tables/airports')
    const requests = sent()
    const all = button(/^Select all [\d,]+$/)
    await expect.poll(() => all.getAttribute('aria-pressed')).toBe('false')
    await all.click()
    await page.waitForFunction(() => document.querySelector('#select-all[aria-pressed=true]'))
    await expect.poll(() => selectedRows()).toBe(25)
    await tick(2).click()
    await expect.poll(() => all.getAttribute('aria-pressed')).toBe('false')
    await tick(2).click()
    await expect.poll(() => all.getAttribute('aria-pressed')).toBe('true')
    await all.click()
    await said('0 selected')
    await expect
      .poll(() =>
        requests.flatMap(({ methods }) => methods).filter((name) => name.endsWith('Selected')),
      )
      .toEqual(['setAllSelected', 'clearSelected'])
    await tick(0).click()
    await button('Clear selection').first().click()
    await said('0 selected')
  },
)

test('a changed filter or search clears it with a notice, and Undo puts it back', async () => {
  await open('/tables/strikes?filter.species_id=38&search=a')
  await tick(0).click()
  await tick(1).click()
  await page.getByRole('button', { name: /^Remove filter/ }).click()
  const notice = page.getByRole('status', { name: 'Notifications' })
  await notice.getByText('Selection cleared').waitFor()
  await said('0 selected')
  await notice.getByRole('button', { name: 'Undo' }).click()
  await said('2 selected')
  // It goes along with the next request, and is what the server counts.
  await page.getByRole('columnheader', { name: 'Phase' }).getByRole('button').click()
  await page.locator('th[aria-sort=ascending]').waitFor()
  await said('2 selected')
})

nightly.detail(
  'a changed search clears it with a notice, and Undo puts back all but some',
  async () => {
    await open('/tables/loads')
    const weight = page.getByRole('columnheader', { name: 'Weight' })
    await weight.getByRole('button').click()
    await page.locator('th[aria-sort=ascending]').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('heavy')
    await page.getByText('1–25 of 600', { exact: true }).waitFor()
    await button('Select all 600').click()
    await tick(0).click()
    await tick(1).click()
    await said('598 selected')
    // Back to the list before the search.
    await page.goBack()
    const notice = page.getByRole('status', { name: 'Notifications' })
    await notice.getByText('Selection cleared').waitFor()
    await said('0 selected')
    await notice.getByRole('button', { name: 'Undo' }).click()
    await said('1,198 selected')
    await expect.poll(() => selectedRows()).toBe(23)
    // It goes along with the next request.
    await weight.getByRole('button').click()
    await page.locator('th[aria-sort=ascending]').waitFor()
    await said('1,198 selected')
  },
)

nightly.detail(
  'the foot has the sums of the selected rows, and of the page once none are',
  async () => {
    await open('/tables/loads?sort=id')
    const foot = page.locator('tfoot td.num')
    const sum = (text: string) => expect.poll(() => foot.last().textContent()).toBe(`Sum Σ ${text}`)
    await sum('325')
    await tick(1).click()
    await tick(3).click()
    await sum('6')
    await page.locator('tfoot').getByText('2 selected').waitFor()
    await button(/^Select all/).click()
    await sum('720,600')
    await tick(4).click()
    await sum('720,595')
    await button('Clear selection').first().click()
    await sum('325')
  },
)

test('it counts the rows that still match', async () => {
  await goLive(page, `${office.origin}/tables/loads?search=heavy`)
  await tick(0).click()
  await tick(1).click()
  await said('2 selected')
  // Nothing changes under the pointer, or where the focus is.
  await page.locator('h1').click()
  const key = await row(0).getAttribute('data-row-key')
  const db = new DatabaseSync(join(office.folder, 'demo.sqlite'))
  db.exec(`update loads set name = 'Elsewhere' where id = ${key}`)
  await said('1 selected')
  db.exec(`update loads set name = 'Heavy again' where id = ${key}`)
  db.close()
  await said('2 selected')
})

nightly.detail(
  'all, without exceptions, are as many as the total says, even where it is estimated',
  async () => {
    await open('/tables/species')
    await page.locator('.head .total').getByText('about 12,000', { exact: true }).waitFor()
    await button('Select all that match').click()
    await said('about 12,000 selected')
    await expect
      .poll(() => button('Select all that match').getAttribute('aria-pressed'))
      .toBe('true')
    await tick(0).click()
    await said('about 11,999 selected')
    await expect
      .poll(() => button('Select all that match').getAttribute('aria-pressed'))
      .toBe('false')
  },
)

nightly.lengthy('past a thousand rows it offers all that match instead', async () => {
  await open('/tables/loads?size=100')
  const whole = page.getByRole('checkbox', { name: 'Select page' })
  const notice = page.getByRole('status', { name: 'Notifications' })
  for (let number = 1; number <= 10; number++) {
    await whole.click()
    await said(`${(number * 100).toLocaleString('en')} selected`)
    await expect.poll(() => notice.getByText('A selection names at most').count()).toBe(0)
    await page.getByRole('link', { name: 'Next page' }).click()
    await page
      .getByText(`${(number * 100 + 1).toLocaleString('en')}–`)
      .first()
      .waitFor()
    await settled(page)
  }
  await whole.click()
  await notice
    .getByText('A selection names at most 1,000 rows. Filter the list, or select all that match.')
    .waitFor()
  await said('1,000 selected')
  await expect.poll(() => selectedRows()).toBe(0)
  await notice.getByRole('button', { name: 'Select all that match' }).click()
  await said('1,200 selected')
  await expect.poll(() => selectedRows()).toBe(100)
})

nightly.detail('signing out clears it', async () => {
  await open('/tables/airports')
  await tick(0).click()
  await said('1 selected')
  await page.getByRole('button', { name: 'Ana Kovač' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/sign-in/)
  // The next tests use the same session.
  await office.renew()
  const again = await office.signedIn()
  await context.addCookies(await again.cookies())
  await again.close()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Airports' }).waitFor()
  await settled(page)
  await said('0 selected')
  await expect.poll(() => selectedRows()).toBe(0)
})

/** The keys of the selection come after the page; the dialog of all keys lists them once they are there. */
async function keysThere(): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Keys' })
  const listed = async () => {
    await page.keyboard.press('?')
    await dialog.waitFor()
    const count = await dialog.getByText('Select row', { exact: true }).count()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    return count
  }
  await expect.poll(listed).toBe(1)
}

test('by keyboard alone: x, extending, the page, all, the menu, and Escape; exports the selection, else all that match', async () => {
  await open('/tables/airports')
  await keysThere()
  // In a field Ctrl and A select what was typed, and the second Escape leaves it.
  const search = page.getByRole('searchbox', { name: 'Search' })
  await page.keyboard.press('/')
  await page.keyboard.type('zz')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('a')
  await expect.poll(() => search.inputValue()).toBe('a')
  await page.keyboard.press('Escape')
  await expect.poll(() => search.inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await said('1 selected')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+J')
  await said('3 selected')
  await page.getByRole('status').getByText('3 selected').waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await said('25 selected')
  await page.keyboard.press('b')
  await page.getByRole('menu', { name: 'Bulk actions' }).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Export CSV')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Export…')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Export' })
  const chosen = (part: string, name: string) =>
    asked.getByRole('radiogroup', { name: part }).getByRole('radio', { name })
  // Who wants the same again presses Enter.
  await asked.getByRole('button', { name: 'Export' }).and(page.locator(':focus')).waitFor()
  await chosen('Format', 'CSV').press('ArrowRight')
  await expect.poll(() => chosen('Format', 'XLSX').isChecked()).toBe(true)
  await chosen('Format', 'XLSX').press('ArrowLeft')
  for (const choice of ['All', 'Both']) await asked.getByText(choice, { exact: true }).click()
  expect(await violations(page)).toEqual([])
  const lines = await downloaded(() => asked.getByRole('button', { name: 'Export' }).click())
  expect(lines).toHaveLength(26)
  expect(lines[0]).toMatch(/^ID,Code,.*,Longitude/)
  await asked.waitFor({ state: 'detached' })
  await said('25 selected')
  await page.keyboard.press('Escape')
  await said('0 selected')

  // Without a selection, all that match are exported, from either menu.
  await page.getByRole('searchbox', { name: 'Search' }).fill('new york')
  await page.waitForURL(/search=new/)
  await settled(page)
  const rows = await page.locator('tbody tr').count()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  // The last choice is there again.
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await expect.poll(() => chosen('Related rows', 'Both').isChecked()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More', exact: true }).and(page.locator(':focus')).click()
  const all = await downloaded(() => page.getByRole('menuitem', { name: 'Export CSV' }).click())
  expect(all).toHaveLength(rows + 1)
  await tick(1).click()
  await button('Bulk actions').click()
  const one = await downloaded(() => page.getByRole('menuitem', { name: 'Export CSV' }).click())
  expect(one).toEqual([all[0], all[2]])
})

nightly.detail(
  'all is selected by key from the button that the panel has left, and its sums are not cut',
  async () => {
    await open('/tables/strikes')
    await keysThere()
    await page.keyboard.press('f')
    await page.getByRole('region', { name: 'Filters', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Filters')
    await page.keyboard.press('ControlOrMeta+Shift+a')
    await said('10,000 selected')
    await page.locator('tfoot').getByText('36,302,865').waitFor()
    const isCut = (cells: Element[]) => cells.some((cell) => cell.scrollWidth > cell.clientWidth)
    await expect.poll(() => page.locator('tfoot td').evaluateAll(isCut)).toBe(false)
  },
)

nightly.detail(
  'keys that come before the script of the list wait for it, with those after them',
  async () => {
    const load = await holdScript(page, 'list-work')
    await open('/tables/airports')
    // What comes later than the page is there, but for this.
    await page.locator('#icon-tip').waitFor({ state: 'attached' })
    for (const key of ['j', 'x', 'j', 'ArrowDown', 'x', 'Shift+J', '/'])
      await page.keyboard.press(key)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await expect.poll(() => selectedRows()).toBe(0)
    load()
    await said('3 selected')
    const selected = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((one) => one.ariaSelected).slice(0, 5))
    expect(selected).toEqual(['true', null, 'true', 'true', null])
    await expect.poll(isSearchFocused).toBe(true)
  },
)

nightly.detail(
  'before that script, a page that is turned starts at its top, and what was ticked before any script stays',
  async () => {
    await page.setViewportSize({ width: 1440, height: 500 })
    const load = await holdScript(page, 'list-work')
    const live = await holdScript(page, 'main')
    await page.goto(`${office.origin}/tables/airports`, { waitUntil: 'commit' })
    await tick(2).click()
    live()
    await hydrated(page)
    await expect.poll(selectedRows).toBe(1)
    const scroller = page.locator('.scroller')
    const scrolled = () => scroller.evaluate((it) => it.scrollTop)
    await scroller.evaluate((it) => it.scrollTo({ top: 300 }))
    await expect.poll(() => scrolled()).toBe(300)
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByText(/26–50/).first().waitFor()
    await expect.poll(selectedRows).toBe(0)
    await expect.poll(scrolled).toBe(0)
    load()
    await said('1 selected')
    await page.getByRole('link', { name: 'Previous page' }).click()
    await page.getByText(/1–25/).first().waitFor()
    await expect.poll(() => tick(2).isChecked()).toBe(true)
  },
)

nightly.detail('where that script does not come, other keys work on', async () => {
  await page.route('**/list-work-*', (route) => route.abort())
  await open('/tables/airports')
  await page.keyboard.press('j')
  for (const key of ['x', 'x']) await page.keyboard.press(key)
  await expect
    .poll(async () => {
      await page.keyboard.press('/')
      return isSearchFocused()
    })
    .toBe(true)
  await expect.poll(() => selectedRows()).toBe(0)
  // The browser's own reports of the file.
  for (const one of complaints.splice(0)) expect(one).toContain('ERR_FAILED')
})

nightly.layout.each([1440, 1000, 390])(
  'the key of the search goes to its box while rows are selected, at %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await open('/tables/airports')
    await tick(0).click()
    await said('1 selected')
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
    const before = await theme()
    await page.keyboard.type('/trans b')
    await page.keyboard.press('Enter')
    const box = page.getByRole('searchbox', { name: 'Search' })
    await expect.poll(() => box.inputValue()).toBe('trans b')
    await expect.poll(async () => (await box.boundingBox())?.width).toBeGreaterThan(60)
    await expect.poll(() => theme()).toBe(before)
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    const notice = page.getByRole('status', { name: 'Notifications' })
    await notice.getByText('Selection cleared').waitFor()
    // Letters that came late were searched for by themselves: the last answer clears what was brought back.
    await page.waitForURL(/search=trans(\+|%20)b/)
    await settled(page)
    await expect.poll(() => isSearchFocused()).toBe(true)
    await notice.getByRole('button', { name: 'Undo' }).click()
    await button('Clear selection').first().waitFor()
  },
)

nightly.detail(
  'search, Filters and Display work while rows are selected, and stay where they were',
  async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open('/tables/strikes')
    const tools = page.getByRole('group', { name: 'Tools' })
    const places = () =>
      Promise.all(
        [tools, button('Bulk actions'), page.locator('.bar')].map((part) => part.boundingBox()),
      )
    const before = await places()
    await tick(0).click()
    await said('1 selected')
    const [toolsBefore, , barBefore] = before
    const [toolsNow, , barNow] = await places()
    expect([toolsNow, barNow]).toEqual([toolsBefore, barBefore])
    await tools.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('group', { name: 'Density' }).waitFor()
    await page.keyboard.press('Escape')
    await tools.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('region', { name: 'Filters', exact: true }).waitFor()
    await said('1 selected')
    expect(await violations(page)).toEqual([])
  },
)

nightly.layout(
  'the bar of a selection holds all its buttons at any width of the window',
  async () => {
    await open('/tables/strikes')
    await button(/^Select all/).click()
    await button('Clear selection').first().waitFor()
    for (const width of [1440, 1281, 1280, 1101, 1100, 861, 641]) {
      await page.setViewportSize({ width, height: 600 })
      const over = await page
        .locator('.bar')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(over, `${width} px`).toBe(0)
    }
  },
)

nightly.detail('by touch, on a narrow screen', async () => {
  await context.close()
  await begin({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await open('/tables/strikes')
  const height = () => page.locator('.bar').evaluate((bar) => bar.getBoundingClientRect().height)
  const before = await height()
  await row(1).locator('td.pick label').tap()
  await row(2).locator('td.pick label').tap()
  await said('2 selected')
  await expect.poll(async () => Math.abs((await height()) - before)).toBeLessThan(1)
  expect(page.url()).not.toContain('records')
  expect(await violations(page)).toEqual([])
  await button('Clear selection').tap()
  await expect.poll(() => selectedRows()).toBe(0)
})

nightly.detail('without script the ticked rows are exported by the form', async () => {
  await context.close()
  await begin({ javaScriptEnabled: false, acceptDownloads: true })
  await page.goto(`${office.origin}/tables/airports?columns=name`)
  await expect.poll(() => region().count()).toBe(0)
  await tick(0).check()
  await tick(3).check()
  const names = await page.locator('tbody th').allTextContents()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const lines = await downloaded(() => page.getByRole('menuitem', { name: 'Export CSV' }).click())
  await page.getByRole('menuitem', { name: 'Export XLSX' }).waitFor()
  expect(lines.slice(1)).toEqual([names[0], names[3]])
})

nightly.detail(
  'is absent where bulk actions are off, and shown at zero unless it hides',
  async () => {
    await open('/tables/operators')
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await expect.poll(() => region().count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'More', exact: true }).count()).toBe(0)
    await open('/tables/reporters')
    await expect.poll(() => region().count()).toBe(0)
    await tick(0).click()
    await said('1 selected')
  },
)
