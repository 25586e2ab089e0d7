/** The list page as a person uses it, in a real browser. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, standardOffice, settled } from './office.ts'
import { holdScript, hydrated } from './page-probe.ts'
import { columnOn, keysOn } from './shown-rows.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => void (office = await standardOffice()))
afterAll(() => office.close())

beforeEach(async () => {
  context = await office.signedIn()
  page = await context.newPage()
  complaints = collectComplaints(page)
})

afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

const open = (path: string) => page.goto(office.origin + path)
const rowKeys = () => keysOn(page)
const column = (name: string) => columnOn(page, name)
const nextPage = () =>
  page.getByRole('navigation', { name: 'Pagination' }).getByRole('link', { name: 'Next page' })

describe('the start', () => {
  test('leads to the most interesting table, whose pages go forward and back by links, by number and by the browser’s back button', async () => {
    await open('/')
    expect(new URL(page.url()).pathname).toBe('/tables/strikes')
    await page.getByRole('heading', { level: 1, name: 'Strikes' }).waitFor()
    await page.getByRole('table', { name: 'Strikes' }).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
    await hydrated(page)

    const first = await rowKeys()
    await nextPage().click()
    await page.waitForURL(/page=2/)
    await expect.poll(rowKeys).not.toEqual(first)
    // All of them, as they come over several frames.
    await settled(page)
    const second = await rowKeys()
    expect(second.filter((key) => first.includes(key))).toEqual([])
    await page.getByRole('link', { name: 'Previous page' }).click()
    await expect.poll(rowKeys).toEqual(first)
    await page.goBack()
    await expect.poll(rowKeys).toEqual(second)
    await page.getByRole('button', { name: 'Page 2 of 400' }).click()
    const number = page.getByRole('textbox', { name: 'Go to page' })
    await expect.poll(() => number.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await expect.poll(rowKeys).toEqual(first)
  })

  nightly.detail('rows alternate two parities', async () => {
    await open('/tables/strikes')
    const parities = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-parity')))
    expect(new Set(parities.filter((_, at) => at % 2 === 0)).size).toBe(1)
    expect(new Set(parities)).toEqual(new Set(['even', 'odd']))
  })
})

describe('sorting', () => {
  test('a click on the head sorts, a second one turns it round, a third puts the first order back', async () => {
    await open('/tables/airports')
    const head = page.getByRole('columnheader', { name: 'City' })
    const first = await rowKeys()
    for (const expected of ['ascending', 'descending']) {
      await head.getByRole('button').click()
      await page.locator(`th[aria-sort="${expected}"]`).filter({ hasText: 'City' }).waitFor()
      const cities = (await column('City')).filter((city) => city !== '–')
      const sorted = cities.toSorted((a, b) => (a < b ? -1 : 1))
      expect(cities).toEqual(expected === 'ascending' ? sorted : sorted.toReversed())
    }
    await head.getByRole('button').click()
    await expect.poll(rowKeys).toEqual(first)
    expect(page.url()).not.toContain('sort=')
  })

  nightly.detail('shift-click adds a column, and the address holds both', async () => {
    await open('/tables/airports')
    await page.getByRole('columnheader', { name: 'State' }).getByRole('button').click()
    await page.waitForURL(/sort=state/)
    await page
      .getByRole('columnheader', { name: 'City' })
      .getByRole('button')
      .click({ modifiers: ['Shift'] })
    await page.waitForURL(/sort=state%2Ccity/)
    await settled(page)
    const pairs = (await column('State')).map(
      async (state, at) => [state, (await column('City'))[at]!] as const,
    )
    const read = await Promise.all(pairs)
    expect(read).toEqual(
      read.toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1)),
    )
  })
})

nightly.detail(
  'a sixth column is not added to an order, which is said and changes nothing',
  async () => {
    await open('/tables/strikes')
    const names = ['Airport name', 'Phase', 'Speed', 'Status', 'Time of day', 'Cost total']
    const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
    for (const name of names) await head(name).click({ modifiers: ['Shift'] })
    const sentence = 'A list is sorted by at most five columns.'
    await page.getByRole('status', { name: 'Notifications' }).getByText(sentence).waitFor()
    await settled(page)
    await expect.poll(() => page.locator('th[aria-sort]').count()).toBe(5)
    expect(new URL(page.url()).searchParams.get('sort')?.split(',')).toHaveLength(5)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await head('Phase').hover()
    await head('Cost total').hover()
    await page.getByRole('tooltip').getByText(sentence).waitFor()
  },
)

nightly.detail(
  'a title that the button of its menu covers, as the table is full, stands in a tooltip',
  async () => {
    const tooltipsCome = await holdScript(page, 'list-work')
    await open('/tables/strikes')
    await page.getByRole('columnheader', { name: 'Cost repair' }).hover()
    // The pointer rests there when the script of tooltips comes.
    tooltipsCome()
    await page.getByRole('link', { name: 'Filter by Cost repair' }).waitFor()
    await page.getByRole('tooltip').getByText('Cost repair $', { exact: true }).waitFor()
  },
)

describe('a column of names from another table says that it is sorted by keys', () => {
  const reason = () => page.getByRole('tooltip').getByText('names from another table')
  /** Waits for as many frames. */
  const frames = async (count: number) => {
    for (let frame = 0; frame < count; frame++)
      await page.evaluate(() => new Promise(requestAnimationFrame))
  }

  nightly.detail('once the focus is on its head', async () => {
    await open('/tables/strikes')
    await hydrated(page)
    await page.getByRole('columnheader', { name: 'Species' }).getByRole('button').first().focus()
    await reason().waitFor()
  })

  nightly.detail('where the focus was there before the script of tooltips', async () => {
    const tooltipsCome = await holdScript(page, 'list-work')
    await open('/tables/strikes')
    // Where the pointer rests, there is nothing to say.
    await page.getByRole('cell', { name: 'Day', exact: true }).first().hover()
    await page.getByRole('columnheader', { name: 'Species' }).getByRole('button').first().focus()
    tooltipsCome()
    await reason().waitFor()
  })

  nightly.detail('where the focus scrolls its head into sight', async () => {
    await page.setViewportSize({ width: 800, height: 900 })
    await open('/tables/strikes')
    await page.locator('#tip').waitFor({ state: 'attached' })
    await frames(2)
    const scroller = page.locator('.scroller')
    await scroller.evaluate((element) => (element.scrollLeft = element.scrollWidth))
    // The first is behind the cells that stay, the second out of sight.
    for (const name of ['Operator', 'Aircraft type']) {
      const head = page.getByRole('columnheader', { name }).getByRole('button').first()
      await head.focus()
      await page.getByRole('tooltip').getByText(name).waitFor()
      await frames(2)
      await reason().waitFor()
      const stays = await page.getByRole('columnheader', { name: 'Airport name' }).boundingBox()
      const shown = await head.boundingBox()
      expect(shown?.x).toBeGreaterThanOrEqual((stays?.x ?? 0) + (stays?.width ?? 0))
    }
    // Scrolled away or dismissed, it does not come back.
    const scrollOn = () => scroller.evaluate((element) => element.scrollBy({ left: 40, top: 40 }))
    await scrollOn()
    await reason().waitFor({ state: 'hidden' })
    await scroller.evaluate((element) => element.scrollBy({ left: -40 }))
    await frames(4)
    await expect.poll(() => reason().isVisible()).toBe(false)
  })
})

