/** Moving between pages in place: links, the back button, what is fetched ahead, and where one is then. */

import type { BrowserContext, Locator, Page, Request, Route } from 'playwright-core'
import { nightly } from '../nightly.ts'
import { withoutSocket, followRest } from './page-probe.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  BACK_CACHE_PAGES,
  HOVER_PREFETCH_MS,
  PROGRESS_BAR_DELAY_MS,
  TOOLTIP,
} from '../../src/protocol/constants.ts'
import { collectComplaints, type Office, standardOffice, settled } from './office.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]
/** Requests for pages, in their order. */
let pages: { readonly kind: string; readonly path: string; readonly headers: Request['headers'] }[]

beforeAll(async () => void (office = await standardOffice()))
afterAll(() => office.close())

beforeEach(async () => {
  context = await office.signedIn()
  page = await context.newPage()
  complaints = collectComplaints(page)
  pages = []
  page.on('request', (request) => {
    const value = request.headers()['x-tablewire-navigate']
    const { pathname, search } = new URL(request.url())
    const kind = request.isNavigationRequest() ? 'document' : (value ?? '')
    if (kind) pages.push({ kind, path: pathname + search, headers: () => request.headers() })
  })
})

afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

const open = async (path: string) => {
  await page.goto(office.origin + path)
  await hydrated()
  await settled(page)
  pages.splice(0)
}
/** React has taken over when the script sees keys. */
const hydrated = () =>
  page.waitForFunction(
    () => history.state?.tablewire !== undefined && document.readyState === 'complete',
  )
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const rail = () => page.getByRole('complementary')
const table = (name: string) =>
  page.locator(`nav h2:text-is("Tables") + ul a[href="/tables/${name.toLowerCase()}"]`)
const rowLink = (at: number) =>
  page.locator('tbody tr').nth(at).getByRole('rowheader').getByRole('link')
const kinds = () => pages.map(({ kind }) => kind)
/** What was fetched for somebody to see, whether ahead or not. */
const fetched = () => pages.filter(({ kind }) => kind !== 'shown').map(({ path }) => path)
/** What was fetched for a page that was opened: the focus, where it is put back, fetches ahead. */
const opened = () => pages.filter(({ kind }) => kind === '1').map(({ path }) => path)
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
/** Clicks without the pointer, so that nothing is fetched ahead. */
const activate = (link: Locator) => link.evaluate((element) => (element as HTMLElement).click())

