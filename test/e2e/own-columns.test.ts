/** A person arranges the columns of a list: by the pointer, the keyboard and touch, and finds them so again. */

import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'
import { hydrated } from './page-probe.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => void (office = await openOffice()))
afterAll(() => office.close())

afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

/** Opens a table that no other test has arranged. */
async function open(table: string, options: BrowserContextOptions = {}) {
  context = await office.signedIn({ viewport: { width: 1440, height: 900 }, ...options })
  page = await context.newPage()
  complaints = collectComplaints(page)
  await visit(`/tables/${table}`)
}

async function visit(path: string) {
  await page.goto(office.origin + path)
  await hydrated(page)
}

const names = () =>
  page
    .locator('thead th[data-column]')
    .evaluateAll((heads: HTMLElement[]) => heads.map((head) => head.dataset['column']))
const head = (name: string) => page.locator(`thead th[data-column="${name}"]`)
const widthOf = (name: string) => head(name).evaluate((one) => Math.round(one.clientWidth))
const display = () => page.getByRole('dialog', { name: 'Display' })
const parameter = (name: string) => new URL(page.url()).searchParams.get(name)

nightly.detail('by the pointer: a width is dragged, and a column is moved and pinned', async () => {
  await open('airports')
  const before = await widthOf('city')
  await head('city').hover()
  const grip = page.getByRole('separator', { name: 'Width of City' })
  await grip.waitFor()
  expect(await violations(page, { within: 'thead' })).toEqual([])
  const { x, y, width, height } = (await grip.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 + 80, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => widthOf('city')).toBeGreaterThanOrEqual(before + 78)
  await expect.poll(() => parameter('widths')).toMatch(/^city-\d+$/)
  const wide = await widthOf('city')

  await page.getByRole('button', { name: 'Display' }).click()
  const row = display().locator('[data-column="state"]')
  const [from, to] = [
    (await row.getByRole('button', { name: /^Move State/ }).boundingBox())!,
    (await display().locator('[data-column="code"]').boundingBox())!,
  ]
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + 10, to.y + 4, { steps: 6 })
  await page.mouse.up()
  await expect
    .poll(() => names().then((all) => all.slice(0, 4)))
    .toEqual([...['name', 'state', 'code', 'city']])
  await display().getByRole('button', { name: 'Keep City in sight' }).click()
  await expect.poll(() => names().then((all) => all.slice(0, 3))).toEqual(['name', 'city', 'state'])
  expect(await violations(page, { within: '#display-menu' })).toEqual([])

  await visit('/tables/airports')
  await expect.poll(() => names().then((all) => all.slice(0, 3))).toEqual(['name', 'city', 'state'])
  await expect.poll(() => widthOf('city')).toBe(wide)
  await page.setViewportSize({ width: 920, height: 700 })
  const left = () => head('city').evaluate((one) => one.getBoundingClientRect().left)
  const place = await left()
  await page.locator('.scroller').evaluate((one) => one.scrollTo({ left: 200 }))
  await expect.poll(() => page.locator('.scroller').evaluate((one) => one.scrollLeft)).not.toBe(0)
  await expect.poll(() => left()).toBe(place)

  // An address that names columns wins, and what was kept stays.
  await visit('/tables/airports?columns=name,country')
  await expect.poll(() => names()).toEqual(['name', 'country'])
  await visit('/tables/airports')
  await expect.poll(() => widthOf('city')).toBe(wide)
  await page.getByRole('button', { name: 'Display' }).click()
  await display().getByRole('button', { name: 'Standard columns' }).click()
  await expect.poll(() => names().then((all) => all.slice(0, 3))).toEqual(['name', 'code', 'city'])
  await expect.poll(() => page.url()).not.toContain('widths')
})

nightly.detail(
  'by the keyboard: an edge, the menu of a head, and the rows of Display',
  async () => {
    await open('species')
    const before = await widthOf('scientific_name')
    await head('scientific_name').getByRole('button').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const grip = page.getByRole('separator', { name: 'Width of Scientific name' })
    await expect.poll(() => grip.evaluate((one) => one === document.activeElement)).toBe(true)
    const value = () => grip.getAttribute('aria-valuenow').then(Number)
    const now = await value()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => value()).toBeGreaterThanOrEqual(now + 31)
    await expect.poll(() => widthOf('scientific_name')).toBeGreaterThanOrEqual(before + 30)
    await settled(page)
    await page.keyboard.press('Enter')
    await expect.poll(() => widthOf('scientific_name')).toBe(before)

    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    const menu = page.getByRole('dialog', { name: 'Filter by Scientific name' })
    await menu.getByRole('button', { name: 'Move right' }).press('Enter')
    await expect.poll(() => names()).toEqual(['name', 'kind', 'scientific_name', 'parent_id'])

    await page.keyboard.press('v')
    await display()
      .getByRole('button', { name: /^Move Scientific name, 3 of/ })
      .focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => names()).toEqual(['name', 'kind', 'parent_id', 'scientific_name'])
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/^Move Scientific name, 4 of/)
    await display().getByRole('checkbox', { name: 'Kind' }).press('Space')
    await expect.poll(() => names()).toEqual(['name', 'parent_id', 'scientific_name'])
  },
)

nightly.detail(
  'by touch: the rows of Display are dragged, and a colleague sees the standard',
  async () => {
    await open('operators', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await page.getByRole('button', { name: 'Display' }).tap()
    expect(await violations(page, { within: '#display-menu' })).toEqual([])
    await display().getByRole('checkbox', { name: 'Kind' }).tap()
    await expect.poll(() => names()).toEqual(['name', 'icao_code'])
    const grip = display().getByRole('button', { name: /^Move ICAO/ })
    const { x, y, width, height } = (await grip.boundingBox())!
    const touch = await context.newCDPSession(page)
    const at = (type: 'touchStart' | 'touchMove' | 'touchEnd', down: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2, y: y + height / 2 + down }],
      })
    await at('touchStart', 0)
    const row = (await display().locator('[data-column]').first().boundingBox())!
    for (const part of [0.3, 0.6, 0.9, 1.2]) await at('touchMove', -part * row.height)
    await at('touchEnd', 0)
    await expect
      .poll(() =>
        display()
          .locator('[data-column]')
          .evaluateAll((rows: HTMLElement[]) => rows.map((row) => row.dataset['column'])),
      )
      .toEqual(['name', 'icao_code', 'kind', ...(await rest())])
    await context.close()
    context = await office.colleague('Bo')
    page = await context.newPage()
    await visit('/tables/operators')
    await expect.poll(() => names()).toEqual(['name', 'kind', 'icao_code'])
  },
)

/** The columns of operators that are not shown at first. */
const rest = () =>
  display()
    .locator('[data-column]')
    .evaluateAll((rows: HTMLElement[]) =>
      rows
        .map((row) => row.dataset['column']!)
        .filter((one) => !['name', 'icao_code', 'kind'].includes(one)),
    )