describe('search', () => {
  test('typing narrows the rows while one types, the address follows, and nothing typed meanwhile is lost', async () => {
    await open('/tables/strikes')
    const typed = Promise.withResolvers<void>()
    await page.route('**/tablewire/update', async (route) => {
      const response = await route.fetch()
      await typed.promise
      await route.fulfill({ response })
    })
    const box = page.getByRole('searchbox', { name: 'Search' })
    const asked = page.waitForRequest('**/tablewire/update')
    await box.pressSequentially('goo', { delay: 5 })
    await asked
    await box.pressSequentially('se', { delay: 5 })
    typed.resolve()
    await page.waitForURL(/search=goose/)
    await expect.poll(() => box.inputValue()).toBe('goose')
    await settled(page)
    for (const species of await column('Species')) expect(species.toLowerCase()).toContain('goose')
    await expect
      .poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue())
      .toBe('goose')
  })

  nightly.detail('the cross in its box empties it', async () => {
    await open('/tables/strikes?search=goose')
    await hydrated(page)
    const box = page.getByRole('searchbox', { name: 'Search' })
    const { width, height } = (await box.boundingBox()) ?? { width: 0, height: 0 }
    await box.click({ position: { x: width - 14, y: height / 2 } })
    await page.waitForURL((url) => !url.searchParams.has('search'))
    await expect.poll(() => box.inputValue()).toBe('')
  })

  nightly.detail('takes no more characters than the server does', async () => {
    await open('/tables/strikes')
    const box = page.getByRole('searchbox', { name: 'Search' })
    await box.focus()
    await page.keyboard.insertText('x'.repeat(250))
    await expect.poll(() => box.inputValue()).toBe('x'.repeat(200))
    await page.waitForURL(/search=x{200}$/)
  })

  nightly.detail('Escape clears the search, and the focus stays in it', async () => {
    await open('/tables/strikes')
    const box = page.getByRole('searchbox', { name: 'Search' })
    await box.fill('goose')
    await page.waitForURL(/search=goose/)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.search.includes('search'))
    await page.keyboard.type('duck')
    await expect.poll(() => box.inputValue()).toBe('duck')
  })

  nightly.detail('is a step of its own: Back returns to what was shown before it', async () => {
    await open('/tables/strikes')
    const box = page.getByRole('searchbox', { name: 'Search' })
    await box.fill('goose')
    await page.waitForURL(/search=goose/)
    await box.fill('goose climb')
    await page.waitForURL(/search=goose(\+|%20)climb/)
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/tables/strikes' && url.search === '')
    await expect.poll(() => box.inputValue()).toBe('')
  })

  nightly.detail('the number of the page leads to another, and keeps the search', async () => {
    await open('/tables/strikes?search=goose')
    await hydrated(page)
    const place = page.getByRole('button', { name: /^Page \d+ of/ })
    const field = page.getByRole('textbox', { name: 'Go to page' })
    /** What is typed goes nowhere else. */
    const isFocused = () =>
      expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    await place.focus()
    await page.keyboard.press('Enter')
    await isFocused()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'hidden' })
    await expect.poll(() => place.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await isFocused()
    await page.keyboard.type('3')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText(/^Page 3 of/).waitFor()
    await page.waitForURL(/search=goose.*page=3/)
    await expect.poll(() => place.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe('3')
    await page.keyboard.type('99999999999')
    await page.keyboard.press('Enter')
    await page.getByText(/^Page (\d+) of \1$/).waitFor()
  })

  nightly.detail(
    'marks what it has found, tells of what is out of sight, and is as it was after Back from a record',
    async () => {
      await open('/tables/strikes?search=damage%20tower')
      await hydrated(page)
      const box = page.getByRole('searchbox', { name: 'Search' })
      const row = page.getByRole('row').filter({ hasText: 'found in Remarks:' }).nth(12)
      await expect.poll(() => row.locator('mark').allTextContents()).toHaveLength(2)
      const scroller = page.getByRole('region', { name: 'Rows' })
      const link = row.locator('.row-link')
      await link.scrollIntoViewIfNeeded()
      const href = await link.getAttribute('href')
      await link.focus()
      const offset = await scroller.evaluate(({ scrollTop }) => scrollTop)
      const keys = await rowKeys()
      await page.keyboard.press('Enter')
      await page.waitForURL(/strikes\/records\/\d/)
      await page.goBack()
      await page.waitForURL(/search=damage/)
      await expect.poll(() => box.inputValue()).toBe('damage tower')
      await expect.poll(rowKeys).toEqual(keys)
      await expect.poll(() => row.locator('mark').allTextContents()).toHaveLength(2)
      await expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(offset)
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('href')))
        .toBe(href)
    },
  )

  nightly.detail(
    'nothing found by it under a filter tells what each of them keeps out',
    async () => {
      await open('/tables/strikes?search=red-tailed&filter.phase=Parked')
      const kept = page.getByRole('table', { name: 'Rows without each condition' })
      await kept.waitFor()
      await expect.poll(() => kept.getByRole('row').count()).toBeGreaterThan(2)
      await kept.getByRole('link').first().click()
      await expect.poll(() => page.locator('.tw tbody tr').count()).toBeGreaterThan(0)
    },
  )

  nightly.detail('nothing found says so and offers to clear the search', async () => {
    await open('/tables/strikes?search=zzzznothing')
    await page.getByText('Nothing matches “zzzznothing”').waitFor()
    await page.getByRole('link', { name: 'Clear search' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
  })
})