describe('a link', () => {
  test('is fetched in place with the navigation header, in one round trip (spec §2, §7), and leaves the shell as it is', async () => {
    await withoutSocket(page)
    await page.setViewportSize({ width: 1200, height: 400 })
    await open('/tables/airports')
    await rail().evaluate((element) => {
      Object.assign(element, { mark: true })
      element.querySelector('nav')!.scrollTop = 60
    })
    const scrolled = () =>
      rail()
        .locator('nav')
        .evaluate(({ scrollTop }) => scrollTop)
    const before = await scrolled()
    await activate(rowLink(2))
    await page.waitForURL(/\/records\//)
    expect(kinds()).toEqual(['1'])
    await expect.poll(() => rail().evaluate((element) => 'mark' in element)).toBe(true)
    await expect.poll(() => scrolled()).toBe(before)
    const headers = pages[0]!.headers()
    expect(headers['x-requested-with']).toBe('XMLHttpRequest')
    expect(headers['x-socket-id']).toBeUndefined()
    await activate(page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').last())
    await page.getByRole('table', { name: 'Airports' }).waitFor()
    await activate(table('Species'))
    await page.getByRole('table', { name: 'Species' }).waitFor()
    expect(kinds()).toEqual(['1', '1', '1'])
    // No page that is not shown stays in the document.
    await expect.poll(() => page.locator('h1').count()).toBe(1)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
    await expect.poll(() => page.title()).toBe('Species · demo')
    await expect.poll(() => page.locator('nav a[aria-current]').textContent()).toContain('Species')
    await activate(table('Airports'))
    await heading('Airports').waitFor()

    // Without a network it leaves the page as it is, says so, and leads on when it is back.
    await page.route('**/tables/species', (route) => route.abort('internetdisconnected'))
    await activate(table('Species'))
    await page.getByText('Offline. Retrying…').waitFor()
    await expect.poll(() => page.getByRole('table', { name: 'Airports' }).count()).toBe(1)
    await page.unroute('**/tables/species')
    // A try that was under way may fail once more, so ask until the page is there. The button goes when
    // it comes, perhaps just as it is pressed.
    const tryNow = page.getByRole('button', { name: 'Try now' })
    await expect
      .poll(async () => {
        await tryNow.click({ timeout: 1000 }).catch(() => undefined)
        return heading('Species').isVisible()
      })
      .toBe(true)
    await expect.poll(() => page.getByText('Offline. Retrying…').count()).toBe(0)
    expect(kinds()).not.toContain('document')
    complaints.splice(0)
  })

  nightly.detail(
    'with a modifier, to a new window, to be saved or to a place on the page is the browser’s',
    async () => {
      await open('/tables/airports')
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        table('Species').click({ modifiers: ['ControlOrMeta'] }),
      ])
      await tab.getByRole('table', { name: 'Species' }).waitFor()
      await tab.close()
      expect(new URL(page.url()).pathname).toBe('/tables/airports')
      expect(kinds().filter((kind) => kind === '1')).toEqual([])
      const documents = () => pages.filter(({ kind }) => kind === 'document').length
      await table('Species').evaluate((link) => link.setAttribute('data-native', ''))
      await table('Species').click()
      await heading('Species').waitFor()
      expect(documents()).toBe(1)
    },
  )

  nightly.detail('that is redirected has the address of the page that it led to', async () => {
    await open('/tables/airports')
    await activate(page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').first())
    await page.getByRole('table', { name: 'Strikes' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/tables/strikes')
    expect(kinds()).not.toContain('document')
  })

  /** Points a link elsewhere, and clicks it. */
  const lead = (href: string) =>
    table('Species').evaluate((link, to) => {
      link.setAttribute('href', to)
      ;(link as HTMLElement).click()
    }, href)

  nightly.detail.each(['/tables/nothing_like_it', '/tables/strikes?sort=nope'])(
    'to %s shows the page that says why, in place, at its address',
    async (href) => {
      await open('/tables/airports')
      await lead(href)
      await page.waitForURL(office.origin + href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(kinds()).toEqual(['1'])
      complaints.splice(0)
      await page.goBack()
      await page.getByRole('table', { name: 'Airports' }).waitFor()
      expect(kinds()).toEqual(['1'])
    },
  )

  nightly.detail.each<[string, (route: Route) => Promise<void>]>([
    [
      'the client has changed',
      async (route) => {
        const response = await route.fetch()
        const body = { ...((await response.json()) as object), assets: { version: 'other' } }
        return route.fulfill({ response, json: body })
      },
    ],
    [
      'a proxy answers',
      (route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    ],
    [
      'the session has ended',
      (route) =>
        route.fulfill({ status: 401, json: { error: { code: 'SIGN_IN_REQUIRED', message: '' } } }),
    ],
    [
      'another origin answers',
      (route) => route.fulfill({ status: 302, headers: { location: 'https://sign-in.invalid/' } }),
    ],
  ])('loads a document where %s', async (_, answer) => {
    await open('/tables/airports')
    await page.route('**/tables/species', (route) =>
      route.request().isNavigationRequest() ? route.continue() : answer(route),
    )
    await activate(table('Species'))
    await page.getByRole('table', { name: 'Species' }).waitFor()
    expect(kinds().filter((kind) => kind !== '1')).toEqual(['document'])
    complaints.splice(0)
  })
})

describe('after a move', () => {
  nightly.detail('a row’s own page leads back to the row in the list', async () => {
    await open('/tables/airports')
    const key = await page.locator('tbody tr').nth(3).getAttribute('data-row-key')
    await activate(rowLink(3))
    await page.waitForURL(/\/records\//)
    await page.keyboard.press('u')
    await page.getByRole('table', { name: 'Airports' }).waitFor()
    await expect
      .poll(() =>
        page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('data-row-key')),
      )
      .toBe(key)
  })
})

describe('the back button', () => {
  const announced = () => page.locator('p[role=status]', { hasText: '· demo' }).allTextContents()

  test('shows a kept page in one frame, where one was in it, and refreshes it; a move begins at the heading', async () => {
    await open('/tables/airports')
    const scroller = page.getByRole('region', { name: 'Rows' })
    await scroller.evaluate((region) => region.scrollTo({ top: 222 }))
    await rowLink(20).focus()
    const top = await scroller.evaluate(({ scrollTop }) => scrollTop)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/records\//)
    pages.splice(0)
    const refreshed = page.waitForRequest((request) => {
      if (!request.url().endsWith('/tablewire/update')) return false
      const body = request.postDataJSON() as { components: { calls: [] }[] }
      return body.components.every(({ calls }) => calls.length === 0)
    })
    // In the first frame after the press, before anything was fetched.
    const shown = await page.evaluate(
      () =>
        new Promise<{ heading: string; top: number; focused: string }>((resolve) => {
          addEventListener(
            'popstate',
            () =>
              requestAnimationFrame(() =>
                resolve({
                  heading: document.querySelector('h1')!.textContent,
                  top: document.querySelector('.scroller')!.scrollTop,
                  focused: document.activeElement!.closest('tr')?.dataset['rowKey'] ?? '',
                }),
              ),
            { once: true },
          )
          history.back()
        }),
    )
    const key = await page.locator('tbody tr').nth(20).getAttribute('data-row-key')
    expect(shown).toEqual({ heading: 'Airports', top, focused: key })
    await refreshed
    expect(opened()).toEqual([])

    // After a move the heading has the focus, the title is announced, and the page begins at its top.
    await page.setViewportSize({ width: 390, height: 700 })
    await page.evaluate(() => scrollTo(0, 900))
    await activate(rowLink(4))
    await page.waitForURL(/\/records\//)
    const title = (await page.getByRole('heading', { level: 1 }).textContent())!
    await expect.poll(focused).toBe(title)
    await expect.poll(() => announced()).toEqual([`${title} · demo`])
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  })

  nightly.detail('keeps the last 10 pages, and fetches older ones (spec §2, §9)', async () => {
    await open('/tables/airports')
    await activate(rowLink(0))
    await page.waitForURL(/\/records\//)
    const seen = [page.url()]
    for (let n = 1; n <= BACK_CACHE_PAGES + 1; n++) {
      const next = page.locator('a[rel=next][href]')
      await next.waitFor()
      await activate(next)
      await page.waitForURL((url) => url.href !== seen.at(-1))
      seen.push(page.url())
    }
    pages.splice(0)
    for (const address of seen.toReversed().slice(1, BACK_CACHE_PAGES + 1)) {
      await page.goBack()
      await page.waitForURL(address)
    }
    expect(opened()).toEqual([])
    await page.goBack()
    await expect.poll(fetched).toEqual([new URL(seen[0]!).pathname + new URL(seen[0]!).search])
    expect(kinds()).toEqual(['1'])
  })

  nightly.detail('shows states of one list as they were, and the way forward too', async () => {
    await open('/tables/strikes')
    await page.getByRole('link', { name: 'Next page' }).click()
    const range = (text: RegExp) => page.getByText(text).first().waitFor()
    await range(/^26–50 of/)
    await settled(page)
    await activate(rowLink(0))
    await page.waitForURL(/\/records\//)
    pages.splice(0)
    await page.goBack()
    await range(/^26–50 of/)
    await page.goBack()
    await range(/^1–25 of/)
    await page.goForward()
    await range(/^26–50 of/)
    expect(opened()).toEqual([])
  })

  test('shows nothing of the tables after signing out', async () => {
    await open('/tables/airports')
    for (const name of ['Species', 'Operators']) {
      await activate(table(name))
      await heading(name).waitFor()
    }
    await page.getByRole('button', { name: 'Ana Kovač' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/sign-in/)
    for (let n = 0; n < 3; n++) {
      await page.goBack().catch(() => null)
      await expect.poll(() => page.locator('tbody tr').count()).toBe(0)
    }
    complaints.splice(0)
    // The next tests use the same session.
    await office.renew()
  })

  nightly.detail('after a reload shows the page where one was', async () => {
    await page.setViewportSize({ width: 390, height: 700 })
    await open('/tables/airports')
    await page.evaluate(() => scrollTo(0, 600))
    await page.reload()
    await hydrated()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(600)
  })

  test('is not lost before the page listens', async () => {
    await open('/tables/airports')
    await rowLink(0).click()
    await page.locator('dl.fields').first().waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await page.locator('dl.fields').first().waitFor()
    await page.evaluate(() => history.back())
    await page.waitForURL('**/tables/airports', { waitUntil: 'commit' })
    held.resolve()
    await heading('Airports').waitFor()
    await rowLink(0).click()
    await page.locator('dl.fields').first().waitFor()
  })
})

describe('a link that is pointed at', () => {
  /** Notes when the pointer came, and when a request left. */
  const watch = () =>
    page.evaluate(() => {
      const times = { over: 0, asked: 0 }
      Object.assign(window, { times })
      const ask = window.fetch
      window.fetch = (...args) => {
        times.asked ||= performance.now()
        return ask(...args)
      }
      const note = () => (times.over ||= performance.now())
      addEventListener('pointerover', note, { capture: true })
    })
  const times = () =>
    page.evaluate(() => (window as unknown as { times: { over: number; asked: number } }).times)

  nightly.benchmark(
    'is fetched after 60 ms, and not if the pointer goes on before (spec §2, §9)',
    async () => {
      await withoutSocket(page)
      await open('/tables/airports')
      await page.mouse.move(700, 60)
      await watch()
      await table('Species').hover()
      await expect.poll(kinds).toEqual(['prefetch'])
      const { over, asked } = await times()
      expect(asked - over).toBeGreaterThanOrEqual(HOVER_PREFETCH_MS)
      expect(asked - over).toBeLessThan(HOVER_PREFETCH_MS * 20)
      const headers = pages[0]!.headers()
      expect(headers['x-requested-with']).toBe('XMLHttpRequest')
      expect(headers['x-socket-id']).toBeUndefined()
      pages.splice(0)
      // In one step of the script, so that no time passes.
      await table('Operators').evaluate((link) => {
        const over = { bubbles: true, pointerType: 'mouse' }
        link.dispatchEvent(new PointerEvent('pointerover', over))
        document.body.dispatchEvent(new PointerEvent('pointerover', over))
      })
      await activate(table('Routes'))
      await heading('Routes').waitFor()
      expect(fetched()).toEqual(['/tables/routes'])
    },
  )

  test('is shown by a click without another request, and counts as opened only then', async () => {
    await open('/tables/airports')
    // The start page leads to the table that was opened last.
    const last = async () =>
      (await page.request.get(`${office.origin}/`, { maxRedirects: 0 })).headers()['location']
    await table('Operators').hover()
    await expect.poll(kinds).toEqual(['prefetch'])
    // Another page of theirs knows nothing of it.
    await expect.poll(last).toBe('/tables/airports')
    await table('Operators').click()
    await heading('Operators').waitFor()
    await expect.poll(last).toBe('/tables/operators')
    expect(kinds()).toEqual(['prefetch', 'shown'])
  })

  nightly.detail('by the keyboard or a finger is fetched as well', async () => {
    await open('/tables/airports')
    await table('Species').focus()
    await expect.poll(fetched).toEqual(['/tables/species'])
    await table('Operators').dispatchEvent('touchstart')
    await expect.poll(fetched).toEqual(['/tables/species', '/tables/operators'])
    expect(kinds()).toEqual(['prefetch', 'prefetch'])
  })
})

describe('the progress bar', () => {
  /** Notes when a click came, and when the bar was shown. */
  const watch = () =>
    page.evaluate(() => {
      const times = { clicked: 0, shown: 0 }
      Object.assign(window, { times })
      addEventListener('click', () => (times.clicked = performance.now()), { capture: true })
      new MutationObserver(() => {
        if (document.querySelector('[role=progressbar]')) times.shown ||= performance.now()
      }).observe(document.body, { childList: true, subtree: true })
    })
  const times = () =>
    page.evaluate(() => (window as unknown as { times: { clicked: number; shown: number } }).times)
  const bar = () => page.getByRole('progressbar', { name: 'Loading' })

  nightly.benchmark('shows after 150 ms and goes with the page (spec §2, §9)', async () => {
    await open('/tables/airports')
    await watch()
    const answer = Promise.withResolvers<void>()
    await page.route('**/tables/species', async (route) => {
      await answer.promise
      await route.continue()
    })
    await activate(table('Species'))
    await bar().waitFor()
    const { clicked, shown } = await times()
    expect(shown - clicked).toBeGreaterThanOrEqual(PROGRESS_BAR_DELAY_MS)
    expect(shown - clicked).toBeLessThan(PROGRESS_BAR_DELAY_MS * 10)
    const box = (await bar().boundingBox())!
    expect([box.x, box.y, box.height]).toEqual([0, 0, 2])
    answer.resolve()
    await heading('Species').waitFor()
    await expect.poll(() => bar().count()).toBe(0)
  })

  nightly.benchmark('does not show for a page that is there at once', async () => {
    const rests = followRest(page)
    await open('/tables/airports')
    await table('Species').hover()
    await expect.poll(kinds).toEqual(['prefetch'])
    await rests()
    await watch()
    await table('Species').click()
    await heading('Species').waitFor()
    await expect.poll(async () => (await times()).shown).toBe(0)
  })
})

describe('the collapsed sidebar', () => {
  const tip = () => page.locator('[role=tooltip].beside')

  nightly.benchmark(
    'has a tooltip to the right of its target, at stacking level 9999 (spec §2, §9)',
    async () => {
      await open('/tables/airports')
      await page.getByRole('button', { name: 'Collapse the sidebar' }).click()
      await page.mouse.move(700, 60)
      await table('Species').hover()
      await tip().waitFor()
      await expect.poll(() => tip().textContent()).toBe('Species')
      const [box, target] = [(await tip().boundingBox())!, (await table('Species').boundingBox())!]
      const [skid, distance] = TOOLTIP.offsetPx
      expect(box.x).toBeCloseTo(target.x + target.width + distance, 0)
      expect(box.y + box.height / 2).toBeCloseTo(target.y + target.height / 2 + skid, 0)
      const look = await tip().evaluate((element) => {
        const { zIndex, maxInlineSize, transitionDuration, transitionDelay } =
          getComputedStyle(element)
        return { zIndex, maxInlineSize, transitionDuration, transitionDelay }
      })
      expect(look).toEqual({
        zIndex: String(TOOLTIP.navigationZIndex),
        maxInlineSize: `${TOOLTIP.maxWidthPx}px`,
        transitionDuration: `${TOOLTIP.showMs / 1000}s`,
        transitionDelay: `${TOOLTIP.delayMs}s`,
      })
      const hidden = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const element = document.querySelector('[role=tooltip].beside')!
            const left = performance.now()
            element.addEventListener('toggle', () => resolve(performance.now() - left))
            document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
          }),
      )
      expect(hidden).toBeGreaterThanOrEqual(TOOLTIP.hideMs)
      // A person at the keyboard: focus by pointer shows no tooltip.
      await page.keyboard.press('Escape')
      await table('Operators').focus()
      await tip().waitFor()
      await expect.poll(() => tip().textContent()).toBe('Operators')
      await page.getByRole('button', { name: 'Expand the sidebar' }).click()
      await settled(page)
    },
  )
})

nightly.lengthy('200 moves leave no listeners, timers or elements behind', async () => {
  await page.addInitScript(() => {
    const timers = new Set<number>()
    Object.assign(window, { timers })
    const [start, stop] = [window.setTimeout, window.clearTimeout]
    window.setTimeout = ((task: () => void, ms?: number) => {
      const id: number = start(() => {
        timers.delete(id)
        task()
      }, ms)
      timers.add(id)
      return id
    }) as typeof setTimeout
    window.clearTimeout = (id) => {
      timers.delete(id as number)
      stop(id)
    }
  })
  const rests = followRest(page)
  await open('/tables/airports')
  const browser = await context.newCDPSession(page)
  await browser.send('Performance.enable')
  /** Opens a row and goes back to the list, by a link and by the button in turn. */
  const move = async (times: number) =>
    page.evaluate(async (count) => {
      const until = async (selector: string) => {
        while (!document.querySelector(selector)) await new Promise(requestAnimationFrame)
      }
      for (let n = 0; n < count; n++) {
        document.querySelector<HTMLElement>('tbody a.row-link')!.click()
        await until('dl.fields')
        if (n % 4 < 2) history.back()
        else document.querySelector<HTMLElement>('nav.steps a')!.click()
        await until('tbody a.row-link')
      }
    }, times / 2)
  const counts = async () => {
    await rests()
    await browser.send('HeapProfiler.collectGarbage')
    await browser.send('HeapProfiler.collectGarbage')
    const { metrics } = await browser.send('Performance.getMetrics')
    const of = (name: string) => metrics.find((metric) => metric.name === name)!.value
    const timers = await page.evaluate(
      () => (window as unknown as { timers: Set<number> }).timers.size,
    )
    return { listeners: of('JSEventListeners'), nodes: of('Nodes'), timers }
  }
  // As many pages as are kept.
  await move(60)
  const before = await counts()
  await move(200)
  const after = await counts()
  expect(after.listeners).toBeLessThanOrEqual(before.listeners + 5)
  expect(after.timers).toBeLessThanOrEqual(before.timers + 2)
  // A page has some thousand elements, so one that stayed would show.
  expect(after.nodes).toBeLessThanOrEqual(before.nodes + 400)
})
