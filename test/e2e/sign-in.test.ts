/** The first minute: the one-time link, the first account, and the sessions it opens. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violations } from './axe.ts'
import { ADMINISTRATOR, collectComplaints, type Office, openOffice } from './office.ts'

let office: Office

beforeAll(async () => void (office = await openOffice()))
afterAll(() => office.close())

const fill = async (page: Page, entry: typeof ADMINISTRATOR) => {
  await page.getByLabel('Name').fill(entry.name)
  await page.getByLabel('Email').fill(entry.email)
  await page.getByLabel('Password').fill(entry.password)
  await page.keyboard.press('Enter')
}

test('the printed link makes the first administrator, once', async () => {
  // Its own, so that a second try begins with nobody again.
  const empty = await openOffice(undefined, { administrator: false })
  onTestFinished(() => empty.close())
  const link = empty.origin + (await empty.admin.signInLink())
  const page = await (await empty.signedOut()).newPage()
  const complaints = collectComplaints(page)
  await page.goto(link)
  // The browser's own check would stop it; the server has to check all the same.
  await page.locator('form').evaluate((form: HTMLFormElement) => void (form.noValidate = true))
  await fill(page, { ...ADMINISTRATOR, password: 'too short' })
  await page.getByText('The password needs at least 12 characters.').waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(ADMINISTRATOR.email)
  complaints.splice(0)
  await fill(page, ADMINISTRATOR)
  await page.waitForURL(/\/tables\//)
  expect(complaints).toEqual([])
  const again = await page.request.get(link)
  expect(again.status()).toBe(422)
  expect(await again.text()).toContain('This sign-in link has been used or has expired.')
})

test('a later link signs in without a password; sessions are listed, and one that is revoked is signed out at once', async () => {
  const first = await (await office.signedOut()).newPage()
  await first.goto(office.origin + (await office.admin.signInLink()))
  await first.getByText(ADMINISTRATOR.email).waitFor()
  expect(await violations(first)).toEqual([])
  await first.getByRole('button', { name: 'Continue' }).click()
  await first.waitForURL(/\/tables\//)
  await first.getByRole('button', { name: ADMINISTRATOR.name }).click()
  await first.getByRole('link', { name: 'Account' }).click()
  const sessions = first.getByRole('table').locator('tbody tr')
  await expect.poll(() => sessions.count()).toBe(2)
  await first.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect.poll(() => sessions.count()).toBe(1)
  const second = await (await office.signedIn()).newPage()
  await second.goto(`${office.origin}/tables/strikes`)
  expect(new URL(second.url()).pathname).toBe('/sign-in')
  expect(await violations(second)).toEqual([])
  await first.getByRole('link', { name: 'Strikes' }).first().click()
  await first.getByRole('table', { name: 'Strikes' }).waitFor()
})
