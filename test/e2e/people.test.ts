/** Inviting people and deciding what they may do, in a browser. */

import { Secret, TOTP } from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { roles } from '../../demo/roles.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { ADMINISTRATOR, collectComplaints } from './office.ts'
import { ownOffice } from './own-office.ts'
import { hydrated } from './page-probe.ts'

let page: Page
let complaints: string[]

const office = ownOffice(undefined, { write: true, roles })
beforeEach(async () => {
  page = await (await office.signedIn({ viewport: { width: 1440, height: 900 } })).newPage()
  complaints = collectComplaints(page)
  await page.goto(`${office.origin}/people`)
  await hydrated(page)
})
afterEach(async () => {
  await page.context().close()
  expect(complaints).toEqual([])
})

const dialog = (name: string) => page.getByRole('dialog', { name })
const row = (name: string) => page.getByRole('row', { name })
const told = (text: string) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text).waitFor()

async function choose(name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `What can be done with ${name}` }).press('Enter')
  await page.getByRole('menuitem', { name: item }).press('Enter')
}

/** Invites by keyboard alone, and returns the link. */
async function invite(name: string, email: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite a person' }).press('Enter')
  await expect
    .poll(() => dialog('Invite a person').getByLabel('Name').evaluate(isFocused))
    .toBe(true)
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  const shown = dialog(`The link for ${name}`)
  const link = await shown.getByLabel('Link', { exact: true }).inputValue()
  await page.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })
  return link
}

async function setUpCodes(name: string): Promise<void> {
  const { directory, secondFactors } = office.admin.accounts
  const person = (await directory.list()).find((one) => one.name === name)!
  const { secret, sealed } = secondFactors.draft(person)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await secondFactors.finish(person, { sealed, code }, '127.0.0.1')
}

const isFocused = (element: Element) => element === document.activeElement

/** Whether a page of the admin may be seen. A busy server says so first, which is no answer. */
async function statusOf(context: BrowserContext, path: string): Promise<number> {
  const answer = await context.request.get(office.origin + path, { maxRedirects: 0 })
  return answer.status() === BUSY ? statusOf(context, path) : answer.status()
}

const BUSY = 503

test('somebody is invited, comes in, gets another role, is disabled, and all of it stands in History', async () => {
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Invite a person' }).click()
  const asked = dialog('Invite a person')
  await asked.getByLabel('Email').fill('mira')
  await asked.getByRole('button', { name: 'Make the link' }).click()
  await asked.getByText('This does not look like an email address.').waitFor()
  await expect.poll(() => asked.getByLabel('Email').evaluate(isFocused)).toBe(true)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')

  const link = await invite('Mira', 'mira@example.org')
  expect(new URL(link).origin).toBe(office.origin)
  await row('Mira')
    .getByText(/Invited, the link works until/)
    .waitFor()

  const mira = await (await office.signedOut()).newPage()
  await mira.goto(link)
  await mira.getByRole('heading', { name: 'Choose a password' }).waitFor()
  expect(await violations(mira)).toEqual([])
  await mira.getByLabel('Password').fill(ADMINISTRATOR.password)
  await mira.getByRole('button', { name: 'Save and sign in' }).click()
  await mira.waitForURL(/\/tables\//)
  await expect.poll(() => mira.getByRole('link', { name: 'People' }).count()).toBe(0)
  expect(await statusOf(mira.context(), '/people')).toBe(403)
  expect(await statusOf(mira.context(), '/tables/strikes/new')).toBe(200)

  await choose('Mira', 'Change role …')
  await dialog('Role of Mira').getByLabel('Reader').check()
  expect(await violations(page)).toEqual([])
  await dialog('Role of Mira').getByRole('button', { name: 'Change role' }).click()
  await told('Mira is now: Reader.')
  await row('Mira').getByText('Reads all tables, changes nothing').waitFor()
  expect(await statusOf(mira.context(), '/tables/strikes/new')).toBe(403)

  await choose('Mira', 'Disable …')
  await dialog('Disable Mira?').getByRole('button', { name: 'Disable' }).click()
  await told('Mira is disabled.')
  expect(await statusOf(mira.context(), '/tables/strikes')).toBe(303)
  await page.getByRole('link', { name: /^Disabled/ }).click()
  // The page before stands until this one is drawn.
  const disabled = page.getByRole('link', { name: /^Disabled/ })
  await disabled.and(page.locator('[aria-current=page]')).waitFor()
  await choose('Mira', 'Enable')
  await told('Mira can sign in again.')
  await mira.context().close()

  await page.getByRole('link', { name: 'History' }).first().click()
  for (const what of [
    'Invited Mira: Editor',
    'Mira came in for the first time',
    'Changed the role of Mira from Editor to Reader',
    'Disabled Mira',
    'Enabled Mira',
  ])
    await page.getByText(what, { exact: true }).waitFor()
})

nightly.detail(
  'an invitation is renewed and withdrawn; a person gets a link for a new password',
  async () => {
    const first = await invite('Noor', 'noor@example.org')
    await choose('Noor', 'New link …')
    await dialog('The link for Noor')
      .getByText('An earlier link for them no longer works.')
      .waitFor()
    await dialog('The link for Noor').getByRole('button', { name: 'Done', exact: true }).click()
    const visitor = await (await office.signedOut()).newPage()
    await visitor.goto(first)
    await visitor.getByText('This sign-in link has been used or has expired.').waitFor()
    await choose('Noor', 'Withdraw the invitation')
    await told('The link for Noor no longer works.')
    await row('Noor').waitFor({ state: 'detached' })
    await office.colleague('Otto')
    await setUpCodes('Otto')
    await page.reload()
    await hydrated(page)
    await choose('Otto', 'Link for a new password …')
    await dialog('The link for Otto').getByRole('button', { name: 'Withdraw it' }).click()
    await told('The link for Otto no longer works.')
    await row('Otto').getByText(', second factor').waitFor()
    await choose('Otto', 'Take the second factor away …')
    const asked = dialog('Take the second factor of Otto away?')
    await asked.getByText(/the password alone signs them in/).waitFor()
    expect(await violations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Take it away' }).click()
    await told('Otto signs in with the password alone.')
    await row('Otto').getByText(', second factor').waitFor({ state: 'detached' })
    await choose('Otto', 'Sign out everywhere')
    await told('Otto is signed out everywhere.')
    await visitor.context().close()
  },
)

nightly.detail('fits a phone', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  await row('Ana Kovač').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(390)
  expect(await violations(page)).toEqual([])
})

nightly.detail(
  'what a role may do is told, and an administrator sees the admin as it does',
  async () => {
    await page.getByRole('link', { name: 'What roles may do' }).click()
    const table = page.getByRole('table', { name: 'What Review desk may do' })
    await table.waitFor()
    await expect.poll(() => table.getByRole('row').count()).toBe(1 + 4)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('searchbox', { name: 'Find a table' }).last().fill('species')
    await page.keyboard.press('Enter')
    await expect.poll(() => table.getByRole('row').count()).toBe(1 + 1)
    await page.getByRole('button', { name: 'See it as Review desk' }).click()
    await page.getByText('You see Tablewire as Review desk. Nothing can be changed.').waitFor()
    await hydrated(page)
    expect(await violations(page)).toEqual([])
    await expect.poll(() => page.getByRole('link', { name: 'Airports' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Stop' }).click()
    await table.waitFor()
  },
)
