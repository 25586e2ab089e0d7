/** Tooltips (spec §9): delay 0, at most 350 px wide, 10 px away, 300 ms in and 250 ms out. */

import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Office, openOffice, settled } from './office.ts'

let office: Office
let context: BrowserContext
let page: Page

beforeAll(async () => {
  office = await openOffice((file) => {
    const database = new DatabaseSync(file)
    database.exec(`create table notes (id integer primary key, text text not null);
      insert into notes (text) values ('${'a long word '.repeat(60)}'), ('short')`)
    database.close()
  })
})
afterAll(() => office.close())
beforeEach(() => open())
afterEach(() => context.close())

async function open(options = {}): Promise<void> {
  context = await office.signedIn({ viewport: { width: 1000, height: 700 }, ...options })
  page = await context.newPage()
  await page.goto(`${office.origin}/tables/notes`)
  await settled(page)
}

const tip = () => page.locator('[role=tooltip].shown')
const longCell = () => page.locator('tbody :is(th, td)', { hasText: 'a long word' })
const theme = () => page.getByRole('button', { name: /theme/i })

/** Moves the pointer there; returns whether the tooltip shows before the event is over. */
async function hover(what: ReturnType<typeof longCell>): Promise<boolean> {
  await page.evaluate(() => {
    const look = () =>
      (document.body.dataset['tip'] = String(!!document.querySelector('.tip.shown')))
    // The event reaches the window last.
    addEventListener('pointerover', look)
  })
  await what.hover()
  await tip().waitFor()
  return page.evaluate(() => document.body.dataset['tip'] === 'true')
}

test('shows at once, at most 350 px wide and 10 px away, for 300 ms in and 250 ms out', async () => {
  await longCell().hover()
  await tip().waitFor()
  const measured = await tip().evaluate((element) => {
    const { width, top, bottom } = element.getBoundingClientRect()
    const owner = document.querySelector(`[aria-describedby="${element.id}"]`)!
    const at = owner.getBoundingClientRect()
    const { maxWidth, transitionDuration } = getComputedStyle(element)
    const gap = Math.round(top > at.top ? top - at.bottom : at.top - bottom)
    element.classList.remove('shown')
    const out = getComputedStyle(element).transitionDuration
    element.classList.add('shown')
    return { width, maxWidth, gap, in: transitionDuration, out }
  })
  expect(measured).toMatchObject({ maxWidth: '350px', gap: 10, in: '0.3s', out: '0.25s' })
  expect(measured.width).toBeLessThanOrEqual(350)
  expect(measured.width).toBeGreaterThan(300)
})

test('shows before the event is over: delay 0', async () => {
  expect(await hover(theme())).toBe(true)
})

test('goes 250 ms after the pointer has left', async () => {
  await page.clock.install()
  await longCell().hover()
  await tip().waitFor()
  const isOpen = () => page.locator('#tip').evaluate((element) => element.matches(':popover-open'))
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.mouse.move(5, 5)
  expect(await tip().count()).toBe(0)
  await page.clock.runFor(249)
  expect(await isOpen()).toBe(true)
  await page.clock.runFor(1)
  expect(await isOpen()).toBe(false)
})

test('is dismissed by Escape', async () => {
  await longCell().hover()
  await tip().waitFor()
  await page.keyboard.press('Escape')
  expect(await tip().count()).toBe(0)
})

test('says the name of every button that shows an icon alone, by pointer and by keyboard', async () => {
  const buttons = page.locator('.btn.icon:visible')
  const count = await buttons.count()
  expect(count).toBeGreaterThan(2)
  for (let at = 0; at < count; at++) {
    const button = buttons.nth(at)
    if (await button.isDisabled()) continue
    const name = await button.getAttribute('aria-label')
    await button.hover()
    await tip().filter({ hasText: name! }).waitFor()
  }
  await page.mouse.move(500, 400)
  await theme().focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await tip()
    .filter({ hasText: (await theme().getAttribute('aria-label'))! })
    .waitFor()
})

test('shows to a finger that rests, and not to one that taps', async () => {
  await context.close()
  await open({ hasTouch: true })
  const { x, y, width, height } = (await theme().boundingBox())!
  const touch = await context.newCDPSession(page)
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await page.clock.runFor(499)
  expect(await tip().count()).toBe(0)
  await page.clock.runFor(1)
  expect(await tip().count()).toBe(1)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
})
