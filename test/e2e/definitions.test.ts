/** What is declared of tables, as a person sees it: kinds, help, columns, sizes and what is hidden. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, openOffice, settled, standardOffice } from './office.ts'

/** One pixel, petrol. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mPgTizqBAACqgF0u4i3pAAAAABJRU5ErkJggg==',
  'base64',
)

let office: Office
let pictures: Server
/** The referrers that the pictures were asked with. */
const referrers: (string | undefined)[] = []
const asked: (string | undefined)[] = []

function makeShop(file: string): void {
  const { port } = pictures.address() as AddressInfo
  const db = new DatabaseSync(file)
  db.exec(`CREATE TABLE products (
    id INTEGER PRIMARY KEY, code TEXT, photo_url TEXT, paint TEXT, price REAL, tax REAL, token TEXT,
    banner_url TEXT
  )`)
  const insert = db.prepare('INSERT INTO products VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (let id = 1; id <= 120; id++) {
    const photo = id === 3 ? 'none yet' : `http://127.0.0.1:${port}/${id}.png`
    const paint = id === 2 ? 'red' : `#${(id * 2000 + 0x0b6172).toString(16).padStart(6, '0')}`
    insert.run(
      id,
      `P-${id}`,
      photo,
      paint,
      id * 1.5,
      id / 4,
      `sesame-${id}`,
      `http://127.0.0.1:${port}/banner-${id}.png`,
    )
  }
  db.close()
}

beforeAll(async () => {
  pictures = createServer((request, response) => {
    referrers.push(request.headers.referer)
    asked.push(request.url)
    response.setHeader('content-type', 'image/png').end(PNG)
  })
  await new Promise<void>((resolve) => void pictures.listen(0, '127.0.0.1', resolve))
  office = await openOffice(makeShop, {
    definitions: {
      products: {
        label: 'Goods',
        help: 'Everything that is for sale.\nPrices are without tax.',
        labelColumn: 'code',
        sort: '-price',
        pageSize: 50,
        shown: ['photo_url', 'code', 'paint', 'price', 'tax', 'banner_url'],
        columns: {
          code: { label: 'Article', searchable: false },
          photo_url: { kind: 'image' },
          paint: { kind: 'colour', sortable: false, help: 'As it is mixed.' },
          price: { unit: '€', help: 'For one piece.', summary: 'sum' },
          tax: { kind: 'money', summary: 'mean' },
        },
      },
    },
  })
})
afterAll(async () => {
  await office.close()
  pictures.close()
})

