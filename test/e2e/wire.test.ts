/** What leaves the browser: headers, batches, and how failures are shown. */

import type { BrowserContext, Page, Request } from 'playwright-core'
import { nightly } from '../nightly.ts'
import type { PageData } from '../../src/protocol/page.ts'
import { withoutSocket } from './page-probe.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { collectComplaints, type Office, standardOffice, settled } from './office.ts'

let office: Office
let context: BrowserContext
let page: Page

beforeAll(async () => void (office = await standardOffice()))
afterAll(() => office.close())
beforeEach(async () => {
  context = await office.signedIn()
  page = await context.newPage()
})
afterEach(() => context.close())

const sortBy = (name: string) =>
  page.getByRole('columnheader', { name }).getByRole('button').click()
const UPDATE = '**/tablewire/update'

const TABLE_FIELDS = [
  'paginationCurrentCount',
  'paginationTotalItemCount',
  'paginationCurrentItems',
  'selected',
  'filterSlideDownDefaultVisible',
  'hideBulkActionsWhenEmpty',
  'filterComponents',
  'currentlyReorderingStatus',
  'hideReorderColumnUnlessReorderingStatus',
  'reorderDisplayColumn',
  'defaultReorderColumn',
  'reorderStatus',
]

test('every page has a CSRF token and a nonce policy, no inline script that could run, and every request its headers', async () => {
  const complaints = collectComplaints(page)
  await withoutSocket(page)
  const sent: Request[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') sent.push(request)
  })
  const response = await page.goto(`${office.origin}/tables/strikes`)
  const policy = (await response?.allHeaders())?.['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self' 'nonce-[0-9a-f]{32}'/)
  expect(policy).not.toContain("script-src 'unsafe-inline'")
  expect(policy).not.toContain('unsafe-eval')
  const inline = await page
    .locator('script:not([src])')
    .evaluateAll((scripts) => scripts.map((s) => s.getAttribute('type')))
  expect(inline).toEqual(['application/json'])
  const token = await page.locator('meta[name="csrf-token"]').getAttribute('content')
  expect(token).toBeTruthy()
  await sortBy('Phase')
  await page.waitForURL(/sort=phase/)
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('sort'))
  await settled(page)
  expect(sent.length).toBeGreaterThanOrEqual(2)
  for (const request of sent) {
    const headers = await request.allHeaders()
    expect(headers['x-requested-with']).toBe('XMLHttpRequest')
    expect(headers['x-socket-id']).toBeUndefined()
    const isUpdate = request.url().endsWith('/tablewire/update')
    expect(isUpdate ? headers['x-tablewire'] : headers['x-tablewire-navigate']).toBeDefined()
  }
  const body = sent.find((request) => request.method() === 'POST')?.postDataJSON() as {
    _token: string
    components: {
      snapshot: string
      updates: object
      calls: { method: string; params: unknown[] }[]
    }[]
  }
  expect(body._token).toBe(token)
  expect(Object.keys(body).toSorted()).toEqual(['_token', 'components'])
  expect(Object.keys(body.components[0]!).toSorted()).toEqual(['calls', 'snapshot', 'updates'])
  expect(complaints).toEqual([])
})

test('the state of a table that travels has every field of the specification (spec §3)', async () => {
  const headers = { 'x-tablewire-navigate': '1' }
  const answer = await context.request.get(`${office.origin}/tables/strikes`, { headers })
  const { components } = (await answer.json()) as PageData
  const { snapshot } = components.find(({ name }) => name === 'list')!
  const { data } = JSON.parse(snapshot) as { data: object }
  expect(Object.keys(data)).toEqual(expect.arrayContaining(TABLE_FIELDS))
})

nightly.detail(
  'back and forward to pages that are not kept fetch them as data, with the navigation header',
  async () => {
    await page.goto(`${office.origin}/tables/airports`)
    await sortBy('City')
    await page.waitForURL(/sort=city/)
    await settled(page)
    // A new document has kept no page yet.
    await page.reload()
    await settled(page)
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url())
    })
    const steps = [
      ['goBack', `${office.origin}/tables/airports`, 'City'],
      ['goForward', `${office.origin}/tables/airports?sort=city`, 'ascending'],
    ] as const
    for (const [step, address] of steps) {
      // A new document has kept no page yet.
      await page.reload()
      await settled(page)
      documents.splice(0)
      const isPage = (request: Request) =>
        request.url() === address && request.headers()['x-tablewire-navigate'] !== undefined
      const [request] = await Promise.all([page.waitForRequest(isPage), page[step]()])
      const response = await request.response()
      expect(response?.headers()['content-type']).toMatch(/^application\/json/)
      expect(Object.keys((await response?.json()) as object)).toEqual(
        expect.arrayContaining(['title', 'components', 'content']),
      )
      await expect
        .poll(() => page.locator('th[aria-sort="ascending"]').filter({ hasText: 'City' }).count())
        .toBe(step === 'goForward' ? 1 : 0)
      expect(documents).toEqual([])
    }
  },
)

