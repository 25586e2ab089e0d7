/** Input in a browser (spec §8, §9): when edits leave, how panels and popups move, what is not lost. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copyDemo } from '../copy-demo.ts'
import {
  BATCH_DELAY_MS,
  COLLAPSE_MS,
  DEBOUNCE_MS,
  FOCUS_TRAP_DELAY_MS,
  LIVE_INPUT_DEBOUNCE_MS,
  POPUP_OFFSET_PX,
} from '../../src/protocol/constants.ts'
import { nightly } from '../nightly.ts'
import { type Board, openBoard } from './board.ts'
import { type Office, openOffice, settled } from './office.ts'
import { followRequests, hydrated, recordDrawing, recordUpdates } from './page-probe.ts'

const pause = (page: Page) => page.clock.pauseAt(Date.now() + 3_600_000)

/** How long the transitions take that run now, by the element that they move, ms. */
const transitions = (page: Page, selector: string) =>
  page.evaluate(
    (within) =>
      document
        .getAnimations()
        .filter(({ effect }) => (effect as KeyframeEffect).target?.closest(within))
        .map(({ effect }) => effect?.getComputedTiming().duration),
    selector,
  )

/** The demo, with a table without a key, and one whose numbers grow. */
function withRemarks(file: string): void {
  copyDemo(file)
  const database = new DatabaseSync(file)
  database.exec(`
    create table remarks as
    with recursive remarks (place) as (select 1 union all select place + 1 from remarks where place < 400)
    select place, iif(place % 2, 'Gulls on the runway.', 'Nothing to report.') as remark from remarks;
    create table counts (id integer primary key, number int, note text);
    insert into counts select place, iif(place > 100, 9e12 + place, place), remark from remarks`)
  database.close()
}

