/** axe on every page and state, in light and dark, wide and narrow. */

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Office, openOffice, settled } from './office.ts'

let office: Office

beforeAll(async () => void (office = await openOffice()))
afterAll(() => office.close())

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
  ['the account', '/account'],
  ['the keys', '/tables/strikes', (page) => page.keyboard.press('?')],
  [
    'the display menu',
    '/tables/strikes',
    (page) => page.getByRole('button', { name: 'Display' }).click(),
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
    'offline',
    '/tables/strikes',
    async (page) => {
      await page.route('**/tablewire/update', (route) => route.abort())
      await page.getByRole('searchbox').fill('goose')
      await page.getByText('Offline. Retrying…').waitFor()
    },
  ],
]

describe.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)('in %s at %i px', (colorScheme, width) => {
  test.each(STATES)('%s', async (_name, path, act) => {
    const context = await office.signedIn({ colorScheme, viewport: { width, height: 900 } })
    const page = await context.newPage()
    await page.goto(office.origin + path)
    await (act ?? settled)(page)
    expect(await violations(page)).toEqual([])
    await context.close()
  })

  test('signing in', async () => {
    const context = await office.browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
    })
    const page = await context.newPage()
    await page.goto(`${office.origin}/sign-in`)
    expect(await violations(page)).toEqual([])
    await page.goto(office.origin + (await office.admin.signInLink()))
    expect(await violations(page)).toEqual([])
    await context.close()
  })
})

async function violations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
