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
import { BATCH_DELAY_MS, LIVE_INPUT_DEBOUNCE_MS } from '../protocol/constants.ts'
import { type Effects, UPDATE_LIMITS } from '../protocol/wire.ts'
import type { CallError } from './call-error.ts'
import { createRuntime } from './create-runtime.ts'
import type { Failure } from './failure.ts'
import type { Runtime } from './runtime.ts'

const start = { search: '', count: 0 }
const list = componentOf(start)
const shell = componentOf({ open: true }, { name: 'shell' })
const page = pageOf([list, shell])

let browser: ReturnType<typeof simulateBrowser>
let runtime: Runtime
const component = (id = 'list') => runtime.component(id)
const shown = (id = 'list') => component(id).getState().data
const failure = () => runtime.failures.getState()
const next = (data: object = {}, serial = 1) => ({
  snapshot: snapshotOf({ ...start, ...data }, { serial }),
})
const nextShell = { snapshot: snapshotOf({ open: true }, { name: 'shell', serial: 1 }) }

beforeEach(() => {
  browser = simulateBrowser()
  runtime = createRuntime(page, browser.environment)
})

describe('batching', () => {
  test('sends what is asked within 5 ms as one request', async () => {
    void component('list').call('next')
    await browser.pass(BATCH_DELAY_MS - 1)
    void component('shell').call('toggle')
    void component('list').call('size', 50)
    expect(browser.requests).toHaveLength(0)
    await browser.pass(1)
    expect(browser.requests).toHaveLength(1)
    expect(browser.last.url).toBe('/tablewire/update')
    expect(browser.last.body).toEqual({
      _token: 'token-1',
      components: [
        {
          snapshot: list.snapshot,
          updates: {},
          calls: [
            { method: 'next', params: [] },
            { method: 'size', params: [50] },
          ],
        },
        { snapshot: shell.snapshot, updates: {}, calls: [{ method: 'toggle', params: [] }] },
      ],
    })
  })

  test('sends in another request what is asked later', async () => {
    void component('list').call('next')
    await browser.pass(BATCH_DELAY_MS)
    void component('shell').call('toggle')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(2)
  })

  test('sends edits with the next call, and none by themselves', async () => {
    component().set('search', 'x')
    await browser.pass(10_000)
    expect(browser.requests).toHaveLength(0)
    void component().call('next')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.updates).toEqual({ search: 'x' })
  })
})

describe('live input', () => {
  test('is sent when typing has settled for 150 ms', async () => {
    for (const text of ['a', 'ab', 'abc']) {
      component().set('search', text, { live: true })
      await browser.pass(LIVE_INPUT_DEBOUNCE_MS - 1)
    }
    expect(browser.requests).toHaveLength(0)
    await browser.pass(1 + BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(1)
    expect(browser.last.body.components[0]?.updates).toEqual({ search: 'abc' })
  })

  test('goes at once with a call', async () => {
    component().set('search', 'abc', { live: true })
    void component().call('next')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]).toMatchObject({
      updates: { search: 'abc' },
      calls: [{ method: 'next' }],
    })
    await browser.last.answer(answerOf(next({ search: 'abc' })))
    await browser.pass(LIVE_INPUT_DEBOUNCE_MS * 2)
    expect(browser.requests).toHaveLength(1)
  })
})

describe('one request at a time for each component', () => {
  test('later edits and calls wait, and leave with the new snapshot', async () => {
    const first = component().call('first')
    await browser.pass(BATCH_DELAY_MS)
    component().set('search', 'x')
    const second = outcomeOf(component().call('second'))
    await browser.pass(10_000)
    expect(browser.requests).toHaveLength(1)
    await browser.last.answer(answerOf({ ...next({ count: 1 }), effects: { returns: ['one'] } }))
    expect(await first).toBe('one')
    expect(shown()).toEqual({ search: 'x', count: 1 })
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components).toEqual([
      {
        snapshot: next({ count: 1 }).snapshot,
        updates: { search: 'x' },
        calls: [{ method: 'second', params: [] }],
      },
    ])
    await browser.last.answer(answerOf({ ...next({}, 2), effects: { returns: ['two'] } }))
    expect(second).toEqual({ value: 'two' })
  })

  test('does not keep other components waiting', async () => {
    void component('list').call('slow')
    await browser.pass(BATCH_DELAY_MS)
    void component('shell').call('toggle')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(2)
    expect(browser.last.body.components).toHaveLength(1)
  })

  test('an answer that comes later is asked for alone, and holds nothing else up', async () => {
    const slow = outcomeOf(component('list').call('slow'))
    const toggled = outcomeOf(component('shell').call('toggle'))
    await browser.pass(BATCH_DELAY_MS)
    const { headers, body } = browser.last
    const key = `${headers.get('Idempotency-Key')}.0`
    const later = { snapshot: list.snapshot, effects: { later: key } }
    await browser.last.answer(answerOf(later, { ...nextShell, effects: { returns: ['open'] } }))
    expect([slow, toggled]).toEqual([{}, { value: 'open' }])
    expect(component('list').getState().pending).toBe(true)
    expect(browser.last.headers.get('Idempotency-Key')).toBe(key)
    expect(browser.last.body.components).toEqual([body.components[0]])
    await browser.last.answer(answerOf({ ...next(), effects: { returns: ['slow'] } }))
    expect(slow).toEqual({ value: 'slow' })
    expect(component('list').getState().pending).toBe(false)
  })

  test('more calls than a request may hold leave one request after the other', async () => {
    const outcomes = Array.from({ length: UPDATE_LIMITS.calls + 1 }, (_, at) =>
      outcomeOf(component().call('add', at)),
    )
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.calls).toHaveLength(UPDATE_LIMITS.calls)
    await browser.last.answer(answerOf(next()))
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.calls).toEqual([
      { method: 'add', params: [UPDATE_LIMITS.calls] },
    ])
    await browser.last.answer(answerOf(next()))
    expect(outcomes).toEqual(outcomes.map(() => ({ value: null })))
  })
})

