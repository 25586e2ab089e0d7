/**
 * A new build, or a rotated key, under open tabs: at most one silent refresh, after which page,
 * focus, input and what was pressed are there, and so are the pages kept for the back button (spec §2, §8).
 */

import { randomBytes } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { closeContexts, sharedBrowser } from './browser.ts'
import { type Office, standardOffice, settled } from './office.ts'
import { enter, openOutsider, type Outsider } from './outsider.ts'
import { hydrated, withoutSocket } from './page-probe.ts'

let page: Page
let documents: string[]

function watchDocuments(): void {
  documents = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
  })
}

const search = () => page.getByRole('searchbox', { name: 'Search' })
const scroller = () => page.getByRole('region', { name: 'Rows' })
const focused = () => page.evaluate(() => document.activeElement?.id)
const note = () => page.getByLabel('For the next shift')
const goTo = (path: string) =>
  page
    .locator(`nav a[href="${path}"]`)
    .first()
    .evaluate((link) => (link as HTMLElement).click())

describe('a new build', () => {
  let outsider: Outsider
  let browser: Browser
  let context: BrowserContext
  let origin: string
  let builds = 0

  beforeAll(async () => {
    outsider = openOutsider('board')
    build()
    const started = await outsider.start('--port', '0')
    ;({ origin } = started)
    browser = await sharedBrowser()
    context = await browser.newContext({ locale: 'en-US' })
    await enter(context, started.link)
  }, 240_000)
  afterAll(async () => {
    await closeContexts(browser)
    await outsider.close()
  })
  beforeEach(async () => {
    page = await context.newPage()
    await page.setViewportSize({ width: 700, height: 420 })
  })
  afterEach(() => page.close())

  /** Builds the board with another title, which tells the builds apart. */
  function build(): void {
    builds++
    outsider.change('board-view.tsx', (text) =>
      text.replace(/title="Inspections[^"]*"/, `title="Inspections, build ${builds}"`),
    )
    const { status, out } = outsider.run('build')
    if (status !== 0) throw new Error(out)
  }

  async function deploy(): Promise<void> {
    await outsider.stop()
    build()
    await outsider.start('--port', new URL(origin).port)
  }

  const heading = () => page.getByRole('heading', { level: 1 })

  /**
   * Types a note on the board, and goes on to a list of inspections. With a socket, the page would notice
   * the deploy by itself, perhaps before the person does anything.
   */
  async function openListAfterBoard(): Promise<void> {
    await withoutSocket(page)
    await page.goto(`${origin}/board`)
    await hydrated(page)
    await note().fill('Gulls')
    await page.getByText('Not kept yet').waitFor()
    await goTo('/tables/inspections')
    await page.getByRole('table', { name: 'Inspections' }).waitFor()
    watchDocuments()
  }

  /** Goes back as often as it takes, since what was searched and sorted has entries of its own. */
  async function backToBoard(): Promise<void> {
    const isBoard = (url: URL) => url.pathname === '/board'
    while (!isBoard(new URL(page.url()))) await page.goBack()
    await heading().getByText(`Inspections, build ${builds}`).waitFor()
  }

  test('costs one silent refresh: focus and input stay, also on a page kept for the back button', async () => {
    await page.setViewportSize({ width: 390, height: 420 })
    await openListAfterBoard()
    await deploy()
    await search().pressSequentially('g')
    await page.waitForURL(/search=g/)
    await settled(page)
    expect(documents).toEqual(['/tables/inspections'])
    await expect.poll(() => search().inputValue()).toBe('g')
    await expect.poll(() => focused()).toBe('search')
    await page.keyboard.type('u')
    await page.waitForURL(/search=gu/)
    await backToBoard()
    await expect.poll(() => note().inputValue()).toBe('Gulls')
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByText('Kept 5 characters.').waitFor()
    expect(documents).toHaveLength(1)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }, 240_000)

  nightly.detail('does what was pressed once the page is refreshed', async () => {
    await openListAfterBoard()
    await deploy()
    await page.getByRole('columnheader', { name: 'Airport' }).getByRole('button').click()
    await page.locator('th[aria-sort="ascending"]').filter({ hasText: 'Airport' }).waitFor()
    expect(documents).toEqual(['/tables/inspections'])
    await backToBoard()
    await expect.poll(() => note().inputValue()).toBe('Gulls')
    expect(documents).toHaveLength(1)
  })

  nightly.detail(
    'is met by a link, too: the page it leads to is loaded, and the one before is kept',
    async () => {
      await openListAfterBoard()
      await deploy()
      await goTo('/board')
      await heading().getByText(`Inspections, build ${builds}`).waitFor()
      expect(documents).toEqual(['/board'])
      await expect.poll(() => note().inputValue()).toBe('')
      await page.goBack()
      await page.getByRole('table', { name: 'Inspections' }).waitFor()
      await page.goBack()
      await expect.poll(() => note().inputValue()).toBe('Gulls')
      expect(documents).toHaveLength(1)
    },
  )
})

describe('a rotated and retired key', () => {
  let office: Office
  beforeAll(async () => void (office = await standardOffice()))
  afterAll(() => office.close())

  test('costs no document: a kept page, its scroll and what was typed are there', async () => {
    page = await (await office.signedIn()).newPage()
    await page.setViewportSize({ width: 1000, height: 420 })
    await page.goto(`${office.origin}/tables/airports`)
    await hydrated(page)
    await settled(page)
    await scroller().evaluate((element) => element.scrollTo({ top: 200 }))
    // Typed, but not answered before the page is left.
    await page.route('**/tablewire/update', (route) => route.abort())
    await search().fill('mem')
    await page.getByText('Offline. Retrying…').waitFor()
    await page
      .getByRole('rowheader')
      .nth(5)
      .getByRole('link')
      .evaluate((link) => (link as HTMLElement).click())
    await page.waitForURL(/records/)
    watchDocuments()
    office.admin.keys.rotate(randomBytes(32))
    office.admin.keys.retire()
    await page.unroute('**/tablewire/update')
    await page.goBack()
    await page.getByRole('table', { name: 'Airports' }).waitFor()
    await expect.poll(() => search().inputValue()).toBe('mem')
    await page.waitForURL(/search=mem/)
    await page.getByRole('rowheader').first().getByText(/mem/i).first().waitFor()
    expect(documents).toEqual([])
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.context().close()
  })
})
