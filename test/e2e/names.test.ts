/** Names and texts as their owners did not mean them: invisible, turned around, of other letters, or very long. */

import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { ADMINISTRATOR, collectComplaints, type Office, openOffice, settled } from './office.ts'

const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(12)
const TURNED = 'paid\u202e 100'
const PLAIN = `${LONG}_table`
const PARENT = `${LONG}_parent`

function prepare(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`
    create table "${PARENT}" ("${LONG}_id" text primary key not null, name text);
    insert into "${PARENT}" values ('${LONG}', '${LONG}');
    create table "${PLAIN}" (
      id integer primary key, name text, "${LONG}_column" text, "${LONG}_amount" integer,
      "${LONG}_parent" text references "${PARENT}" ("${LONG}_id"), "${LONG}_token" text
    );
    insert into "${PLAIN}" values (1, '${LONG}', '${LONG}', 1, '${LONG}', 'x'), (2, 'a', '', 2, null, 'y');
    create table signs (id integer primary key, "na\u202eme" text, note text, state text, mail text);
    insert into signs values
      (1, '${TURNED}', 'co\u00adop 👩‍👩‍👧 می‌خواهم', 'open\u200b', 'ana@example.org'),
      (2, '\u0430dmin', 'plain', 'open', 'b\u200bob@example.org'), (3, 'Привет', 'μm', 'done', null);
  `)
  db.close()
}

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]

const definitions = { signs: { labelColumn: 'na\u202eme' } }
beforeAll(async () => void (office = await openOffice(prepare, { definitions })))
afterAll(() => office.close())

async function enter(width: number) {
  context = await office.signedIn({ viewport: { width, height: 900 } })
  page = await context.newPage()
  complaints = collectComplaints(page)
}
afterEach(async () => {
  expect(complaints.filter((one) => !/status of 4(?:04|22)/.test(one))).toEqual([])
  await context.close()
})

const open = (path: string) => page.goto(office.origin + path)
const list = `/tables/${encodeURIComponent(PLAIN)}`

