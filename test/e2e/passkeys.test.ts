/** A passkey in a real browser, whose authenticator is a virtual one. */

import { expect, onTestFinished, test } from 'vitest'
import { violations } from './axe.ts'
import { ADMINISTRATOR, collectComplaints, openOffice } from './office.ts'
import { hydrated } from './page-probe.ts'

test('is added with a name by the password, and signs in by itself', async () => {
  const office = await openOffice(undefined, { isNamed: true })
  onTestFinished(() => office.close())
  const context = await office.signedIn()
  const page = await context.newPage()
  const complaints = collectComplaints(page)
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true },
    },
  })

  await page.goto(`${office.origin}/you`)
  await hydrated(page)
  let sent = 0
  page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0))
  await page.getByText('Add a passkey').first().click()
  const form = page.getByRole('form', { name: 'Add a passkey' })
  await form.getByLabel('Name').fill('Laptop')
  await form.getByLabel('Current password').fill(ADMINISTRATOR.password)
  // A form is sent once, however often its button is pressed.
  await form.getByRole('button', { name: 'Add a passkey' }).dblclick()
  const go = page.getByRole('button', { name: 'Continue with the browser' })
  await go.waitFor()
  expect(sent).toBe(1)
  await hydrated(page)
  await go.click()
  const codes = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  await page.getByText('Laptop', { exact: true }).waitFor()
  expect(await violations(page)).toEqual([])

  await context.clearCookies()
  await page.goto(`${office.origin}/sign-in?next=/history`)
  await hydrated(page)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  expect(complaints).toEqual([])
})