nightly.detail('the mark of loading goes when the answer has come', async () => {
  await open('/tables/strikes')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/tablewire/update', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('columnheader', { name: 'Phase' }).getByRole('button').click()
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor()
  release()
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor({ state: 'detached' })
})

nightly.detail(
  'a total beyond the bound is counted in the background and becomes exact by itself',
  async () => {
    await open('/tables/strike_events?search=e')
    await page.locator('tbody tr').first().waitFor()
    const total = page.locator('.head .total')
    await expect.poll(() => total.textContent(), { timeout: 20_000 }).toMatch(/^\d\d,\d{3}$/)
  },
)

describe('pages', () => {
  nightly.detail('a deep link shows the same rows to whoever opens it', async () => {
    await open('/tables/strikes?sort=-speed_kt')
    await nextPage().click()
    await page.waitForURL(/page=2/)
    const other = await context.newPage()
    await other.goto(page.url())
    const keys = await keysOn(other)
    expect(keys).toHaveLength(25)
    // The rows are drawn a little after the rest of the page.
    await expect.poll(rowKeys).toEqual(keys)
  })

  nightly.detail(
    'the last page ends the table, and its number is the number of pages',
    async () => {
      await open('/tables/airports')
      await page.getByRole('link', { name: 'Last page' }).click()
      await page.waitForURL(/page=last/)
      await page.getByText('Page 136 of 136').waitFor()
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3376 % 25)
      await expect.poll(() => nextPage().getAttribute('aria-disabled')).toBe('true')
      await expect.poll(() => nextPage().getAttribute('href')).toBeNull()
    },
  )

  nightly.detail('a page or size out of range is clamped', async () => {
    await open('/tables/airports?page=99999&size=7000')
    await page.getByText('Page 34 of 34').waitFor()
    // The address that somebody copies says the page that they see.
    await page.waitForURL(/\?page=34&size=7000$/)
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Rows per page' }).inputValue())
      .toBe('100')
  })

  nightly.detail('rows per page', async () => {
    await open('/tables/strikes')
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
    await page.waitForURL(/size=50/)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(50)
  })
})

