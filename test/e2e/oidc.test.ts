/** The pages of people whom an OpenID provider signs in; oidc.test.ts beside the routes speaks with a real one. */

import { expect, onTestFinished } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { ADMINISTRATOR, collectComplaints, openOffice } from './office.ts'

nightly.detail(
  'the way to a provider is offered, its silence is told, and a password signs in then',
  async () => {
    const office = await openOffice(undefined, {
      isNamed: true,
      settings: async () => ({
        signIn: { oidc: { name: 'Example', roles: { editor: true } } },
        // Nothing listens there.
        env: {
          OIDC_ISSUER: 'http://127.0.0.1:9',
          OIDC_CLIENT_ID: 'tablewire',
          OIDC_CLIENT_SECRET: 'secret',
        },
      }),
    })
    onTestFinished(() => office.close())
    const context = await office.signedOut()
    const page = await context.newPage()
    const complaints = collectComplaints(page)
    await page.goto(`${office.origin}/sign-in?next=/you`)
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Sign in with Example' }).click()
    await page.getByRole('alert').getByText('Nobody can sign in this way now.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Email').fill(ADMINISTRATOR.email)
    await page.getByLabel('Password').fill(ADMINISTRATOR.password)
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Account' }).waitFor()

    // Somebody who has come from there.
    const bea = { issuer: 'http://127.0.0.1:9', subject: 'bea', name: 'Bea', isStrong: false }
    const signedIn = await office.admin.accounts.enterByProvider(
      { ...bea, email: 'bea@example.org', role: 'editor' },
      'Example',
      { address: '127.0.0.1', userAgent: '' },
    )
    if (!('token' in signedIn)) throw new Error('More is asked.')
    const value = signedIn.token
    await context.addCookies([{ name: office.admin.sessionCookie, value, url: office.origin }])
    await page.goto(`${office.origin}/you`)
    await page.getByText('You sign in with Example').waitFor()
    await expect.poll(() => page.getByLabel('Current password').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    // The browser says so of the page that was answered with 503.
    expect(complaints.filter((line) => !line.includes('503'))).toEqual([])
  },
)
