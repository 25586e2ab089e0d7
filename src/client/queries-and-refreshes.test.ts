/** Queries, refreshes and events for other components: what is sent beside updates. */

import { beforeEach, describe, expect, test } from 'vitest'
import {
  answerOf,
  componentOf,
  outcomeOf,
  outdated,
  pageOf,
  refusalOf,
  settle,
  simulateBrowser,
  snapshotOf,
} from '../../test/simulated-browser.ts'
import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import { type ComponentResponse, UPDATE_LIMITS } from '../protocol/wire.ts'
import { createRuntime } from './create-runtime.ts'
import type { Runtime } from './runtime.ts'

const start = { search: '' }
const list = { ...componentOf(start), queries: ['total', 'facets'], listens: ['saved'] }
const other = { ...componentOf(start, { name: 'other' }), queries: ['total'], listens: ['saved'] }
const page = pageOf([list, other])

let browser: ReturnType<typeof simulateBrowser>
let runtime: Runtime
const component = (id = 'list') => runtime.component(id)
const failure = () => runtime.failures.getState()
const next = (serial: number, effects = {}, name = 'list') => ({
  snapshot: snapshotOf(start, { name, serial }),
  effects,
})
const sent = () =>
  browser.requests.map(({ body }) =>
    body?.components?.map(({ calls, updates }) => [updates, calls.map(({ method }) => method)]),
  )

beforeEach(() => {
  browser = simulateBrowser()
  runtime = createRuntime(page, browser.environment)
})