describe('an answer', () => {
  test('is drawn, and does what it asks of the browser', async () => {
    void component().call('next')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(
      answerOf({
        ...next({ count: 1 }),
        effects: {
          view: { drawn: 'anew' },
          returns: [null],
          errors: { search: ['No.'] },
          url: { href: '/tables/a?page=2', mode: 'push' },
          dispatches: [{ name: 'saved', detail: 1 }],
          download: { href: '/file', name: 'file.csv' },
        },
      }),
    )
    expect(component().getState()).toEqual({
      view: { drawn: 'anew' },
      data: { search: '', count: 1 },
      errors: { search: ['No.'] },
      pending: false,
      dirty: [],
      isDrawn: true,
    })
    expect(browser.done).toEqual([
      { what: 'history', with: { href: '/tables/a?page=2', mode: 'push' } },
      { what: 'dispatch', with: { name: 'saved', detail: 1 } },
      { what: 'download', with: { href: '/file', name: 'file.csv' } },
    ])
  })

  test('that leads elsewhere does nothing besides', async () => {
    void component().call('leave')
    await browser.pass(BATCH_DELAY_MS)
    const effects = { redirect: '/else', url: { href: '/no', mode: 'push' as const } }
    await browser.last.answer(answerOf({ ...next(), effects }))
    expect(browser.done).toEqual([{ what: 'load', with: '/else' }])
  })

  test.each<[string, unknown]>([
    ['another number of components', answerOf()],
    ['no components', {}],
    ['null', null],
    ['a component without effects', { components: [{ snapshot: list.snapshot }] }],
    ['a snapshot that cannot be read', answerOf({ snapshot: 'x' })],
    ['no JSON', '<!doctype html>'],
  ])('with %s settles the call, and keeps what was typed', async (_, body) => {
    component().set('search', 'typed')
    const call = outcomeOf(component().call('next'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(body)
    expect(call.status).toBe(500)
    expect(failure()).toMatchObject({ kind: 'server', status: 500 })
    expect(shown()['search']).toBe('typed')
    void component().call('again')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.updates).toEqual({ search: 'typed' })
  })
})

describe('a network that is gone', () => {
  test('is treated as offline, and the same request is sent again until it is answered', async () => {
    component().set('search', 'x')
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    for (let attempt = 0; attempt < 5; attempt++) {
      await browser.last.fail()
      expect(failure()).toEqual({ kind: 'offline', waiting: 2 })
      expect(call).toEqual({})
      await browser.pass(30_000)
    }
    expect(browser.requests).toHaveLength(6)
    const keys = browser.requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(1)
    const bodies = browser.requests.map(({ init }) => init.body)
    expect(new Set(bodies).size).toBe(1)
    await browser.last.answer(answerOf({ ...next({ search: 'x' }), effects: { returns: [1] } }))
    expect(call).toEqual({ value: 1 })
    expect(failure()).toBe(null)
  })

  test('is tried again at once when the person asks', async () => {
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.fail()
    runtime.failures.retry()
    await settle()
    expect(browser.requests).toHaveLength(2)
    await browser.last.answer(answerOf(next()))
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(2)
    expect(browser.timers).toBe(0)
  })

  test('is told as soon as the browser knows, until there is an answer', async () => {
    component().set('search', 'x')
    browser.setOnline(false)
    expect(failure()).toEqual({ kind: 'offline', waiting: 1 })
    browser.setOnline(true)
    expect(failure()).toMatchObject({ kind: 'offline' })
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.fail()
    expect(failure()).toMatchObject({ kind: 'offline' })
    runtime.failures.retry()
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(2)
    await browser.last.answer(answerOf({ snapshot: list.snapshot }, { snapshot: shell.snapshot }))
    expect(failure()).toBe(null)
  })

  test('keeps what is typed meanwhile, and sends it afterwards', async () => {
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.fail()
    component().set('search', 'typed offline', { live: true })
    await browser.pass(30_000)
    await browser.last.answer(answerOf(next({ count: 1 })))
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.updates).toEqual({ search: 'typed offline' })
    expect(shown()).toEqual({ search: 'typed offline', count: 1 })
  })
})

