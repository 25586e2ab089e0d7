/** Polling: when a component is refreshed by itself, and when it is left alone. */

import { beforeEach, describe, expect, test } from 'vitest'
import {
  answerOf,
  componentOf,
  pageOf,
  refusalOf,
  simulateBrowser,
  snapshotOf,
} from '../../test/simulated-browser.ts'
import { BATCH_DELAY_MS, POLL_INTERVAL_MS, POLL_SKIP_RATIO } from '../protocol/constants.ts'
import { createRuntime } from './create-runtime.ts'
import { type PollOptions, startPoll } from './poll.ts'
import type { Runtime } from './runtime.ts'

const start = { note: '' }
const list = componentOf(start)
const other = componentOf(start, { name: 'other' })

let browser: ReturnType<typeof simulateBrowser>
let runtime: Runtime
const component = (id = 'list') => runtime.component(id)
const poll = (options?: PollOptions, id = 'list') =>
  startPoll(component(id), browser.environment, options)
const unchanged = () => browser.last.answer(answerOf({ snapshot: list.snapshot }))
/** A poll interval, and the time in which its requests are collected. */
const tick = () => browser.pass(POLL_INTERVAL_MS)

/** A seeded random number generator (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

beforeEach(() => {
  browser = simulateBrowser()
  runtime = createRuntime(pageOf([list, other]), browser.environment)
})

describe('a poll', () => {
  test('refreshes every 2000 ms, without edits and calls (spec §9)', async () => {
    poll()
    component().set('note', 'x')
    await browser.pass(POLL_INTERVAL_MS + BATCH_DELAY_MS - 1)
    expect(browser.requests).toHaveLength(0)
    await browser.pass(1)
    expect(browser.last.body.components).toEqual([
      { snapshot: list.snapshot, updates: {}, calls: [] },
    ])
    await unchanged()
    await tick()
    expect(browser.requests).toHaveLength(2)
  })

  test('of several components is one request', async () => {
    poll()
    await browser.pass(900)
    poll({}, 'other')
    await browser.pass(1200)
    expect(browser.requests).toHaveLength(1)
    expect(browser.last.body.components).toHaveLength(2)
  })

  test('ends with the page that it is for, and leaves no timer', () => {
    const before = browser.timers
    const [one, two] = [poll(), poll({}, 'other')]
    one()
    expect(browser.timers).toBe(before + 1)
    two()
    expect(browser.timers).toBe(before)
  })

  test('never piles up, however long an answer takes', async () => {
    poll({ interval: 100 })
    await browser.pass(1000)
    expect(browser.requests).toHaveLength(1)
    await unchanged()
    await browser.pass(110)
    expect(browser.requests).toHaveLength(2)
  })

  test('waits while a request of the component is out', async () => {
    poll()
    void component().call('save')
    await tick()
    await tick()
    expect(browser.requests).toHaveLength(1)
    await browser.last.answer(answerOf({ snapshot: list.snapshot, effects: { returns: [null] } }))
    await browser.pass(POLL_INTERVAL_MS + BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(2)
  })

  test('undoes no edit, and is dropped where an update began meanwhile', async () => {
    poll()
    component().set('note', 'mine')
    await browser.pass(POLL_INTERVAL_MS + BATCH_DELAY_MS)
    const polled = browser.last
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    const theirs = snapshotOf({ note: 'theirs' }, { serial: 9 })
    await polled.answer(answerOf({ snapshot: theirs, effects: { view: 'theirs' } }))
    expect(component().getState()).toMatchObject({ view: { drawn: 0 }, data: { note: 'mine' } })
  })

  test('is paused while the browser is offline', async () => {
    poll()
    browser.setOnline(false)
    await browser.pass(10 * POLL_INTERVAL_MS)
    expect(browser.requests).toHaveLength(0)
    browser.setOnline(true)
    await browser.pass(POLL_INTERVAL_MS + BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(1)
  })

  test('is paused while its element is outside of the viewport', async () => {
    // Nothing reads the element; the simulated browser only compares it.
    const element = {} as Element
    poll({ element })
    browser.setInView(element, false)
    await browser.pass(10 * POLL_INTERVAL_MS)
    expect(browser.requests).toHaveLength(0)
    browser.setInView(element, true)
    await browser.pass(POLL_INTERVAL_MS + BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(1)
  })

  test('asks less and less often where the server does not answer', async () => {
    poll()
    const sentIn = async (ticks: number) => {
      const before = browser.requests.length
      for (let at = 0; at < ticks; at++) {
        await tick()
        if (browser.requests.length > before) await browser.last.fail()
      }
      return browser.requests.length - before
    }
    await browser.pass(BATCH_DELAY_MS)
    expect(await sentIn(15)).toBe(4)
    expect(runtime.failures.getState()).toBe(null)
  })

  test('of an expired page asks the person once', async () => {
    poll()
    await browser.pass(POLL_INTERVAL_MS + BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('PAGE_EXPIRED'), { status: 419 })
    expect(runtime.failures.getState()).toEqual({ kind: 'expired' })
    runtime.failures.dismiss()
    await browser.pass(100 * POLL_INTERVAL_MS)
    expect(browser.requests).toHaveLength(1)
    expect(runtime.failures.getState()).toBe(null)
  })
})

describe('in a hidden tab', () => {
  /** How many of 10,000 ticks ask for something. */
  async function asked(options?: PollOptions): Promise<number> {
    let refreshes = 0
    const counted = {
      getState: component().getState,
      refresh: async () => {
        refreshes++
        return true
      },
    }
    browser.setRandom(seeded(20021122))
    browser.setHidden(true)
    startPoll(counted, browser.environment, { interval: 1, ...options })
    await browser.pass(10_000)
    return refreshes
  }

  test('about 5 % of 10,000 polls are skipped (spec §9)', async () => {
    expect(POLL_SKIP_RATIO).toBe(0.05)
    const skipped = 1 - (await asked()) / 10_000
    expect(skipped).toBeGreaterThan(0.04)
    expect(skipped).toBeLessThan(0.06)
  })

  test('one number decides how many', async () => {
    const skipped = 1 - (await asked({ skipRatio: 0.95 })) / 10_000
    expect(skipped).toBeGreaterThan(0.94)
    expect(skipped).toBeLessThan(0.96)
  })
})