describe('a query', () => {
  test('leaves at once beside an update under way, and takes no unsent edit along', async () => {
    void component().call('sortBy', 'a')
    await browser.pass(BATCH_DELAY_MS)
    component().set('search', 'x')
    const asked = outcomeOf(component().call('total'))
    await browser.pass(BATCH_DELAY_MS)
    expect(sent()).toEqual([[[{}, ['sortBy']]], [[{}, ['total']]]])
    await browser.last.answer(answerOf({ snapshot: list.snapshot, effects: { returns: [7] } }))
    expect(asked.value).toBe(7)
    expect(component().getState().data).toEqual({ search: 'x' })
    expect(component().getState().pending).toBe(true)
  })

  test('keeps no update waiting, and draws nothing', async () => {
    let draws = 0
    component().subscribe(() => draws++)
    const asked = outcomeOf(component().call('total'))
    await browser.pass(BATCH_DELAY_MS)
    expect(draws).toBe(0)
    expect(component().getState().pending).toBe(false)
    const [query] = browser.requests
    void component().call('sortBy', 'a')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(2)
    draws = 0
    await query!.answer(answerOf({ snapshot: list.snapshot, effects: { returns: [1] } }))
    expect([asked.value, draws]).toEqual([1, 0])
  })

  test('travels with the others that are asked within 5 ms, by component', async () => {
    const asked = [
      outcomeOf(component().call('total')),
      outcomeOf(component('other').call('total')),
      outcomeOf(component().call('facets')),
    ]
    await browser.pass(BATCH_DELAY_MS)
    expect(sent()).toEqual([
      [
        [{}, ['total', 'facets']],
        [{}, ['total']],
      ],
    ])
    await browser.last.answer(
      answerOf(
        { snapshot: list.snapshot, effects: { returns: [1, 2] } },
        { snapshot: other.snapshot, effects: { returns: [3] } },
      ),
    )
    expect(asked.map(({ value }) => value)).toEqual([1, 3, 2])
  })

  test('beyond what a request may hold goes with the next one', async () => {
    const calls = Array.from({ length: UPDATE_LIMITS.calls + 1 }, () => component().call('total'))
    for (const call of calls) void call
    await browser.pass(BATCH_DELAY_MS)
    expect(sent().map((parts) => parts?.map(([, calls]) => calls?.length))).toEqual([
      [UPDATE_LIMITS.calls],
      [1],
    ])
  })

  test('that takes long is asked for alone, and holds no other up', async () => {
    const [slow, quick] = ['list', 'other'].map((id) => outcomeOf(component(id).call('total')))
    await browser.pass(BATCH_DELAY_MS)
    const later = { snapshot: list.snapshot, effects: { later: 'key-1.0' } }
    await browser.last.answer(answerOf(later, next(0, { returns: [2] }, 'other')))
    expect([slow, quick]).toEqual([{}, { value: 2 }])
    expect(browser.last.headers.get('Idempotency-Key')).toBe('key-1.0')
    expect(browser.last.body.components.map(({ snapshot }) => snapshot)).toEqual([list.snapshot])
    await browser.last.answer(answerOf(next(0, { returns: [1] })))
    expect(slow).toEqual({ value: 1 })
  })

  test('that is refused tells whoever asked; one that took too long tells nobody else', async () => {
    const slow = outcomeOf(component().call('total'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('QUERY_TIMEOUT'), { status: 503 })
    expect([slow.code, failure()]).toEqual(['QUERY_TIMEOUT', null])
    const denied = outcomeOf(component().call('total'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('FORBIDDEN'), { status: 403 })
    expect(denied.code).toBe('FORBIDDEN')
    expect(failure()).toMatchObject({ kind: 'server', code: 'FORBIDDEN' })
  })

  test('that fails beside others does not take them with it', async () => {
    const [bad, good] = [
      outcomeOf(component().call('total')),
      outcomeOf(component('other').call('total')),
    ]
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('QUERY_TIMEOUT'), { status: 503 })
    await browser.pass(BATCH_DELAY_MS)
    const [, first, second] = browser.requests
    await first!.answer(refusalOf('QUERY_TIMEOUT'), { status: 503 })
    await second!.answer(answerOf({ snapshot: other.snapshot, effects: { returns: [5] } }))
    expect([bad.code, good.value]).toEqual(['QUERY_TIMEOUT', 5])
  })

  test('is asked again after the network was gone', async () => {
    const asked = outcomeOf(component().call('total'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.fail()
    expect(failure()?.kind).toBe('offline')
    await browser.pass(60_000)
    await browser.last.answer(answerOf({ snapshot: list.snapshot, effects: { returns: [4] } }))
    expect([asked.value, failure()]).toEqual([4, null])
  })

  test('with an outdated snapshot is asked again with the page that is fetched anew', async () => {
    const asked = outcomeOf(component().call('total'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(outdated))
    const renewed = { ...list, snapshot: snapshotOf(start, { serial: 5 }) }
    await browser.last.answer(pageOf([renewed, other]))
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.snapshot).toBe(renewed.snapshot)
    await browser.last.answer(answerOf({ snapshot: renewed.snapshot, effects: { returns: [9] } }))
    expect(asked.value).toBe(9)
  })

  test('of a page that is left is answered all the same', async () => {
    const asked = outcomeOf(component().call('total'))
    const visit = runtime.visit('/tables/b')
    await browser.last.answer(
      pageOf([componentOf(start, { path: '/tables/b' })], { url: '/tables/b' }),
    )
    await visit
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ snapshot: list.snapshot, effects: { returns: [9] } }))
    expect(asked.value).toBe(9)
  })
})