describe('a server that is busy', () => {
  test.each([429, 503])('with %i is asked again, not before it wishes', async (status) => {
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    const headers = { 'retry-after': '7' }
    await browser.last.answer(refusalOf('BUSY'), { status, headers })
    const { message } = refusalOf('BUSY').error
    expect(failure()).toEqual({ kind: 'busy', waiting: 1, message })
    await browser.pass(6999)
    expect(browser.requests).toHaveLength(1)
    await browser.pass(1000)
    expect(browser.requests).toHaveLength(2)
    const [first] = browser.requests
    const key = first!.headers.get('idempotency-key')
    expect(browser.last.headers.get('idempotency-key')).toBe(key)
    await browser.last.answer(answerOf(next()))
    expect(call).toEqual({ value: null })
    expect(failure()).toBe(null)
  })

  test('that does not know the outcome is not asked again', async () => {
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('OUTCOME_UNKNOWN', 'Please check.'), { status: 503 })
    expect(call).toEqual({ code: 'OUTCOME_UNKNOWN', status: 503 })
    expect(failure()).toEqual({
      kind: 'final',
      code: 'OUTCOME_UNKNOWN',
      status: 503,
      message: 'Please check.',
    })
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(1)
  })

  test('for too long is asked to go on where the person wants that, until they cancel', async () => {
    void component()
      .call('sort')
      .catch(() => undefined)
    const timeOut = () =>
      browser.last.answer(refusalOf('QUERY_TIMEOUT', 'Too long.'), { status: 503 })
    const keepLooking = async () => {
      const shown = failure()
      const looking = shown?.kind === 'final' ? shown.keepLooking?.() : undefined
      await browser.pass(BATCH_DELAY_MS)
      return looking!
    }
    const sent = () => {
      const { headers, body } = browser.last
      const [marker, key] = ['x-tablewire', 'idempotency-key'].map((name) => headers.get(name))
      return { marker, key, body }
    }
    await browser.pass(BATCH_DELAY_MS)
    const first = sent()
    await timeOut()
    const again = await keepLooking()
    expect(sent()).toEqual({ ...first, marker: 'patient' })
    await timeOut()
    await again.done
    const cancelled = await keepLooking()
    cancelled.cancel()
    await cancelled.done
    expect(failure()).toMatchObject({ code: 'QUERY_TIMEOUT' })
    const last = await keepLooking()
    await browser.last.answer(answerOf(next({ search: 'found' })))
    await last.done
    expect(component().getState().data).toMatchObject({ search: 'found' })
  })

  test('for too long with one query is not asked it again, and goes on with what came after', async () => {
    component().set('search', 'slow')
    const slow = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    component().set('search', 'quick')
    const quick = outcomeOf(component().call('sort'))
    await browser.last.answer(refusalOf('QUERY_TIMEOUT', 'Too long.'), { status: 503 })
    expect(slow).toEqual({ code: 'QUERY_TIMEOUT', status: 503 })
    expect(failure()).toMatchObject({ kind: 'final', message: 'Too long.' })
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.requests).toHaveLength(2)
    expect(browser.last.body.components[0]).toMatchObject({
      updates: { search: 'quick' },
      calls: [{ method: 'sort', params: [] }],
    })
    await browser.last.answer(answerOf(next({ search: 'quick' })))
    expect(quick).toEqual({ value: null })
  })
})

describe('an edit that does not fit', () => {
  const misfit = { errors: { search: ['Too long.'] } }

  test('stays to be seen with its message, fails its calls, and is not sent again', async () => {
    component().set('search', 'x'.repeat(201))
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ ...next(), effects: misfit }))
    expect(call).toEqual({ code: 'UPDATE_INVALID', status: 422 })
    expect(failure()).toBe(null)
    const other = outcomeOf(component().call('sort'))
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.updates).toEqual({})
    await browser.last.answer(answerOf({ ...next({ count: 1 }), effects: { returns: [1] } }))
    expect(other).toEqual({ value: 1 })
    expect(component().getState()).toMatchObject({
      data: { search: 'x'.repeat(201), count: 1 },
      errors: misfit.errors,
    })
  })

  test('does not keep back what was sent with it', async () => {
    component().set('search', 'x'.repeat(201))
    component().set('count', 3, { live: true })
    await browser.pass(LIVE_INPUT_DEBOUNCE_MS + BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ ...next(), effects: misfit }))
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.updates).toEqual({ count: 3 })
    await browser.last.answer(answerOf(next({ count: 3 })))
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(2)
    expect(component().getState().errors).toEqual(misfit.errors)
  })

  test('is kept over a load, where it may fit by then', async () => {
    component().set('search', 'long', { live: true })
    await browser.pass(LIVE_INPUT_DEBOUNCE_MS + BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ ...next(), effects: misfit }))
    runtime.reload()
    await browser.pass(0)
    runtime = createRuntime(page, browser.environment)
    expect(shown()['search']).toBe('long')
  })
})

test('a component that failed beside others tells its calls, keeps its edits, and is not asked again', async () => {
  component().set('search', 'x')
  const call = outcomeOf(component().call('save'))
  await browser.pass(BATCH_DELAY_MS)
  const effects = { errors: { '': ['Something went wrong.'] } }
  await browser.last.answer(answerOf({ snapshot: list.snapshot, effects }))
  expect(call).toEqual({ code: 'UPDATE_INVALID', status: 422 })
  expect(component().getState()).toMatchObject({ data: { search: 'x' }, errors: effects.errors })
  await browser.pass(60_000)
  expect(browser.requests).toHaveLength(1)
  void component().call('again')
  await browser.pass(BATCH_DELAY_MS)
  expect(browser.last.body.components[0]?.updates).toEqual({ search: 'x' })
})

