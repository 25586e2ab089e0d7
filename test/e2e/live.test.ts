/** Live lists in two browsers side by side (spec §6, §9): what others change appears, and disturbs nobody. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { goLive, openLive } from './live-list.ts'
import { type Office, openOffice, settled } from './office.ts'
import { withoutSocket, followRest } from './page-probe.ts'
import { UNAVAILABLE_TIMEOUT_MS } from '../../src/protocol/constants.ts'
import { TINT_MS } from '../../src/ui/live/live-marks.ts'

let office: Office
let database: DatabaseSync

beforeAll(async () => {
  const prepare = (file: string) => {
    const made = new DatabaseSync(file)
    made.exec(`pragma journal_mode = wal;
      create table repairs (id integer primary key, title text, state text, due date);
      insert into repairs (title, state) values ('Wing', 'open'), ('Door', 'open')`)
    made.close()
  }
  office = await openOffice(prepare, { live: true })
  database = new DatabaseSync(join(office.folder, 'demo.sqlite'))
}, 240_000)
afterAll(async () => {
  database.close()
  await office.close()
})
beforeEach(() => {
  database.exec(`delete from repairs;
    insert into repairs (title, state) values ('Wing', 'open'), ('Door', 'open')`)
})

const open = (query = '') => openLive(office, `${office.origin}/tables/repairs${query}`)
const cell = (page: Page, text: string) => page.locator('tbody').getByText(text, { exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** Whether it is drawn within the window, and nothing lies over it. */
const isInSight = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    return found !== null && element.contains(found)
  })
const waits = (page: Page) => page.getByRole('status').filter({ hasText: 'Changes are waiting' })

test('what is written behind the admin appears in every open list, without a reload', async () => {
  const [one, two] = [await open(), await open()]
  await one.evaluate(() => Object.assign(window, { mark: 1 }))
  database.exec(`update repairs set title = 'Left wing' where title = 'Wing';
    insert into repairs (title, state) values ('Nose', 'open')`)
  for (const page of [one, two]) {
    await cell(page, 'Left wing').waitFor()
    await cell(page, 'Nose').waitFor()
  }
  database.exec("delete from repairs where title = 'Door'")
  await cell(two, 'Door').waitFor({ state: 'detached' })
  await expect.poll(() => one.evaluate(() => 'mark' in window)).toBe(true)
  expect(await violations(one)).toEqual([])
  await one.context().close()
  await two.context().close()
})

