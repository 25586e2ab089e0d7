/** Polling in a browser (spec §9), on the board of inspections: a page of somebody else's. */

import type { Page, Response, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { POLL_INTERVAL_MS } from '../../src/protocol/constants.ts'
import type { UpdateResponse } from '../../src/protocol/wire.ts'
import { nightly } from '../nightly.ts'
import { type Board, openBoard } from './board.ts'
import { collectComplaints } from './office.ts'
import { followRequests, recordDrawing, recordUpdates } from './page-probe.ts'

let board: Board
let page: Page
let complaints: string[]
let idle: () => Promise<void>
let updates: Awaited<ReturnType<typeof recordUpdates>>
let drawing: Awaited<ReturnType<typeof recordDrawing>>

beforeAll(async () => void (board = await openBoard()), 240_000)
afterAll(() => board.close())
beforeEach(async () => {
  page = await board.newPage()
  complaints = collectComplaints(page)
  updates = await recordUpdates(page)
  drawing = await recordDrawing(page)
  const followed = followRequests(page)
  idle = async () => {
    await updates.answered()
    await followed()
  }
  await page.route('**/tablewire/update', untilServed)
  await page.addInitScript(() => {
    const { random } = Math
    Math.random = () => (window as { chance?: number }).chance ?? random()
  })
  await page.clock.install()
  await page.goto(board.address)
  // The first poll tells that the page is live; from here on, time is the test's.
  await page.waitForResponse(isUpdate)
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.clock.runFor(100)
  await idle()
})
afterEach(async () => {
  await page.context().close()
  expect(complaints).toEqual([])
})

const isUpdate = (response: Response) => response.url().endsWith('/tablewire/update')

/** A server on a busy machine may refuse a poll, after which the page pauses: here, it is sent again. */
async function untilServed(route: Route): Promise<void> {
  let response = await route.fetch()
  while (response.status() === 503) response = await route.fetch()
  await route.fulfill({ response })
}

const lane = (name: string) => page.getByRole('region', { name })

/** Lets one interval pass, and the poll in it be answered. */
async function poll(): Promise<UpdateResponse['components'][number]['effects']> {
  await idle()
  const [response] = await Promise.all([
    page.waitForResponse(isUpdate),
    page.clock.runFor(POLL_INTERVAL_MS),
  ])
  const { components } = (await response.json()) as UpdateResponse
  await idle()
  return components[0]!.effects
}

/** How many polls there are in so many intervals; none is answered on the way. */
async function pollsIn(intervals: number): Promise<number> {
  await idle()
  const before = (await updates.times()).length
  for (let at = 0; at < intervals; at++) await page.clock.runFor(POLL_INTERVAL_MS)
  return (await updates.times()).length - before
}

test('a poll is sent every 2000 ms (spec §9), what somebody else changes is shown, its card alone is drawn, and nothing else is undone', async () => {
  for (let at = 0; at < 5; at++) await poll()
  const times = (await updates.times()).slice(-5)
  const gaps = times.slice(1).map((time, at) => Math.round(time - times[at]!))
  expect(gaps).toEqual([2000, 2000, 2000, 2000])

  await page.getByLabel('For the next shift').fill('Gulls at dusk')
  await page.getByRole('button', { name: 'Summary' }).click()
  await page.getByRole('button', { name: 'Ana', exact: true }).click()
  await page.clock.runFor(500)
  await drawing.forget()
  board.change("update inspections set title = 'Bats, evening watch' where airport = 'AUS'")
  expect(await poll()).toHaveProperty('view')
  await lane('waiting').getByText('Bats, evening watch').waitFor()
  const cards = (await drawing.commits()).flat().filter((props) => props === 'card choose id')
  expect(cards).toHaveLength(1)
  await expect.poll(() => page.getByLabel('For the next shift').inputValue()).toBe('Gulls at dusk')
  await expect.poll(() => page.locator('#person-menu').isVisible()).toBe(true)
  await expect
    .poll(() => page.getByRole('button', { name: 'Summary' }).getAttribute('aria-expanded'))
    .toBe('true')
})

nightly.detail('where nothing has changed, no view is sent and React draws nothing', async () => {
  await poll()
  await drawing.forget()
  expect(await poll()).toEqual({})
  expect(await poll()).toEqual({})
  expect(await drawing.commits()).toEqual([])
})

nightly.detail('an answer that comes late is not piled upon', async () => {
  const gate = Promise.withResolvers<void>()
  const gated = async (route: Route) => {
    await gate.promise
    await route.continue()
  }
  await page.route('**/tablewire/update', gated)
  expect(await pollsIn(5)).toBe(1)
  await Promise.all([page.waitForResponse(isUpdate), gate.resolve()])
  await page.unroute('**/tablewire/update', gated)
  await poll()
})

nightly.detail('a hidden tab skips those polls that chance picks, 5 in 100 (spec §9)', async () => {
  const chance = (value: number) =>
    page.evaluate((next) => void Object.assign(window, { chance: next }), value)
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }))
  await chance(0.0499)
  expect(await pollsIn(3)).toBe(0)
  await chance(0.05)
  await poll()
})

nightly.detail(
  'there are no polls offline, nor while the board is out of the viewport',
  async () => {
    await page.context().setOffline(true)
    await page.waitForFunction(() => !navigator.onLine)
    expect(await pollsIn(3)).toBe(0)
    await page.context().setOffline(false)
    await page.waitForFunction(() => navigator.onLine)
    await poll()
    const lanes = page.locator('.lanes')
    const show = async (display: string) => {
      await lanes.evaluate((element, to) => void (element.style.display = to), display)
      // The browser tells of it with the next frame.
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const observer = new IntersectionObserver(resolve)
            observer.observe(document.querySelector('.lanes')!)
          }),
      )
    }
    await show('none')
    expect(await pollsIn(3)).toBe(0)
    await show('')
    await poll()
  },
)
