/** Loading in a browser (spec §4): what was pressed is marked, late, and until the answer has come. */

import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  BATCH_DELAY_MS,
  LIVE_INPUT_DEBOUNCE_MS,
  LOADING_DELAYS_MS,
} from '../../src/protocol/constants.ts'
import type { UpdateRequest } from '../../src/protocol/wire.ts'
import { nightly } from '../nightly.ts'
import { type Board, openBoard } from './board.ts'
import { collectComplaints, type Office, standardOffice } from './office.ts'
import { hydrated, recordDrawing } from './page-probe.ts'

const UPDATE = '**/tablewire/update'
/** Calls whose answers the tests hold back. */
const HELD = new Set(['sortBy', 'turnPage', 'setSize', 'choose'])

/** Updates wait until the test lets them go on, as they come. */
async function holdUpdates(page: Page) {
  const held: Route[] = []
  let waiting: (() => void) | undefined
  await page.route(UPDATE, (route) => {
    const { components } = route.request().postDataJSON() as UpdateRequest
    // Polls, and the total of a list, go on.
    const isHeld = components.some(
      ({ calls, updates }) => 'search' in updates || calls.some(({ method }) => HELD.has(method)),
    )
    if (!isHeld) return route.continue()
    held.push(route)
    waiting?.()
    return undefined
  })
  const next = async (): Promise<Route> => {
    if (held.length === 0) await new Promise<void>((resolve) => (waiting = resolve))
    return held.shift()!
  }
  return {
    next,
    async answer() {
      const route = await next()
      const answered = page.waitForResponse(UPDATE)
      await route.continue()
      await answered
    },
    async fail() {
      const route = await next()
      const answered = page.waitForResponse(UPDATE)
      await route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: '{"error":{"code":"SERVER_ERROR","message":"Broken."}}',
      })
      await answered
    },
  }
}

const pause = (page: Page) => page.clock.pauseAt(Date.now() + 3_600_000)

describe('in a list', () => {
  let office: Office
  let page: Page
  beforeAll(async () => void (office = await standardOffice()))
  afterAll(() => office.close())
  afterEach(() => page.context().close())

  async function openList(query = '') {
    page = await (await office.signedIn()).newPage()
    await page.clock.install()
    await page.goto(`${office.origin}/tables/airports${query}`)
    await hydrated(page)
    const updates = await holdUpdates(page)
    await pause(page)
    return updates
  }

  const busy = () =>
    page
      .locator(':is(button, a, input, select)[aria-busy=true]:visible')
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent))
  const firstRow = () => page.locator('tbody tr').first().getAttribute('data-row-key')

  test('the head that was pressed carries the mark after 150 ms, and the old rows stay, dimmed (spec §4)', async () => {
    const updates = await openList()
    const before = await firstRow()
    await page.getByRole('columnheader', { name: 'City' }).getByRole('button').click()
    await page.clock.runFor(149)
    await expect.poll(() => busy()).toEqual([])
    await expect.poll(() => page.locator('.rows.stale').count()).toBe(0)
    await page.clock.runFor(1)
    await expect.poll(() => busy()).toEqual(['City'])
    await expect.poll(() => page.locator('.rows.stale').count()).toBe(1)
    await expect.poll(() => firstRow()).toBe(before)
    await updates.answer()
    await expect.poll(busy).toEqual([])
    await expect.poll(() => page.locator('.rows.stale').count()).toBe(0)
  })

  nightly.detail(
    'the link that was pressed carries it, also until an update has failed (spec §4)',
    async () => {
      const updates = await openList()
      await page.getByRole('link', { name: 'Next page' }).click()
      await page.clock.runFor(150)
      await expect.poll(() => busy()).toEqual(['Next page'])
      await updates.fail()
      await expect.poll(busy).toEqual([])
      // React shows what it has loaded a moment later.
      await page.clock.resume()
      await page.getByRole('dialog', { name: 'Server error' }).waitFor()
    },
  )

  nightly.detail(
    'the box that is searched in, and the page size that is chosen, carry it (spec §4)',
    async () => {
      const updates = await openList()
      await page.getByRole('searchbox', { name: 'Search' }).fill('new')
      await page.clock.runFor(LIVE_INPUT_DEBOUNCE_MS + BATCH_DELAY_MS + 149)
      await expect.poll(() => busy()).toEqual([])
      await page.clock.runFor(1)
      await expect.poll(() => busy()).toEqual(['Search'])
      await updates.answer()
      await expect.poll(busy).toEqual([])
      await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
      await page.clock.runFor(149)
      await expect.poll(() => busy()).toEqual([])
      await page.clock.runFor(1)
      await expect.poll(() => page.locator('select[aria-busy=true]').count()).toBe(1)
      await updates.answer()
      await expect.poll(busy).toEqual([])
    },
  )

  nightly.detail('the menu of orders carries it where rows are cards (spec §4)', async () => {
    const updates = await openList()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Sort', exact: true }).click()
    await page.getByRole('dialog', { name: 'Sort' }).getByRole('button', { name: 'City' }).click()
    await page.clock.runFor(149)
    await expect.poll(() => busy()).toEqual([])
    await page.clock.runFor(1)
    // The head of the column is there for screen readers.
    await expect.poll(() => busy()).toEqual(['Sort', 'City'])
    await updates.answer()
    await expect.poll(busy).toEqual([])
  })

  nightly.detail('nothing is shown of a short wait', async () => {
    const updates = await openList()
    await page.evaluate(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver((changes) => {
        for (const { target } of changes)
          // The rows and their region are busy while rows are drawn, and show nothing of that.
          if (
            target instanceof Element &&
            target.ariaBusy === 'true' &&
            !['region', 'rowgroup'].includes(target.role ?? '')
          )
            seen.push(target.tagName)
      }).observe(document.body, { subtree: true, attributeFilter: ['aria-busy'] })
    })
    await page.getByRole('columnheader', { name: 'City' }).getByRole('button').click()
    await page.clock.runFor(100)
    await updates.answer()
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=city')
    await page.clock.runFor(5000)
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { seen: string[] }).seen))
      .toEqual([])
  })
})

