/** Tooltips (spec §9): delay 0, at most 350 px wide, 10 px away, 300 ms in and 250 ms out. */

import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { type Office, openOffice, settled } from './office.ts'
import { followRest } from './page-probe.ts'

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

nightly.lengthy(
  'shows at once, at most 350 px wide and 10 px away, for 300 ms in and 250 ms out',
  async () => {
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
  },
)

nightly.lengthy('shows before the event is over: delay 0', async () => {
  expect(await hover(theme())).toBe(true)
})

nightly.lengthy('goes 250 ms after the pointer has left', async () => {
  await page.clock.install()
  await longCell().hover()
  await tip().waitFor()
  const isOpen = () => page.locator('#tip').evaluate((element) => element.matches(':popover-open'))
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.mouse.move(5, 5)
  await expect.poll(() => tip().count()).toBe(0)
  await page.clock.runFor(249)
  await expect.poll(() => isOpen()).toBe(true)
  await page.clock.runFor(1)
  await expect.poll(() => isOpen()).toBe(false)
})

nightly.lengthy('is dismissed by Escape', async () => {
  await longCell().hover()
  await tip().waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => tip().count()).toBe(0)
})

nightly.detail('says the name of a button that shows an icon alone, by keyboard', async () => {
  // Its script has come.
  await hover(theme())
  await page.mouse.move(500, 400)
  await theme().focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await tip()
    .filter({ hasText: (await theme().getAttribute('aria-label'))! })
    .waitFor()
})

nightly.lengthy('shows to a finger that rests, and not to one that taps', async () => {
  await context.close()
  await open({ hasTouch: true })
  const { x, y, width, height } = (await theme().boundingBox())!
  // Its script has come, and listens.
  await expect
    .poll(async () => {
      await page.mouse.move(500, 400)
      await theme().hover()
      return tip().count()
    })
    .toBe(1)
  await page.mouse.move(500, 400)
  await expect.poll(() => tip().count()).toBe(0)
  const touch = await context.newCDPSession(page)
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await page.clock.runFor(499)
  await expect.poll(() => tip().count()).toBe(0)
  await page.clock.runFor(1)
  await expect.poll(() => tip().count()).toBe(1)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
})

describe('every button that shows an icon alone has one, and nothing has a title', () => {
  let demo: Office

  beforeAll(async () => void (demo = await openOffice(undefined, { write: true })))
  afterAll(() => demo.close())

  const press = (name: string) => page.getByRole('button', { name }).first().click()
  const dialog = () => page.getByRole('dialog').first().waitFor()

  const STATES: readonly [name: string, path: string, act?: () => Promise<unknown>][] = [
    ['in a list', '/tables/strikes?filter.phase.in=Climb'],
    ['at a head', '/tables/strikes', () => page.getByRole('columnheader').nth(4).hover()],
    ['in the panel', '/tables/strikes?filters=open'],
    ['in the calendar', '/tables/strikes?filters=open', () => press('Open calendar').then(dialog)],
    ['in a dialog', '/tables/strikes?filters=open', () => press('Add a group').then(dialog)],
    ['over a selection', '/tables/strikes', () => page.locator('.pick input').nth(1).click()],
    ['in the mode of reordering', '/tables/inspections?reorder=on'],
    [
      'in the dialog of a place',
      '/tables/inspections?reorder=on',
      () => page.locator('.grip').first().press('g').then(dialog),
    ],
    ['on a record', '/tables/strikes/records/17'],
    ['in the palette', '/tables/strikes', () => page.keyboard.press('Control+k').then(dialog)],
    ['beside the live status', '/tables/strikes', () => press('How changes are noticed')],
    [
      'beside a notice',
      '/tables/strikes?filter.phase.in=Climb',
      async () => {
        await page.locator('.pick input').nth(1).click()
        await press('Remove filter: Phase Climb')
        await page.getByText('Selection cleared').waitFor()
      },
    ],
    ['on the account', '/you'],
    // The last one, because the person’s next page has it collapsed, too.
    ['beside the collapsed sidebar', '/tables/strikes', () => press('Collapse the sidebar')],
  ]
  /** Dialogs that hold none, and cover all others. */
  const WITHOUT = new Set(['in the dialog of a place', 'in the palette'])

  /** Names and middles of the buttons and links that show no text and that a pointer reaches. */
  const iconsAlone = () =>
    page.evaluate(() => {
      const isSeen = (text: Node, within: Element) => {
        const range = document.createRange()
        range.selectNodeContents(text)
        if (range.getClientRects().length === 0) return false
        for (let at = text.parentElement; at && at !== within; at = at.parentElement)
          if (at.offsetWidth <= 1 || getComputedStyle(at).opacity === '0') return false
        return true
      }
      const showsText = (element: Element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        while (walker.nextNode())
          if (walker.currentNode.textContent?.trim() && isSeen(walker.currentNode, element))
            return true
        return false
      }
      const found = new Map<string, { name: string; x: number; y: number }>()
      for (const element of document.querySelectorAll('button, a, summary')) {
        const { left, top, width, height } = element.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        if (showsText(element) || !element.contains(document.elementFromPoint(x, y))) continue
        const named = document.createElement('div')
        named.append(...element.cloneNode(true).childNodes)
        for (const hidden of named.querySelectorAll('[aria-hidden=true]')) hidden.remove()
        const name = element.ariaLabel ?? named.textContent
        // Of the rows of a table, one is enough.
        const key = element.closest('tbody') ? element.className : name
        if (!found.has(key)) found.set(key, { name, x, y })
      }
      return [...found.values()]
    })

  nightly.lengthy.each(STATES)('%s', async (state, path, act) => {
    await context.close()
    context = await demo.signedIn({ viewport: { width: 1440, height: 900 } })
    page = await context.newPage()
    const rests = followRest(page)
    await page.goto(demo.origin + path)
    await settled(page)
    // What comes later than the page has come.
    await rests()
    await act?.()
    await expect.poll(() => page.locator('[title]:not(iframe)').count()).toBe(0)
    const icons = await iconsAlone()
    expect(icons.length > 0).toBe(!WITHOUT.has(state))
    for (const { name, x, y } of icons) {
      await page.mouse.move(x, y)
      await tip().filter({ hasText: name.trim() }).waitFor({ timeout: 5000 })
      await page.mouse.move(720, 899)
    }
  })
})
