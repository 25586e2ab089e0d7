/** With JavaScript off, lists are read, sorted, searched and paged by plain links and forms. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMINISTRATOR, type Office, openOffice } from './office.ts'
import { keysOn } from './shown-rows.ts'

let office: Office
let context: BrowserContext
let page: Page

beforeAll(async () => {
  office = await openOffice()
  context = await office.browser.newContext({ javaScriptEnabled: false, locale: 'en-US' })
  page = await context.newPage()
})
afterAll(() => office.close())

test('sign in by password, and be led to the page that was asked for', async () => {
  await page.goto(`${office.origin}/tables/airports`)
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  await page.getByLabel('Email').fill(ADMINISTRATOR.email)
  await page.getByLabel('Password').fill('wrong password here')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The email or the password is not right.').waitFor()
  await page.getByLabel('Password').fill(ADMINISTRATOR.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${office.origin}/tables/airports`)
})

test('read, search, sort and page', async () => {
  await page.goto(`${office.origin}/tables/airports`)
  expect(await page.locator('tbody tr').count()).toBe(25)
  await page.getByRole('searchbox', { name: 'Search' }).fill('Chicago')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=Chicago/)
  expect(await page.getByText('Chicago').count()).toBeGreaterThan(2)
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await page.waitForURL(
    (url) =>
      url.searchParams.get('sort') === 'name' && url.searchParams.get('search') === 'Chicago',
  )
  await page.goto(`${office.origin}/tables/airports`)
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.waitForURL(/page=2/)
  await page.getByRole('link', { name: 'Last page' }).click()
  await page.waitForURL(/page=last/)
})

test('read a row, walk to the next one and back to the list, and follow what refers to it', async () => {
  await page.goto(`${office.origin}/tables/species?sort=-name`)
  const keys = await keysOn(page)
  await page.locator('tbody th a').first().click()
  for (const [name, at] of [
    ['Next', 1],
    ['Next', 2],
    ['Previous', 1],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/records/${keys[at]}`))
  }
  const list = page.getByRole('link', { name: 'Back to the list' })
  expect(await list.getAttribute('href')).toBe('/tables/species?sort=-name')
  await page.goto(`${office.origin}/tables/species/records/38`)
  await page.getByRole('navigation', { name: 'Related rows' }).getByText('Strikes').click()
  await page.waitForURL(/filter\.species_id=38$/)
  await page.getByRole('columnheader', { name: 'Phase' }).getByRole('button').click()
  await page.waitForURL(/filter\.species_id=38&sort=phase$/)
  await page.getByRole('button', { name: /^Remove filter: Species/ }).click()
  await page.waitForURL(`${office.origin}/tables/strikes?sort=phase`)
})

test('sign out, and nothing of the table is shown any more', async () => {
  await page.goto(`${office.origin}/account`)
  await page.getByRole('button', { name: ADMINISTRATOR.name }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/sign-in$/)
  await page.goto(`${office.origin}/tables/airports`)
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})
