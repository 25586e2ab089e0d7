/** What a page tells of a component besides its view: what it waits for, and what is not saved. */

import { beforeEach, describe, expect, test } from 'vitest'
import {
  answerOf,
  componentOf,
  pageOf,
  refusalOf,
  simulateBrowser,
  snapshotOf,
} from '../../test/simulated-browser.ts'
import { BATCH_DELAY_MS, DEBOUNCE_MS } from '../protocol/constants.ts'
import { createRuntime } from './create-runtime.ts'
import type { Runtime } from './runtime.ts'
import { Store } from './store.ts'

const start = { note: '', search: '' }
const list = { ...componentOf(start), queries: ['total'] }

let browser: ReturnType<typeof simulateBrowser>
let runtime: Runtime
const component = (id = 'list') => runtime.component(id)
const waitingFor = () => {
  const { calls, paths } = component().waitingFor.getState()
  return { calls: calls.map(({ method, params }) => [method, ...params]), paths }
}
const nothing = { calls: [], paths: [] }
const next = (data: object, effects = {}, serial = 1) =>
  answerOf({ snapshot: snapshotOf({ ...start, ...data }, { serial }), effects })
const sentNotes = () =>
  browser.requests.map(({ body }) => body.components[0]?.updates['note'] ?? null)

beforeEach(() => {
  browser = simulateBrowser()
  runtime = createRuntime(pageOf([list, componentOf(start, { name: 'late' })]), browser.environment)
})

describe('what is waited for', () => {
  test('is each call until it is settled, and each edit while it is in flight', async () => {
    component().set('note', 'x')
    expect(waitingFor()).toEqual(nothing)
    void component().call('save', 7)
    expect(waitingFor()).toEqual({ calls: [['save', 7]], paths: [] })
    await browser.pass(BATCH_DELAY_MS)
    void component().call('next')
    expect(waitingFor()).toEqual({ calls: [['save', 7], ['next']], paths: ['note'] })
    await browser.last.answer(next({ note: 'x' }, { returns: [null] }))
    expect(waitingFor()).toEqual({ calls: [['next']], paths: [] })
  })

  test('ends with an update that fails as well (spec §4)', async () => {
    component().set('note', 'x')
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('SERVER_ERROR'), { status: 500 })
    expect(waitingFor()).toEqual(nothing)
  })

  test('is a query too, which draws nothing', async () => {
    let draws = 0
    component().subscribe(() => draws++)
    void component().call('total')
    expect(waitingFor()).toEqual({ calls: [['total']], paths: [] })
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ snapshot: list.snapshot, effects: { returns: [3] } }))
    expect([waitingFor(), draws]).toEqual([nothing, 0])
  })

  test('is the same object while it has not changed', () => {
    const before = component().waitingFor.getState()
    component().set('note', 'x')
    expect(component().waitingFor.getState()).toBe(before)
  })
})

describe('an answer that changes nothing', () => {
  test('draws nothing, and equal parts of a view stay the same objects', async () => {
    const rows = [
      ['1', 'a'],
      ['2', 'b'],
    ]
    void component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(next({}, { view: { rows, columns: ['id', 'name'] } }))
    const state = component().getState()
    void component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    const again = { view: { rows: structuredClone(rows), columns: ['id', 'name'] } }
    await browser.last.answer(next({}, again, 2))
    expect(component().getState()).toBe(state)
    void component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    const changed = {
      view: {
        rows: [
          ['1', 'a'],
          ['2', 'c'],
        ],
        columns: ['id', 'name'],
      },
    }
    await browser.last.answer(next({}, changed, 3))
    const [before, after] = [state.view, component().getState().view] as (typeof changed.view)[]
    expect(after).toEqual(changed.view)
    expect([after!.columns === before!.columns, after!.rows[0] === before!.rows[0]]).toEqual([
      true,
      true,
    ])
  })
})

