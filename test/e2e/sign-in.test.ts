/** The first minute: the one-time link, the first account, and the sessions it opens. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ADMINISTRATOR, collectComplaints, type Office, openOffice } from './office.ts'
import { hydrated } from './page-probe.ts'

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
  const response = await page.goto(link)
  expect(response?.status()).toBe(422)
  await page.getByText('This sign-in link has been used or has expired.').waitFor()
})

test('a later link signs the administrator in without a password', async () => {
  const page = await (await office.signedOut()).newPage()
  await page.goto(office.origin + (await office.admin.signInLink()))
  await page.getByText(ADMINISTRATOR.email).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/tables\//)
})

test('sessions are listed, and one that is revoked is signed out at once', async () => {
  const signIn = async () => {
    const context = await office.signedOut()
    const page = await context.newPage()
    await page.goto(office.origin + (await office.admin.signInLink()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/\/tables\//)
    return page
  }
  const [first, second] = [await signIn(), await signIn()]
  await first.goto(`${office.origin}/account`)
  await hydrated(first)
  await first.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect.poll(() => first.getByRole('table').locator('tbody tr').count()).toBe(1)
  await second.goto(`${office.origin}/tables/strikes`)
  expect(new URL(second.url()).pathname).toBe('/sign-in')
  await first.reload()
  expect(new URL(first.url()).pathname).toBe('/account')
})