describe('the rail', () => {
  nightly.detail('lists nothing under Recent where all tables are in sight', async () => {
    await open('/tables/airports')
    await open('/tables/strikes')
    await page.locator('nav h2:text-is("Tables")').waitFor()
    await expect.poll(() => page.locator('nav h2:text-is("Recent")').count()).toBe(0)
  })
})

describe('what cannot be shown', () => {
  nightly.detail.each([
    ['sort=nope', /nope/],
    ['columns=id,secret_thing', /secret_thing/],
    ['colour=red', /colour/],
    ['after=garbage', /place/],
  ])(
    'an address with %s is a 422 page that names it and leads to the list',
    async (query, words) => {
      const response = await open(`/tables/strikes?${query}`)
      expect(response?.status()).toBe(422)
      await page.getByText(words).first().waitFor()
      complaints.splice(0)
      await page.getByRole('link', { name: 'Open the list without it' }).click()
      await page.getByRole('table', { name: 'Strikes' }).waitFor()
    },
  )

  nightly.detail('a table that is not there is a 404 page', async () => {
    const response = await open('/tables/nothing_like_it')
    expect(response?.status()).toBe(404)
    complaints.splice(0)
  })
})

describe('the look', () => {
  test('density, columns and theme are kept with the account', async () => {
    await open('/tables/strikes')
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('radio', { name: 'Compact' }).click()
    await page.getByRole('checkbox', { name: 'Phase' }).uncheck()
    await page.waitForURL(/columns=/)
    await expect.poll(() => page.getByRole('columnheader', { name: 'Phase' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Theme/ }).click()
    await settled(page)
    const theme = await page.locator('html').getAttribute('data-theme')
    const look = async () => {
      const other = await page.request.get(`${office.origin}/tables/airports`)
      return /<html[^>]*>/.exec(await other.text())?.[0]
    }
    await expect.poll(look).toContain('data-density="compact"')
    await expect.poll(look).toContain(`data-theme="${theme}"`)
  })

  nightly.detail('numbers and dates follow the reader’s locale', async () => {
    const german = await office.signedIn({ locale: 'de-DE' })
    const read = async (context: BrowserContext) => {
      const page = await context.newPage()
      await page.goto(
        `${office.origin}/tables/strikes?sort=-cost_total_usd&columns=incident_date,cost_total_usd`,
      )
      return (await page.locator('tbody tr').first().textContent()) ?? ''
    }
    const [english, other] = [await read(context), await read(german)]
    expect(english).toMatch(/[A-Z][a-z]{2} \d{1,2}, \d{4}.*\d,\d{3}/)
    expect(other).toMatch(/\d{2}\.\d{2}\.\d{4}.*\d\.\d{3}/)
    await german.close()
  })
})

describe('cells by keyboard', () => {
  /** Which row and cell have the focus. */
  const focused = () =>
    page.evaluate(() => {
      const cell = document.activeElement?.closest('tbody :is(th, td)')
      const row = cell?.parentElement
      return cell && row
        ? [
            [...row.parentElement!.children].indexOf(row),
            // The tick is none of the cells that keys go through.
            [...row.querySelectorAll(':scope > :not(.pick)')].indexOf(cell),
          ]
        : null
    })

  /** A key that is pressed before the page is live is kept until it is. */
  const enter = async () => {
    await page.keyboard.press('j')
    await expect.poll(focused).toEqual([0, 0])
  }

  nightly.detail('Home, End and the page keys go through row and table', async () => {
    await open('/tables/airports')
    await enter()
    await page.keyboard.press('End')
    const [, last = 0] = (await focused()) ?? []
    expect(last).toBeGreaterThan(3)
    const steps: [string, number, number][] = [
      ['PageDown', 10, last],
      ['Home', 10, 0],
      ['Control+End', 24, 0],
      ['PageUp', 14, 0],
      ['ArrowRight', 14, 1],
      ['Control+Home', 0, 1],
      ['PageUp', 0, 1],
    ]
    for (const [key, ...place] of steps) {
      await page.keyboard.press(key)
      await expect.poll(async () => [key, await focused()]).toEqual([key, place])
    }
  })

  nightly.detail('the focus stays in its column when the page is turned', async () => {
    await open('/tables/airports')
    await enter()
    for (const key of ['j', 'ArrowRight', 'ArrowRight', ']']) await page.keyboard.press(key)
    await page.waitForURL(/page=2/)
    await expect.poll(focused).toEqual([0, 2])
    await page.keyboard.press('[')
    await expect.poll(() => page.url()).not.toContain('page=2')
    await expect.poll(focused).toEqual([0, 2])
  })
})

nightly.layout(
  'the bar over the rows holds all its buttons at any width of the window',
  async () => {
    await open('/tables/strikes')
    for (const width of [1440, 1000, 920, 861, 800, 700, 641, 640, 390, 320]) {
      await page.setViewportSize({ width, height: 600 })
      const over = await page
        .locator('.bar')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(over, `${width} px`).toBe(0)
    }
  },
)

describe('the columns of a table', () => {
  const NINE = `columns=${[
    ...['airport_name', 'incident_date', 'aircraft_type_id', 'operator_id', 'species_id'],
    ...['phase', 'speed_kt', 'cost_total_usd', 'status'],
  ].join()}`

  /** By how much the rows reach beyond what is seen of them, and which heads are cut. */
  const overflow = () =>
    page.getByRole('region', { name: 'Rows' }).evaluate((region) => ({
      beyond: region.scrollWidth - region.clientWidth,
      cut: [...region.querySelectorAll('thead .name')]
        .filter((name) => name.scrollHeight > name.clientHeight)
        .map(({ textContent }) => textContent),
    }))

  nightly.layout.each(['', 'sort=-cost_total_usd', 'page=last', 'size=100&search=goose'])(
    'fit 1440 px, nine at /tables/strikes?%s, in comfortable density',
    async (query) => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await open(`/tables/strikes?${query}&${NINE}`)
      await page.evaluate(() => (document.documentElement.dataset['density'] = 'comfortable'))
      // Nine, the tick for the page, and the menus of the rows.
      await expect.poll(() => page.getByRole('columnheader').count()).toBe(11)
      await expect.poll(() => overflow()).toEqual({ beyond: 0, cut: [] })
    },
  )

  nightly.layout('fit 1440 px on the pages that follow as well', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(`/tables/strikes?sort=-cost_total_usd&${NINE}`)
    for (const number of [2, 3, 4]) {
      await nextPage().click()
      await page.waitForURL(new RegExp(`page=${number}`))
      await settled(page)
      await expect.poll(() => overflow()).toEqual({ beyond: 0, cut: [] })
    }
  })

  nightly.layout('are cards at 390 px, and nothing reaches beyond them', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/tables/strikes')
    await expect.poll(async () => (await overflow()).beyond).toBe(0)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})