describe('a request that is cancelled', () => {
  test('settles its calls, keeps its edits, and shows nothing', async () => {
    component().set('search', 'x')
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    const { signal } = browser.last.init
    component().cancel()
    expect(signal?.aborted).toBe(true)
    await browser.last.fail()
    expect(call).toEqual({ code: 'CANCELLED', status: 0 })
    expect(failure()).toBe(null)
    expect(component().getState()).toMatchObject({ data: { search: 'x' }, pending: false })
    void component().call('next')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.updates).toEqual({ search: 'x' })
  })

  test('is not tried again while the network is gone', async () => {
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.fail()
    expect(failure()).toMatchObject({ kind: 'offline' })
    component().cancel()
    await settle()
    for (const request of browser.requests.slice(1)) await request.fail()
    expect([call.code, failure()]).toEqual(['CANCELLED', null])
    await browser.pass(60_000)
    expect(browser.timers).toBe(0)
  })

  test('is left alone while another component shares it', async () => {
    const calls = ['list', 'shell'].map((id) => outcomeOf(component(id).call('save')))
    await browser.pass(BATCH_DELAY_MS)
    component().cancel()
    expect(browser.last.init.signal?.aborted).toBe(false)
    await browser.last.answer(answerOf(next(), nextShell))
    expect(calls).toEqual([{ value: null }, { value: null }])
  })
})

describe('a refusal', () => {
  test('settles the call in the words of the server, and keeps what was typed', async () => {
    component().set('search', 'x')
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(
      { error: { code: 'SERVER_ERROR', message: 'Sorry.', reference: 'abc' } },
      { status: 500 },
    )
    expect(call).toEqual({ code: 'SERVER_ERROR', status: 500 })
    expect(failure()).toEqual({
      kind: 'server',
      code: 'SERVER_ERROR',
      status: 500,
      message: 'Sorry.',
      reference: 'abc',
      html: null,
      again: expect.any(Function),
    })
    expect(shown()['search']).toBe('x')
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(1)
  })

  const refuse = async () => {
    await browser.last.answer(refusalOf('SERVER_ERROR'), { status: 500 })
    const shown = failure()
    return () => shown && 'again' in shown && shown.again?.()
  }

  test('is tried again with the same key, so that a write that was done is not repeated', async () => {
    component().set('search', 'x')
    void component().call('save', 7)
    await browser.pass(BATCH_DELAY_MS)
    const first = browser.last
    const again = await refuse()
    again()
    expect(browser.requests).toHaveLength(2)
    expect(browser.last.body).toEqual(first.body)
    const keyOf = ({ headers }: typeof first) => headers.get('idempotency-key')
    expect(keyOf(browser.last)).toBe(keyOf(first))
    await browser.last.answer(answerOf({ ...next({ search: 'x' }), effects: { returns: [1] } }))
    expect(component().getState().pending).toBe(false)
  })

  test('is tried again as it was; what was typed since follows', async () => {
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    const first = browser.last
    const again = await refuse()
    component().set('search', 'typed since')
    again()
    expect(browser.last.body).toEqual(first.body)
    component()
      .call('next')
      .catch(() => undefined)
    await browser.last.answer(answerOf({ ...next({}), effects: { returns: [null] } }))
    expect(component().getState().data['search']).toBe('typed since')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.updates).toEqual({ search: 'typed since' })
  })

  test('is tried again after other answers for what it returns alone', async () => {
    component().set('search', 'x')
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    const first = browser.last
    const again = await refuse()
    component()
      .call('next')
      .catch(() => undefined)
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ ...next({ search: 'x' }), effects: { returns: [null] } }))
    again()
    expect(browser.last.body).toEqual(first.body)
    expect(browser.last.headers.get('idempotency-key')).toBe(first.headers.get('idempotency-key'))
    await browser.last.answer(answerOf({ ...next({ search: 'old' }), effects: { returns: [1] } }))
    expect(component().getState()).toMatchObject({ data: { search: 'x' }, pending: false })
  })

  test('in HTML by something in between is kept to be shown', async () => {
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    await browser.last.answer('<h1>Bad gateway</h1>', { status: 502, headers })
    expect(failure()).toMatchObject({ kind: 'server', status: 502, html: '<h1>Bad gateway</h1>' })
  })

  test('of one component does not take others with it', async () => {
    const good = outcomeOf(component('list').call('save'))
    const bad = outcomeOf(component('shell').call('forbidden'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('FORBIDDEN'), { status: 403 })
    const [first, second] = browser.requests.slice(1)
    expect(browser.requests).toHaveLength(3)
    expect(first?.body.components.map(({ snapshot }) => snapshot)).toEqual([list.snapshot])
    const [together] = browser.requests
    const key = together!.headers.get('idempotency-key')
    expect(first?.headers.get('idempotency-key')).toBe(`${key}.0`)
    expect(second?.headers.get('idempotency-key')).toBe(`${key}.1`)
    await first?.answer(answerOf({ ...next(), effects: { returns: ['done'] } }))
    await second?.answer(refusalOf('FORBIDDEN'), { status: 403 })
    expect(good).toEqual({ value: 'done' })
    expect(bad).toEqual({ code: 'FORBIDDEN', status: 403 })
  })

  test('without a token is the error that says so', async () => {
    browser.setToken(null)
    const call = component().call('save')
    const error = call.catch((error: CallError) => error.message)
    await browser.pass(BATCH_DELAY_MS)
    expect(await error).toMatch(/^No CSRF token was detected/)
    expect(browser.requests).toHaveLength(0)
    expect(failure()).toMatchObject({ kind: 'server' })
  })
})