describe('sending by itself', () => {
  test('after a pause of 250 ms with `debounce`, or of as many as are given (spec §9)', async () => {
    component().set('note', 'a', { debounce: true })
    await browser.pass(DEBOUNCE_MS - 1)
    component().set('note', 'ab', { debounce: true })
    await browser.pass(DEBOUNCE_MS - 1)
    expect(sentNotes()).toEqual([])
    await browser.pass(1 + BATCH_DELAY_MS)
    expect(sentNotes()).toEqual(['ab'])
    await browser.last.answer(next({ note: 'ab' }))
    component().set('note', 'abc', { debounce: 40 })
    await browser.pass(40 + BATCH_DELAY_MS)
    expect(sentNotes()).toEqual(['ab', 'abc'])
  })

  test('at once and then every 250 ms with `throttle`, the last edit always (spec §9)', async () => {
    const type = async (note: string) => {
      component().set('note', note, { throttle: true })
      await browser.pass(BATCH_DELAY_MS)
    }
    await type('a')
    expect(sentNotes()).toEqual(['a'])
    await browser.last.answer(next({ note: 'a' }))
    await type('ab')
    await type('abc')
    expect(sentNotes()).toEqual(['a'])
    await browser.pass(DEBOUNCE_MS)
    expect(sentNotes()).toEqual(['a', 'abc'])
    await browser.last.answer(next({ note: 'abc' }, {}, 2))
    await browser.pass(2 * DEBOUNCE_MS)
    expect(sentNotes()).toHaveLength(2)
  })
})

describe('what is not saved', () => {
  const asks = () => [runtime.hasUnsaved(), browser.asksBeforeLeaving()]

  test('is an edit that nobody has sent, until the server has confirmed it', async () => {
    expect(asks()).toEqual([false, false])
    component().set('note', 'x')
    expect(asks()).toEqual([true, true])
    expect(component().getState().dirty).toEqual(['note'])
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    expect(asks()).toEqual([true, true])
    await browser.last.answer(next({ note: 'x' }, { returns: [null] }))
    expect(asks()).toEqual([false, false])
    expect(component().getState().dirty).toEqual([])
  })

  test('is no search, which is sent by itself, unless the server is not reached', async () => {
    component().set('search', 'gull', { live: true })
    expect(asks()).toEqual([false, false])
    await browser.pass(200)
    await browser.last.fail()
    expect(asks()).toEqual([true, true])
  })

  test('is an edit that the server has refused', async () => {
    component().set('search', '?', { live: true })
    await browser.pass(200)
    await browser.last.answer(
      answerOf({ snapshot: list.snapshot, effects: { errors: { search: ['No.'] } } }),
    )
    expect(asks()).toEqual([true, true])
  })

  test('is saved for the next document where the page itself is loaded anew', async () => {
    component().set('note', 'x')
    runtime.reload()
    await browser.pass(0)
    expect(browser.asksBeforeLeaving()).toBe(false)
    const anew = createRuntime(pageOf([list]), browser.environment)
    expect(anew.component('list').getState().data).toMatchObject({ note: 'x' })
  })
})

describe('a lazy component', () => {
  const late = { ...componentOf(start, { name: 'late' }), view: null, lazy: true as const }
  const drawn = (view: string, serial = 1) =>
    answerOf({ snapshot: snapshotOf(start, { name: 'late', serial }), effects: { view } })
  const shown = () => {
    const { view, isDrawn } = component('late').getState()
    return [view, isDrawn]
  }
  beforeEach(() => void (runtime = createRuntime(pageOf([late]), browser.environment)))

  test('is asked for once, and shows what came', async () => {
    await browser.pass(1000)
    expect([browser.requests.length, ...shown()]).toEqual([0, null, false])
    component('late').draw()
    component('late').draw()
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components).toEqual([
      { snapshot: late.snapshot, updates: {}, calls: [] },
    ])
    await browser.last.answer(drawn('chart'))
    expect(shown()).toEqual(['chart', true])
    component('late').draw()
    await browser.pass(1000)
    expect(browser.requests).toHaveLength(1)
  })

  test('that was not asked for stays lazy when it is mounted again', () => {
    const store = new Store(late)
    store.remount(store.component())
    expect(store.getState().isDrawn).toBe(false)
  })

  test('is asked for until the server is reached', async () => {
    component('late').draw()
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.fail()
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(2)
    await browser.last.answer(drawn('chart'))
    expect(shown()).toEqual(['chart', true])
  })
})