describe('columns', () => {
  const widths = () =>
    page
      .locator('thead th')
      .evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().width))

  nightly.detail('a click on a head moves no column, and no head is cut while sorted', async () => {
    await open('/tables/strikes')
    const before = await widths()
    const heads = page.locator('thead th:has(button)')
    const count = await heads.count()
    for (let at = 0; at < count; at++) {
      await heads.nth(at).getByRole('button').click()
      await expect.poll(() => heads.nth(at).getAttribute('aria-sort')).toBeTruthy()
      await expect.poll(() => widths()).toEqual(before)
      const other = heads.nth((at + 1) % count).getByRole('button')
      await other.click({ modifiers: ['Shift'] })
      await expect.poll(() => page.locator('thead sup').count()).toBe(2)
      const cut = await page
        .locator('thead .name')
        .evaluateAll((names) =>
          names
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent),
        )
      expect(cut).toEqual([])
      await open('/tables/strikes')
    }
  })
})

describe('the width of columns', () => {
  /** Which share of the cells is cut, the room that no column has, px, and the heads that are cut or broken. */
  const cut = () =>
    page.locator('.tw').evaluate((table) => {
      const cells = [...table.querySelectorAll('tbody :is(th, td):not(.pick, .fill)')].filter(
        (cell) => !cell.querySelector('.absent'),
      )
      const isCut = (cell: Element) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        const { paddingLeft, paddingRight } = getComputedStyle(cell)
        const room = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
        return range.getBoundingClientRect().width > room + 0.5
      }
      const names = [...table.querySelectorAll('thead .name')]
      return {
        share: cells.filter(isCut).length / cells.length,
        empty: table.querySelector('thead .fill')!.clientWidth,
        heads: names
          .filter((name) => name.scrollWidth > name.clientWidth || name.clientHeight > 20)
          .map((name) => name.textContent),
      }
    })

  nightly.layout('uses the room there is: nothing is cut beside empty room', async () => {
    await page.setViewportSize({ width: 1440, height: 1080 })
    await open('/tables/strikes')
    await expect.poll(async () => (await cut()).heads).toEqual([])
    // All that the twelve columns need is more than there is, so the table scrolls.
    await expect.poll(async () => (await cut()).empty).toBe(0)
    await expect.poll(async () => (await cut()).share).toBeLessThan(0.05)
    await page.setViewportSize({ width: 1920, height: 1080 })
    await expect.poll(async () => (await cut()).share).toBeLessThan(0.02)
    await page.setViewportSize({ width: 2560, height: 1080 })
    await expect.poll(async () => (await cut()).share).toBe(0)
    // Long text takes what is left, and all of the others is shown.
    await open('/tables/damage_reports')
    await expect.poll(async () => (await cut()).share).toBe(0)
  })

  nightly.layout('stays when the page becomes live and is turned', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 })
    const places = () =>
      page
        .locator('thead th')
        .evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().x))
    const letGo = await holdScript(page, 'main')
    await page.goto(`${office.origin}/tables/strikes`, { waitUntil: 'commit' })
    await page.locator('.foot').waitFor()
    const drawn = await places()
    letGo()
    await hydrated(page)
    await expect.poll(() => places()).toEqual(drawn)
    await nextPage().click()
    await page.waitForURL(/page=2/)
    await settled(page)
    await expect.poll(() => places()).toEqual(drawn)
  })
})

