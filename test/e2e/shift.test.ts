/**
 * A shift of work on a slow network that loses requests and answers: no action is lost or doubled, and
 * nothing that was typed (spec §2, §7, §8). A plain run works for some seconds, the others ten minutes.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIFT_LOSS, SHIFT_MS } from '../tier.ts'
import { closeContexts, sharedBrowser } from './browser.ts'
import { settled } from './office.ts'
import { enter, openOutsider, type Outsider } from './outsider.ts'
import { hydrated } from './page-probe.ts'

const LATENCY_MS = 400
const SEED = 20_260

let outsider: Outsider
let browser: Browser
let page: Page

beforeAll(async () => {
  outsider = openOutsider('tally')
  outsider.change('orchard.ts', (text) =>
    text.replace(
      'database.close()',
      `for (let at = 1; at <= 300; at++)
        database.exec(\`insert into varieties (name, stars) values ('Sort \${1000 + at}', \${at % 6})\`)
      database.close()`,
    ),
  )
  // Each count is a write that leaves a line, so that one done twice would show.
  outsider.change('tally.ts', (text) =>
    text
      .replace("import * as v from 'valibot'", "$&\nimport { appendFileSync } from 'node:fs'")
      .replace(
        'args: v.strictTuple([]), run: ({ state }) => void (state.count += state.step)',
        `kind: 'write', args: v.strictTuple([]), run: ({ state, params }) => {
          appendFileSync(import.meta.dirname + '/ledger', params.of + ' ' + state.step + '\\n')
          state.count += state.step
        }`,
      ),
  )
  const built = outsider.run('build')
  if (built.status !== 0) throw new Error(built.out)
  const { link, origin } = await outsider.start('--port', '0')
  browser = await sharedBrowser()
  const context = await browser.newContext({ locale: 'en-US' })
  await enter(context, link)
  page = await context.newPage()
  await page.goto(`${origin}/tables/varieties`)
  await hydrated(page)
  await settled(page)
}, 240_000)
afterAll(async () => {
  await closeContexts(browser)
  await outsider.close()
})

/** Numbers from 0 to 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Slows the network down, and loses every so many requests or, in turn, their answers. */
async function troubleNetwork() {
  const session = await page.context().newCDPSession(page)
  const rates = { downloadThroughput: -1, uploadThroughput: -1 }
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: LATENCY_MS },
    ...rates,
  })
  const chance = seeded(SEED)
  const lost = { requests: 0, answers: 0 }
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    if (chance() >= SHIFT_LOSS) return route.continue()
    if (lost.requests > lost.answers) {
      lost.answers++
      await route.fetch()
    } else lost.requests++
    return route.abort('connectionfailed')
  })
  return lost
}

const byGate = (lines: readonly string[]): string[] =>
  lines.toSorted((one, other) => one.slice(0, 5).localeCompare(other.slice(0, 5)))

const rail = (path: string) => page.locator(`nav a[href="${path}"]`).first()
const table = () => page.getByRole('table', { name: 'Varieties' })
const search = () => page.getByRole('searchbox', { name: 'Search' })
const names = () => page.getByRole('rowheader').allTextContents()
const gate = (name: string) => page.getByRole('region', { name })
const count = async (name: string) => Number(await gate(name).getByRole('status').textContent())

test(
  'a shift of searches, pages, records and counts loses no action and does none twice',
  async () => {
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url())
    })
    const roundTrips: number[] = []
    const lost = await troubleNetwork()
    const from = Date.now()
    page.on('requestfinished', (request) => {
      const { startTime, responseStart, requestStart } = request.timing()
      // The list may still have been reading what it had missed when the trouble began.
      if (request.resourceType() === 'fetch' && startTime > from)
        roundTrips.push(responseStart - requestStart)
    })
    const chance = seeded(SEED + 1)
    const upTo = (most: number) => 1 + Math.floor(chance() * most)
    const expected: string[] = []
    const patience = { timeout: 60_000 }

    /** Types a step and counts some times at once, as fast as one clicks. */
    async function countCrates(name: string, times: number): Promise<number> {
      const step = upTo(90)
      const field = gate(name).getByLabel('Crates at a time')
      await field.press('ControlOrMeta+a')
      await field.pressSequentially(String(step), { delay: 30 })
      for (let at = 0; at < times; at++) {
        await gate(name).getByRole('button', { name: 'Count' }).click()
        expected.push(`${name} ${step}`)
      }
      return step * times
    }

    async function round(): Promise<void> {
      const wanted = `Sort 1${String(upTo(300)).padStart(3, '0')}`
      await search().pressSequentially(wanted, { delay: 40 })
      await expect.poll(names, patience).toEqual([wanted])
      await expect.poll(() => search().inputValue()).toBe(wanted)
      await search().press('Escape')
      await expect.poll(async () => (await names()).length, patience).toBe(25)
      await page.getByRole('link', { name: 'Next page' }).click()
      await page
        .getByText(/^26–50 of/)
        .first()
        .waitFor(patience)
      const second = await names()
      const at = upTo(25) - 1
      await page.getByRole('rowheader').nth(at).getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: second[at]! }).waitFor(patience)
      await page.goBack()
      await table().waitFor(patience)
      await expect.poll(() => names()).toEqual(second)
      await rail('/tally').click()
      await gate('North gate').waitFor(patience)
      const north = await countCrates('North gate', upTo(3))
      // Leaves while the counts are under way, and comes back to them.
      await rail('/tables/varieties').click()
      await table().waitFor(patience)
      await page.goBack()
      const south = await countCrates('South gate', upTo(2))
      await expect.poll(() => count('North gate'), patience).toBe(north)
      await expect.poll(() => count('South gate'), patience).toBe(12 + south)
      await rail('/tables/varieties').click()
      await table().waitFor(patience)
    }

    const start = performance.now()
    let rounds = 0
    do {
      await round()
      rounds++
    } while (performance.now() - start < SHIFT_MS)
    await settled(page)
    // Each gate counts in order; what one has to send again does not keep the other waiting.
    await expect.poll(() => byGate(ledger()), patience).toEqual(byGate(expected))
    const { requests, answers } = lost
    console.log(
      `a shift of ${rounds} rounds: ${expected.length} counts, ${roundTrips.length} answers; lost ${requests} requests and ${answers} answers`,
    )
    expect(requests).toBeGreaterThan(0)
    expect(answers).toBeGreaterThan(0)
    expect(Math.min(...roundTrips)).toBeGreaterThanOrEqual(LATENCY_MS)
    expect(documents).toEqual([])
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  },
  SHIFT_MS + 240_000,
)

/** The counts that the server has made, in their order. */
const ledger = () => readFileSync(join(outsider.folder, 'ledger'), 'utf8').trimEnd().split('\n')
