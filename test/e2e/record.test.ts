/** The page of a row as a person uses it, in a real browser. */

import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copyDemo } from '../copy-demo.ts'
import { nightly } from '../nightly.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'
import { keysOn } from './shown-rows.ts'

const LONG = `${'Ünïcode and spaces  '.repeat(60_000)}the end`

/** A table whose rows hold something of every kind. */
function withThings(file: string): void {
  copyDemo(file)
  const db = new DatabaseSync(file)
  db.exec(`create table things (
    id integer primary key, name text, site_url text, email text, made_at text, seen_at text,
    settings json, picture blob, body text, empty text, amount integer,
    parent_id integer references things (id)
  );
  create table codes (code text primary key not null, size integer);
  insert into codes values ('a/b c', 1), ('..', 2), ('', 3);`)
  const insert = db.prepare('insert into things values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  insert.run(
    ...[1, 'A thing', 'https://example.org/a?b=c', 'ana@example.org', '2026-07-01 10:20:30'],
    ...['2026-07-01T10:20:30Z', '{"a":[1,2]}', Uint8Array.of(222, 173, 190, 239), LONG, '', 0, 1],
  )
  insert.run(
    2,
    'Bad',
    'javascript:alert(1)',
    null,
    null,
    '2026-07-01T10:20:30Z',
    null,
    null,
    'short',
    null,
    null,
    1,
  )
  db.close()
}

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => void (office = await openOffice(withThings)))
afterAll(() => office.close())

beforeEach(async () => {
  context = await office.signedIn({ timezoneId: 'Europe/Vienna' })
  page = await context.newPage()
  complaints = collectComplaints(page)
})

afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

const open = (path: string) => page.goto(office.origin + path)
const link = (name: string) => page.getByRole('link', { name, exact: true })
const title = () => page.getByRole('heading', { level: 1 }).textContent()
const rowKeys = () => keysOn(page)
/** The value beside a label. */
const field = (label: string) =>
  page
    .locator('dl.fields > div', { has: page.locator('dt', { hasText: RegExp(`^${label}$`) }) })
    .locator('dd')
const keyOf = (url: string) => new URL(url).pathname.split('/').at(-1)!

