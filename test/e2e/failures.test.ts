/** The error catalogue of the specification (spec §8), as a person meets it in the browser. */

import { randomBytes } from 'node:crypto'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { UpdateRequest } from '../../src/protocol/wire.ts'
import { nightly } from '../nightly.ts'
import { ADMINISTRATOR, type Office, standardOffice, settled } from './office.ts'

let office: Office
let context: BrowserContext
let page: Page

beforeAll(async () => void (office = await standardOffice()))
afterAll(() => office.close())
beforeEach(async () => {
  context = await office.signedIn()
  page = await context.newPage()
  await page.goto(`${office.origin}/tables/strikes`)
  await settled(page)
})
afterEach(() => context.close())

const UPDATE = '**/tablewire/update'
const sortBy = (name: string) =>
  page.getByRole('columnheader', { name }).getByRole('button').click()
const dialog = (name = 'Server error') => page.getByRole('dialog', { name })
const search = () => page.getByRole('searchbox', { name: 'Search' })
const calls = (route: Route): string[] =>
  (route.request().postDataJSON() as UpdateRequest).components.flatMap((part) =>
    part.calls.map(({ method }) => method),
  )

/** Answers each update that calls `sortBy` like this, and lets all others pass. */
const answerSorts = (answer: Parameters<Route['fulfill']>[0]) =>
  page.route(UPDATE, (route) =>
    calls(route).includes('sortBy') ? route.fulfill(answer) : route.fallback(),
  )
const broken = {
  status: 500,
  json: { error: { code: 'SERVER_ERROR', message: 'Something went wrong.', reference: 'abc123' } },
}

describe('any other non-OK answer (spec §8)', () => {
  nightly.detail(
    'stands over a dim overlay: level 200000, opacity 0.6, the whole screen',
    async () => {
      await answerSorts(broken)
      await sortBy('Phase')
      await dialog().waitFor()
      const look = await dialog().evaluate((element) => {
        const { zIndex, backgroundColor } = getComputedStyle(element)
        const { width, height } = element.getBoundingClientRect()
        return { zIndex, backgroundColor, isWhole: width === innerWidth && height === innerHeight }
      })
      expect(look).toEqual({
        zIndex: '200000',
        backgroundColor: 'rgba(0, 0, 0, 0.6)',
        isWhole: true,
      })
    },
  )

  nightly.detail('closes on Escape and on a click beside it', async () => {
    await answerSorts(broken)
    for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
      await sortBy('Phase')
      await dialog().waitFor()
      await close()
      await dialog().waitFor({ state: 'hidden' })
    }
  })

  nightly.detail('of ours can be copied with all that is needed to find it', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await answerSorts(broken)
    await sortBy('Phase')
    await dialog().getByRole('button', { name: 'Copy details' }).click()
    await dialog().getByText('Copied.').waitFor({ state: 'attached' })
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(
      /^SERVER_ERROR \(500\)\nSomething went wrong\.\nReference: abc123\nPage: /,
    )
  })

  test('of ours can be tried again, under the same key, and of somebody else is shown in a frame in which no script runs', async () => {
    const keys: (string | undefined)[] = []
    await page.route(UPDATE, (route) => {
      if (!calls(route).includes('sortBy')) return route.fallback()
      keys.push(route.request().headers()['idempotency-key'])
      return keys.length === 1 ? route.fulfill(broken) : route.fallback()
    })
    await sortBy('Phase')
    await dialog().getByText('abc123').waitFor()
    await dialog().getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(/sort=phase/)
    await expect.poll(() => dialog().count()).toBe(0)
    expect(keys).toEqual([keys[0], keys[0]])

    await page.unroute(UPDATE)
    const body = `<!doctype html><title>502</title><h1>Bad gateway</h1>
      <script>parent.document.title = 'taken'</script>
      <img src=x onerror="parent.document.title = 'taken'">`
    await answerSorts({ status: 502, contentType: 'text/html', body })
    await sortBy('Speed')
    const frame = dialog().frameLocator('iframe[title="The page that was answered"]')
    await frame.getByRole('heading', { name: 'Bad gateway' }).waitFor()
    await expect.poll(() => dialog().locator('iframe').getAttribute('sandbox')).toBe('')
    await expect.poll(() => page.title()).not.toBe('taken')
    await dialog().getByText('status 502').waitFor()
  })
})

