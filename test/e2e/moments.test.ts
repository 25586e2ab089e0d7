/** The date picker with its time part (spec §9), on the board: “Remind them at”, a page of somebody else's. */

import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { type Board, openBoard } from './board.ts'
import { collectComplaints } from './office.ts'

let board: Board
let page: Page
let complaints: string[]

beforeAll(async () => void (board = await openBoard()), 240_000)
afterAll(() => board.close())
afterEach(async () => {
  await page.context().close()
  // A server on a busy machine may refuse a poll; the next one is answered.
  expect(complaints.filter((text) => !text.includes('status of 503'))).toEqual([])
})

/** The board on a Monday in August. */
async function open(options: BrowserContextOptions = {}) {
  const first = await board.newPage()
  const cookies = await first.context().cookies()
  await first.context().close()
  const context = await board.browser.newContext({ locale: 'en-US', ...options })
  await context.addCookies(cookies)
  page = await context.newPage()
  complaints = collectComplaints(page)
  await page.clock.setFixedTime(new Date(2002, 7, 5, 8))
  const live = page.waitForResponse((response) => response.url().endsWith('/tablewire/update'))
  await page.goto(board.address)
  // The first poll tells that the page is live.
  await live
}

const field = () => page.getByRole('textbox', { name: 'Remind them at' })
const button = () => page.getByRole('button', { name: 'Open calendar' })
const picker = () => page.getByRole('dialog', { name: 'Remind them at' })
const hour = () => picker().getByRole('spinbutton', { name: 'Hour' })
const minute = () => picker().getByRole('spinbutton', { name: 'Minute' })
const half = () => picker().getByRole('combobox', { name: 'AM or PM' })
const day = (name: string) => picker().getByRole('button', { name })
const keep = () => page.getByRole('button', { name: 'Keep' })
const notice = (text: string) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text, { exact: true })
const hasFocus = (locator: Locator) =>
  expect.poll(() => locator.evaluate((element) => element === document.activeElement)).toBe(true)

nightly.detail(
  'a day is 12:00 until a time is chosen, on a clock of 12 hours (spec §9)',
  async () => {
    await open()
    await button().click()
    await day('Tuesday, August 6, 2002').click()
    await expect.poll(() => field().inputValue()).toBe('2002-08-06 12:00')
    await expect
      .poll(async () => [await hour().inputValue(), await minute().inputValue()])
      .toEqual(['12', '00'])
    await expect.poll(() => half().inputValue()).toBe('pm')
    await half().selectOption('AM')
    await expect.poll(() => field().inputValue()).toBe('2002-08-06 00:00')
    await hour().fill('5')
    await minute().fill('37')
    await expect.poll(() => field().inputValue()).toBe('2002-08-06 05:37')
    await day('Wednesday, August 7, 2002').click()
    await expect.poll(() => field().inputValue()).toBe('2002-08-07 05:37')
    await picker().getByRole('button', { name: 'Close' }).click()
    await keep().click()
    await notice('Kept 0 characters. Reminder: 2002-08-07 05:37.').waitFor()
  },
)

nightly.detail('by keyboard alone: hours step by 1, minutes by 5 (spec §9)', async () => {
  await open()
  await field().focus()
  await page.keyboard.press('Alt+ArrowDown')
  await hasFocus(day('Monday, August 5, 2002'))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await hasFocus(hour())
  await page.keyboard.press('ArrowUp')
  await expect
    .poll(async () => [await hour().inputValue(), await field().inputValue()])
    .toEqual(['01', '2002-08-06 13:00'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(async () => [await half().inputValue(), await field().inputValue()])
    .toEqual(['am', '2002-08-06 11:00'])
  await page.keyboard.press('Tab')
  await hasFocus(minute())
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => minute().getAttribute('aria-valuenow')).toBe('10')
  await page.keyboard.type('42')
  await page.keyboard.press('Enter')
  await expect.poll(() => field().inputValue()).toBe('2002-08-06 11:42')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('p')
  await expect.poll(() => field().inputValue()).toBe('2002-08-06 23:40')
  await page.keyboard.press('Escape')
  await hasFocus(button())
  await expect.poll(() => picker().count()).toBe(0)
  // Enter in the picker has submitted nothing.
  await expect.poll(() => notice('Kept 0 characters. Reminder: 2002-08-06 11:42.').count()).toBe(0)
})

nightly.detail(
  'an hour typed with two digits stays in its half of the day, whatever the first digit says',
  async () => {
    await open()
    await field().fill('2002-08-06 14:30')
    await field().press('Enter')
    await button().click()
    await hour().focus()
    await page.keyboard.press('0')
    await expect.poll(() => field().inputValue()).toBe('2002-08-06 14:30')
    await page.keyboard.press('9')
    await expect.poll(() => field().inputValue()).toBe('2002-08-06 21:30')
    await minute().focus()
    await page.keyboard.press('0')
    await expect.poll(() => field().inputValue()).toBe('2002-08-06 21:30')
    await half().focus()
    await expect.poll(() => field().inputValue()).toBe('2002-08-06 21:00')
    await hour().focus()
    await page.keyboard.press('0')
    await page.keyboard.press('Enter')
    await expect.poll(() => field().inputValue()).toBe('2002-08-06 00:00')
  },
)

test('what is typed is written in the server’s format, and what cannot be read is not sent', async () => {
  await open()
  await field().fill('2002-8-6, 2.05 pm')
  await field().press('Enter')
  await notice('Kept 0 characters. Reminder: 2002-08-06 14:05.').waitFor()
  await expect.poll(() => field().inputValue()).toBe('2002-08-06 14:05')
  await field().fill('2002-02-30 14:05')
  await page.getByLabel('For the next shift').focus()
  await expect.poll(() => field().getAttribute('aria-invalid')).toBe('true')
  const problem = page.getByText('Write a date and time such as 2024-12-31 14:30.')
  await problem.waitFor()
  await expect
    .poll(() => field().getAttribute('aria-describedby'))
    .toBe(await problem.getAttribute('id'))
  await keep().click()
  await hasFocus(field())
  await expect.poll(() => field().inputValue()).toBe('2002-02-30 14:05')
  await field().fill('')
  await keep().click()
  await notice('Kept 0 characters.').waitFor()
})

nightly.detail('the reader’s locale changes neither format, clock nor week (spec §9)', async () => {
  await open({ locale: 'de-DE' })
  await button().click()
  const first = picker().getByRole('columnheader').first()
  await expect.poll(() => first.getAttribute('abbr')).toBe('Sonntag')
  await picker().getByRole('button', { name: 'Dienstag, 6. August 2002' }).click()
  await expect.poll(() => field().inputValue()).toBe('2002-08-06 12:00')
  await expect.poll(() => half().locator('option').allTextContents()).toEqual(['AM', 'PM'])
})

nightly.layout.each([1440, 390])('at %i px it fits, and axe is silent', async (width) => {
  await open({ viewport: { width, height: 844 } })
  await button().click()
  await day('Tuesday, August 6, 2002').click()
  await half().scrollIntoViewIfNeeded()
  for (const control of [picker(), hour(), minute(), half()]) {
    const { x, width: own } = (await control.boundingBox())!
    expect([x >= 0, x + own <= width]).toEqual([true, true])
  }
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  expect(await violations(page)).toEqual([])
})
