import { beforeEach, describe, expect, test } from 'vitest'
import { componentOf, snapshotOf } from '../../test/simulated-browser.ts'
import type { Json } from '../protocol/json.ts'
import { UPDATE_LIMITS } from '../protocol/wire.ts'
import { CallError } from './call-error.ts'
import { Store } from './store.ts'

const start = { search: '', filter: { min: 1, max: 9 }, size: 25 }
const refused = new CallError('FORBIDDEN', 'No.', 403)

let store: Store
const shown = () => store.getState().data
const answer = (data: object, effects = {}) =>
  store.apply({ snapshot: snapshotOf({ ...start, ...data }), effects })
const outcome = (call: Promise<Json>) =>
  call.then(
    (value) => ({ value }),
    (error: CallError) => ({ code: error.code }),
  )

beforeEach(() => {
  store = new Store(componentOf(start))
})

describe('edits', () => {
  test('show at once and travel with the next request', () => {
    store.edit('search', 'x')
    store.edit('filter.min', 2)
    expect(shown()).toEqual({ ...start, search: 'x', filter: { min: 2, max: 9 } })
    expect(store.begin()).toEqual({
      snapshot: snapshotOf(start),
      updates: { search: 'x', 'filter.min': 2 },
      calls: [],
    })
  })

  test('that are taken back before they are sent are not sent', () => {
    store.edit('search', 'x')
    store.edit('search', '')
    expect(store.isWaiting).toBe(false)
    expect(store.begin().updates).toEqual({})
  })

  test('that are taken back while they are under way are sent again', () => {
    store.edit('search', 'x')
    store.begin()
    store.edit('search', '')
    expect(shown()).toEqual(start)
    answer({ search: 'x' })
    expect(shown()).toEqual(start)
    expect(store.begin().updates).toEqual({ search: '' })
  })

  test('made while an answer is on its way survive it, at the same path and at others', () => {
    store.edit('search', 'a')
    store.begin()
    store.edit('search', 'ab')
    store.edit('filter.max', 5)
    answer({ search: 'a', size: 50 })
    expect(shown()).toEqual({ search: 'ab', filter: { min: 1, max: 5 }, size: 50 })
    expect(store.begin().updates).toEqual({ search: 'ab', 'filter.max': 5 })
  })

  test('that the server changed on the way in show as the server has them', () => {
    store.edit('search', ' x ')
    store.begin()
    expect(shown()['search']).toBe(' x ')
    answer({ search: 'x' })
    expect(shown()['search']).toBe('x')
    expect(store.isWaiting).toBe(false)
  })

  test('of a refused request are typed again, beneath newer ones', () => {
    store.edit('search', 'a')
    store.edit('filter.min', 5)
    store.begin()
    store.edit('search', 'ab')
    store.fail(refused)
    expect(shown()).toEqual({ ...start, search: 'ab', filter: { min: 5, max: 9 } })
    expect(store.begin().updates).toEqual({ search: 'ab', 'filter.min': 5 })
  })

  test('beyond what a request may hold travel with the next ones, and calls after all of them', () => {
    const count = UPDATE_LIMITS.updates + 1
    for (let at = 0; at < count; at++) store.edit(`field${at}`, at)
    void store.call('save', [])
    const first = store.begin()
    expect(Object.keys(first.updates)).toHaveLength(UPDATE_LIMITS.updates)
    expect(first.calls).toEqual([])
    expect(Object.keys(shown())).toHaveLength(count + 3)
    answer(first.updates)
    expect(store.begin()).toMatchObject({
      updates: { [`field${count - 1}`]: count - 1 },
      calls: [{ method: 'save', params: [] }],
    })
  })
})