test('a final refusal is told in place and tried again, what takes long is cancelled, and a retired key costs one silent refresh', async () => {
  const error = { code: 'QUERY_TIMEOUT', message: 'The database took too long to answer.' }
  await answerSorts({ status: 503, json: { error } })
  await sortBy('Phase')
  const told = page.getByRole('alert').filter({ hasText: error.message })
  await told.waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => page.getByText('Busy. Retrying…').count()).toBe(0)
  await page.unroute(UPDATE)
  const found = Promise.withResolvers<void>()
  await page.route(UPDATE, async (route) => {
    if (calls(route).includes('sortBy')) await found.promise
    await route.fallback()
  })
  await told.getByRole('button', { name: 'Keep looking (about 20 s)' }).click()
  // It tells how much of the time has passed.
  const passed = page.getByRole('progressbar', { name: 'Still looking' })
  await expect.poll(async () => Number(await passed.getAttribute('value'))).toBeGreaterThan(0)
  found.resolve()
  await page.waitForURL(/sort=phase/)
  await expect.poll(() => passed.count()).toBe(0)
  await page.unroute(UPDATE)
  await expect.poll(() => told.count()).toBe(0)

  const held = Promise.withResolvers<void>()
  await page.route(UPDATE, async (route) => {
    if (calls(route).includes('sortBy')) await held.promise
    await route.fallback().catch(() => undefined)
  })
  await sortBy('Speed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await settled(page)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => page.locator('th[aria-sort]', { hasText: 'Speed' }).count()).toBe(0)
  held.resolve()
  // Nothing else is lost.
  await search().fill('go')
  await page.waitForURL(/search=go$|search=go&/)
  expect(page.url()).not.toContain('speed')
  await page.unroute(UPDATE)

  const pages: string[] = []
  page.on('request', (request) => {
    if (request.headers()['x-tablewire-navigate'] !== undefined) pages.push(request.url())
  })
  const scroller = page.getByRole('region', { name: 'Rows' })
  await scroller.evaluate((element) => element.scrollTo({ left: 90 }))
  office.admin.keys.rotate(randomBytes(32))
  office.admin.keys.retire()
  await search().pressSequentially('o')
  await page.waitForURL(/search=goo/)
  await expect.poll(() => search().inputValue()).toBe('goo')
  await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBe(90)
  expect(pages).toHaveLength(1)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

nightly.detail(
  'Escape in the search box gives up a search that was refused, and what is told of it',
  async () => {
    const error = { code: 'QUERY_TIMEOUT', message: 'The database took too long to answer.' }
    const searches = (route: Route) => (route.request().postData() ?? '').includes('zebra')
    await page.route(UPDATE, (route) =>
      searches(route) ? route.fulfill({ status: 503, json: { error } }) : route.fallback(),
    )
    await search().fill('zebra')
    const told = page.getByRole('alert').filter({ hasText: error.message })
    await told.waitFor()
    await search().press('Escape')
    await told.waitFor({ state: 'detached' })
    await expect.poll(() => search().inputValue()).toBe('')
  },
)

nightly.benchmark.each([429, 503])(
  'status %i is quiet, and is asked again when the server wishes',
  async (status) => {
    const times: number[] = []
    await page.route(UPDATE, (route) => {
      if (!calls(route).includes('sortBy')) return route.fallback()
      times.push(performance.now())
      if (times.length > 1) return route.fallback()
      const json = { error: { code: 'BUSY', message: 'The server is busy.' } }
      return route.fulfill({ status, headers: { 'retry-after': '1' }, json })
    })
    await sortBy('Phase')
    await page.getByRole('status').filter({ hasText: 'Busy. Retrying…' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.waitForURL(/sort=phase/)
    expect(times).toHaveLength(2)
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1000)
  },
)

nightly.detail(
  'a component that throws while it is drawn shows its own failure, and the rest goes on',
  async () => {
    await page.route(UPDATE, async (route) => {
      if (!calls(route).includes('sortBy')) return route.fallback()
      const response = await route.fetch()
      const answer = (await response.json()) as { components: { effects: { view: object } }[] }
      for (const { effects } of answer.components) effects.view = { ...effects.view, rows: null }
      return route.fulfill({ response, json: answer })
    })
    await sortBy('Phase')
    const told = page.getByRole('alert').filter({ hasText: 'could not be drawn' })
    await told.waitFor()
    await expect.poll(() => page.getByRole('navigation', { name: 'Tables' }).count()).toBe(1)
    await page.unroute(UPDATE)
    await told.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('table', { name: 'Strikes' }).waitFor()
  },
)

test('a session that ended elsewhere is a 419: sign-in follows, then the page with what was typed', async () => {
  const { token } = await office.admin.accounts.signInWithPassword({
    ...ADMINISTRATOR,
    address: '127.0.0.1',
    userAgent: 'other',
  })
  const other = await office.signedOut()
  const { sessionCookie: name } = office.admin
  await other.addCookies([{ name, value: token, url: office.origin, httpOnly: true }])
  const tab = await other.newPage()
  await tab.goto(`${office.origin}/tables/strikes`)
  await settled(tab)
  // Somebody ends all other sessions.
  await page.getByRole('button', { name: ADMINISTRATOR.name }).click()
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'hidden' })
  await tab.getByRole('searchbox', { name: 'Search' }).fill('goose')
  await tab
    .getByRole('dialog', { name: 'This page has expired. Would you like to refresh the page?' })
    .getByRole('button', { name: 'Refresh' })
    .click()
  await tab.getByLabel('Password').fill(ADMINISTRATOR.password)
  await tab.getByLabel('Email').fill(ADMINISTRATOR.email)
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => tab.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('goose')
  await tab.waitForURL(/search=goose/)
  await other.close()
})