describe('from the list', () => {
  test('a row’s name leads to its page, whose title is its name, and back to the place it was', async () => {
    await open('/tables/airports?sort=-city&search=air')
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL(/page=2/)
    await settled(page)
    const keys = await rowKeys()
    const row = page.locator('tbody tr').nth(3)
    const name = (await row.getByRole('rowheader').textContent())!
    await row.getByRole('rowheader').getByRole('link').click()
    await page.waitForURL(/\/records\//)
    expect(keyOf(page.url())).toBe(keys[3])
    await expect.poll(() => title()).toBe(name)
    await expect.poll(() => page.title()).toBe(`${name} · demo`)
    await expect.poll(() => page.locator('.steps .place').textContent()).toMatch(/: 29 of \d+$/)
    await link('Back to the list').click()
    await page.waitForURL(/page=2/)
    expect(await rowKeys()).toEqual(keys)
    await expect.poll(() => page.getByText(/^26–50 of/).count()).toBe(1)
  })

  test('Next and Previous walk through it, by link and by key', async () => {
    await open('/tables/airports?sort=-city&search=air')
    const keys = await rowKeys()
    await page.locator('tbody tr').nth(1).getByRole('rowheader').getByRole('link').click()
    await page.waitForURL(/\/records\//)
    // On a busy machine the neighbours may come a moment after the page.
    const known = (name: string) => link(name).and(page.locator('[href]'))
    for (const [name, act, at] of [
      ['Next', () => known('Next').click(), 2],
      ['Next', () => page.keyboard.press('j'), 3],
      ['Previous', () => page.keyboard.press('k'), 2],
      ['Previous', () => known('Previous').click(), 1],
      ['Previous', () => known('Previous').click(), 0],
    ] as const) {
      await known(name).waitFor()
      await act()
      await page.waitForURL((url) => keyOf(url.href) === keys[at])
      await page.getByRole('heading', { level: 1 }).waitFor()
      await hydrated()
    }
    const first = page.getByRole('link', { name: 'Previous' })
    await expect.poll(() => first.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => first.getAttribute('href')).toBeNull()
    await known('Next').click()
    await page.waitForURL((url) => keyOf(url.href) === keys[1])
    await hydrated()
    await page.keyboard.press('u')
    await page.waitForURL(`${office.origin}/tables/airports?search=air&sort=-city`)
    // The row one comes from has the focus, and the keys go on from there.
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('data-row-key'))
    await expect.poll(focused).toBe(keys[1])
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(keys[2])
  })

  nightly.detail(
    'a related row opens from its cell, and Enter opens the row of the cell with the focus',
    async () => {
      await open('/tables/strikes')
      const species = page.locator('tbody tr').first().locator('td.k-relation a').first()
      const name = (await species.textContent())!
      await species.click()
      await page.waitForURL(/\/records\//)
      await expect.poll(() => title()).toBe(name)
      await open('/tables/airports')
      await expect
        .poll(async () => {
          await page.keyboard.press('j')
          return page.evaluate(() => document.activeElement?.tagName)
        })
        .toBe('TH')
      const key = await page.evaluate(() =>
        document.activeElement?.closest('tr')?.getAttribute('data-row-key'),
      )
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => keyOf(url.href) === key)
    },
  )

  nightly.detail('rows that nothing identifies have no pages', async () => {
    await open('/tables/costly_strikes')
    await expect.poll(() => page.locator('tbody a').count()).toBe(0)
  })

  nightly.detail('keys that look like paths lead to their rows', async () => {
    await open('/tables/codes')
    for (const at of [0, 1, 2]) {
      await open('/tables/codes')
      const size = await page.locator('tbody tr').nth(at).locator('td').nth(1).textContent()
      await page.locator('tbody tr').nth(at).getByRole('rowheader').getByRole('link').click()
      await page.waitForURL(/\/records\//)
      await expect.poll(() => field('Size').textContent()).toBe(size)
    }
  })
})

describe('related rows', () => {
  test('are counted links to the list of those rows', async () => {
    await open('/tables/species/records/38')
    const name = await title()
    const related = page.getByRole('navigation', { name: 'Related rows' })
    const strikes = related.getByRole('link', { name: /^Strikes/ })
    await expect.poll(() => strikes.textContent()).toMatch(/\d$/)
    const count = /[\d,]+$/.exec((await strikes.textContent())!)![0]
    // The first of them stand there, and what there is none of has one line.
    await expect.poll(() => related.locator('a.line').count()).toBe(5)
    await related.getByRole('link', { name: `All ${count} of Strikes` }).waitFor()
    await related.getByText('Nothing in: Species (Parent)').waitFor()
    await strikes.click()
    await page.waitForURL(`${office.origin}/tables/strikes?filter.species_id=38`)
    await page.getByRole('heading', { level: 1, name: 'Strikes' }).waitFor()
    await expect.poll(() => page.locator('.head .total').textContent()).toBe(count)
    const filters = page.getByRole('region', { name: 'Active filters' })
    const chip = filters.getByRole('button', { name: `Remove filter: Species ${name}` })
    await chip.waitFor()
    await expect
      .poll(async () => new Set(await page.locator('tbody td:nth-child(6)').allTextContents()))
      .toEqual(new Set([name]))
  })

  nightly.detail(
    'that were not counted in time are completed by a query, which draws nothing anew',
    async () => {
      const path = '/tables/species/records/38'
      // As the server sends it where counting takes longer than a page waits.
      await page.route(`**${path}`, async (route) => {
        const response = await route.fetch()
        const html = (await response.text())
          .replaceAll(/"count":\{"kind":"exact"[^}]*\}/g, '"count":{"kind":"counting"}')
          .replace('"isPartial":false', '"isPartial":true')
        await route.fulfill({ response, body: html })
      })
      const asked = page.waitForResponse(/tablewire\/update$/)
      await open(path)
      const answer = await asked
      const sent = answer.request().postDataJSON() as { components: { snapshot: string }[] }
      expect(sent.components).toMatchObject([{ updates: {}, calls: [{ method: 'around' }] }])
      const { components } = (await answer.json()) as { components: object[] }
      expect(components).toEqual([
        { snapshot: sent.components[0]!.snapshot, effects: { returns: [expect.anything()] } },
      ])
      const strikes = page
        .getByRole('navigation', { name: 'Related rows' })
        .getByRole('link', { name: /^Strikes/ })
      await expect.poll(() => strikes.textContent()).toMatch(/\d$/)
      // React says that the page differs from what the server drew, because the test has changed it.
      complaints.splice(0)
    },
  )

  nightly.detail(
    'stay filtered while one sorts, searches, pages and opens them, until the filter is removed',
    async () => {
      await open('/tables/strikes?filter.species_id=38')
      await page.getByRole('columnheader', { name: 'Phase' }).getByRole('button').click()
      await page.waitForURL(/filter\.species_id=38&sort=phase/)
      await page.getByRole('link', { name: 'Next page' }).click()
      await page.waitForURL(/filter\.species_id=38&sort=phase&page=2/)
      await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
      await page.waitForURL(/filter\.species_id=38&sort=phase&size=50$/)
      await settled(page)
      const keys = await rowKeys()
      await page.locator('tbody tr').first().getByRole('rowheader').getByRole('link').click()
      await page.waitForURL(/\/records\//)
      await link('Next').click()
      await page.waitForURL((url) => keyOf(url.href) === keys[1])
      await link('Back to the list').click()
      await page.getByRole('button', { name: /^Remove filter: Species/ }).click()
      await page.waitForURL(`${office.origin}/tables/strikes?sort=phase&size=50`)
      await expect.poll(() => page.getByRole('region', { name: 'Active filters' }).count()).toBe(0)
    },
  )

  nightly.detail('of two filters one is removed, or all', async () => {
    await open('/tables/strikes?filter.species_id=38&filter.operator_id=2')
    await page.getByRole('button', { name: /^Remove filter: Operator/ }).click()
    await page.waitForURL(`${office.origin}/tables/strikes?filter.species_id=38`)
    await open('/tables/strikes?filter.species_id=12&filter.operator_id=3')
    await page.getByRole('heading', { level: 2, name: /^No row of Strikes matches/ }).waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await page.waitForURL(`${office.origin}/tables/strikes`)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
  })

  nightly.detail.each([
    ['filter.nothing=1', /nothing/],
    ['filter.phase.max=1', /phase/],
    ['filter.species_id=x', /species_id/],
  ])('a filter that is none is refused by name: %s', async (query, words) => {
    const response = await open(`/tables/strikes?${query}`)
    expect(response?.status()).toBe(422)
    await page.getByText(words).first().waitFor()
    complaints.splice(0)
  })
})

describe('the fields', () => {
  test('hold every kind of value, each as itself, and no address that runs script is a link', async () => {
    await open('/tables/things/records/1')
    const site = field('Site URL').getByRole('link')
    await expect.poll(() => site.getAttribute('href')).toBe('https://example.org/a?b=c')
    await expect.poll(() => site.getAttribute('rel')).toMatch(/noopener/)
    await expect
      .poll(() => field('Email').getByRole('link').getAttribute('href'))
      .toBe('mailto:ana@example.org')
    await expect.poll(() => field('Made').textContent()).toBe('Jul 1, 2026, 10:20:30 AM')
    // Times stand together, and say once that they are in no zone.
    await page
      .locator('section', { has: page.getByRole('heading', { name: 'Dates and times' }) })
      .getByText('Times as stored, without a time zone unless one is named')
      .waitFor()
    await expect
      .poll(() => field('Settings').locator('pre').textContent())
      .toBe('{\n  "a": [\n    1,\n    2\n  ]\n}')
    await expect.poll(() => field('Picture').textContent()).toBe('4 bytes Downloadde ad be ef')
    await expect
      .poll(() => field('Picture').getByRole('link', { name: 'Download' }).getAttribute('href'))
      .toBe('/tables/things/records/1/files/picture')
    await expect
      .poll(() => field('Parent').getByRole('link').getAttribute('href'))
      .toBe('/tables/things/records/1')
    await expect.poll(() => page.getByText('Read-only').count()).toBe(1)

    // No address that runs script is a link.
    await link('Next').click()
    await page.waitForURL(/\/records\/2$/)
    await field('Site URL').getByText('javascript:alert(1)').waitFor()
    await expect.poll(() => field('Site URL').getByRole('link').count()).toBe(0)
  })

  nightly.detail('tell NULL, empty text and zero apart', async () => {
    await open('/tables/things/records/1')
    await expect
      .poll(async () => [await field('Empty').textContent(), await field('Amount').textContent()])
      .toEqual(['“ ” empty text', '0'])
    await open('/tables/things/records/2')
    await expect.poll(() => field('Amount').textContent()).toBe('– no value')
  })

  nightly.detail('a moment is told in the reader’s zone, which is written beside it', async () => {
    for (const [timezoneId, hour, minute, zone] of [
      ['Europe/Vienna', '12:20:30 PM GMT+2', '12:20 PM', 'Austria Time'],
      ['America/New_York', '06:20:30 AM EDT', '06:20 AM', 'ET'],
      ['Asia/Kolkata', '03:50:30 PM GMT+5:30', '03:50 PM', 'India Time'],
    ]) {
      const elsewhere = await office.signedIn({ timezoneId: timezoneId! })
      const other = await elsewhere.newPage()
      await other.goto(`${office.origin}/tables/things/records/2`)
      await other.getByText(`Jul 1, 2026, ${hour}`, { exact: true }).waitFor()
      await other.goto(`${office.origin}/tables/things`)
      // In a list, the head names the zone, and the tooltip the second.
      await other.getByRole('columnheader', { name: `Seen ${zone}` }).waitFor()
      await other
        .getByRole('cell', { name: `Jul 1, 2026, ${minute}`, exact: true })
        .first()
        .hover()
      await other.getByRole('tooltip').getByText(`Jul 1, 2026, ${hour}`, { exact: true }).waitFor()
      await elsewhere.close()
    }
  })

  nightly.detail(
    'of a megabyte of text the beginning is there, and all of it once it is asked for or copied',
    async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await open('/tables/things/records/1')
      const block = page.getByRole('region', { name: 'Body' })
      const length = async () => (await block.textContent())?.length
      await expect.poll(length).toBe(20_000)
      await page.getByText('The first 20,000 of 1,200,007 characters').waitFor()
      await page.getByRole('button', { name: 'Copy Body' }).click()
      await page
        .getByRole('status', { name: 'Notifications' })
        .getByText('Body was copied.')
        .waitFor()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(LONG)
      await expect.poll(length).toBe(LONG.length)
      await open('/tables/things/records/1')
      await page.getByRole('button', { name: 'Show all of Body' }).click()
      await page.getByText('1,200,007 characters', { exact: true }).waitFor()
      await expect.poll(length).toBe(LONG.length)
      // The block has the focus, where the button went.
      await page.keyboard.press('End')
      await expect.poll(() => block.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(10_000)
    },
  )

  nightly.detail('of a row that has gone say so, and the way back stays', async () => {
    await open('/tables/strikes/records/999999')
    await expect.poll(() => title()).toBe('Not found')
    complaints.splice(0)
  })
})

describe('at 390 px', () => {
  test('a card leads to its row, and the page of the row fits', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/tables/strikes')
    const card = page.locator('tbody tr').first()
    const box = (await card.boundingBox())!
    await page.mouse.click(box.x + box.width / 2, box.y + box.height - 6)
    await page.waitForURL(/\/records\//)
    await link('Next').waitFor({ state: 'attached' })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})

nightly.detail('the keys of a row are in the key map', async () => {
  await open('/tables/strikes/records/17')
  await hydrated()
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Next, previous row of the list').waitFor()
})

/** Keys work as soon as script does, which is a little after the page is there. */
const hydrated = () =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('#app')!.firstElementChild ?? {}).some((key) =>
      key.startsWith('__react'),
    ),
  )