describe('an expired page', () => {
  test('is one failure, though ten requests fail', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `part${at}`)
    browser = simulateBrowser()
    runtime = createRuntime(
      pageOf(names.map((name) => componentOf(start, { name }))),
      browser.environment,
    )
    const told: (Failure | null)[] = []
    runtime.failures.subscribe(() => told.push(failure()))
    const calls = []
    for (const name of names) {
      calls.push(outcomeOf(component(name).call('save')))
      await browser.pass(BATCH_DELAY_MS)
    }
    for (const request of browser.requests)
      await request.answer(refusalOf('PAGE_EXPIRED'), { status: 419 })
    expect(browser.requests).toHaveLength(10)
    expect(told).toEqual([{ kind: 'expired' }])
    expect(calls).toEqual(names.map(() => ({ code: 'PAGE_EXPIRED', status: 419 })))
  })

  test('is not asked one by one', async () => {
    void component('list')
      .call('save')
      .catch(() => {})
    void component('shell')
      .call('save')
      .catch(() => {})
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('PAGE_EXPIRED'), { status: 419 })
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(1)
    expect(failure()).toEqual({ kind: 'expired' })
  })

  test('keeps what was typed over the reload, and over the page to sign in on', async () => {
    component().set('search', 'typed')
    void component()
      .call('save')
      .catch(() => {})
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('PAGE_EXPIRED'), { status: 419 })
    runtime.reload()
    await browser.pass(0)
    expect(browser.done).toEqual([{ what: 'load', with: '/tables/a' }])
    createRuntime(pageOf([], { url: '/sign-in' }), browser.environment)
    runtime = createRuntime(page, browser.environment)
    expect(shown()['search']).toBe('typed')
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.updates).toEqual({ search: 'typed' })
  })
})

test('a reload waits for what is in flight, and saves what came meanwhile', async () => {
  const call = outcomeOf(component().call('save'))
  await browser.pass(BATCH_DELAY_MS)
  runtime.reload()
  component().set('search', 'typed')
  await browser.pass(1000)
  expect(browser.done).toEqual([])
  await browser.last.answer(answerOf({ ...next(), effects: { returns: [1] } }))
  expect(call).toEqual({ value: 1 })
  expect(browser.done).toEqual([{ what: 'load', with: '/tables/a' }])
  runtime = createRuntime(page, browser.environment)
  expect(shown()['search']).toBe('typed')
})

