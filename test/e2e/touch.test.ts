/** Filters by a finger, on a screen of 390 px. */

import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import type { UpdateRequest } from '../../src/protocol/wire.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, standardOffice, settled } from './office.ts'
import { columnOn } from './shown-rows.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]
/** The values of filters that were sent, in order. */
let sent: [path: string, value: unknown][]

beforeAll(async () => void (office = await standardOffice()))
afterAll(() => office.close())
beforeEach(async () => {
  context = await office.signedIn({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  page = await context.newPage()
  complaints = collectComplaints(page)
  sent = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/tablewire/update')) return
    const { components } = request.postDataJSON() as UpdateRequest
    for (const { updates } of components)
      sent.push(...Object.entries(updates).filter(([path]) => path.startsWith('filterComponents')))
  })
})
afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const panel = () => page.getByRole('region', { name: 'Filters', exact: true })
const filter = (name: string) => panel().getByRole('group', { name, exact: true })
/** Closes the panel, and waits for what is filtered. */
async function filtered(by: string): Promise<void> {
  await button('Close filters').tap()
  await panel().waitFor({ state: 'hidden' })
  await button(`Remove filter: ${by}`).waitFor()
}

/** A finger of the page: presses a point, goes on to others, and lets go. */
async function swipe(session: CDPSession, points: { x: number; y: number }[]): Promise<void> {
  for (const [at, point] of points.entries())
    await session.send('Input.dispatchTouchEvent', {
      type: at === 0 ? 'touchStart' : 'touchMove',
      touchPoints: [point],
    })
}

const lift = (session: CDPSession) =>
  session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })

/** Waits until it stands still: a finger does not wait for it. */
const still = (part: Locator) => part.tap({ trial: true })

describe('a filter', () => {
  beforeEach(async () => {
    await page.goto(`${office.origin}/tables/strikes`)
    await settled(page)
    await button('Filters').tap()
    await filter('Speed').waitFor()
  })

  nightly.detail('by its slider, which sends once it is let go', async () => {
    const speed = filter('Speed')
    const thumb = speed.getByRole('slider', { name: 'Speed, minimum' })
    await expect.poll(() => thumb.isEnabled()).toBe(true)
    await speed.scrollIntoViewIfNeeded()
    await still(speed.getByText('Speed', { exact: true }))
    const { x, y, width, height } = (await speed.locator('.range').boundingBox())!
    const at = (share: number) => ({ x: x + 6 + (width - 12) * share, y: y + height / 2 })
    const finger = await context.newCDPSession(page)
    await swipe(finger, [at(0), at(0.1), at(0.3), at(0.5)])
    await expect.poll(() => speed.getByLabel('Minimum', { exact: true }).inputValue()).not.toBe('')
    expect(sent).toEqual([])
    await lift(finger)
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]).toEqual(['filterComponents.speed_kt', { min: expect.any(Number), max: null }])
  })

  nightly.detail('by a text', async () => {
    await filter('Airport name').getByRole('searchbox').tap()
    await page.keyboard.insertText('denver')
    await filtered('Airport name contains “denver”')
    expect(sent).toEqual([['filterComponents.airport_name', { test: 'contains', text: 'denver' }]])
  })

  nightly.detail('by choices', async () => {
    await filter('Phase').getByText('Climb', { exact: true }).tap()
    await expect.poll(() => sent).toEqual([['filterComponents.phase', { in: ['Climb'] }]])
    await filtered('Phase Climb')
  })

  nightly.detail('by a related row', async () => {
    await filter('Species').getByRole('combobox', { name: 'Add Species' }).tap()
    await page.keyboard.insertText('canada')
    await filter('Species').getByRole('option', { name: 'Canada goose' }).tap()
    await filtered('Species Canada goose')
    await expect
      .poll(async () => new Set(await columnOn(page, 'Species')))
      .toEqual(new Set(['Canada goose']))
  })

  nightly.detail('by conditions in a group', async () => {
    await panel().getByRole('button', { name: 'Add a group' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Conditions' })
    await dialog.getByRole('combobox', { name: 'Filter', exact: true }).selectOption('Speed')
    await dialog.getByLabel('Minimum', { exact: true }).tap()
    await page.keyboard.insertText('300')
    await dialog.getByRole('button', { name: 'Add a condition' }).tap()
    await dialog.getByRole('combobox', { name: 'Filter', exact: true }).last().selectOption('Phase')
    await dialog.getByText('Climb', { exact: true }).tap()
    expect(await violations(page, { within: 'dialog' })).toEqual([])
    await dialog.getByRole('button', { name: 'Apply' }).tap()
    await expect
      .poll(() => sent)
      .toEqual([
        [
          'filterComponents.builder',
          {
            join: 'or',
            of: [
              { filter: 'speed_kt', value: { min: 300, max: null } },
              { filter: 'phase', value: { in: ['Climb'] } },
            ],
          },
        ],
      ])
  })
})