describe('in a page of somebody else’s', () => {
  let board: Board
  beforeAll(async () => {
    const uses = '<Presets id={components.board} /><Kept id={components.board} />'
    board = await openBoard({ parts: PARTS, uses })
  }, 240_000)
  afterAll(() => board.close())

  /** One mark for each preset, by component; one by action, one by property. */
  const PARTS = `
    const NAMES = ['none', 'shortest', 'shorter', 'short', 'default', 'long', 'longer', 'longest'] as const
    const Presets = ({ id }: { id: string }) => NAMES.map((name) => <Preset key={name} id={id} name={name} />)
    function Preset({ id, name }: { id: string; name: (typeof NAMES)[number] }) {
      const isLoading = useLoading<typeof board>(id, { delay: name })
      return <i data-preset={name} hidden={!isLoading} />
    }
    function Kept({ id }: { id: string }) {
      const byAction = useLoading<typeof board>(id, { action: 'keep', delay: 'none' })
      const byProperty = useLoading<typeof board>(id, { property: 'note', delay: 'none' })
      return <><i data-by="action" hidden={!byAction} /><i data-by="property" hidden={!byProperty} /></>
    }
  `

  nightly.detail(
    'an indicator waits 50, 100, 150, 200, 300, 500 or 1000 ms (spec §4)',
    async () => {
      const page = await board.newPage()
      const complaints = collectComplaints(page)
      const drawing = await recordDrawing(page)
      await page.clock.install()
      await page.goto(board.address)
      await hydrated(page)
      const updates = await holdUpdates(page)
      await pause(page)
      await drawing.forget()
      const shown = (what = 'preset') =>
        page
          .locator(`[data-${what}]:not([hidden])`)
          .evaluateAll((all, name) => all.map((one) => (one as HTMLElement).dataset[name]), what)
      await page.getByLabel('For the next shift').fill('Gulls')
      await expect.poll(() => shown('by')).toEqual([])
      await page.getByRole('button', { name: 'Details' }).first().click()
      await page.clock.runFor(5)
      await expect.poll(() => shown('by')).toEqual(['property'])
      let at = 5
      for (const [name, delay] of Object.entries(LOADING_DELAYS_MS)) {
        if (delay > 0) {
          await page.clock.runFor(delay - at - 1)
          await expect.poll(() => shown(), { message: `before ${delay} ms` }).not.toContain(name)
          await page.clock.runFor(1)
          at = delay
        }
        await expect.poll(() => shown(), { message: `after ${delay} ms` }).toContain(name)
      }
      await expect.poll(() => shown()).toHaveLength(8)
      await expect.poll(() => page.locator('button[aria-busy=true]').count()).toBe(1)
      await updates.answer()
      await expect.poll(() => shown()).toEqual([])
      await page.getByRole('region', { name: 'Details' }).waitFor()
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )
})