describe('an outdated snapshot', () => {
  const fresh = pageOf([
    componentOf({ ...start, count: 7 }, { serial: 5 }),
    componentOf({ open: true }, { name: 'shell', serial: 5 }),
  ])

  test('fetches the page anew, and makes edits and calls again, once', async () => {
    component().set('search', 'x')
    const call = outcomeOf(component().call('save'))
    const other = outcomeOf(component('shell').call('toggle'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(outdated, nextShell))
    expect(other).toEqual({ value: null })
    expect(browser.last.url).toBe('/tables/a')
    expect(browser.last.headers.get('x-tablewire-navigate')).toBe('1')
    await browser.last.answer(fresh)
    expect(shown()).toEqual({ search: 'x', count: 7 })
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body).toEqual({
      _token: 'token-2',
      components: [
        {
          snapshot: fresh.components[0]?.snapshot,
          updates: { search: 'x' },
          calls: [{ method: 'save', params: [] }],
        },
      ],
    })
    await browser.last.answer(answerOf({ ...next({ search: 'x' }), effects: { returns: ['ok'] } }))
    expect(call).toEqual({ value: 'ok' })
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(3)
    expect(browser.done.filter(({ what }) => what === 'load')).toEqual([])
    expect(failure()).toBe(null)
  })

  test('fetches the page once for all components', async () => {
    void component('list').call('save')
    await browser.pass(BATCH_DELAY_MS)
    void component('shell').call('toggle')
    await browser.pass(BATCH_DELAY_MS)
    const [first, second] = browser.requests
    await first?.answer(answerOf(outdated))
    await second?.answer(answerOf(outdated))
    expect(browser.requests).toHaveLength(3)
    await browser.last.answer(fresh)
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components.map(({ snapshot }) => snapshot)).toEqual(
      fresh.components.map(({ snapshot }) => snapshot),
    )
  })

  test('makes what is asked in the meantime wait for the new one', async () => {
    void component().call('first')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(outdated))
    void component().call('second')
    await browser.pass(10_000)
    expect(browser.requests).toHaveLength(2)
    await browser.last.answer(fresh)
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.calls.map(({ method }) => method)).toEqual([
      'first',
      'second',
    ])
  })

  test('that is outdated again and again is an expired page, not a loop', async () => {
    component().set('search', 'x')
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    for (let renewal = 0; renewal < 3; renewal++) {
      await browser.last.answer(answerOf(outdated))
      await browser.last.answer(fresh)
      await browser.pass(BATCH_DELAY_MS)
    }
    await browser.last.answer(answerOf(outdated))
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(7)
    expect(call).toEqual({ code: 'PAGE_EXPIRED', status: 419 })
    expect(failure()).toEqual({ kind: 'expired' })
    expect(shown()['search']).toBe('x')
  })

  test('whose calls were made before the answer was lost does not make them again', async () => {
    component().set('search', 'x')
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    const later = outcomeOf(component().call('later'))
    await browser.last.answer(
      answerOf({ snapshot: '', effects: { outdated: true, returns: ['saved'] } }),
    )
    expect(call).toEqual({ value: 'saved' })
    await browser.last.answer(fresh)
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]).toMatchObject({
      updates: { search: 'x' },
      calls: [{ method: 'later', params: [] }],
    })
    await browser.last.answer(answerOf(next({ search: 'x' })))
    expect(later).toEqual({ value: null })
  })

  test('whose calls were refused before the answer was lost shows why', async () => {
    const errors = { name: ['There is one of this name.'] }
    component().set('search', 'x')
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    const effects: Effects = { outdated: true, returns: [null], errors }
    await browser.last.answer(answerOf({ snapshot: '', effects }))
    expect(call).toEqual({ value: null })
    await browser.last.answer(fresh)
    expect(component().getState().errors).toEqual(errors)
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(next({ search: 'x' })))
    expect(component().getState().errors).toEqual(errors)
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ ...next({}, 2), effects: { returns: [1] } }))
    expect(component().getState().errors).toEqual({})
  })

  test('of one component does not undo what another is asked meanwhile', async () => {
    void component('shell').call('toggle')
    await browser.pass(BATCH_DELAY_MS)
    const sort = outcomeOf(component('list').call('sort'))
    await browser.pass(BATCH_DELAY_MS)
    const [toggling, sorting] = browser.requests
    await toggling?.answer(answerOf(outdated))
    const url = { href: '/tables/a?sort=b', mode: 'push' } as const
    const effects = { returns: [1], url }
    const refetch = browser.last
    await sorting?.answer(answerOf({ ...next({ count: 3 }), effects }))
    await refetch.answer(fresh)
    // The page that was asked for is that of the address before.
    expect(browser.last.url).toBe(url.href)
    await browser.last.answer(fresh)
    expect(sort).toEqual({ value: 1 })
    expect(shown()['count']).toBe(3)
    expect(browser.environment.location()).toBe(url.href)
  })

  test('of a later build is fetched again as well', async () => {
    for (let deploy = 0; deploy < 5; deploy++) {
      const call = outcomeOf(component().call('save'))
      await browser.pass(BATCH_DELAY_MS)
      await browser.last.answer(answerOf(outdated))
      await browser.last.answer(fresh)
      await browser.pass(BATCH_DELAY_MS)
      await browser.last.answer(answerOf(next()))
      expect(call).toEqual({ value: null })
    }
    expect(failure()).toBe(null)
  })

  test('waits for a server that is just starting', async () => {
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(outdated))
    await browser.last.fail()
    expect(failure()).toEqual({ kind: 'offline', waiting: 1 })
    await browser.pass(30_000)
    await browser.last.answer(refusalOf('BUSY'), { status: 503 })
    await browser.pass(30_000)
    await browser.last.answer(fresh)
    expect(failure()).toBe(null)
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(next()))
    expect(call).toEqual({ value: null })
    expect(browser.done.filter(({ what }) => what === 'load')).toEqual([])
  })

  test('with another client build is a full load; what was typed and called goes on', async () => {
    component().set('search', 'typed')
    void component()
      .call('save')
      .catch(() => {})
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(outdated))
    await browser.last.answer({ ...fresh, assets: { version: 'v2' } })
    expect(browser.done).toEqual([{ what: 'load', with: '/tables/a' }])
    runtime = createRuntime({ ...fresh, assets: { version: 'v2' } }, browser.environment)
    expect(shown()).toEqual({ search: 'typed', count: 7 })
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]).toMatchObject({
      updates: { search: 'typed' },
      calls: [{ method: 'save', params: [] }],
    })
  })

  test('with another client build waits for what is in flight, because the load would lose its answer', async () => {
    void component('shell').call('toggle')
    await browser.pass(BATCH_DELAY_MS)
    const saving = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    const [toggle, save] = browser.requests
    await toggle?.answer(answerOf(outdated))
    await browser.last.answer({ ...fresh, assets: { version: 'v2' } })
    expect(browser.done).toEqual([])
    const url = { href: '/tables/a?saved', mode: 'replace' } as const
    await save?.answer(answerOf({ ...next(), effects: { returns: [1], url } }))
    expect(saving).toEqual({ value: 1 })
    expect(browser.done.at(-1)).toEqual({ what: 'load', with: url.href })
  })

  test('whose answer was lost does what that asked of the browser, before the page is fetched', async () => {
    void component().call('save')
    await browser.pass(BATCH_DELAY_MS)
    const url = { href: '/tables/a?saved', mode: 'replace' } as const
    const effects: Effects = { outdated: true, returns: [1], url }
    await browser.last.answer(answerOf({ snapshot: '', effects }))
    expect(browser.environment.location()).toBe(url.href)
    expect(browser.last.url).toBe(url.href)
  })
})

describe('what is carried over a load', () => {
  test('is given out once, and only at its own address', async () => {
    component().set('search', 'typed')
    runtime.reload()
    await browser.pass(0)
    browser.begin('/tables/b')
    const other = pageOf([componentOf(start, { path: '/tables/b' })], { url: '/tables/b' })
    runtime = createRuntime(other, browser.environment)
    expect(shown()).toEqual(start)
    browser.begin('/tables/a')
    runtime = createRuntime(page, browser.environment)
    expect(shown()).toEqual(start)
  })

  test('is dropped where it cannot be read', () => {
    browser.environment.savedEdits.put('{"location":')
    runtime = createRuntime(page, browser.environment)
    expect(shown()).toEqual(start)
  })
})