describe('an edit that the server did not take', () => {
  const errors = { filter: ['No such range.'] }
  const refuse = (value: Json) => {
    store.edit('filter', value)
    store.begin()
    return answer({}, { errors })
  }

  test('shows with its message until it is edited anew', () => {
    refuse({ min: 9, max: 1 })
    expect(store.isWaiting).toBe(false)
    expect(store.begin().updates).toEqual({})
    answer({ size: 50 })
    expect(store.getState()).toMatchObject({
      data: { ...start, filter: { min: 9, max: 1 }, size: 50 },
      errors,
    })
    store.edit('filter', { min: 1, max: 2 })
    expect(store.begin().updates).toEqual({ filter: { min: 1, max: 2 } })
    answer({ filter: { min: 1, max: 2 } })
    expect(store.getState()).toMatchObject({ data: { filter: { min: 1, max: 2 } }, errors: {} })
  })

  test('is sent again as a whole when a part of it is edited', () => {
    refuse({ min: 9, max: 1 })
    store.edit('filter.max', 10)
    expect(store.begin().updates).toEqual({ filter: { min: 9, max: 10 } })
  })

  test('is gone when it is edited back', () => {
    refuse({ min: 9, max: 1 })
    store.edit('filter', start.filter)
    expect(store.isWaiting).toBe(false)
    expect(shown()).toEqual(start)
  })

  test('is gone when the data hold it after all', () => {
    refuse({ min: 9, max: 1 })
    store.begin()
    answer({ filter: { max: 1, min: 9 } })
    expect(store.getState()).toMatchObject({ data: { filter: { min: 9, max: 1 } }, errors: {} })
    store.begin()
    answer({})
    expect(shown()).toEqual(start)
  })

  test('gives way to what was typed while it was under way', () => {
    store.edit('filter', { min: 9, max: 1 })
    store.begin()
    store.edit('filter.max', 10)
    answer({}, { errors })
    expect(store.begin().updates).toEqual({ filter: { min: 9, max: 10 } })
  })

  test('stays over a page that is fetched anew', () => {
    refuse({ min: 9, max: 1 })
    store.remount(componentOf(start, { serial: 1 }))
    expect(store.getState()).toMatchObject({ data: { filter: { min: 9, max: 1 } }, errors })
  })

  test('stays unsent if the request that is tried again with it fails once more', () => {
    store.edit('filter', { min: 9, max: 1 })
    const request = store.begin()
    store.fail(refused)
    store.begin()
    answer({}, { errors })
    store.resume(request)
    store.fail(refused)
    expect(store.begin().updates).toEqual({})
    answer({})
    expect(store.getState()).toMatchObject({ data: { filter: { min: 9, max: 1 } }, errors })
  })

  test('is none where calls ran and complained of the field', () => {
    store.edit('filter', { min: 9, max: 1 })
    store.begin()
    answer({ filter: { min: 1, max: 9 } }, { errors, returns: [null] })
    expect(shown()).toEqual(start)
  })
})

test('calls beyond the returns of an answer with errors were not made', async () => {
  const calls = [store.call('a', []), store.call('b', [])].map(outcome)
  store.begin()
  answer({}, { returns: ['A'], errors: { '': ['No.'] } })
  expect(await Promise.all(calls)).toEqual([{ value: 'A' }, { code: 'UPDATE_INVALID' }])
})

describe('a held field', () => {
  test('keeps what is typed, whatever the server answers, until it is let go', () => {
    store.hold('search', '')
    store.edit('search', 'x ')
    store.begin()
    answer({ search: 'x' })
    expect(shown()['search']).toBe('x ')
    store.edit('search', 'x y')
    expect(shown()['search']).toBe('x y')
    store.begin()
    answer({ search: 'x y' })
    store.letGo('search')
    expect(shown()['search']).toBe('x y')
  })

  test('shows what the server has once it is let go', () => {
    store.hold('search', '')
    store.edit('search', 'x ')
    store.begin()
    answer({ search: 'x' })
    store.letGo('search')
    expect(shown()['search']).toBe('x')
  })

  test('shows the state that the person goes back to, but for what is still to be sent', () => {
    const before = store.component()
    store.hold('search', '')
    store.edit('search', 'x')
    store.begin()
    answer({ search: 'x' })
    store.goBackTo(before)
    expect(shown()['search']).toBe('')
    store.edit('search', 'y')
    store.goBackTo(before)
    expect(shown()['search']).toBe('y')
  })

  test('leaves the others to the server', () => {
    store.hold('search', '')
    store.begin()
    answer({ search: 'other', size: 100 })
    expect(shown()).toEqual({ ...start, size: 100 })
  })
})

