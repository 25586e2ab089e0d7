/** The examples: their own tests, and those of embedding, started as they are, with the admin behind their own sign-in. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browse, rowsOf } from '../embedding/guest.ts'
import { isPlain } from '../tier.ts'
import { closeContexts, sharedBrowser } from './browser.ts'
import { type Example, startExample } from './example.ts'
import { collectComplaints, settled } from './office.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const ALL = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
/** Applications that the admin is a part of; others are run by the command, see tally.test.ts and polling.test.ts. */
const NAMES = ALL.filter((name) => existsSync(new URL(`${name}/server.ts`, EXAMPLES)))
const LIST = '/admin/tables/harvests'

let example: Example

/** Whoever goes on after they have signed out is refused, and the host's log says so. */
const REFUSED = '419 PAGE_EXPIRED POST /admin/tablewire/update'
/** So is what their page asks for by itself at that time. */
const isRefused = (line: string): boolean =>
  line === REFUSED || /^419 PAGE_EXPIRED: \d+ more$/.test(line)

/** A page that connects, or joins its channels, just as its person signs out is refused, too. */
const isOfChannels = (line: string): boolean =>
  /^403 FORBIDDEN(?: POST \/admin\/broadcasting\/auth| GET \/admin\/app\/:key|: \d+ more)$/.test(
    line,
  )

/** Nothing else was to be complained about, and it ends when it is asked to. */
async function stop(): Promise<void> {
  const { lines } = example
  const code = await example.stop()
  const others = lines.filter((line) => !isRefused(line) && !isOfChannels(line))
  expect([code, others, lines.includes(REFUSED)]).toEqual([0, [], true])
}

test('are three of embedding, two of pages, and one of roles', () => {
  expect(NAMES.toSorted()).toEqual(['express', 'fastify', 'node-http'])
  expect(ALL.filter((name) => !NAMES.includes(name))).toEqual(['board', 'roles', 'tally'])
})

test.each(['board', 'roles', 'tally'])('the test of %s passes', (name) => {
  const file = fileURLToPath(new URL(`${name}/${name}.test.ts`, EXAMPLES))
  const { status, stdout } = spawnSync(process.execPath, ['--test', file], { encoding: 'utf8' })
  expect(status, stdout).toBe(0)
})

// That of Express is tried in a browser below.
describe.each(NAMES.filter((name) => !isPlain || name !== 'express'))('%s', (name) => {
  beforeAll(async () => void (example = await startExample(name)))
  afterAll(stop)

  test('signs in at the host, lists, sorts, and signs out there', async () => {
    const { origin } = example
    const nobody = browse(origin, '')
    const sent = await nobody.ask(`${LIST}?sort=fruit`)
    expect(sent.status).toBe(303)
    const entered = await nobody.ask(sent.headers.get('location')!, {
      method: 'POST',
      body: new URLSearchParams({ name: 'Ana' }),
    })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `${LIST}?sort=fruit`])

    const ana = browse(origin, entered.headers.get('set-cookie')!.split(';', 1)[0]!)
    expect((await ana.ask('/admin')).headers.get('location')).toBe(LIST)
    const shown = await ana.page(LIST)
    const sorted = await ana.sortBy(shown, 'fruit')
    expect(await rowsOf(sorted)).toEqual(['Apple', 'Medlar', 'Pear', 'Quince'])
    expect(await (await ana.ask('/')).text()).toContain('<a href="/admin/">')

    expect((await ana.ask('/sign-out')).status).toBe(303)
    const late = await ana.sortBy(shown, 'fruit')
    expect([late.status, (await late.json()).error.code]).toEqual([419, 'PAGE_EXPIRED'])
    expect((await ana.ask(LIST)).headers.get('location')).toBe(
      `/sign-in?next=${encodeURIComponent(LIST)}`,
    )
  })

  test.each(['//evil.example', 'https://evil.example/admin', '/administrator', '/admin@evil'])(
    'leads from its sign-in to the admin, not to %s',
    async (next) => {
      const answer = await browse(example.origin, '').ask(
        `/sign-in?next=${encodeURIComponent(next)}`,
        { method: 'POST', body: new URLSearchParams({ name: 'Ana' }) },
      )
      expect(answer.headers.get('location')).toBe('/admin/')
    },
  )
})

describe('in a browser', () => {
  let browser: Browser
  let page: Page
  const asked: string[] = []

  beforeAll(async () => {
    example = await startExample('express')
    browser = await sharedBrowser()
    const context = await browser.newContext({ baseURL: example.origin })
    page = await context.newPage()
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  })
  afterAll(async () => {
    await closeContexts(browser)
    await stop()
  })

  const enter = async () => {
    await page.getByLabel('Name').fill('Ana Kovač')
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const fruit = () => page.locator('tbody th').allTextContents()

  test('the host’s sign-in leads to the list, which is live', async () => {
    const complaints = collectComplaints(page)
    await page.goto('/admin/')
    await enter()
    await page.getByRole('heading', { name: 'Harvests' }).waitFor()
    await page.getByRole('button', { name: 'Fruit' }).click()
    await expect.poll(fruit).toEqual(['Apple', 'Medlar', 'Pear', 'Quince'])
    expect(new URL(page.url()).search).toBe('?sort=fruit')
    await page.getByRole('searchbox').fill('medlar')
    await expect.poll(fruit).toEqual(['Medlar'])
    await page.getByRole('searchbox').fill('')
    await page.getByRole('link', { name: 'Growers' }).first().click()
    await page.getByRole('heading', { name: 'Growers' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Harvests' }).waitFor()
    await settled(page)
    expect(complaints).toEqual([])
    const outside = asked.filter((path) => !/^\/admin(\/|$)|^\/sign-in$/.test(path))
    expect(outside).toEqual([])
    expect(asked).toContain('/admin/tablewire/update')
  })

  test('its fonts and styles come from below the prefix', async () => {
    const fonts = await page.evaluate(async () => {
      await document.fonts.ready
      return [...document.fonts].filter(({ status }) => status === 'loaded').length
    })
    expect(fonts).toBeGreaterThan(0)
    const assets = asked.filter((path) => /\.(js|css|woff2)$/.test(path))
    expect(assets.filter((path) => !path.startsWith('/admin/tablewire/assets/'))).toEqual([])
  })

  test('the menu of the person leads to what we keep of them, and out by the host', async () => {
    await page.getByRole('button', { name: 'Ana Kovač' }).click()
    const menu = page.locator('#person-menu')
    await expect
      .poll(() => menu.getByRole('link').allTextContents())
      .toEqual(['Account', 'Sign out'])
    await expect.poll(() => menu.getByRole('link').last().getAttribute('href')).toBe('/sign-out')
    await expect.poll(() => menu.getByText('Administrator').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
  })

  test('who signed out elsewhere is asked to refresh, signs in, and is where they were', async () => {
    const head = page.getByRole('button', { name: 'Fruit' })
    await head.click()
    await page.waitForURL((url) => url.search === '?sort=-fruit')
    await page.request.get('/sign-out')
    // The page may have found out by itself, and its question covers the head.
    await page.getByRole('button', { name: 'Crates' }).dispatchEvent('click')
    const dialog = page.getByRole('dialog', {
      name: 'This page has expired. Would you like to refresh the page?',
    })
    await dialog.getByRole('button', { name: 'Refresh' }).click()
    await page.waitForURL(/\/sign-in\?next=/)
    await enter()
    await page.waitForURL((url) => url.pathname + url.search === `${LIST}?sort=-fruit`)
    await expect.poll(fruit).toEqual(['Quince', 'Pear', 'Medlar', 'Apple'])
  })
})