nightly.detail('a link to a place on the page asks for nothing', async () => {
  await withoutSocket(page)
  await page.goto(`${office.origin}/tables/airports`)
  await settled(page)
  const sent: string[] = []
  page.on('request', (request) => {
    // A person's first key loads the rest of the script.
    if (!/\/tablewire\/(?:update|assets\/)/.test(request.url())) sent.push(request.url())
  })
  await page.locator('a.skip').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#main$/)
  await page.goBack()
  await page.waitForURL((url) => url.hash === '')
  await sortBy('City')
  await page.waitForURL(/sort=city/)
  expect(sent).toEqual([])
})

nightly.detail(
  'the keys G H lead to the start, which is the last table, as a link does',
  async () => {
    await page.goto(`${office.origin}/tables/airports`)
    await page.goto(`${office.origin}/history`)
    await settled(page)
    const fetched: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname === '/' || pathname.startsWith('/tables/')) fetched.push(pathname)
    })
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('table', { name: 'Airports' }).waitFor()
    expect(fetched).toEqual(['/', '/tables/airports'])
  },
)

nightly.detail(
  'status 419 asks once whether to refresh, and refreshing brings the page back',
  async () => {
    await page.goto(`${office.origin}/tables/strikes`)
    await page.route(UPDATE, (route) =>
      route.fulfill({ status: 419, json: { error: { code: 'PAGE_EXPIRED', message: '' } } }),
    )
    await sortBy('Phase')
    const dialog = page.getByRole('dialog', {
      name: 'This page has expired. Would you like to refresh the page?',
    })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await sortBy('Phase')
    await dialog.waitFor()
    await page.unroute(UPDATE)
    await Promise.all([
      page.waitForEvent('load'),
      dialog.getByRole('button', { name: 'Refresh' }).click(),
    ])
    await page.getByRole('table', { name: 'Strikes' }).waitFor()
  },
)

nightly.detail(
  'any other failure is a dialog over a dim overlay, closed by Escape or a click beside it',
  async () => {
    await page.goto(`${office.origin}/tables/strikes`)
    await page.route(UPDATE, (route) =>
      route.fulfill({
        status: 500,
        json: {
          error: {
            code: 'SERVER_ERROR',
            message: 'Something went wrong on the server.',
            reference: 'abc123',
          },
        },
      }),
    )
    const dialog = page.getByRole('dialog', { name: 'Server error' })
    await sortBy('Phase')
    await dialog.getByText('abc123').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await sortBy('Phase')
    await dialog.waitFor()
    await page.mouse.click(5, 5)
    await dialog.waitFor({ state: 'hidden' })
  },
)

nightly.detail.each([
  [403, 'FORBIDDEN', 'Not allowed'],
  [422, 'REFUSED', 'Not done'],
])(
  'a refusal with status %i is headed as such, not as a server error',
  async (status, code, name) => {
    await page.goto(`${office.origin}/tables/strikes`)
    await page.route(UPDATE, (route) =>
      route.fulfill({ status, json: { error: { code, message: 'The store holds 400 crates.' } } }),
    )
    await sortBy('Phase')
    await page.getByRole('dialog', { name }).getByText('The store holds 400 crates.').waitFor()
  },
)

test('no network is a status and never the overlay, a changed table says so, and without a CSRF token none was detected', async () => {
  await page.goto(`${office.origin}/tables/strikes`)
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/tablewire/update') && request.postData()?.includes('sortBy'))
      keys.push(request.headers()['idempotency-key'])
  })
  await settled(page)
  // The browser knows before anything is asked for.
  await page.context().setOffline(true)
  await page.getByText('Offline. Retrying…').waitFor()
  await page.context().setOffline(false)
  await page.getByText('Offline. Retrying…').waitFor({ state: 'hidden' })
  await page.route(UPDATE, (route) => route.abort('internetdisconnected'))
  await sortBy('Phase')
  await page.getByText('Offline. Retrying…').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  // Asked for while there is still no network: a retry of its own may come first afterwards.
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.unroute(UPDATE)
  await page.waitForURL(/sort=phase/)
  await page.getByText('Offline. Retrying…').waitFor({ state: 'hidden' })
  expect(keys.length).toBeGreaterThanOrEqual(2)
  expect(new Set(keys).size).toBe(1)

  await page.route(UPDATE, (route) =>
    route.fulfill({
      status: 422,
      json: { error: { code: 'TABLE_UNKNOWN_COLUMN', message: 'This column does not exist.' } },
    }),
  )
  await sortBy('Speed')
  const dialog = page.getByRole('dialog', { name: 'The table has changed' })
  await dialog.getByText('This column does not exist. Reload the page').waitFor()
  await page.unroute(UPDATE)
  await Promise.all([
    page.waitForEvent('load'),
    dialog.getByRole('button', { name: 'Reload' }).click(),
  ])
  await page.getByRole('table', { name: 'Strikes' }).waitFor()

  await page.locator('meta[name="csrf-token"]').evaluate((meta) => meta.remove())
  await sortBy('Speed')
  await page
    .getByRole('dialog', { name: 'Server error' })
    .getByText('No CSRF token was detected')
    .waitFor()
})

nightly.detail(
  'a rotated and retired key costs one silent refetch, and the click still counts',
  async () => {
    await page.goto(`${office.origin}/tables/strikes`)
    await settled(page)
    const { randomBytes } = await import('node:crypto')
    office.admin.keys.rotate(randomBytes(32))
    await page.getByRole('searchbox', { name: 'Search' }).fill('goose')
    await page.waitForURL(/search=goose/)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  },
)