describe('a visit', () => {
  const other = pageOf([componentOf({ search: 'b', count: 0 }, { path: '/tables/b' })], {
    url: '/tables/b',
    csrf: 'token-b',
  })

  async function visit(href: string, answer: unknown, init?: ResponseInit) {
    const done = runtime.visit(href)
    await browser.last.answer(answer, init)
    await done
  }

  test('takes the page over in place', async () => {
    let told = 0
    runtime.subscribe(() => told++)
    await visit('/tables/b', other)
    expect(runtime.getState()).toEqual(other)
    expect(told).toBe(1)
    expect(shown()).toEqual({ search: 'b', count: 0 })
    expect(browser.environment.csrf()).toBe('token-b')
    expect(browser.done).toEqual([
      { what: 'history', with: { href: '/tables/b', mode: 'push' } },
      { what: 'title', with: 'Page /tables/b' },
    ])
    expect(() => component('shell')).toThrow('There is no component [shell] on this page.')
  })

  test('to the same path is another page, and the first one is as it was when one comes back', async () => {
    component().set('search', 'typed')
    const [first] = browser.entries
    await visit('/tables/a?page=2', { ...page, url: '/tables/a?page=2' })
    expect(shown()['search']).toBe('')
    await browser.goTo(first!)
    expect(shown()['search']).toBe('typed')
  })

  test('to the address that is shown adds no step, as in a browser', async () => {
    await visit('/tables/a', page)
    expect(browser.done).toContainEqual({
      what: 'history',
      with: { href: '/tables/a', mode: 'replace' },
    })
  })

  test('lets what is under way on the page that is left come to its end, and moves nobody for it', async () => {
    const first = outcomeOf(component().call('first'))
    await browser.pass(BATCH_DELAY_MS)
    const flight = browser.last
    const second = outcomeOf(component().call('second'))
    await visit('/tables/b', other)
    const effects: Effects = {
      returns: [1],
      url: { href: '/tables/a?page=2', mode: 'push' },
      dispatches: [{ name: 'done', detail: 1 }],
    }
    await flight.answer(answerOf({ ...next({ count: 1 }), effects }))
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ ...next({ count: 2 }, 2), effects: { returns: [2] } }))
    expect([first, second]).toEqual([{ value: 1 }, { value: 2 }])
    expect(browser.environment.location()).toBe('/tables/b')
    expect(browser.done.filter(({ what }) => what === 'dispatch')).toEqual([])
    expect(shown()['search']).toBe('b')
    await browser.goTo(browser.entries[0]!)
    expect(shown()['count']).toBe(2)
    expect(browser.environment.location()).toBe('/tables/a?page=2')
  })

  test('fetches the page that is left anew, if a call on it needs that, and writes nothing by it', async () => {
    const call = outcomeOf(component().call('first'))
    await browser.pass(BATCH_DELAY_MS)
    const flight = browser.last
    await visit('/tables/b', other)
    await flight.answer(answerOf(outdated))
    expect(browser.last.url).toBe('/tables/a')
    expect(browser.last.headers.get('x-tablewire-navigate')).toBe('prefetch')
    const renewed = componentOf(start, { serial: 5 })
    await browser.last.answer(pageOf([renewed, shell]))
    await browser.pass(BATCH_DELAY_MS)
    expect(browser.last.body.components[0]?.snapshot).toBe(renewed.snapshot)
    await browser.last.answer(answerOf(next()))
    expect(call).toEqual({ value: null })
    expect(runtime.getState().url).toBe('/tables/b')
  })

  test('gives way to a later one', async () => {
    void runtime.visit('/tables/b')
    const slow = browser.last
    await visit('/tables/a?page=2', { ...page, url: '/tables/a?page=2' })
    await slow.answer(other)
    expect(runtime.getState().url).toBe('/tables/a?page=2')
  })

  test('is not given up for an outdated snapshot', async () => {
    const call = outcomeOf(component().call('save'))
    await browser.pass(BATCH_DELAY_MS)
    const flight = browser.last
    const done = runtime.visit('/tables/a?page=2')
    const visiting = browser.last
    await flight.answer(answerOf(outdated))
    expect(browser.requests).toHaveLength(2)
    await visiting.answer({ ...page, url: '/tables/a?page=2' })
    await done
    expect(runtime.getState().url).toBe('/tables/a?page=2')
    // The page that was left still needs it, for the call.
    expect(browser.last.url).toBe('/tables/a')
    await browser.last.answer(page)
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf(next()))
    expect(call).toEqual({ value: null })
  })

  test.each([
    ['another client build', { ...other, assets: { version: 'v2' } }],
    ['another language', { ...other, language: 'de' }],
  ])('that finds %s is a full load, at an entry of this document', async (_, answer) => {
    await visit('/tables/b', answer, {})
    expect(browser.done).toEqual([
      { what: 'history', with: { href: '/tables/b', mode: 'push' } },
      { what: 'load', with: '/tables/b' },
    ])
  })

  test.each<[string, unknown, ResponseInit]>([
    ['a refusal', refusalOf('NOT_FOUND'), { status: 404 }],
    ['a document', '<!doctype html>', {}],
    ['data that are no page', { rows: [] }, {}],
    ['null', null, {}],
  ])('that finds %s is a full load', async (_, answer, init) => {
    await visit('/tables/b', answer, init)
    expect(browser.done).toEqual([{ what: 'load', with: '/tables/b' }])
  })

  test.each([
    ['without a network', () => browser.last.fail(), 'offline'],
    ['refused for a while', () => browser.last.answer(refusalOf('BUSY'), { status: 503 }), 'busy'],
  ])('%s leaves the page as it is, says so, and comes about later', async (_, refuse, kind) => {
    const done = runtime.visit('/tables/b')
    await refuse()
    // What looks like no network may be a redirect to another origin, which is not followed.
    if (kind === 'offline') await browser.last.fail()
    expect(failure()?.kind).toBe(kind)
    expect(runtime.getState()).toBe(page)
    await browser.pass(30_000)
    await browser.last.answer(other)
    await done
    expect(failure()).toBe(null)
    expect(runtime.getState().url).toBe('/tables/b')
    expect(browser.done.filter(({ what }) => what === 'load')).toEqual([])
  })

  test('can be asked for again while the first one waits for the network', async () => {
    void runtime.visit('/tables/b')
    await browser.last.fail()
    await browser.last.fail()
    await visit('/tables/b', other)
    const sent = browser.requests.length
    await browser.pass(60_000)
    expect(browser.requests).toHaveLength(sent)
    expect(failure()).toBe(null)
  })

  test('shows the page that says what went wrong, at its address', async () => {
    const error = { code: 'NOT_FOUND' as const, message: 'There is nothing here.' }
    await visit('/tables/b', { ...other, error }, { status: 404 })
    expect(runtime.getState().error).toEqual(error)
    expect(browser.environment.location()).toBe('/tables/b')
  })

  test('that was redirected has the address of the page that it led to, and keeps the fragment', async () => {
    await visit('/#rows', other)
    expect(browser.requests[0]?.url).toBe('/')
    expect(browser.environment.href()).toMatch(/\/tables\/b#rows$/)
  })

  test('backwards fetches the page of that address, and adds no step', async () => {
    await browser.back('/tables/b')
    expect(browser.last.url).toBe('/tables/b')
    await browser.last.answer(other)
    expect(runtime.getState().url).toBe('/tables/b')
    expect(browser.done.filter(({ what }) => what === 'history')).toEqual([])
  })

  test('is not asked for where the address is the same but for its fragment', async () => {
    await browser.back('/tables/a')
    expect(browser.requests).toHaveLength(0)
    await visit('/tables/b', other)
    await browser.back('/tables/b')
    expect(browser.requests).toHaveLength(1)
    await browser.back('/tables/c')
    expect(browser.last.url).toBe('/tables/c')
  })

  describe('backwards, with a request under way,', () => {
    const second = componentOf({ search: '', count: 2 }, { serial: 2 })
    const turned = {
      ...next({ count: 3 }, 3),
      effects: {
        view: { drawn: 3 },
        returns: ['turned'],
        url: { href: '/tables/a?page=3', mode: 'push' as const },
        dispatches: [{ name: 'turned', detail: 3 }],
      },
    }

    beforeEach(() => {
      browser = simulateBrowser({ location: '/tables/a?page=2' })
      runtime = createRuntime(pageOf([second], { url: '/tables/a?page=2' }), browser.environment)
    })

    /** A call that is under way while the person goes back. */
    async function turnAndBack() {
      const call = outcomeOf(component().call('turnPage'))
      await browser.pass(BATCH_DELAY_MS)
      const flight = browser.last
      await browser.back('/tables/a')
      return { call, flight, visiting: browser.last }
    }

    test('shows the page gone to, though the answer comes later', async () => {
      const { call, flight, visiting } = await turnAndBack()
      await visiting.answer(page)
      await flight.answer(answerOf(turned))
      expect(call).toEqual({ value: 'turned' })
      expect(component().getState()).toMatchObject({ data: start, view: list.view })
      expect(browser.environment.location()).toBe('/tables/a')
      expect(browser.done.map(({ what }) => what)).toEqual(['title'])
      void component().call('next')
      await browser.pass(BATCH_DELAY_MS)
      expect(browser.last.body.components[0]?.snapshot).toBe(list.snapshot)
    })

    test('stays at the address gone to, though the answer comes first', async () => {
      const { flight, visiting } = await turnAndBack()
      await flight.answer(answerOf(turned))
      await visiting.answer(page)
      expect(component().getState()).toMatchObject({ data: start, view: list.view })
      expect(browser.environment.location()).toBe('/tables/a')
    })

    test('makes again the edits that the page gone to does not hold, and those only', async () => {
      component().set('search', 'typed')
      component().set('count', 0)
      const { flight, visiting } = await turnAndBack()
      await visiting.answer(page)
      await flight.answer(answerOf({ ...turned, ...next({ search: 'typed' }, 3) }))
      expect(shown()).toEqual({ search: 'typed', count: 0 })
      await browser.pass(BATCH_DELAY_MS)
      expect(browser.last.body.components[0]).toEqual({
        snapshot: list.snapshot,
        updates: { search: 'typed' },
        calls: [],
      })
    })

    test('is not fetched once more where the answer is outdated by then', async () => {
      const { call, flight, visiting } = await turnAndBack()
      await visiting.answer(page)
      await flight.answer(answerOf(outdated))
      await browser.pass(BATCH_DELAY_MS)
      expect(browser.requests).toHaveLength(3)
      expect(browser.last.body.components[0]).toMatchObject({
        snapshot: list.snapshot,
        calls: [{ method: 'turnPage', params: [] }],
      })
      await browser.last.answer(answerOf(next()))
      expect(call).toEqual({ value: null })
    })
  })
})

test('another document is loaded as a plain link does', () => {
  runtime.load('/')
  expect(browser.done).toEqual([{ what: 'load', with: '/' }])
  expect(browser.requests).toHaveLength(0)
})

test('a failure that is dismissed is gone, and what waits stays waiting', async () => {
  const call = outcomeOf(component().call('save'))
  await browser.pass(BATCH_DELAY_MS)
  await browser.last.fail()
  runtime.failures.dismiss()
  expect(failure()).toBe(null)
  await browser.pass(30_000)
  await browser.last.answer(answerOf(next()))
  expect(call).toEqual({ value: null })
})