describe('what is seen is what is stored', () => {
  beforeEach(() => enter(1440))
  const cell = (row: number, name: string) =>
    page.locator(`tr[data-row-key="${row}"] > .k-${name}`).first()

  test('a mark that turns text around is drawn, and turns nothing around', async () => {
    await open('/tables/signs')
    const first = cell(1, 'text')
    await expect.poll(() => first.textContent()).toBe(TURNED)
    const mark = first.locator('.sign')
    await expect
      .poll(() => mark.evaluate((it) => getComputedStyle(it, '::before').content))
      .toBe('"U+202E"')
    // The digits stand in their order: each to the right of the one before.
    const places = await first.evaluate((it) => {
      const text = [...it.querySelectorAll('*'), it]
        .flatMap((one) => [...one.childNodes])
        .find((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.includes('100'))!
      const from = text.textContent!.indexOf('100')
      return [0, 1, 2].map((i) => {
        const range = document.createRange()
        range.setStart(text, from + i)
        range.setEnd(text, from + i + 1)
        return range.getBoundingClientRect().left
      })
    })
    expect(places.toSorted((a, b) => a - b)).toEqual(places)
    expect(new Set(places).size).toBe(3)
  })

  nightly.detail('marks are read aloud and copied as what they stand for', async () => {
    await open('/tables/signs')
    const link = page.getByRole('link', { name: /paid.*U\+202E.*100/s })
    await expect.poll(() => link.count()).toBe(1)
    const copied = await cell(1, 'text').evaluate((it) => {
      getSelection()!.selectAllChildren(it)
      return getSelection()!.toString()
    })
    expect(copied).toContain('paid')
    expect(copied).not.toContain('U+202E')
  })

  nightly.detail(
    'letters of another script are marked in a word of Latin ones, and there alone',
    async () => {
      await open('/tables/signs')
      await expect.poll(() => page.locator('.mixed').allTextContents()).toEqual(['\u0430'])
      await expect.poll(() => page.locator('.mixed').getAttribute('data-sign')).toBe('U+0430')
    },
  )

  nightly.detail(
    'soft hyphens, emoji and words that need joiners are left as they are',
    async () => {
      await open('/tables/signs?columns=note')
      const note = page.locator('tr[data-row-key="1"] th')
      await expect.poll(() => note.locator('.sign').count()).toBe(0)
      await expect.poll(() => note.locator('.hyphen').count()).toBe(1)
      await expect.poll(() => note.textContent()).toBe('co\u00adop 👩‍👩‍👧 می‌خواهم')
    },
  )

  nightly.detail('values of every kind have marks, and heads, titles and fields', async () => {
    await open('/tables/signs')
    await expect.poll(() => page.locator('tbody .sign').count()).toBe(3)
    await expect.poll(() => page.locator('thead .sign').count()).toBe(1)
    await open('/tables/signs/records/1')
    await expect.poll(() => page.title()).toContain('paid[U+202E] 100')
    for (const part of ['h1', 'dt', 'dd'])
      await expect
        .poll(() => page.locator(`${part} .sign`).count(), { message: part })
        .toBeGreaterThan(0)
  })
})

describe.each([390, 1440])('long names widen no page of %i px', (width) => {
  beforeEach(() => enter(width))

  /** Elements that reach beyond the window, outside of what scrolls by itself. */
  const tooWide = () =>
    page.evaluate(() => {
      const most = document.documentElement.clientWidth
      const scrolls = (it: Element | null): boolean =>
        it !== null &&
        (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(it).overflowX) ||
          scrolls(it.parentElement))
      const wide = [...document.querySelectorAll('body *')].filter((it) => {
        const { right, left, width } = it.getBoundingClientRect()
        return width > 0 && (right > most + 1 || left < -1) && !scrolls(it.parentElement)
      })
      const { scrollWidth } = document.documentElement
      return [scrollWidth, ...wide.map((it) => `${it.tagName}.${it.className.toString()}`)]
    })

  nightly.detail.each([
    ['a list', list],
    ['a list with a filter', `${list}?filter.${LONG}_parent=${LONG}`],
    ['a list that finds nothing', `${list}?search=${'x'.repeat(150)}`],
    ['a row', `${list}/records/1`],
    ['a row without a name', `/tables/${encodeURIComponent(PARENT)}/records/${LONG}`],
    ['a column that is not there', `${list}?sort=${LONG}`],
    ['a table that is not there', `/tables/${LONG}`],
  ])('%s', async (_, path) => {
    await open(path)
    await expect.poll(() => tooWide()).toEqual([width])
  })

  nightly.detail('menus', async () => {
    await open(list)
    for (const menu of await page.locator('[popover]').all()) {
      const id = await menu.getAttribute('id')
      if (id === 'tip') continue
      await menu.evaluate((it) => (it as HTMLElement).showPopover())
      const box = await menu.boundingBox()
      // A menu of the other width.
      if (!box) continue
      expect(box.x, id ?? '').toBeGreaterThanOrEqual(0)
      expect(box.x + box.width, id ?? '').toBeLessThanOrEqual(width)
      await expect.poll(() => tooWide(), { message: id ?? '' }).toEqual([width])
      await expect
        .poll(() => menu.evaluate((it) => it.scrollWidth - it.clientWidth), { message: id ?? '' })
        .toBe(0)
      await menu.evaluate((it) => (it as HTMLElement).hidePopover())
    }
    await settled(page)
  })
})

describe('a person with a long name', () => {
  nightly.layout.each([390, 1440])('widens no page of %i px', async (width) => {
    await enter(width)
    const { accounts } = office.admin
    const link = await accounts.issueLink({ role: 'viewer' })
    const { token } = await accounts.redeemLink(
      link,
      {
        ...ADMINISTRATOR,
        name: LONG.slice(0, 100),
        email: `${'x'.repeat(60 + width / 390)}@example.org`,
      },
      { address: '127.0.0.1', userAgent: LONG },
    )
    await context.addCookies([
      { name: office.admin.sessionCookie, value: token, url: office.origin },
    ])
    for (const path of ['/you', '/tables/signs']) {
      await open(path)
      const { scrollWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
      }))
      expect(scrollWidth).toBe(width)
    }
    await page.locator('#person-menu').evaluate((it) => {
      document.querySelector<HTMLElement>('#rail')?.showPopover?.()
      ;(it as HTMLElement).showPopover()
    })
    const box = (await page.locator('#person-menu').boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(width)
  })
})