describe('the collapsed rail', () => {
  nightly.detail('shows every table, each with its name', async () => {
    await open('/tables/airports')
    const links = page.getByRole('navigation', { name: 'Tables' }).getByRole('link')
    await page.getByRole('button', { name: 'Collapse the sidebar' }).click()
    await expect.poll(() => links.count()).toBeGreaterThan(4)
    const link = links.filter({ hasText: 'Species' }).first()
    await link.hover()
    await page.getByRole('tooltip').getByText('Species').waitFor()
    await page.getByRole('button', { name: 'Expand the sidebar' }).click()
  })
})

describe('at 390 px', () => {
  test('a card shows what it is sorted by, and the foot leads everywhere', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/tables/strikes?sort=-speed_kt')
    const speed = page.locator('tbody tr').first().locator('.labelled')
    await speed.waitFor()
    await expect.poll(() => speed.getAttribute('data-label')).toBe('Speed kt')
    await page.getByRole('button', { name: 'Display' }).click()
    const sheet = page.getByRole('dialog', { name: 'Display' })
    await sheet.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(50)
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Page 1 of 200' }).click()
    // The field has the focus once its sheet has opened, and its number is selected.
    const number = page.getByRole('textbox', { name: 'Go to page' })
    await number.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('200')
    await page.getByRole('button', { name: 'Go', exact: true }).click()
    await page.getByText('9,951–10,000 of 10,000').first().waitFor()
    await expect
      .poll(() => page.locator('.foot').evaluate((foot) => foot.getBoundingClientRect().height))
      .toBe(44)
    await settled(page)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    // What a search has found is in sight, though the card has no place for its column.
    const species = page.locator('tbody tr').first().locator('td:has(mark)').first()
    await page.getByRole('searchbox', { name: 'Search' }).fill('european starling')
    await expect.poll(() => species.textContent()).toBe('European starling')
    await expect.poll(() => species.isVisible()).toBe(true)
  })
})