describe('a refresh', () => {
  test('brings another view, with no edits and without a turn of its own', async () => {
    component().set('search', 'x')
    const refreshed = component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    expect(sent()).toEqual([[[{}, []]]])
    expect(component().getState().pending).toBe(false)
    await browser.last.answer(answerOf(next(1, { view: { drawn: 1 } })))
    await refreshed
    expect(component().getState()).toMatchObject({ view: { drawn: 1 }, data: { search: 'x' } })
  })

  test('is dropped where an update is in flight, whichever is answered first', async () => {
    void component().call('sortBy', 'a')
    await browser.pass(BATCH_DELAY_MS)
    const refreshed = component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(next(1, { view: { drawn: 1 } })))
    await refreshed
    expect(component().getState().view).toEqual(list.view)
  })

  test('that is asked for while one is in flight follows it', async () => {
    const first = component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    const later = [component().refresh(), component().refresh()]
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(1)
    await browser.last.answer(answerOf(next(1, { view: { drawn: 1 } })))
    await first
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(2)
    await browser.last.answer(answerOf(next(2, { view: { drawn: 2 } })))
    await Promise.all(later)
    expect(component().getState().view).toEqual({ drawn: 2 })
  })

  test('may wait: what is shown for now gives way to it, or to a newer answer', async () => {
    const waiting: ComponentResponse[] = []
    component().screen((refresh) => {
      waiting.push(refresh)
      component().showForNow({ part: waiting.length })
      return true
    })
    const refresh = async (n: number) => {
      const refreshed = component().refresh()
      await browser.pass(BATCH_DELAY_MS)
      await browser.last.answer(answerOf(next(n, { view: { drawn: n } })))
      await refreshed
      await browser.pass(BATCH_DELAY_MS)
    }
    await refresh(1)
    expect(component().getState().view).toEqual({ part: 1 })
    expect(sent().at(-1)).toEqual([[{}, []]])
    await refresh(2)
    // Until then, the component has the state that it had.
    expect(browser.last.body.components[0]!.snapshot).toBe(list.snapshot)
    expect(component().show(waiting.at(-1)!)).toBe(true)
    expect(component().getState().view).toEqual({ drawn: 2 })
    await refresh(3)
    component().screen(null)
    expect(component().getState().view).toEqual({ drawn: 2 })
  })

  test('that waits is not shown once an action was answered', async () => {
    let waiting: ComponentResponse | undefined
    component().screen((refresh) => {
      waiting = refresh
      component().showForNow({ part: 1 })
      return true
    })
    const refreshed = component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(next(1, { view: { drawn: 1 } })))
    await refreshed
    const sorted = component().call('sortBy', 'a')
    await browser.pass(BATCH_DELAY_MS)
    expect(component().show(waiting!)).toBe(false)
    await browser.last.answer(answerOf(next(2, { view: { drawn: 2 }, returns: [null] })))
    await sorted
    expect(component().show(waiting!)).toBe(false)
    expect(component().getState().view).toEqual({ drawn: 2 })
  })

  test('of the view before is dropped where one that waited is shown meanwhile', async () => {
    component().screen((refresh) => {
      first ??= refresh
      return true
    })
    let first: ComponentResponse | undefined
    const ask = async (n: number, meanwhile = () => {}) => {
      const refreshed = component().refresh()
      await browser.pass(BATCH_DELAY_MS)
      meanwhile()
      await browser.last.answer(answerOf(next(n, { view: { drawn: n } })))
      await refreshed
    }
    await ask(1)
    await ask(2, () => component().show(first!))
    expect(component().getState().view).toEqual({ drawn: 1 })
  })

  test('that finds nothing changed draws nothing', async () => {
    let draws = 0
    component().subscribe(() => draws++)
    const refreshed = component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ snapshot: list.snapshot }))
    await refreshed
    expect(draws).toBe(0)
  })

  test.each([
    ['began', () => Promise.resolve()],
    ['was answered', () => browser.last.answer(answerOf(next(2, { view: { drawn: 2 } })))],
  ])('is dropped where an update %s meanwhile', async (_, meanwhile) => {
    const refreshed = component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    const [refresh] = browser.requests
    void component().call('sortBy', 'a')
    await browser.pass(BATCH_DELAY_MS)
    await meanwhile()
    const before = component().getState().view
    await refresh!.answer(answerOf(next(1, { view: { drawn: 1 } })))
    await refreshed
    expect(component().getState().view).toEqual(before)
  })

  test('that takes long is asked for alone, and holds no other up', async () => {
    const slow = component('list').refresh()
    const quick = component('other').refresh()
    await browser.pass(BATCH_DELAY_MS)
    const later = { snapshot: list.snapshot, effects: { later: 'key-1.0' } }
    await browser.last.answer(answerOf(later, next(1, { view: { drawn: 1 } }, 'other')))
    await quick
    expect(component('other').getState().view).toEqual({ drawn: 1 })
    expect(component('list').getState().view).toEqual(list.view)
    expect(browser.last.headers.get('Idempotency-Key')).toBe('key-1.0')
    await browser.last.answer(answerOf(next(1, { view: { drawn: 2 } })))
    await slow
    expect(component('list').getState().view).toEqual({ drawn: 2 })
  })

  test('is asked once at a time for each component, and together for several', async () => {
    for (const id of ['list', 'list', 'other']) void component(id).refresh()
    await browser.pass(BATCH_DELAY_MS)
    expect(sent()).toEqual([
      [
        [{}, []],
        [{}, []],
      ],
    ])
  })

  test('that fails says nothing and is left for the next one, but for a page that has expired', async () => {
    for (const fail of [
      () => browser.last.fail(),
      () => browser.last.answer(refusalOf('SERVER_ERROR'), { status: 500 }),
    ]) {
      const refreshed = component().refresh()
      await browser.pass(BATCH_DELAY_MS)
      await fail()
      await refreshed
      expect(failure()).toBe(null)
    }
    void component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('PAGE_EXPIRED'), { status: 419 })
    expect(failure()).toEqual({ kind: 'expired' })
  })

  test('with an outdated snapshot fetches the page anew', async () => {
    void component().refresh()
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(outdated))
    expect(browser.last.init.method).toBeUndefined()
    const renewed = { ...list, snapshot: snapshotOf(start, { serial: 5 }), view: { drawn: 5 } }
    await browser.last.answer(pageOf([renewed, other]))
    expect(component().getState().view).toEqual({ drawn: 5 })
  })
})

