/** A package of somebody else's: its page, component and kind, built, served, live and followed. */

import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { closeContexts, sharedBrowser } from './browser.ts'
import { collectComplaints, settled } from './office.ts'
import { enter, openOutsider, type Outsider, withoutScript } from './outsider.ts'

/** Builds are waited for on a machine that does much else, ms. */
const PATIENCE = { timeout: 110_000 }
const BUILDS_MS = 240_000

let outsider: Outsider
let browser: Browser
let page: Page
let complaints: string[]

const gate = (name: string) => page.getByRole('region', { name })
const counted = (name: string) => gate(name).getByRole('status').textContent()

describe('built and served', () => {
  beforeAll(async () => {
    outsider = openOutsider('tally')
    const unbuilt = outsider.run('--port', '0')
    expect(unbuilt.status).toBe(1)
    expect(unbuilt.out).toMatch(/^There is no built client in \[.*\]\. Run: tablewire build\n$/)
    expect(outsider.run('build')).toEqual({ status: 0, out: 'Written: dist-client\n' })
    const { link } = await outsider.start('--port', '0')
    browser = await sharedBrowser()
    const context = await browser.newContext({ locale: 'en-US' })
    await enter(context, link)
    page = await context.newPage()
    complaints = collectComplaints(page)
    await page.goto(new URL('/tables/varieties', link).href)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await outsider.close()
  })

  test('the sidebar leads to the page, whose components are live, each by itself', async () => {
    await page.getByRole('link', { name: 'Tally' }).click()
    await page.getByRole('heading', { name: 'Tally', level: 1 }).waitFor()
    await expect
      .poll(async () => [await counted('North gate'), await counted('South gate')])
      .toEqual(['0', '12'])
    await gate('North gate').getByRole('button', { name: 'Count' }).click()
    await expect.poll(() => counted('North gate')).toBe('1')
    await gate('North gate').getByLabel('Crates at a time').fill('10')
    await gate('North gate').getByRole('button', { name: 'Count' }).click()
    await expect.poll(() => counted('North gate')).toBe('11')
    await expect.poll(() => counted('South gate')).toBe('12')
    await settled(page)
    expect(complaints).toEqual([])
  })

  nightly.layout('it has the look of the admin, and its own', async () => {
    const align = (name: string) =>
      gate(name).evaluate((region) => getComputedStyle(region).display)
    await expect.poll(() => align('North gate')).toBe('grid')
    const lead = page.getByText('Crates that came in today, by gate.')
    const start = (where: Locator) => where.evaluate((it) => it.getBoundingClientRect().x)
    await expect
      .poll(async () => (await start(lead)) - (await start(page.getByRole('main'))))
      .toBeGreaterThanOrEqual(16)
    expect(await violations(page)).toEqual([])
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Tally').waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Tally' }).getAttribute('aria-current'))
      .toBe('page')
  })

  nightly.detail('the admin’s own pages are as ever, and lead there and back', async () => {
    await page.getByRole('link', { name: 'Varieties' }).first().click()
    await page.getByRole('heading', { name: 'Varieties' }).waitFor()
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL(/sort=name/)
    await page.goBack()
    await page.goBack()
    await page.getByRole('heading', { name: 'Tally', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  test('its links are shown in place, and what was opened and typed is there when one comes back', async () => {
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url())
    })
    await page.getByText('How to count').click()
    const step = gate('South gate').getByLabel('Crates at a time')
    await step.fill('7')
    await page.getByRole('link', { name: 'The best varieties' }).click()
    await page.getByRole('table', { name: 'Varieties' }).waitFor()
    expect(new URL(page.url()).search).toBe('?sort=-stars')
    // Leaving the document would lose it, so the browser asks.
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type())
        void dialog.dismiss()
      }),
    )
    await page.close({ runBeforeUnload: true })
    expect(await asked).toBe('beforeunload')
    await page.goBack()
    await page.getByText('Count a crate when').waitFor()
    await expect.poll(() => step.inputValue()).toBe('7')
    expect(documents).toEqual([])
    await gate('South gate').getByRole('button', { name: 'Count' }).click()
    await expect.poll(() => counted('South gate')).toBe('19')
    expect(complaints).toEqual([])
  })

  test('its kind of column is drawn in lists and on records, before script and after', async () => {
    await page.goto(new URL('/tables/varieties?sort=-stars', page.url()).href)
    const cells = () => page.getByRole('cell').getByRole('img')
    await expect.poll(() => cells().count()).toBe(3)
    await expect.poll(() => cells().first().getAttribute('aria-label')).toBe('5 of 5')
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL(/sort=name/)
    await expect.poll(() => cells().first().getAttribute('aria-label')).toBe('4 of 5')
    await page.getByRole('link', { name: 'Cox' }).click()
    await page.getByRole('img', { name: '5 of 5' }).waitFor()
    expect(complaints).toEqual([])
    const plain = await withoutScript(browser, page.context())
    await plain.goto(new URL('/tables/varieties', page.url()).href)
    await expect.poll(() => plain.getByRole('img', { name: '3 of 5' }).textContent()).toBe('★★★')
    await plain.context().close()
  })

  test('its form has sections, a field of its own, and one that depends on another', async () => {
    await page.getByRole('link', { name: 'Varieties' }).first().click()
    await page.getByRole('link', { name: 'New', exact: true }).click()
    const tasting = page.getByRole('group', { name: 'Tasting' })
    const field = (name: string) => tasting.getByLabel(name, { exact: true })
    await page.locator('input[name="set.name"]').fill('Gala')
    await field('Stars').waitFor()
    await expect.poll(() => field('Sweetness').count()).toBe(0)
    await field('Stars').selectOption('4')
    await field('Sweetness').selectOption('2')
    await page.getByText('3 fields changed, not saved').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Gala', level: 1 }).waitFor()
    await page.getByRole('img', { name: '4 of 5' }).waitFor()

    // What goes out of sight is not written, whatever was typed into it.
    await page.keyboard.press('e')
    await field('Sweetness').selectOption('3')
    await field('Stars').selectOption('')
    await expect.poll(() => field('Sweetness').count()).toBe(0)
    await page.getByText('1 field changed, not saved').waitFor()
    await page.keyboard.press('Control+s')
    await expect.poll(() => tasting.count()).toBe(0)
    await page.getByRole('definition').getByText('2', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  nightly.detail('without script the page says all it has to say', async () => {
    const plain = await withoutScript(browser, page.context())
    await plain.goto(new URL('/tally', page.url()).href)
    const north = plain.getByRole('region', { name: 'North gate' })
    await expect.poll(() => north.getByRole('status').textContent()).toBe('0')
    await plain.getByText('Crates that came in today, by gate.').waitFor()
    await expect.poll(() => plain.getByRole('button', { name: 'Count' }).count()).toBe(0)
    await plain.context().close()
  })
})

describe('under development', () => {
  beforeAll(async () => {
    outsider = openOutsider('tally')
    const { link, origin } = await outsider.start('dev', '--port', '0')
    browser = await sharedBrowser()
    const context = await browser.newContext({ locale: 'en-US' })
    await enter(context, link)
    page = await context.newPage()
    await page.goto(`${origin}/tally`)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await outsider.close()
  })

  nightly.lengthy(
    'a change to the server’s half or the browser’s is shown by itself',
    async () => {
      await page.getByText('Crates that came in today, by gate.').waitFor()
      outsider.change('tally-page.ts', (text) => text.replace('came in today', 'came in'))
      await page.getByText('Crates that came in, by gate.').waitFor(PATIENCE)
      outsider.change('tally-view.tsx', (text) => text.replace('title="Tally"', 'title="Gates"'))
      await page.getByRole('heading', { name: 'Gates', level: 1 }).waitFor(PATIENCE)
    },
    BUILDS_MS,
  )

  nightly.lengthy(
    'what cannot be built is told in the terminal and on the page, which goes on until it is mended',
    async () => {
      const banner = page.getByRole('alert')
      outsider.change('tally-view.tsx', (text) => text.replace('return (', 'return (('))
      await banner.getByText('Not built.').waitFor(PATIENCE)
      await banner.getByText('tally-view.tsx').waitFor()
      expect(outsider.said()).toContain('tally-view.tsx')
      const count = gate('North gate').getByRole('status')
      const before = Number(await count.textContent())
      await gate('North gate').getByRole('button', { name: 'Count' }).click()
      await expect.poll(() => count.textContent()).toBe(String(before + 1))
      await page.reload()
      await banner.getByText('Not built.').waitFor()
      outsider.change('tally-view.tsx', (text) =>
        text.replace('return ((', 'return (').replace('title="Gates"', 'title="Mended"'),
      )
      await page.getByRole('heading', { name: 'Mended', level: 1 }).waitFor(PATIENCE)
      await expect.poll(() => banner.count()).toBe(0)
    },
    BUILDS_MS,
  )

  nightly.lengthy(
    'a server that cannot start says why on the page, until it is mended',
    async () => {
      outsider.change('tally-page.ts', (text) => text.replace("page('/tally'", "page('tally'"))
      const banner = page.getByRole('alert')
      await banner.getByText('expected a path such as /tally').waitFor(PATIENCE)
      outsider.change('tally-page.ts', (text) =>
        text.replace("page('tally'", "page('/tally'").replace('came in,', 'came in now,'),
      )
      await page.getByText('Crates that came in now, by gate.').waitFor(PATIENCE)
    },
    BUILDS_MS,
  )

  nightly.lengthy(
    'a style sheet is put in place of the old one, and the page stays what it is',
    async () => {
      await gate('South gate').getByLabel('Crates at a time').fill('7')
      outsider.change('tally.css', (css) => `${css}.tallies section { letter-spacing: 7px; }\n`)
      const spacing = () =>
        gate('South gate').evaluate((region) => getComputedStyle(region).letterSpacing)
      await expect.poll(spacing, PATIENCE).toBe('7px')
      await expect
        .poll(() => gate('South gate').getByLabel('Crates at a time').inputValue())
        .toBe('7')
    },
    BUILDS_MS,
  )

  nightly.lengthy(
    'a page whose stream of events was refused once follows all the same',
    async () => {
      await page.route('**/tablewire/dev/events', (route) => route.fulfill({ status: 503 }), {
        times: 1,
      })
      await page.reload()
      outsider.change('tally-page.ts', (text) => text.replace('came in now,', 'came in so far,'))
      await page.getByText('Crates that came in so far, by gate.').waitFor(PATIENCE)
    },
    BUILDS_MS,
  )

  nightly.lengthy(
    'what does not build changes nothing, and the next change is shown',
    async () => {
      outsider.change('tally-view.tsx', (text) => text.replace('<Head title="Mended" />', '<Head'))
      await expect.poll(outsider.said, PATIENCE).toContain('Not built.')
      await page.getByRole('heading', { name: 'Mended', level: 1 }).waitFor()
      outsider.change('tally-view.tsx', (text) =>
        text.replace('<Head', '<Head title="All gates" />'),
      )
      await page.getByRole('heading', { name: 'All gates', level: 1 }).waitFor(PATIENCE)
    },
    BUILDS_MS,
  )
})

describe('a build that cannot be', () => {
  beforeEach(() => void (outsider = openOutsider('tally')))
  afterEach(() => outsider.close())

  test('says which names of the browser’s half the configuration does not have', () => {
    outsider.change('tablewire.client.tsx', (text) => text.replace("'/tally'", "'/taly'"))
    const { status, out } = outsider.run('build')
    expect(status).toBe(1)
    expect(out).toContain('the configuration has no page called [/taly]; it has [/tally].')
    expect(out).toContain('nothing draws the page [/tally].')
  })

  nightly.lengthy('says when the browser’s half brings the server’s code along', () => {
    outsider.change('tally-view.tsx', (text) =>
      text.replace('import type { tally }', 'import { tally }'),
    )
    outsider.change('tally-view.tsx', (text) => text.replace('<h2>', '<h2 title={tally.name}>'))
    const { status, out } = outsider.run('build')
    expect(status).toBe(1)
    expect(out).toContain(
      'tally.ts brings the server’s code into the browser by importing from ’tablewire’'.replaceAll(
        '’tablewire’',
        "'tablewire'",
      ),
    )
  })
})
