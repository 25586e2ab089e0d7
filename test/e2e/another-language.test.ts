/** A language that was added is spoken everywhere: by the server, in the browser, and in refusals. */

import { DatabaseSync } from 'node:sqlite'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import * as en from '../../src/messages/en.ts'
import { nightly } from '../nightly.ts'
import { closeContexts, sharedBrowser } from './browser.ts'
import { ADMINISTRATOR, collectComplaints } from './office.ts'
import { followRest } from './page-probe.ts'
import { type EnglishMessages, openTranslated, type Translated } from './translated.ts'

const makeStrikes = (file: string): void => {
  const database = new DatabaseSync(file)
  database.exec(`
    create table strikes (id integer primary key, airport text, day date);
    with recursive numbers (n) as (values (1) union all select n + 1 from numbers where n < 60)
    insert into strikes (airport, day) select 'Airport ' || n, '2026-01-05' from numbers`)
  database.close()
}

let site: Translated
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openTranslated(makeStrikes), sharedBrowser()])
  context = await browser.newContext({ locale: 'ar-EG' })
  page = await context.newPage()
  complaints = collectComplaints(page)
})
afterAll(async () => {
  if (browser) await closeContexts(browser)
  await site?.close()
})

const document = async (path: string, language: string): Promise<string> => {
  const response = await fetch(site.origin + path, { headers: { 'accept-language': language } })
  return response.text()
}

const sessionText = (idle: string, whole: string): string =>
  site.words.pages.facts.sessionText({ count: 2, text: idle }, { count: 12, text: whole })

describe('the first account', () => {
  nightly.lengthy('is asked for in it, as the server draws it', async () => {
    const html = await document(site.link, 'fr, ar-EG;q=0.9, en;q=0.8')
    expect(html).toContain('<html lang="ar" dir="rtl"')
    const said = ({ pages, server }: EnglishMessages) => {
      const { title, lead, submit } = server.links.account
      return [title, lead(), submit, pages.link.passwordHint]
    }
    for (const words of said(site.words)) expect(html).toContain(words)
    for (const words of said(en)) expect(html).not.toContain(words)
    expect(html).toContain(site.words.pages.facts.accessReadOnly)
    // Numbers are of the first language, whether there is copy in it or not.
    expect(await document(site.link, 'ar-EG')).toContain(sessionText('٢', '١٢'))
  })

  nightly.lengthy('is English for whoever reads neither', async () => {
    const html = await document(site.link, 'fr, de;q=0.9')
    expect(html).toContain('<html lang="en" dir="ltr"')
    expect(html).toContain(en.server.links.account.title)
  })

  nightly.lengthy('is refused in it', async () => {
    const { link } = site.words.pages
    await page.goto(site.origin + site.link)
    await page.getByLabel(link.name).fill('\u200b')
    await page.getByLabel(link.email).fill(ADMINISTRATOR.email)
    await page.getByLabel(link.password).fill(ADMINISTRATOR.password)
    await page.getByRole('button', { name: site.words.server.links.account.submit }).click()
    await page.getByText(site.words.server.errors.NAME_INVALID).waitFor()
  })

  nightly.lengthy('is made in it', async () => {
    const { link, list } = site.words.pages
    await page.getByLabel(link.name).fill(ADMINISTRATOR.name)
    await page.getByLabel(link.password).fill(ADMINISTRATOR.password)
    await page.getByRole('button', { name: site.words.server.links.account.submit }).click()
    await page.getByRole('searchbox', { name: list.search }).waitFor()
  })
})

describe('a listing', () => {
  nightly.lengthy('has its direction, and numbers and dates of the reader', async () => {
    await page.goto(`${site.origin}/tables/strikes`)
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
    await expect
      .poll(() => page.locator('.foot').innerText())
      .toContain(site.words.pages.list.fromTo('١', '٢٥'))
    const day = new Intl.DateTimeFormat('ar-EG', { dateStyle: 'medium', timeZone: 'UTC' })
    await expect
      .poll(() => page.getByRole('table').innerText())
      .toContain(day.format(Date.UTC(2026, 0, 5)))
    await expect.poll(() => page.getByRole('combobox').innerText()).toMatch(/^٢٥\s+٥٠\s+١٠٠$/)
    await expect
      .poll(() => page.locator('main').innerText())
      .toContain(site.words.server.reasons.readOnlyDatabase)
  })

  nightly.lengthy('goes on in it after an update', async () => {
    const { list } = site.words.pages
    const { nothing } = site.words.server
    await page.getByRole('searchbox', { name: list.search }).fill('zzzz')
    await page.getByText(nothing.noMatch('zzzz')).waitFor()
    await page.getByRole('link', { name: list.clearSearch }).click()
    const foot = page.locator('.foot')
    await foot.getByText(list.fromTo('١', '٢٥')).waitFor()
    await page
      .getByRole('button', { name: list.nextPage })
      .or(page.getByLabel(list.nextPage))
      .click()
    await foot.getByText(list.fromTo('٢٦', '٥٠')).waitFor()
  })

  nightly.lengthy('that cannot be shown says so in it', async () => {
    const { errors, details } = site.words.server
    await page.goto(`${site.origin}/tables/strikes?sort=colour`)
    await page.getByText(errors.TABLE_UNKNOWN_COLUMN).waitFor()
    await page.getByText(details.address.column('colour')).waitFor()
    const refusal = await page.request.post(`${site.origin}/tablewire/update`, {
      headers: { 'x-requested-with': 'XMLHttpRequest', 'accept-language': 'ar' },
    })
    expect(await refusal.json()).toEqual({
      error: { code: 'MARKER_MISSING', message: errors.MARKER_MISSING },
    })
  })
})

nightly.lengthy('the account tells role and device in it', async () => {
  const { roles, devices } = site.words.server
  await page.goto(`${site.origin}/you`)
  await page.getByText(roles.admin, { exact: true }).first().waitFor()
  await page.getByRole('rowheader', { name: devices.on('', 'Linux').trim() }).waitFor()
})

nightly.lengthy('signing in is refused in it', async () => {
  const anonymous = await browser.newContext({ locale: 'ar', javaScriptEnabled: false })
  const form = await anonymous.newPage()
  const { signIn } = site.words.server
  await form.goto(`${site.origin}/sign-in`)
  await form.getByLabel(signIn.email).fill(ADMINISTRATOR.email)
  await form.getByLabel(signIn.password).fill('not this one')
  await form.getByRole('button', { name: signIn.submit }).click()
  await expect
    .poll(() => form.getByRole('alert').innerText())
    .toBe(site.words.server.errors.SIGN_IN_FAILED)
  await anonymous.close()
})

nightly.lengthy.each([
  ['ar-EG', 'ar'],
  ['en-GB', 'en'],
  ['fr-FR', 'en'],
])('a browser in %s loads the words of %s alone', async (locale, language) => {
  const reader = await browser.newContext({ locale })
  const form = await reader.newPage()
  const loaded: string[] = []
  form.on('response', (response) => loaded.push(new URL(response.url()).pathname))
  const rests = followRest(form)
  await form.goto(`${site.origin}/sign-in`)
  await rests()
  const words = loaded.flatMap((path) => /\/assets\/(ar|en)-[\w-]+\.js$/.exec(path)?.[1] ?? [])
  expect(words).toEqual([language])
  await reader.close()
})

nightly.lengthy('nothing was complained about', () => {
  expect(complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))).toEqual([])
})
