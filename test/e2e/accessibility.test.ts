/** axe on every page and state, in light and dark, wide and narrow. */

import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { type Office, standardOffice, settled } from './office.ts'

let office: Office

beforeAll(async () => void (office = await standardOffice()))
afterAll(() => office.close())

const UPDATE = '**/tablewire/update'
const refusal = (code: string) => ({ error: { code, message: 'It took too long.' } })

/** Searches, and answers it like this. */
async function answerSearch(page: Page, answer: Parameters<Route['fulfill']>[0]): Promise<void> {
  await page.route(UPDATE, (route) => route.fulfill(answer))
  await page.getByRole('searchbox').fill('goose')
}

const STATES: readonly [name: string, path: string, act?: (page: Page) => Promise<void>][] = [
  ['the list', '/tables/strikes'],
  ['a list without a key', '/tables/costly_strikes'],
  ['a search without a match', '/tables/strikes?search=zzzznothing'],
  ['a filtered list', '/tables/strikes?filter.species_id=38&filter.operator_id=2'],
  ['a row', '/tables/strikes/records/17'],
  ['a row that others refer to', '/tables/airports/records/40'],
  ['a row that is not there', '/tables/strikes/records/0'],
  ['an address that cannot be shown', '/tables/strikes?sort=nope'],
  ['a table that is not there', '/tables/nothing'],
  ['the account', '/you'],
  ['the keys', '/tables/strikes', (page) => page.keyboard.press('?')],
  [
    'the display menu',
    '/tables/strikes',
    (page) => page.getByRole('button', { name: 'Display' }).click(),
  ],
  [
    'a page that is awaited',
    '/tables/strikes',
    async (page) => {
      await page.route('**/tables/species', () => undefined)
      await page.locator('nav a[href="/tables/species"]').first().dispatchEvent('click')
      await page.getByRole('progressbar', { name: 'Loading' }).waitFor()
    },
  ],
  [
    'a page after a move',
    '/tables/strikes',
    async (page) => {
      await page.locator('tbody a.row-link').first().click()
      await page.locator('dl.fields').first().waitFor()
    },
  ],
  [
    'a search and what it has found',
    '/tables/strikes?search=goose+climb',
    (page) => page.getByText('2 words, in any columns').waitFor(),
  ],
  [
    'conditions that no row fulfils',
    '/tables/strikes?filter.phase.in=Parked&filter.speed_kt.min=300',
    (page) => page.getByRole('table', { name: 'Rows without each condition' }).waitFor(),
  ],
  [
    'an expired page',
    '/tables/strikes',
    async (page) => {
      await page.route('**/tablewire/update', (route) => route.fulfill({ status: 419, json: {} }))
      await page.getByRole('searchbox').fill('goose')
      await page.getByRole('dialog').waitFor()
    },
  ],
  [
    'rows that are awaited for long, dimmed',
    '/tables/strikes',
    async (page) => {
      await page.route(UPDATE, () => undefined)
      const size = page.getByRole('combobox', { name: 'Rows per page' })
      // On a phone it stands there.
      const isAway = !(await size.isVisible())
      if (isAway) await page.getByRole('button', { name: 'Display' }).click()
      await size.selectOption('50')
      if (isAway) await page.keyboard.press('Escape')
      await page.locator('.rows.stale').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).waitFor()
    },
  ],
  [
    'busy',
    '/tables/strikes',
    async (page) => {
      await answerSearch(page, { status: 503, json: refusal('BUSY') })
      await page.getByText('Busy. Retrying…').first().waitFor()
    },
  ],
  [
    'a final refusal',
    '/tables/strikes',
    async (page) => {
      await answerSearch(page, { status: 503, json: refusal('QUERY_TIMEOUT') })
      await page.getByRole('alert').waitFor()
    },
  ],
  [
    'an error of ours',
    '/tables/strikes',
    async (page) => {
      await answerSearch(page, { status: 500, json: refusal('SERVER_ERROR') })
      await page.getByRole('dialog', { name: 'Server error' }).waitFor()
    },
  ],
  [
    'an error page of somebody else',
    '/tables/strikes',
    async (page) => {
      const body = '<!doctype html><html lang="en"><title>502</title><h1>Bad gateway</h1></html>'
      await answerSearch(page, { status: 502, contentType: 'text/html', body })
      await page.locator('dialog iframe').waitFor()
    },
  ],
  [
    'a page that cannot be drawn',
    '/tables/strikes',
    async (page) => {
      await page.route(UPDATE, async (route) => {
        const response = await route.fetch()
        const answer = (await response.json()) as { components: { effects: { view: object } }[] }
        for (const { effects } of answer.components) effects.view = { ...effects.view, rows: null }
        return route.fulfill({ response, json: answer })
      })
      await page.getByRole('searchbox').fill('goose')
      await page.getByRole('alert').filter({ hasText: 'could not be drawn' }).waitFor()
    },
  ],
  [
    'a tooltip',
    '/tables/strikes',
    async (page) => {
      await settled(page)
      await page.getByRole('button', { name: 'Display' }).focus()
      await page.getByRole('link', { name: 'Next page' }).focus()
      await page.getByRole('tooltip').first().waitFor()
    },
  ],
  [
    'offline',
    '/tables/strikes',
    async (page) => {
      await settled(page)
      await page.route('**/tablewire/update', (route) => route.abort())
      await page.getByRole('searchbox').fill('goose')
      await page.getByText('Offline. Retrying…').waitFor()
    },
  ],
]

// The pages to sign in are looked at in sign-in.test.ts as well.
describe.each([1440, 768, 390])('at %i px', (width) => {
  const viewport = { width, height: 900 }

  nightly.detail.each(STATES)('%s', async (_name, path, act) => {
    const context = await office.signedIn({ colorScheme: 'light', viewport })
    const page = await context.newPage()
    await page.goto(office.origin + path)
    await (act ?? settled)(page)
    expect(await violations(page, { rows: act ? 'first' : 'all' })).toEqual([])
    await context.close()
  })

  nightly.detail('signing in', async () => {
    const context = await office.signedOut({ colorScheme: 'light', viewport })
    const page = await context.newPage()
    await page.goto(`${office.origin}/sign-in`)
    expect(await violations(page)).toEqual([])
    await page.goto(office.origin + (await office.admin.signInLink()))
    expect(await violations(page)).toEqual([])
    await context.close()
  })
})

test('a list, a row that others refer to, the account, and an address that cannot be shown', async () => {
  const context = await office.signedIn({ colorScheme: 'light' })
  const page = await context.newPage()
  await page.goto(`${office.origin}/tables/strikes`)
  await settled(page)
  expect(await violations(page)).toEqual([])
  for (const path of ['/tables/airports/records/40', '/you', '/tables/strikes?sort=nope']) {
    await page
      .getByRole('link', { name: 'Airports' })
      .first()
      .evaluate((link, href) => {
        link.setAttribute('href', href)
        ;(link as HTMLElement).click()
      }, path)
    await page.waitForURL(office.origin + path)
    await settled(page)
    expect([path, await violations(page)]).toEqual([path, []])
  }
  await context.close()
})
