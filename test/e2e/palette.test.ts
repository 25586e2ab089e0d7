/** The palette and the keys of a page, in a real browser. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/server/app-error.ts'
import { sourceWith } from '../source-with.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { type Office, openOffice, settled } from './office.ts'
import { holdScript } from './page-probe.ts'

let office: Office
let context: BrowserContext
let page: Page

/** Whether airports take longer to search than a search may. */
let isSlow = false

beforeAll(async () => {
  office = await openOffice(undefined, {
    wrap: (source) =>
      sourceWith(source, {
        page: (access, query, run) =>
          isSlow && access.table.name === 'airports'
            ? Promise.reject(new AppError('QUERY_TIMEOUT'))
            : source.page(access, query, run),
      }),
  })
})
afterAll(() => office.close())

beforeEach(async () => {
  context = await office.signedIn()
  page = await context.newPage()
})
afterEach(() => context.close())

const dialog = () => page.getByRole('dialog', { name: 'Commands' })
/** Waits until it is gone: for a moment it is only hidden, and the page takes it for open. */
const closed = () =>
  page.getByRole('dialog', { name: 'Commands', includeHidden: true }).waitFor({ state: 'detached' })
const box = () => dialog().getByRole('combobox', { name: 'Find a table, a record or an action' })
const option = (name: string | RegExp) => dialog().getByRole('option', { name })
const options = () => dialog().getByRole('option')
/** The button that searches once more what has failed or took too long. */
const again = () => dialog().getByRole('button', { name: 'Try again' })

/** Waits for a record. On a busy machine a search may take too long, which the palette says. */
async function found(name: RegExp) {
  const record = option(name)
  await record.or(again()).first().waitFor()
  while (!(await record.isVisible())) {
    await again().click()
    await record.or(again()).first().waitFor()
  }
  return record
}

/** The option that Enter would choose. */
const active = () => dialog().getByRole('option', { selected: true })

/** Opens the page, and waits until it answers to keys: a little after it is there. */
async function visit(path: string) {
  await page.goto(office.origin + path)
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('#app')!.firstElementChild ?? {}).some((key) =>
      key.startsWith('__react'),
    ),
  )
  await settled(page)
}

async function openPalette(text = '') {
  await page.keyboard.press('Control+k')
  await box().waitFor()
  if (text !== '') await box().fill(text)
}

/** Holds the palette's searches until `answer` is called. */
async function holdFinds() {
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(UPDATE, async (route) => {
    if ((route.request().postData() ?? '').includes('"method":"find"')) await held
    await route.continue().catch(() => undefined)
  })
  return { answer: () => answer() }
}

/** The texts that were asked for and the requests that were given up. */
function watchFinds() {
  const asked: string[] = []
  const aborted: string[] = []
  const textOf = (body: string | null) =>
    /"method":"find","params":\["([^"]*)"/.exec(body ?? '')?.[1]
  page.on('request', (request) => {
    const text = textOf(request.postData())
    if (text !== undefined) asked.push(text)
  })
  page.on('requestfailed', (request) => {
    const text = textOf(request.postData())
    if (text !== undefined) aborted.push(text)
  })
  return { asked, aborted }
}