describe('in a list', () => {
  let office: Office
  let page: Page
  beforeAll(async () => void (office = await openOffice(withRemarks)))
  afterAll(() => office.close())
  beforeEach(async () => void (page = await (await office.signedIn()).newPage()))
  afterEach(() => page.context().close())

  const open = async (query = '') => {
    await page.goto(`${office.origin}/tables/airports${query}`)
    await hydrated(page)
  }
  const search = () => page.getByRole('searchbox', { name: 'Search' })

  /** Opens a page whose script is held up; returns what lets it come. */
  async function openHeldUp(): Promise<() => void> {
    const gate = Promise.withResolvers<void>()
    await page.route(/\/main-[^/]*\.js$/, async (route) => {
      await gate.promise
      await route.continue()
    })
    const early = page.waitForResponse(/\/early-keys-/)
    await page.goto(`${office.origin}/tables/airports`, { waitUntil: 'commit' })
    await (await early).finished()
    await page.getByRole('table', { name: 'Airports' }).waitFor()
    return gate.resolve
  }

  test('live input is sent when typing has paused for 150 ms (spec §9)', async () => {
    const updates = await recordUpdates(page)
    await page.clock.install()
    await open()
    await pause(page)
    const searches = () => updates.times('"updates":{"search"')
    await search().press('o')
    await page.clock.runFor(LIVE_INPUT_DEBOUNCE_MS - 1)
    await search().press('s')
    const typed = await updates.now()
    await page.clock.runFor(LIVE_INPUT_DEBOUNCE_MS + BATCH_DELAY_MS - 1)
    expect(await searches()).toEqual([])
    await page.clock.runFor(1)
    const [sent] = await searches()
    expect(Math.round(sent! - typed)).toBe(LIVE_INPUT_DEBOUNCE_MS + BATCH_DELAY_MS)
  })

  nightly.detail(
    'a dialog moves the focus inside 15 ms after it has opened (spec §9)',
    async () => {
      await page.clock.install()
      await open()
      await pause(page)
      await page.keyboard.press('?')
      const dialog = page.getByRole('dialog', { name: 'Keys', exact: true })
      await dialog.waitFor()
      const focused = () => page.evaluate(() => document.activeElement?.tagName)
      await page.clock.runFor(FOCUS_TRAP_DELAY_MS - 1)
      await expect.poll(() => focused()).toBe('DIALOG')
      await page.clock.runFor(1)
      await expect.poll(() => focused()).toBe('BUTTON')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },
  )

  nightly.layout.each([1440, 768, 390, 320])(
    'menus stay 5 px from the edge of a viewport of %i px, but for sheets (spec §9)',
    async (width) => {
      await page.setViewportSize({ width, height: 640 })
      await open()
      const ids = await page
        .locator('.menu[popover]')
        .evaluateAll((menus) => menus.map(({ id }) => id))
      expect(ids).toEqual(expect.arrayContaining(['display-menu', 'person-menu']))
      for (const id of ids) {
        const opener = page.locator(`[popovertarget="${id}"]`)
        if (!(await opener.isVisible())) continue
        await opener.click()
        const menu = page.locator(`#${id}`)
        // On a phone, a dialog lies along three edges.
        const isSheet = width <= 640 && (await menu.getAttribute('role')) === 'dialog'
        await expect
          .poll(
            () =>
              menu.evaluate((element) => {
                const { left, right, top, bottom } = element.getBoundingClientRect()
                const { clientWidth, clientHeight } = document.documentElement
                return Math.min(left, top, clientWidth - right, clientHeight - bottom)
              }),
            { message: id },
          )
          [isSheet ? 'toBe' : 'toBeGreaterThanOrEqual'](isSheet ? 0 : POPUP_OFFSET_PX)
        await page.keyboard.press('Escape')
      }
    },
  )

  nightly.layout(
    'a menu of a button in the corner is moved to 5 px from the edge (spec §9)',
    async () => {
      await open()
      await page.locator('#display').evaluate((button) => {
        button.style.cssText = 'position: fixed; inset: 0 auto auto 0; inline-size: 8px'
      })
      await page.locator('#display').click()
      const left = () =>
        page.locator('#display-menu').evaluate((menu) => menu.getBoundingClientRect().left)
      await expect.poll(left).toBe(POPUP_OFFSET_PX)
    },
  )

  test('keys pressed before the page is live are kept: a search, and what is typed into it', async () => {
    const goOn = await openHeldUp()
    await page.keyboard.type('/new /')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('yorkk')
    await page.keyboard.press('Backspace')
    await expect.poll(() => search().inputValue()).toBe('')
    goOn()
    await expect.poll(() => search().inputValue()).toBe('new york')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search')
    await page.waitForURL(/search=new\+york|search=new%20york/)
    await page.keyboard.press('Escape')
    await settled(page)
  })

  nightly.detail('J before the page is live goes to the first row', async () => {
    const goOn = await openHeldUp()
    await page.keyboard.type('jj')
    goOn()
    const row = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('tbody tr')].findIndex((one) =>
          one.contains(document.activeElement),
        ),
      )
    await expect.poll(row).toBe(1)
  })

  nightly.detail.each(['Control+k', 'Meta+k'])(
    '%s before the page is live opens the palette, and what is typed after it is found',
    async (keys) => {
      const goOn = await openHeldUp()
      await page.keyboard.press(keys)
      await page.keyboard.type('bird strikess')
      await page.keyboard.press('Backspace')
      goOn()
      const box = page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox')
      await expect.poll(() => box.inputValue()).toBe('bird strikes')
      await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('system')
    },
  )

  nightly.detail('a changed row of 50 is drawn again alone', async () => {
    const drawing = await recordDrawing(page)
    await open('?size=50')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(50)
    await settled(page)
    const key = await page.locator('tbody tr').nth(7).getAttribute('data-row-key')
    const database = new DatabaseSync(join(office.folder, 'demo.sqlite'))
    database.prepare("update airports set city = 'Elsewhere' where id = ?").run(key)
    database.close()
    await drawing.forget()
    // The server answers a blank search with the same rows.
    await search().fill(' ')
    await page.locator('tbody tr').nth(7).getByText('Elsewhere').waitFor()
    const rows = (await drawing.commits())
      .flat()
      .filter((props) => props === 'columns href isEven isFar pick row ticks')
    expect(rows).toHaveLength(1)
  })

  type Frame = {
    readonly added: number
    readonly count: number
    readonly isBusy: boolean
    /** Whether each row has a cell for each head, as wide as it is. */
    readonly isUnderHeads: boolean
    readonly height: number
    /** Whether a veil lies over the rows. */
    readonly isVeiled: boolean
  }

  /** Records the frames in which rows are drawn that were not there before. */
  const recordFrames = () =>
    page.locator('.tw tbody').evaluateHandle((rows) => {
      const known = new WeakSet<Node>(rows.children)
      const isNew = (node: Node) => !known.has(node) && Boolean(known.add(node))
      const frames: Frame[] = []
      let added = 0
      new MutationObserver((records) => {
        for (const { addedNodes } of records) added += [...addedNodes].filter(isNew).length
      }).observe(rows, { childList: true })
      const next = () => {
        const { height } = rows.getBoundingClientRect()
        const count = rows.childElementCount
        const widths = (row: Element | null | undefined) =>
          [...(row?.children ?? [])].map(({ className }) => /\bw-\d+/.exec(className)?.[0]).join()
        const heads = widths(rows.closest('table')?.tHead?.rows[0])
        const isUnderHeads = [...rows.children].every((row) => widths(row) === heads)
        const veil = getComputedStyle(rows.closest('.rows') ?? rows, '::after').content
        const isBusy = rows.ariaBusy === 'true'
        if (added > 0)
          frames.push({ added, count, isBusy, isUnderHeads, height, isVeiled: veil !== 'none' })
        added = 0
        requestAnimationFrame(next)
      }
      next()
      return frames
    })
  type Frames = Awaited<ReturnType<typeof recordFrames>>

  /** Whether the first frame draws few rows, and each other only a few more than the one before. */
  function expectGrowth(added: readonly number[]): void {
    for (const [at, rows] of added.entries())
      expect(rows).toBeLessThanOrEqual((at === 0 ? 1 : (added[at - 1] ?? 0)) + 2)
  }

  /** Whether the rows have come in steps, in which the page’s height stayed. */
  async function expectSteps(frames: Frames, rows: number): Promise<void> {
    await settled(page)
    await expect.poll(() => page.locator('.tw tbody tr').count()).toBe(rows)
    const drawn = await frames.jsonValue()
    expect(drawn.length).toBeGreaterThan(3)
    expectGrowth(drawn.map(({ added }) => added))
    // Each comes in place of one that stood there, so that no place is ever empty.
    expect(new Set(drawn.map(({ count }) => count))).toEqual(new Set([rows]))
    const last = drawn.at(-1)
    expect(drawn.map(({ isBusy }) => isBusy)).toEqual(drawn.map((frame) => frame !== last))
    // None of an earlier answer stands at full ink under the chip and the count of this one.
    expect(drawn.map(({ isVeiled }) => isVeiled)).toEqual(drawn.map(({ isBusy }) => isBusy))
    expect(new Set(drawn.map(({ height }) => height)).size).toBe(1)
  }

  /**
   * Searches a page of 100 rows of `list`, whose rows come in steps; returns the frames. What is searched stands
   * in cells that are shown: rows that say where else it was found are higher.
   */
  async function framesOfSearch(list: string): Promise<readonly Frame[]> {
    const address = new URL(`/tables/${list}`, office.origin)
    address.searchParams.set('size', '100')
    await page.goto(address.href)
    await hydrated(page)
    await settled(page)
    const frames = await recordFrames()
    await search().fill('intl')
    await page.waitForURL(/search=intl/)
    await expectSteps(frames, 100)
    return frames.jsonValue()
  }

  nightly.layout.each([
    [1440, 'strikes'],
    [390, 'strikes'],
    [390, 'strikes?columns=airport_name,incident_date'],
    [390, 'strikes?columns=airport_name,damage'],
  ])(
    'at %i px, the rows of a search of %s come over several frames, two in the first and then two more in each; the page’s height stays',
    async (width, list) => {
      await page.setViewportSize({ width, height: 800 })
      await framesOfSearch(list)
    },
  )

  nightly.detail('so do those that come after none were found', async () => {
    await page.goto(`${office.origin}/tables/strikes?size=100`)
    await hydrated(page)
    await settled(page)
    await search().fill('nothing like it')
    await page.locator('.tw').waitFor({ state: 'detached' })
    const added = page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const added: number[] = []
          let before = 0
          const next = () => {
            const count = document.querySelectorAll('.tw tbody tr').length
            if (count > before) added.push(count - before)
            before = count
            if (count < 100) requestAnimationFrame(next)
            else resolve(added)
          }
          next()
        }),
    )
    await search().fill('engine')
    expectGrowth(await added)
  })

  nightly.detail('so do those of a table without a key', async () => {
    await page.goto(`${office.origin}/tables/remarks?size=100`)
    await hydrated(page)
    await settled(page)
    const frames = await recordFrames()
    await search().fill('gulls')
    await page.waitForURL(/search=gulls/)
    await expectSteps(frames, 100)
  })

  /** Rows drawn in each frame, where frames come so many times as late as they do. */
  async function rowsIfFramesCome(late: number): Promise<number[]> {
    await page.addInitScript((times) => {
      const { requestAnimationFrame: ask } = window
      window.requestAnimationFrame = (draw) => ask((at) => draw(at * times))
    }, late)
    return (await framesOfSearch('strikes')).map(({ added }) => added)
  }

  nightly.detail('where frames come late, no more than two rows come in one', async () => {
    // The first row comes before the first frame.
    expect(Math.max(...(await rowsIfFramesCome(4)).slice(1))).toBe(2)
  })

  nightly.detail(
    'where all are on time, each draws two rows more than the one before',
    async () => {
      const rows = await rowsIfFramesCome(0.01)
      const drawn = rows.slice(0, -1)
      expect(drawn.slice(2)).toEqual(drawn.slice(1, -1).map((before) => before + 2))
      expect(drawn.length).toBeGreaterThan(5)
    },
  )

  nightly.detail('a row that stays on the page keeps the focus while others come', async () => {
    await page.goto(`${office.origin}/tables/strikes?size=100`)
    await hydrated(page)
    await settled(page)
    const focus = () =>
      page.evaluate(() => {
        const { activeElement } = document
        return [activeElement?.className, activeElement?.closest('tr')?.dataset['rowKey']]
      })
    const cell = page.locator('tbody tr').nth(40).locator('td.k-status')
    await cell.evaluate((one: HTMLElement) => {
      one.tabIndex = -1
      one.focus()
    })
    const before = await focus()
    const frames = await recordFrames()
    await page.keyboard.press('.')
    await page.getByRole('menuitem', { name: 'Only these' }).click()
    await page.waitForURL(/filter/)
    // It comes nearer to the top; what stood there stays until the next one of it is drawn.
    await expectSteps(frames, 100)
    await expect.poll(() => focus()).toEqual(before)
  })

  const keyAt = (place: number) =>
    page.locator('.tw tbody tr').nth(place).getAttribute('data-row-key')
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('tr')?.dataset['rowKey'])

  nightly.detail.each([0, 5])(
    'from row %i of a long page, the first of the next has the focus, and keeps it while others come',
    async (place) => {
      await page.goto(`${office.origin}/tables/strikes?size=100`)
      await hydrated(page)
      await settled(page)
      for (let row = 0; row <= place; row++) await page.keyboard.press('j')
      const before = await keyAt(place)
      await expect.poll(focused).toBe(before)
      const frames = await recordFrames()
      await page.keyboard.press(']')
      await page.waitForURL(/after/)
      await expectSteps(frames, 100)
      await expect.poll(() => focused()).toBe(await keyAt(0))
    },
  )

  nightly.detail(
    'a row that is to go keeps the focus at its place: the one that takes it has it',
    async () => {
      await page.goto(`${office.origin}/tables/strikes?size=100`)
      await hydrated(page)
      await settled(page)
      await page.keyboard.press('j')
      const before = await keyAt(99)
      await page.keyboard.press(']')
      await expect.poll(focused).not.toBe(before)
      await page.locator('tbody[aria-busy]').waitFor()
      await page.keyboard.press('Control+End')
      await settled(page)
      await expect.poll(() => keyAt(99)).not.toBe(before)
      await expect.poll(() => focused()).toBe(await keyAt(99))
    },
  )

  nightly.detail('rows never stand beside heads that have become wider', async () => {
    await page.goto(`${office.origin}/tables/counts?size=100`)
    await hydrated(page)
    await settled(page)
    const frames = await recordFrames()
    await page.keyboard.press(']')
    await page.getByText('9,000,000,000,101').waitFor()
    await settled(page)
    const drawn = await frames.jsonValue()
    expect(drawn.length).toBeGreaterThan(3)
    expect(drawn.filter(({ isUnderHeads }) => !isUnderHeads)).toEqual([])
  })

  nightly.detail.each(['strikes', 'remarks'])(
    'other columns of %s never stand under heads that are not theirs; the first rows keep their elements',
    async (list) => {
      await page.goto(`${office.origin}/tables/${list}?size=100`)
      await hydrated(page)
      await settled(page)
      const rows = page.locator('.tw tbody')
      const before = await rows.evaluateHandle((body) => [...body.children])
      const columns = await page.getByRole('columnheader').count()
      const frames = await recordFrames()
      await page.getByRole('button', { name: 'Display' }).click()
      await page.getByRole('checkbox', { name: list === 'strikes' ? 'Phase' : 'Place' }).uncheck()
      await expect.poll(() => page.getByRole('columnheader').count()).toBe(columns - 1)
      await settled(page)
      const drawn = await frames.jsonValue()
      expect(drawn.length).toBeGreaterThan(3)
      expect(drawn.filter(({ isUnderHeads }) => !isUnderHeads)).toEqual([])
      await expect.poll(() => rows.locator('tr').count()).toBe(100)
      // Whether a row without a key was there before is not known.
      if (list === 'strikes')
        await expect
          .poll(() =>
            rows.evaluate(
              (body, all) => all.slice(0, 24).every((row, at) => body.children[at] === row),
              before,
            ),
          )
          .toBe(true)
    },
  )

  nightly.detail(
    'rows that another search finds at the same places keep their elements',
    async () => {
      await page.goto(`${office.origin}/tables/strikes?size=100&search=engine`)
      await hydrated(page)
      await settled(page)
      const rows = page.locator('.tw tbody')
      const before = await rows.evaluateHandle((body) => [...body.children])
      await search().fill('engin')
      await page.waitForURL((url) => url.searchParams.get('search') === 'engin')
      await settled(page)
      await expect
        .poll(() =>
          rows.evaluate((body, all) => all.every((row, at) => body.children[at] === row), before),
        )
        .toBe(true)
    },
  )

  nightly.detail(
    'rows out of sight are not laid out; cells stay while others scroll under them',
    async () => {
      await page.goto(`${office.origin}/tables/strikes?size=100`)
      await hydrated(page)
      await settled(page)
      // What a row holds, since the row itself keeps its place.
      const isDrawn = ({ children: [cell] }: Element) =>
        cell?.checkVisibility({ contentVisibilityAuto: true })
      const last = page.locator('.tw tbody tr').last()
      await expect.poll(() => page.locator('.tw tbody tr').first().evaluate(isDrawn)).toBe(true)
      await expect.poll(() => last.evaluate(isDrawn)).toBe(false)
      const height = () => page.locator('.tw').evaluate(({ scrollHeight }) => scrollHeight)
      const before = await height()
      await last.scrollIntoViewIfNeeded()
      await expect.poll(() => last.evaluate(isDrawn)).toBe(true)
      await expect.poll(() => height()).toBe(before)
      const name = last.getByRole('rowheader')
      const left = () => name.evaluate((cell) => cell.getBoundingClientRect().left)
      const at = await left()
      await page.locator('.scroller').evaluate((scroller) => scroller.scrollBy(200, 0))
      await expect.poll(left).toBe(at)
    },
  )
})