async function openGoods(options = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await office.signedIn(options)
  const page = await context.newPage()
  const complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/products`)
  await settled(page)
  return { page, complaints }
}

describe('a declared table', () => {
  test('is called, ordered, cut into pages and summed up as it is declared, and hides what looks secret', async () => {
    const { page, complaints } = await openGoods()
    await page.getByRole('heading', { level: 1, name: 'Goods' }).waitFor()
    const heads = await page.locator('thead th').allInnerTexts()
    // The first is that of the ticks.
    const words = heads.slice(1).map((head) => head.replace(/\s+/g, ' '))
    expect(words).toEqual(['Article', 'Photo', 'Paint', 'Price €', 'Tax', 'Banner'])
    await expect.poll(() => page.locator('tbody tr').count()).toBe(50)
    await expect
      .poll(() => page.locator('tbody tr').first().getAttribute('data-row-key'))
      .toBe('120')
    await expect.poll(() => page.getByText('Price, largest first').count()).toBeGreaterThan(0)
    await expect.poll(() => page.locator('tfoot').innerText()).toMatch(/Σ 7,162\.50.*ø 23\.88/s)
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Paint' }).getByRole('button').count())
      .toBe(0)

    // What looks secret is hidden, in the menu and the search as well.
    await page.getByRole('button', { name: 'Display' }).click()
    const choices = page.getByRole('group', { name: 'Columns' }).getByRole('checkbox')
    await expect.poll(() => choices.count()).toBe(7)
    await page.keyboard.press('Escape')
    for (const text of ['sesame', 'P-7']) {
      await page.getByRole('searchbox', { name: 'Search' }).fill(text)
      await page.getByText(`Nothing matches “${text}”`).waitFor()
    }
    // Its name is told to administrators, its values to nobody.
    const content = await page.content()
    expect(content).not.toMatch(/sesame-\d/)
    expect(complaints).toEqual([])
  })

  nightly.detail('names its own size in no address', async () => {
    const { page } = await openGoods()
    await page.getByLabel('Rows per page').selectOption('25')
    await page.waitForURL(/size=25/)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
    await page.getByLabel('Rows per page').selectOption('50')
    await page.waitForURL((url) => !url.search.includes('size'))
  })

  nightly.detail('shows pictures and colours, and the text where there is none', async () => {
    const { page, complaints } = await openGoods()
    const picture = page.getByRole('img', { name: '120.png' })
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(1)
    expect(referrers.length).toBeGreaterThan(0)
    expect(new Set(referrers)).toEqual(new Set([undefined]))
    await page.goto(`${office.origin}/tables/products?sort=id`)
    await page.getByRole('cell', { name: 'none yet' }).waitFor()
    await expect.poll(() => page.locator('.swatch').count()).toBe(49)
    await page.getByRole('cell', { name: 'red', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  nightly.detail(
    'loads no picture of a column that nobody has declared, until somebody opens it',
    async () => {
      asked.length = 0
      const { page, complaints } = await openGoods()
      const link = page.getByRole('link', { name: 'Open the picture banner-120.png' })
      await expect.poll(() => asked.includes('/120.png')).toBe(true)
      expect(asked.filter((path) => path?.includes('banner'))).toEqual([])
      const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()])
      await opened.waitForLoadState()
      expect(asked).toContain('/banner-120.png')
      expect(complaints).toEqual([])
    },
  )

  nightly.detail('says what it and its columns are about, by pointer and by keyboard', async () => {
    const { page } = await openGoods()
    const tooltip = page.getByRole('tooltip')
    await page.getByRole('columnheader', { name: 'Price' }).hover()
    await tooltip.filter({ hasText: 'For one piece.' }).waitFor()
    await page.getByRole('columnheader', { name: 'Paint' }).focus()
    await tooltip.filter({ hasText: 'As it is mixed.' }).waitFor()
    const about = page.getByRole('button', { name: 'About this table' })
    await about.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Everything that is for sale.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Everything that is for sale.').waitFor({ state: 'hidden' })
    await about.click()
    await page.getByText('Everything that is for sale.').waitFor()
    expect(await violations(page)).toEqual([])
  })

  nightly.layout.each([390, 1440])('tells why, and how to show it, at %i px', async (width) => {
    const { page } = await openGoods({ viewport: { width, height: 900 } })
    await page.getByRole('button', { name: 'Display' }).click()
    const menu = page.getByRole('dialog', { name: 'Display' })
    await menu.getByRole('heading', { name: 'Hidden from everybody, 1' }).waitFor()
    await menu.getByText('its name says “token”').click()
    await menu.getByText('token: { hidden: false },').waitFor()
    expect(await violations(page)).toEqual([])
    const overflow = await menu.evaluate(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
  })

  nightly.layout.each([390, 1440])('keeps to the rules of access at %i px', async (width) => {
    const { page } = await openGoods({ viewport: { width, height: 900 } })
    expect(await violations(page)).toEqual([])
  })
})

test('only readers who see a table with pictures take some from elsewhere', async () => {
  const bare = await standardOffice()
  const sourcesOf = async ({ origin, signedIn }: Office, isSignedIn: boolean) => {
    const context = isSignedIn ? await signedIn() : await bare.signedOut()
    const answer = await context.request.get(`${origin}/${isSignedIn ? '' : 'sign-in'}`)
    await context.close()
    return /img-src ([^;]*)/.exec(answer.headers()['content-security-policy'] ?? '')?.[1]
  }
  expect(await sourcesOf(office, true)).toBe("'self' data: https: http:")
  expect(await sourcesOf(office, false)).toBe("'self' data:")
  expect(await sourcesOf(bare, true)).toBe("'self' data:")
  await bare.close()
})