describe('a query that is cancelled', () => {
  const ask = (stop: AbortController, id = 'list') =>
    outcomeOf(component(id).ask(stop.signal, 'total', 'a'))

  test('before it has left is never sent', async () => {
    const stop = new AbortController()
    const asked = ask(stop)
    stop.abort()
    await browser.pass(BATCH_DELAY_MS)
    expect([asked.code, browser.requests.length]).toEqual(['CANCELLED', 0])
    expect(ask(stop)).toEqual({})
    await settle()
    expect(browser.timers).toBe(0)
  })

  test('aborts its request, so that the server stops, and shows no failure', async () => {
    const stop = new AbortController()
    const asked = ask(stop)
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.init.signal?.aborted).toBe(false)
    stop.abort()
    await settle()
    expect([asked.code, browser.last.init.signal?.aborted]).toEqual(['CANCELLED', true])
    await browser.last.fail()
    expect([failure(), browser.timers]).toEqual([null, 0])
  })

  test('leaves the others of its request alone', async () => {
    const stop = new AbortController()
    const asked = ask(stop)
    const kept = outcomeOf(component().call('total'))
    await browser.pass(BATCH_DELAY_MS)
    stop.abort()
    await settle()
    expect([asked.code, browser.last.init.signal?.aborted]).toEqual(['CANCELLED', false])
    await browser.last.answer(answerOf({ snapshot: list.snapshot, effects: { returns: [1, 2] } }))
    expect([kept.value, asked.value]).toEqual([2, undefined])
  })

  test('while it waits for its next try is not tried again', async () => {
    const stop = new AbortController()
    const asked = ask(stop)
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.fail()
    expect(failure()?.kind).toBe('offline')
    stop.abort()
    await browser.pass(60_000)
    expect([asked.code, browser.requests.length, failure()]).toEqual(['CANCELLED', 1, null])
  })

  test('is not sent again with the page that was fetched anew', async () => {
    const stop = new AbortController()
    void ask(stop)
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(outdated))
    stop.abort()
    await browser.last.answer(
      pageOf([{ ...list, snapshot: snapshotOf(start, { serial: 5 }) }, other]),
    )
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.requests.filter(({ body }) => body?.components)).toHaveLength(1)
  })

  test('must be a query', () => {
    const { signal } = new AbortController()
    expect(() => component().ask(signal, 'sortBy', 'a')).toThrow('is no query')
  })
})

describe('an event', () => {
  const saved = { dispatches: [{ name: 'saved', detail: { n: 1 } }] }

  test('goes to the other components that listen, and to the document', async () => {
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(next(1, saved)))
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components).toEqual([
      {
        snapshot: other.snapshot,
        updates: {},
        calls: [{ method: 'on:saved', params: [{ n: 1 }] }],
      },
    ])
    expect(browser.done).toContainEqual({
      what: 'dispatch',
      with: { name: 'saved', detail: { n: 1 } },
    })
  })

  test('is not told again to those that were told on the server', async () => {
    void component().call('save')
    void component('other').call('look')
    await browser.pass(BATCH_DELAY_MS)
    const heard = { heard: [{ from: 'list', event: 'saved' }] }
    await browser.last.answer(answerOf(next(1, saved), next(1, heard, 'other')))
    await browser.pass(BATCH_DELAY_MS)
    await settle()
    expect(browser.requests).toHaveLength(1)
  })
})