describe('the palette', () => {
  nightly.detail('opens by the button in the rail, and in the bar of a narrow page', async () => {
    await visit('/tables/airports')
    await page.getByRole('button', { name: 'Find or do' }).first().click()
    await dialog().getByRole('button', { name: 'Close' }).click()
    await closed()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('banner').getByRole('button', { name: 'Find or do' }).click()
    await box().waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('is loaded on first use, opens by its keys, finds records over all tables, and opens the first by Enter', async () => {
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    await visit('/tables/airports')
    expect(scripts.filter((url) => /dialogs/.test(url))).toEqual([])
    let go = () => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    await page.route(/dialogs/, (route) => held.then(() => route.continue()))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('themee')
    await page.keyboard.press('Backspace')
    go()
    await box().waitFor()
    await expect.poll(() => box().inputValue()).toBe('theme')
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('system')
    await page.keyboard.press('Escape')
    await closed()

    // It opens by its keys even in a field, and Escape gives the focus back.
    await page.getByRole('searchbox', { name: 'Search' }).focus()
    await openPalette()
    await expect.poll(() => box().evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await closed()
    const focused = await page.evaluate(() => document.activeElement?.id)
    expect(focused).toBe('search')

    // “?” alone opens the dialog of all keys, and is not searched for.
    const { asked } = watchFinds()
    await openPalette()
    await page.keyboard.type('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.waitFor()
    await expect.poll(() => dialog().count()).toBe(0)
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await openPalette()
    await expect.poll(() => box().inputValue()).toBe('')
    await page.keyboard.type('a?')
    await expect.poll(() => box().inputValue()).toBe('a?')
    expect(asked).not.toContain('?')

    await box().fill('memphis muni')
    await found(/^Memphis Municipal Airports/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Memphis Municipal' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/tables\/airports\/records\//)
  })

  nightly.detail('what is typed from the moment it is drawn is its own', async () => {
    await visit('/tables/airports')
    const isTaken = page.evaluate(
      () =>
        new Promise<boolean>((resolve) =>
          new MutationObserver((_, observer) => {
            if (!document.querySelector('dialog[open]')) return
            observer.disconnect()
            const key = { key: 'm', bubbles: true, cancelable: true }
            resolve(!document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key)))
          }).observe(document.body, { subtree: true, childList: true, attributes: true }),
        ),
    )
    await page.keyboard.press('Control+k')
    expect(await isTaken).toBe(false)
  })

  nightly.detail('offers what the page brings after it was opened', async () => {
    const listWorks = await holdScript(page, 'list-work')
    await visit('/tables/airports')
    await openPalette('export')
    await dialog()
      .getByText(/^Nothing/)
      .first()
      .waitFor()
    listWorks()
    await option('Export…').waitFor()
  })

  nightly.detail('says so if it cannot be loaded', async () => {
    await visit('/tables/airports')
    await page.route(/dialogs/, (route) => route.abort())
    // Asked for again while nothing is said: this is about the message, not about when keys are heard.
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+k')
        return page.getByText('This could not be loaded.').count()
      })
      .toBeGreaterThan(0)
  })

  nightly.detail('Enter waits for what is still searched, and opens the first of it', async () => {
    await visit('/tables/strikes')
    await openPalette()
    const { answer } = await holdFinds()
    await page.keyboard.type('canada goose')
    await page.keyboard.press('Enter')
    answer()
    await page.getByRole('heading', { level: 1, name: 'Canada goose' }).waitFor()
    await expect.poll(() => dialog().count()).toBe(0)
  })

  nightly.detail('Enter is forgotten once the person types on', async () => {
    await visit('/tables/strikes')
    await openPalette()
    const { answer } = await holdFinds()
    await page.keyboard.type('canada goos')
    await page.keyboard.press('Enter')
    await page.keyboard.type('e')
    answer()
    await found(/^Canada goose/)
    expect(new URL(page.url()).pathname).toBe('/tables/strikes')
  })

  nightly.detail(
    'Enter that comes before the palette is loaded counts, but only once',
    async () => {
      await visit('/tables/strikes')
      let go = () => {}
      const held = new Promise<void>((resolve) => (go = resolve))
      await page.route(/dialogs/, (route) => held.then(() => route.continue()))
      await page.keyboard.press('Control+k')
      await page.keyboard.type('canada goosee')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Enter')
      go()
      await page.getByRole('heading', { level: 1, name: 'Canada goose' }).waitFor()
      await openPalette()
      await expect.poll(() => box().inputValue()).toBe('')
    },
  )

  nightly.detail('exports as the menu of the page does', async () => {
    await visit('/tables/airports?search=new+york')
    await openPalette('export')
    await option('Export…').waitFor()
    await option('Export CSV').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Enter'),
    ])
    expect(download.suggestedFilename()).toMatch(/^Airports .*\.csv$/)
  })

  nightly.detail('signs out', async () => {
    await visit('/tables/airports')
    await openPalette('sign out')
    await option('Sign out').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await office.renew()
  })

  nightly.detail('finds a row by its key first', async () => {
    await visit('/tables/airports')
    await openPalette('17')
    await found(/Strikes, key 17$/)
    const groups = dialog().getByRole('group', { name: 'Records' })
    await expect.poll(() => groups.getByRole('option').first().textContent()).toMatch(/ 17/)
  })

  nightly.detail('finds tables and commands at once, without the server', async () => {
    await visit('/tables/strikes')
    await page.route('**/tablewire/update', () => undefined)
    await openPalette('air')
    await option('Airports').waitFor()
    await box().fill('sidebar')
    await option('Collapse the sidebar').click()
    await closed()
    await page.getByRole('button', { name: 'Expand the sidebar' }).waitFor()
  })

  nightly.detail('is walked by arrows, Home and End, and tells where one is', async () => {
    await visit('/tables/strikes')
    await openPalette()
    const at = async () => {
      const id = await box().getAttribute('aria-activedescendant')
      await expect.poll(() => active().getAttribute('id')).toBe(id)
      return (await options().evaluateAll((all) => all.map(({ id }) => id))).indexOf(id ?? '')
    }
    const last = (await options().count()) - 1
    expect(last).toBeGreaterThan(10)
    const steps: [key: string, place: number][] = [
      ['ArrowDown', 1],
      ['End', last],
      ['ArrowDown', 0],
      ['ArrowUp', last],
      ['Home', 0],
    ]
    expect(await at()).toBe(0)
    for (const [key, place] of steps) {
      await page.keyboard.press(key)
      expect([key, await at()]).toEqual([key, place])
    }
  })

  nightly.detail('Ctrl-Enter opens a new tab and leaves the palette open', async () => {
    await visit('/tables/strikes')
    await openPalette('airports')
    await option('Airports').waitFor()
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.keyboard.press('Control+Enter'),
    ])
    await tab.getByRole('table', { name: 'Airports' }).waitFor()
    await expect.poll(() => dialog().isVisible()).toBe(true)
  })

  nightly.detail('gives up what was asked when the person types on', async () => {
    await visit('/tables/strikes')
    const { asked, aborted } = watchFinds()
    await page.route('**/tablewire/update', async (route) => {
      const isFirst = route.request().postData()?.includes('["mem"]')
      if (!isFirst) await route.continue()
    })
    await openPalette('mem')
    await expect.poll(() => asked).toEqual(['mem'])
    await dialog().getByRole('progressbar', { name: 'Searching records' }).waitFor()
    await box().pressSequentially('phis')
    await found(/^Memphis Municipal/)
    expect([asked.at(-1), aborted[0]]).toEqual(['memphis', 'mem'])
    await page.keyboard.press('Escape')
  })

  nightly.detail('keeps what was opened last, in this tab', async () => {
    await visit('/tables/strikes')
    await openPalette('memphis muni')
    await (await found(/^Memphis Municipal Airports/)).click()
    await page.getByRole('heading', { level: 1, name: 'Memphis Municipal' }).waitFor()
    await openPalette()
    const recent = dialog().getByRole('group', { name: 'Recent' }).getByRole('option')
    await expect.poll(() => recent.first().textContent()).toContain('Memphis Municipal')
    await page.evaluate(() => {
      const stored = JSON.parse(sessionStorage.getItem('tablewire-recent')!) as { person: string }
      sessionStorage.setItem('tablewire-recent', JSON.stringify({ ...stored, person: 'x@y.org' }))
    })
    await page.keyboard.press('Escape')
    await closed()
    await openPalette()
    await expect.poll(() => dialog().getByText('Memphis Municipal').count()).toBe(0)
  })

  nightly.detail('says that nothing was found', async () => {
    await visit('/tables/strikes')
    await openPalette('zzzqqq')
    await dialog().getByText('Nothing found for “zzzqqq”').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/strikes\?search=zzzqqq$/)
  })

  nightly.detail('says that the search failed, and tries again', async () => {
    await visit('/tables/strikes')
    await page.route('**/tablewire/update', (route) =>
      route.fulfill({
        status: 500,
        json: { error: { code: 'SERVER_ERROR', message: 'It broke.', reference: 'r' } },
      }),
    )
    await openPalette('memphis muni')
    await page.getByRole('dialog', { name: 'Server error' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog().getByRole('alert').getByText('could not be searched').waitFor()
    await page.unroute('**/tablewire/update')
    await again().click()
    await found(/^Memphis Municipal Airports/)
  })

  nightly.detail('says that a table took too long, and searches it again', async () => {
    await visit('/tables/strikes')
    isSlow = true
    await openPalette('memphis muni')
    await dialog().getByText('Some tables took too long to search.').waitFor()
    await expect.poll(() => option(/^Memphis Municipal Airports/).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    isSlow = false
    await again().click()
    await found(/^Memphis Municipal Airports/)
    // What was typed has the focus again, once the button has gone.
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Memphis Municipal' }).waitFor()
  })

  nightly.detail('says that it is offline, and goes on by itself', async () => {
    await visit('/tables/strikes')
    await page.route('**/tablewire/update', (route) => route.abort())
    await openPalette('memphis muni')
    await dialog().getByText('Offline. Retrying…').waitFor()
    await page.unroute('**/tablewire/update')
    await found(/^Memphis Municipal Airports/)
  })
})

describe('every key that is listed does what it says', () => {
  /** The keys of the dialog, as they are registered. */
  async function listed(): Promise<string[]> {
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' }).locator('[data-keys]')
    await keys.first().waitFor()
    const all = await keys.evaluateAll((those) =>
      those.map((one) => (one as HTMLElement).dataset.keys),
    )
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
    return all.map(String)
  }

  const press = async (keys: string) => {
    for (const key of keys.split(' ')) await page.keyboard.press(key.replace('Mod+', 'Control+'))
  }

  const theme = () => page.locator('html').getAttribute('data-theme')
  let themeBefore: string | null

  type Effects = { readonly [keys: string]: () => Promise<unknown> }

  const ANYWHERE: Effects = {
    'Mod+k': () => box().waitFor(),
    // The table that was opened last.
    'g h': () => page.waitForURL(/\/tables\/[a-z_]+$/),
    t: () => expect.poll(theme).not.toBe(themeBefore),
    '?': () => page.getByRole('dialog', { name: 'Keys' }).waitFor(),
  }

  /** Whether keys still mean what they mean on a fresh page of this address. */
  const isUntouched = (path: string) =>
    page.evaluate(
      (address) =>
        location.pathname + location.search === address &&
        !document.querySelector('dialog[open], :popover-open, .peek, tbody input:checked') &&
        !document.activeElement?.matches('input'),
      path,
    )

  async function pressAll(path: string, effects: Effects, before: () => Promise<unknown>) {
    await visit(path)
    const keys = await listed()
    expect(keys.toSorted()).toEqual(Object.keys(effects).toSorted())
    for (const name of keys) {
      if (!(await isUntouched(path))) await visit(path)
      themeBefore = await theme()
      await before()
      await press(name)
      await effects[name]!()
    }
  }

  nightly.lengthy('on a list', async () => {
    /** Waits until the focus is in this row and cell. */
    const at = (row: number, cell: number) => () =>
      expect
        .poll(() =>
          page.evaluate(() => {
            const cell = document.activeElement?.closest('tbody :is(th, td)')
            const row = cell?.parentElement
            const ticked = row?.querySelectorAll(':scope > :not(.pick)')
            const places = [row?.parentElement?.children, ticked].map((all) => [...(all ?? [])])
            return [places[0]!.indexOf(row!), places[1]!.indexOf(cell!)]
          }),
        )
        .toEqual([row, cell])
    await visit('/tables/airports?page=2')
    const cells = await page
      .locator('tbody tr')
      .first()
      .locator(':is(th, td):visible:not(.fill, .pick)')
      .count()
    const selected = (rows: string) => () =>
      page
        .getByRole('region', { name: 'Selection' })
        .getByText(`${rows} selected`, { exact: true })
        .waitFor()
    // From the second cell of the twelfth row.
    const effects: Effects = {
      ...ANYWHERE,
      '/': () => page.locator('#search:focus').waitFor(),
      v: () => page.locator('.menu:popover-open').waitFor(),
      x: selected('1'),
      J: selected('2'),
      K: selected('2'),
      'Shift+ArrowDown': selected('2'),
      'Shift+ArrowUp': selected('2'),
      'Mod+a': selected('25'),
      'Mod+Shift+a': () => page.locator('#select-all[aria-pressed=true]').waitFor(),
      b: () => page.getByRole('menu', { name: 'Bulk actions' }).waitFor(),
      Escape: async () => {
        await press('x')
        await selected('1')()
        await press('Escape')
        await selected('0')()
      },
      f: () => page.getByRole('region', { name: 'Filters', exact: true }).waitFor(),
      '.': () => page.locator('.filtermenu:popover-open').waitFor(),
      j: at(12, 1),
      k: at(10, 1),
      ArrowDown: at(12, 1),
      ArrowUp: at(10, 1),
      ArrowLeft: at(11, 0),
      ArrowRight: at(11, 2),
      Home: at(11, 0),
      End: at(11, cells - 1),
      'Mod+Home': at(0, 1),
      'Mod+End': at(24, 1),
      PageDown: at(21, 1),
      PageUp: at(1, 1),
      Enter: () => page.waitForURL(/\/records\//),
      'Mod+Enter': () => page.waitForURL(/\/records\//),
      F2: () => page.getByText('Changes to this database are not allowed.').first().waitFor(),
      'Mod+Shift+s': () => page.getByRole('dialog', { name: 'Save view' }).waitFor(),
      'Mod+c': () => page.getByText('Copied.', { exact: true }).first().waitFor(),
      Space: () => page.locator('.peek').waitFor(),
      ']': () => page.waitForURL(/page=3/),
      '[': () => page.waitForURL((url) => !url.search.includes('page=2')),
    }
    await pressAll('/tables/airports?page=2', effects, async () => {
      const way = ['j', 'Control+Home', 'Home', 'PageDown', 'j', 'ArrowRight']
      for (const key of way) await page.keyboard.press(key)
      await at(11, 1)()
    })
  })

  nightly.detail(
    'on the first and on the last page of a list, both keys that turn pages are listed',
    async () => {
      for (const place of ['1', 'last']) {
        await visit(`/tables/airports?page=${place}`)
        expect(await listed()).toEqual(expect.arrayContaining(['[', ']', 'Escape']))
      }
      // There, one of them does nothing, and the palette does not offer it.
      await page.keyboard.press('Escape')
      await openPalette('page')
      await option('Previous page').waitFor()
      await expect.poll(() => option('Next page').count()).toBe(0)
    },
  )

  nightly.detail('on a row', async () => {
    const effects: Effects = {
      ...ANYWHERE,
      j: () => page.waitForURL(/records\/4($|\?)/),
      k: () => page.waitForURL(/records\/2($|\?)/),
      u: () => page.getByRole('table', { name: 'Species' }).waitFor(),
    }
    await pressAll('/tables/species/records/3', effects, () => Promise.resolve())
  })
})

const UPDATE = '**/tablewire/update'

/** States of the palette, each reached from the one before. */
const STATES: readonly [name: string, act: () => Promise<unknown>][] = [
  ['empty', () => openPalette()],
  [
    'with results',
    async () => {
      await box().fill('mem')
      await option(/^Memphis Municipal/).waitFor()
    },
  ],
  [
    'with nothing found',
    async () => {
      await box().fill('zzzqqq')
      await dialog().getByText('Nothing found').first().waitFor()
    },
  ],
  [
    'while it searches',
    async () => {
      await page.route(UPDATE, () => undefined)
      await box().fill('zzzqqx')
      await dialog().getByRole('progressbar').waitFor()
    },
  ],
  [
    'offline',
    async () => {
      await page.unroute(UPDATE)
      await page.route(UPDATE, (route) => route.abort())
      await box().fill('zzzqqy')
      await dialog().getByText('Offline. Retrying…').waitFor()
    },
  ],
  [
    'failing',
    async () => {
      await page.unroute(UPDATE)
      await page.route(UPDATE, (route) => route.fulfill({ status: 500, json: {} }))
      await box().fill('zzzqqz')
      await page.getByRole('dialog').nth(1).waitFor()
      await page.keyboard.press('Escape')
      await dialog().getByRole('alert').waitFor()
    },
  ],
]

nightly.layout.each([1440, 390])(
  'axe is silent in every state of the palette at %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await visit('/tables/strikes')
    for (const [name, act] of STATES) {
      await act()
      expect([name, await violations(page)]).toEqual([name, []])
    }
  },
)