describe('calls', () => {
  test('settle with what they returned, in order', async () => {
    const calls = [store.call('a', [1]), store.call('b', [])].map(outcome)
    expect(store.begin().calls).toEqual([
      { method: 'a', params: [1] },
      { method: 'b', params: [] },
    ])
    answer({}, { returns: ['A', 'B'] })
    expect(await Promise.all(calls)).toEqual([{ value: 'A' }, { value: 'B' }])
  })

  test('settle with null where the server says nothing', async () => {
    const call = store.call('a', [])
    store.begin()
    answer({})
    expect(await call).toBe(null)
  })

  test('settle with the refusal', async () => {
    const call = outcome(store.call('a', []))
    store.begin()
    store.fail(refused)
    expect(await call).toEqual({ code: 'FORBIDDEN' })
  })

  test('settle when the page is left, waiting or under way, and those made later at once', async () => {
    const first = outcome(store.call('a', []))
    store.begin()
    const second = outcome(store.call('b', []))
    store.leave()
    const third = outcome(store.call('c', []))
    expect(await Promise.all([first, second, third])).toEqual(Array(3).fill({ code: 'LEFT_PAGE' }))
    expect(store.isWaiting).toBe(false)
  })

  test('settle when the answer cannot be read, and its edits are typed again', async () => {
    store.edit('search', 'x')
    const call = outcome(store.call('a', []))
    store.begin()
    expect(() => store.apply({ snapshot: 'no snapshot', effects: {} })).toThrow()
    store.fail(refused)
    expect(await call).toEqual({ code: 'FORBIDDEN' })
    expect(store.begin().updates).toEqual({ search: 'x' })
  })

  test('beyond what a request may hold go with the next one, in order', async () => {
    const count = UPDATE_LIMITS.calls + 2
    const calls = Array.from({ length: count }, (_, at) => store.call(`call${at}`, []))
    const first = store.begin().calls
    answer({}, { returns: first.map(({ method }) => method) })
    const second = store.begin().calls
    answer({}, { returns: second.map(({ method }) => method) })
    expect(first).toHaveLength(UPDATE_LIMITS.calls)
    expect(second).toHaveLength(2)
    expect(await Promise.all(calls)).toEqual(calls.map((_, at) => `call${at}`))
  })
})

describe('an outdated snapshot', () => {
  test('keeps edits and calls waiting, before newer ones, until there is a new one', () => {
    store.edit('search', 'a')
    void store.call('first', [])
    store.begin()
    store.edit('search', 'ab')
    void store.call('second', [])
    store.outdated()
    expect(store.isReady).toBe(false)
    store.remount(componentOf({ ...start, size: 50 }, { serial: 1 }))
    expect(store).toMatchObject({ isReady: true, renewals: 1 })
    expect(shown()).toEqual({ ...start, search: 'ab', size: 50 })
    expect(store.begin()).toEqual({
      snapshot: snapshotOf({ ...start, size: 50 }, { serial: 1 }),
      updates: { search: 'ab' },
      calls: [
        { method: 'first', params: [] },
        { method: 'second', params: [] },
      ],
    })
    answer({ search: 'ab' })
    expect(store.renewals).toBe(0)
  })
})

describe('what is drawn', () => {
  test('is a new object after each change, and the same one otherwise', () => {
    let changes = 0
    const stop = store.subscribe(() => changes++)
    const before = store.getState()
    expect(store.getState()).toBe(before)
    store.edit('search', 'x')
    expect(store.getState()).not.toBe(before)
    expect(store.getInitialState()).toBe(before)
    stop()
    store.edit('search', 'y')
    expect(changes).toBe(1)
  })

  test('keeps its view where the server sends none', () => {
    store.begin()
    answer({})
    expect(store.getState().view).toEqual({ drawn: 0 })
    store.begin()
    answer({}, { view: { drawn: 1 } })
    expect(store.getState().view).toEqual({ drawn: 1 })
    store.begin()
    answer({}, { view: null })
    expect(store.getState().view).toBe(null)
  })

  test('shows the errors of the last answer only', () => {
    store.begin()
    answer({}, { errors: { search: ['Too long.'] } })
    expect(store.getState().errors).toEqual({ search: ['Too long.'] })
    store.begin()
    answer({})
    expect(store.getState().errors).toEqual({})
  })

  test('is pending while a request waits or is under way', () => {
    expect(store.getState().pending).toBe(false)
    void store.call('a', [])
    expect(store.getState().pending).toBe(true)
    store.begin()
    expect(store.getState().pending).toBe(true)
    answer({})
    expect(store.getState().pending).toBe(false)
  })
})