test('rows that come in among those that are shown wait, and nothing moves until they are asked for', async () => {
  const page = await open('?sort=-id')
  const titles = () => page.locator('tbody th').allInnerTexts()
  const before = await titles()
  const total = page.locator('.head .total')
  database.exec(`insert into repairs (title, state) values ('Nose', 'open'), ('Tail', 'open');
    update repairs set state = 'closed' where title = 'Wing';
    delete from repairs where title = 'Door'`)
  await button(page, '2 new rows').waitFor()
  // What is there has its newest cells, and a row that has gone stays where it was.
  await page.locator('td[data-changed=now]').getByText('closed').waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(before.length)
  const gone = page.locator('tr[data-gone]')
  await expect.poll(() => gone.count()).toBe(1)
  await expect.poll(() => gone.innerText()).toContain('Door')
  // Read out, too: the style's text is a part of the name.
  await page.getByRole('rowheader', { name: 'Door Gone' }).waitFor()
  await expect.poll(() => total.innerText()).toBe('3')
  expect(await violations(page)).toEqual([])
  await button(page, '2 new rows').click()
  await cell(page, 'Tail').waitFor()
  await expect.poll(() => page.locator('tr[data-came=now]').count()).toBe(2)
  await expect.poll(() => cell(page, 'Door').count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await expect.poll(() => page.getByRole('button', { name: /new row/ }).count()).toBe(0)
  await page.context().close()
})

nightly.detail(
  'while rows wait, what is selected is what is shown; the answer to an action shows all',
  async () => {
    const page = await open('?sort=-id')
    database.exec("insert into repairs (title, state) values ('Nose', 'open')")
    await button(page, '1 new row').waitFor()
    await page.getByRole('checkbox', { name: 'Select page' }).click()
    await page.getByRole('region', { name: 'Selection' }).getByText('2 selected').waitFor()
    await expect.poll(() => cell(page, 'Nose').count()).toBe(0)
    await page.getByRole('columnheader', { name: 'State' }).getByRole('button').click()
    await cell(page, 'Nose').waitFor()
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Select Nose' }).isChecked())
      .toBe(false)
    await page.context().close()
  },
)

test('nothing changes under the pointer, or while it is paused: what waits is told, and comes later', async () => {
  const page = await open()
  await cell(page, 'Door').hover()
  database.exec("insert into repairs (title, state) values ('Nose', 'open')")
  await waits(page).waitFor()
  await expect.poll(() => cell(page, 'Nose').count()).toBe(0)
  expect(await violations(page)).toEqual([])
  await page.mouse.move(5, 5)
  await cell(page, 'Nose').waitFor()
  await expect.poll(() => waits(page).count()).toBe(0)

  await button(page, 'Pause').click()
  await page.getByRole('status').filter({ hasText: 'Paused' }).waitFor()
  await page.mouse.move(5, 5)
  database.exec("insert into repairs (title, state) values ('Tail', 'open')")
  await waits(page).waitFor()
  await expect.poll(() => cell(page, 'Tail').count()).toBe(0)
  await button(page, 'Go live').click()
  await cell(page, 'Tail').waitFor()
  await page.context().close()
})

nightly.detail(
  'nothing changes while a row has the focus or a menu is open; the person may ask for it',
  async () => {
    const page = await open()
    await page.keyboard.press('j')
    database.exec("insert into repairs (title, state) values ('Nose', 'open')")
    await waits(page).waitFor()
    await button(page, 'Show changes').click()
    await cell(page, 'Nose').waitFor()
    await page.getByRole('button', { name: 'Display' }).click()
    database.exec("insert into repairs (title, state) values ('Tail', 'open')")
    await waits(page).waitFor()
    await expect.poll(() => cell(page, 'Tail').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.mouse.move(5, 5)
    await page.getByRole('searchbox', { name: 'Search' }).focus()
    await cell(page, 'Tail').waitFor()
    await page.context().close()
  },
)

nightly.detail(
  'rows that wait stay while an action is under way, whose answer brings them',
  async () => {
    const page = await open('?sort=-id')
    database.exec("insert into repairs (title, state) values ('Nose', 'open')")
    const fresh = button(page, '1 new row')
    await fresh.waitFor()
    const gate = Promise.withResolvers<void>()
    const sent = page.waitForRequest((request) => request.postData()?.includes('sortBy') ?? false)
    await page.route('**/tablewire/update', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.getByRole('columnheader', { name: 'State' }).getByRole('button').click()
    await sent
    await fresh.click()
    await expect.poll(() => fresh.evaluate((it) => it === document.activeElement)).toBe(true)
    await expect.poll(() => page.locator('tr[data-came]').count()).toBe(0)
    gate.resolve()
    await cell(page, 'Nose').waitFor()
    await page.context().close()
  },
)

nightly.detail('a mark fades on its own cell while a calendar is open', async () => {
  const page = await open()
  await page.clock.install()
  database.exec("update repairs set state = 'closed' where title = 'Wing'")
  await page.locator('[data-changed=now]').waitFor()
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByRole('button', { name: 'Open calendar' }).click()
  await page.getByRole('dialog', { name: 'Due' }).waitFor()
  await page.clock.runFor(TINT_MS)
  await page.locator('[data-changed=before]').waitFor()
  await expect.poll(() => page.locator('[data-changed]').allInnerTexts()).toEqual(['Closed'])
  await page.context().close()
})

nightly.detail('where nothing is marked, what changes on the page reads no row', async () => {
  const page = await open()
  const reads = await page.evaluate(async () => {
    let reads = 0
    const rows = [...document.querySelectorAll<HTMLElement>('tbody tr')]
    for (const row of rows)
      Object.defineProperty(row, 'dataset', { get: () => ((reads += 1), {}), configurable: true })
    document.querySelector('main')?.append(document.createElement('p'))
    // The observers of the page have their turn before the next task.
    await new Promise((resolve) => setTimeout(resolve))
    return reads
  })
  expect(reads).toBe(0)
  await page.context().close()
})

nightly.detail('a press that nobody sees end does not hold what comes', async () => {
  const page = await open()
  const title = page.getByRole('heading', { level: 1 })
  await title.hover()
  // Opens the browser's own menu at once, which takes what follows.
  await page.mouse.down({ button: 'right' })
  database.exec("insert into repairs (title, state) values ('Nose', 'open')")
  await cell(page, 'Nose').waitFor()
  await page.mouse.up({ button: 'right' })

  await title.dispatchEvent('pointerdown', { buttons: 1, bubbles: true })
  database.exec("insert into repairs (title, state) values ('Tail', 'open')")
  await waits(page).waitFor()
  await page.mouse.move(5, 5)
  await cell(page, 'Tail').waitFor()
  await page.context().close()
})

test('nothing is said of the connection until it is known; then that it is there, or not', async () => {
  const page = await (await office.signedIn()).newPage()
  await page.addInitScript(() => {
    const said = new Set<string | undefined>()
    Object.assign(window, { said })
    new MutationObserver(() =>
      said.add(document.querySelector('.live [role=status]')?.textContent),
    ).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await goLive(page, `${office.origin}/tables/repairs`)
  const said = await page.evaluate(() => [...(window as unknown as { said: Set<string> }).said])
  expect(said.filter(Boolean)).toEqual(['Live'])

  await withoutSocket(page)
  await page.clock.install()
  await page.goto(`${office.origin}/tables/repairs`)
  const status = page.locator('.live').getByRole('status')
  await status.waitFor({ state: 'attached' })
  await settled(page)
  await expect.poll(() => status.innerText()).toBe('')
  await page.clock.runFor(UNAVAILABLE_TIMEOUT_MS)
  await expect.poll(() => status.innerText()).toBe('Not live')
  await page.context().close()
})

nightly.detail('the list says how changes are noticed', async () => {
  const page = await open()
  await button(page, 'How changes are noticed').click()
  await page.getByText('Tablewire checks the database file twice a second').waitFor()
  expect(await violations(page)).toEqual([])
  await page.context().close()
})

test('scrolled at 390 px, whether it is live and what is tried again stay in sight', async () => {
  const insert = database.prepare("insert into repairs (title, state) values (?, 'open')")
  for (let number = 0; number < 80; number++) insert.run(`Repair ${number}`)
  const page = await open()
  await page.setViewportSize({ width: 390, height: 700 })
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
  await expect
    .poll(() => isInSight(page.getByRole('status').filter({ hasText: /^Live$/ })))
    .toBe(true)
  await page.route('**/tablewire/update', (route) => route.abort())
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect.poll(() => isInSight(button(page, 'Try now'))).toBe(true)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
  await page.context().close()
})

nightly.detail('nothing about sockets is loaded or opened before sign-in', async () => {
  const page = await (await office.signedOut()).newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('websocket', (socket) => asked.push(socket.url()))
  const rests = followRest(page)
  await page.goto(`${office.origin}/sign-in`)
  await rests()
  expect(asked.filter((url) => /push|\/app\//.test(url))).toEqual([])
  await page.close()
})

nightly.detail(
  'requests carry the id of the socket while it is connected, and only then (spec §7)',
  async () => {
    const page = await (await office.signedIn()).newPage()
    const ids: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') ids.push(request.headers()['x-socket-id'])
    })
    await goLive(page, `${office.origin}/tables/repairs`)
    await page.getByRole('searchbox', { name: 'Search' }).fill('Door')
    await page.waitForURL(/search=Door/)
    expect(ids.at(-1)).toMatch(/^\d+\.\d+$/)
    await page.context().close()
  },
)
