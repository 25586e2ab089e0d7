/** What the history is for, in a browser: taking back what was done a week ago, or before the server died. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import type { ServingOptions } from '../kills/serving-process.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { sharedBrowser } from './browser.ts'
import { settled } from './office.ts'
import { ownOffice } from './own-office.ts'
import { enter } from './outsider.ts'
import { hydrated } from './page-probe.ts'

const SAVED = 'The row’s new position is saved.'
const WEEK_MS = 7 * 24 * 60 * 60 * 1000

let now = Date.now()

function prepare(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`create table tasks (id integer primary key, title text not null, position integer);
    create table steps (id integer primary key, task_id integer references tasks on delete cascade);
    insert into tasks values (1, 'Paint', 10), (2, 'Sand', 20), (3, 'Wash', 30);
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n <= 10000)
      insert into steps select n, 3 from numbers`)
  db.close()
}

const office = ownOffice(prepare, { write: true, now: () => now })
afterEach(() => office.closeContexts())

const order = (file: string): unknown[] => {
  const db = new DatabaseSync(file)
  try {
    return db
      .prepare('select title from tasks order by position')
      .all()
      .map(({ title }) => title)
  } finally {
    db.close()
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const notice = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text)

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await hydrated(page)
}

/** Moves the last task of the list to the top, by keyboard, and saves. */
async function reorder(page: Page): Promise<void> {
  await button(page, 'Reorder').click()
  await button(page, 'Move Wash').press('t')
  await page.getByText('1 move not saved').waitFor()
  await button(page, 'Save order').click()
}

/** By the link beside the tables, as a person goes there. */
async function toHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
}

async function undoInHistory(page: Page): Promise<void> {
  await button(page, 'Undo: Changed the order of Tasks.').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo in 1 row' }).click()
  await notice(page, 'Undone in 1 row.').waitFor()
}

test('an order is undone at once, and another one a week later, in the history', async () => {
  const file = join(office.folder, 'demo.sqlite')
  const page = await (await office.signedIn()).newPage()
  await open(page, `${office.origin}/tables/tasks`)
  await reorder(page)
  await notice(page, SAVED).waitFor()
  expect(order(file)).toEqual(['Wash', 'Paint', 'Sand'])
  await settled(page)
  await page.keyboard.press('Control+z')
  await notice(page, 'Undone in 1 row.').waitFor()
  expect(order(file)).toEqual(['Paint', 'Sand', 'Wash'])
  await reorder(page)
  await expect.poll(() => order(file)).toEqual(['Wash', 'Paint', 'Sand'])

  now += WEEK_MS
  await office.renew()
  const later = await (await office.signedIn()).newPage()
  await open(later, `${office.origin}/tables/tasks`)
  await toHistory(later)
  await undoInHistory(later)
  expect(order(file)).toEqual(['Paint', 'Sand', 'Wash'])
  await later
    .getByText(/Taken back by Ana Kovač/)
    .first()
    .waitFor()
})

nightly.detail(
  'an administrator erases the history of a row, and is told where Undo will not be offered',
  async () => {
    const page = await (await office.signedIn()).newPage()
    await open(page, `${office.origin}/tables/tasks/records/2?edit=on`)
    await page.getByLabel('Title', { exact: true }).fill('Sand the hull')
    await button(page, 'Save').click()
    const history = page.getByRole('region', { name: 'History' })
    await history.getByRole('button', { name: /^Restore this value: Title/ }).waitFor()
    await button(page, 'Erase this history').click()
    const dialog = page.getByRole('dialog', { name: 'Erase the history of “Sand the hull”?' })
    await dialog.getByText('is forgotten for good').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Erase this history' }).click()
    await notice(page, 'The history of this row is erased.').waitFor()
    await history.getByText('Erased the history of a row of Tasks.').waitFor()
    await history.getByRole('button', { name: /^Restore/ }).waitFor({ state: 'detached' })
    await toHistory(page)
    await page.getByText('Erased the history of a row of Tasks.').waitFor()

    await open(page, `${office.origin}/tables/tasks/records/3`)
    await button(page, 'Delete').click()
    await page.getByRole('dialog').getByText('Undo will not be offered').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/tables\/tasks$/)

    // The row has no page any more.
    await toHistory(page)
    const deleted = page.getByRole('listitem').filter({ hasText: 'Deleted “Wash” from Tasks' })
    await deleted.getByText('The database took more rows along than are kept.').waitFor()
    await deleted.getByRole('button', { name: 'Erase this history' }).click()
    expect(await violations(page)).toEqual([])
    await page
      .getByRole('dialog', { name: 'Erase the history of “Wash”?' })
      .getByRole('button', { name: 'Erase this history' })
      .click()
    await notice(page, 'The history of this row is erased.').waitFor()
    await deleted.waitFor({ state: 'detached' })
  },
)

const served = v.object({ origin: v.string(), link: v.string() })

/** Starts a server of its own; it is killed once the test ends. */
async function serve(options: ServingOptions) {
  const path = fileURLToPath(new URL('../kills/serving-process.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [path, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  if (!child.stdout) throw new Error('The server prints nothing.')
  for await (const line of createInterface(child.stdout))
    return { ended, ...v.parse(served, JSON.parse(line)) }
  throw new Error('The server did not start.')
}

nightly.detail(
  'a server that is killed in the middle of a save says so afterwards, and the history knows what it did',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tablewire-served-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'tasks.sqlite')
    prepare(file)
    const options = { file, dataFolder: join(folder, 'data') }
    // The order is on disk by then, and nobody has told the page.
    const dying = await serve({ ...options, port: 0, dieAt: 'pragma synchronous = normal' })
    const { origin } = dying
    const context = await (await sharedBrowser()).newContext({ locale: 'en-US' })
    onTestFinished(() => context.close())
    await enter(context, `${origin}/sign-in/link/${dying.link}`)
    const page = await context.newPage()
    await open(page, `${origin}/tables/tasks`)
    await reorder(page)
    expect(await dying.ended).toEqual([null, 'SIGKILL'])
    await page
      .getByText(/Retrying/)
      .first()
      .waitFor()
    await serve({ ...options, port: Number(new URL(origin).port), dieAt: null })
    await page.getByText('It is not known whether this was done.').first().waitFor()
    expect(order(file)).toEqual(['Wash', 'Paint', 'Sand'])
    await open(page, `${origin}/history`)
    await undoInHistory(page)
    expect(order(file)).toEqual(['Paint', 'Sand', 'Wash'])
  },
)