describe('in a page of somebody else’s', () => {
  const PARTS = `
    function More({ id }: { id: string }) {
      const { field } = useComponent<typeof board>(id)
      const [missing] = useEntangled<typeof board, 'note.missing'>(id, 'note.missing')
      return <input aria-label="Debounced" data-missing={String(missing)} {...field('note', { debounce: true })} />
    }
  `
  let board: Board
  let page: Page
  beforeAll(async () => {
    board = await openBoard({ parts: PARTS, uses: '<More id={components.board} />' })
  }, 240_000)
  afterAll(() => board.close())
  beforeEach(async () => void (page = await board.newPage()))
  afterEach(() => page.context().close())

  const open = async () => {
    await page.goto(board.address)
    await hydrated(page)
  }
  const note = () => page.getByLabel('For the next shift')
  const edits = (page: Page) => {
    const sent: object[] = []
    page.on('request', (request) => {
      const body = request.postDataJSON() as { components?: { updates: object }[] } | null
      const updates = body?.components?.[0]?.updates ?? {}
      if (Object.keys(updates).length > 0) sent.push(updates)
    })
    return sent
  }

  nightly.detail(
    'debounce and throttle are 250 ms where nothing else is said (spec §9)',
    async () => {
      const sent = edits(page)
      const idle = followRequests(page)
      await page.clock.install()
      await open()
      await pause(page)
      const count = async (ms: number, number: number) => {
        await page.clock.runFor(ms)
        await expect.poll(() => sent.length).toBe(number)
      }
      await page.getByLabel('Debounced').fill('a')
      await count(DEBOUNCE_MS - 1, 0)
      await page.getByLabel('Debounced').fill('ab')
      await count(DEBOUNCE_MS + BATCH_DELAY_MS - 1, 0)
      await count(1, 1)
      await idle()

      const priority = page.getByLabel('Priority')
      await priority.selectOption('high')
      await count(BATCH_DELAY_MS, 2)
      await idle()
      await priority.selectOption('normal')
      await priority.selectOption('low')
      await count(DEBOUNCE_MS - BATCH_DELAY_MS + BATCH_DELAY_MS - 1, 2)
      await count(1, 3)
      expect(sent).toEqual([{ note: 'ab' }, { priority: 'high' }, { priority: 'low' }])
    },
  )

  test('an entangled property is the state of both sides, and a missing one is an error in the log (spec §8)', async () => {
    const logged: string[] = []
    page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
    await open()
    await expect.poll(() => logged.length).toBe(1)
    expect(logged[0]).toContain(
      'The property [note.missing] is entangled, but the component [board] does not have it.',
    )
    await page.getByLabel('Priority').selectOption('urgent')
    await expect.poll(() => page.locator('.lanes li').count()).toBe(3)
    await expect.poll(() => page.getByLabel('Priority').inputValue()).toBe('urgent')

    // An edit that is not saved is marked, and leaving asks first.
    await note().click()
    await note().pressSequentially('Gulls')
    await expect.poll(() => note().getAttribute('data-dirty')).toBe('true')
    await page.getByText('Not kept yet').waitFor()
    const asked = page.waitForEvent('dialog')
    const leaving = page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await leaving
    await page.getByRole('button', { name: 'Keep' }).click()
    await expect.poll(() => note().getAttribute('data-dirty')).toBe(null)
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
    page = await board.newPage()
  })

  nightly.detail(
    'a panel collapses in 250 ms, and at once for whoever wants no movement (spec §9)',
    async () => {
      await open()
      const button = page.getByRole('button', { name: 'Summary' })
      await button.click()
      await expect.poll(() => transitions(page, '.collapsible')).toContain(COLLAPSE_MS)
      await page
        .getByRole('list', { name: 'Inspections by priority' })
        .getByText('urgent: 3')
        .waitFor()
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await button.click()
      await expect.poll(() => transitions(page, '.collapsible')).not.toContain(COLLAPSE_MS)
    },
  )

  nightly.detail(
    'a lazy component is read when it is wanted, and an event reaches React',
    async () => {
      const views: unknown[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('/tablewire/update')) views.push(response.url())
      })
      const document = await page.request.get(board.address)
      expect(await document.text()).toContain('"lazy":true')
      await open()
      await page.getByRole('button', { name: 'Summary' }).click()
      await page.getByText('low: 2').waitFor()
      await note().fill('Gulls')
      await page.getByRole('button', { name: 'Keep' }).click()
      await page
        .getByRole('status', { name: 'Notifications' })
        .getByText('Kept 5 characters.')
        .waitFor()
    },
  )
})
