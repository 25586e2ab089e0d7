import { beforeEach, describe, expect, test } from 'vitest'
import {
  answerOf,
  componentOf,
  pageOf,
  refusalOf,
  simulateBrowser,
  snapshotOf,
} from '../../../test/simulated-browser.ts'
import {
  BACK_CACHE_PAGES,
  BATCH_DELAY_MS,
  HOVER_PREFETCH_MS,
  PROGRESS_BAR_DELAY_MS,
} from '../../protocol/constants.ts'
import type { PageData } from '../../protocol/page.ts'
import { createRuntime } from '../create-runtime.ts'
import type { Runtime } from '../runtime.ts'
import { PREFETCH_LIFETIME_MS } from './prefetches.ts'

const shell = (serial = 0) => componentOf({}, { name: 'shell', serial })

/** The page of table `name`, in a shell. */
const tablePage = (name: string, over: Partial<PageData> = {}): PageData => {
  const path = `/tables/${name}`
  return {
    ...pageOf([shell(), componentOf({ search: '', of: name }, { path })], { url: path }),
    shell: 'shell',
    current: name,
    ...over,
  }
}

let browser: ReturnType<typeof simulateBrowser>
let runtime: Runtime
const list = () => runtime.component('list')
const shownTable = () => list().getState().data['of']
const sentTo = () => browser.requests.map(({ url }) => url)

beforeEach(() => {
  browser = simulateBrowser()
  runtime = createRuntime(tablePage('a'), browser.environment)
})

/** Clicks a link, and lets the server answer with the page of that table. */
async function open(name: string, over?: Partial<PageData>): Promise<void> {
  browser.links.open(`/tables/${name}`)
  await browser.last.answer(tablePage(name, over))
}

const entryOf = (name: string) =>
  browser.entries.findLast(({ href }) => href === `/tables/${name}`)!

test('an address that the server has corrected takes the place of the one that was asked for', () => {
  const url = '/tables/a?page=3'
  createRuntime(tablePage('a', { url, isElsewhere: true }), browser.environment)
  expect(browser.environment.location()).toBe(url)
  expect(browser.entries).toHaveLength(1)
})

describe('a page that is left', () => {
  test('is shown at once when one comes back, with what was typed and where one was, then refreshed', async () => {
    list().set('search', 'typed')
    browser.scrollTo(700)
    await open('b')
    expect([shownTable(), list().getState().data['search']]).toEqual(['b', ''])
    const requests = browser.requests.length
    await browser.goTo(entryOf('a'))
    expect(browser.requests).toHaveLength(requests)
    expect([shownTable(), list().getState().data['search']]).toEqual(['a', 'typed'])
    expect(runtime.move.getState()).toMatchObject({ kind: 'return', from: '/tables/b' })
    runtime.arrive()
    expect(browser.done.at(-1)).toEqual({ what: 'scroll', with: 700 })
    await browser.pass(BATCH_DELAY_MS)
    // One request, which sends nothing that was typed.
    const { components } = browser.last.body
    expect(components.map(({ updates, calls }) => [updates, calls])).toEqual([
      [{}, []],
      [{}, []],
    ])
    const [anew, fresh] = [
      { snapshot: snapshotOf({}, { name: 'shell', serial: 1 }) },
      { snapshot: snapshotOf({ search: '', of: 'a', new: 1 }, { serial: 1 }) },
    ]
    await browser.last.answer(answerOf(anew, fresh))
    expect(list().getState().data).toMatchObject({ search: 'typed', new: 1 })
  })

  test('is fetched anew where its snapshot is outdated, and keeps what was typed', async () => {
    list().set('search', 'typed')
    await open('b')
    await browser.goTo(entryOf('a'))
    await browser.pass(BATCH_DELAY_MS)
    const outdated = { snapshot: '', effects: { outdated: true as const } }
    await browser.last.answer(answerOf(outdated, outdated))
    expect(browser.last.url).toBe('/tables/a')
    await browser.last.answer(tablePage('a', { csrf: 'token-new' }))
    expect(list().getState().data['search']).toBe('typed')
    expect(browser.environment.csrf()).toBe('token-new')
  })

  test('is one of the last 10', async () => {
    for (let n = 1; n <= BACK_CACHE_PAGES + 1; n++) await open(`t${n}`)
    const requests = browser.requests.length
    await browser.goTo(entryOf('t1'))
    expect(browser.requests).toHaveLength(requests)
    expect(shownTable()).toBe('t1')
    await browser.goTo(browser.entries[0]!)
    expect(browser.last.url).toBe('/tables/a')
    await browser.last.answer(tablePage('a'))
    expect(shownTable()).toBe('a')
  })

  test('stays rather than those on which nothing was typed', async () => {
    list().set('search', 'typed')
    for (let n = 1; n <= BACK_CACHE_PAGES + 1; n++) await open(`t${n}`)
    await browser.goTo(browser.entries[0]!)
    expect(list().getState().data['search']).toBe('typed')
    expect(browser.asksToLeave).toBe(true)
  })

  test('tells its calls when it is dropped', async () => {
    void list().call('slow')
    await browser.pass(BATCH_DELAY_MS)
    const second = list().call('waits')
    for (let n = 1; n <= BACK_CACHE_PAGES + 1; n++) await open(`t${n}`)
    await expect(second).rejects.toMatchObject({ code: 'LEFT_PAGE' })
  })

  test('is dropped when nothing leads to it any more', async () => {
    await open('b')
    const b = entryOf('b')
    await browser.goTo(entryOf('a'))
    await open('c')
    await browser.goTo(b)
    expect(browser.last.url).toBe('/tables/b')
  })

  test.each(['user', 'lineage'] as const)('is dropped when the %s is another one', async (name) => {
    const first = entryOf('a')
    const page = tablePage('b')
    const [of] = page.components
    const { memo, ...snapshot } = JSON.parse(of!.snapshot) as { memo: object }
    of!.snapshot = JSON.stringify({ ...snapshot, memo: { ...memo, [name]: 'another' } })
    browser.links.open('/tables/b')
    await browser.last.answer(page)
    await browser.goTo(first)
    expect(browser.last.url).toBe('/tables/a')
  })

  test('is dropped when the session has ended', async () => {
    await open('b')
    void list()
      .call('save')
      .catch(() => undefined)
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(refusalOf('PAGE_EXPIRED'), { status: 419 })
    await browser.goTo(entryOf('a'))
    expect(browser.last.url).toBe('/tables/a')
  })

  test('keeps what its components keep', async () => {
    runtime.kept().set('help', true)
    await open('b')
    expect(runtime.kept().size).toBe(0)
    await browser.goTo(entryOf('a'))
    expect(runtime.kept().get('help')).toBe(true)
  })

  test('uses the newest token and preferences when it is shown again', async () => {
    const preferences = { theme: 'dark', density: 'compact', railCollapsed: true } as const
    await open('b', { csrf: 'token-b', preferences })
    await browser.goTo(entryOf('a'))
    expect(runtime.getState()).toMatchObject({ current: 'a', csrf: 'token-b', preferences })
    expect(browser.environment.csrf()).toBe('token-b')
  })
})

test('states of one page are steps back as well: shown at once, as they were', async () => {
  const turned = { search: '', of: 'a', page: 2 }
  void list().call('turnPage')
  await browser.pass(BATCH_DELAY_MS)
  const url = { href: '/tables/a?page=2', mode: 'push' as const }
  await browser.last.answer(
    answerOf({ snapshot: snapshotOf(turned, { serial: 1 }), effects: { view: { drawn: 1 }, url } }),
  )
  expect(list().getState().view).toEqual({ drawn: 1 })
  const [first, second] = browser.entries
  const requests = browser.requests.length
  const { visit } = runtime.move.getState()
  await browser.goTo(first!)
  expect(list().getState()).toMatchObject({ view: { drawn: 0 }, data: { of: 'a' } })
  await browser.goTo(second!)
  expect(list().getState()).toMatchObject({ view: { drawn: 1 }, data: turned })
  expect(browser.requests).toHaveLength(requests)
  // React draws the same page, not another one.
  expect(runtime.move.getState().visit).toBe(visit)
  await open('b')
  await browser.goTo(first!)
  expect(list().getState()).toMatchObject({ view: { drawn: 0 }, data: { of: 'a' } })
})

test('the shell outlives pages, and draws again only what has changed', async () => {
  const before = runtime.component('shell')
  const { view } = before.getState()
  await open('b')
  expect(runtime.component('shell')).toBe(before)
  expect(before.getState().view).toBe(view)
  await open('c', { components: [shell(1), componentOf({}, { path: '/tables/c' })] })
  expect(runtime.component('shell')).toBe(before)
  expect(before.getState().view).toEqual({ drawn: 1 })
})

test('the bar shows after 150 ms, and goes with the page', async () => {
  browser.links.open('/tables/b')
  await browser.pass(PROGRESS_BAR_DELAY_MS - 1)
  expect(runtime.isWaiting.getState()).toBe(false)
  await browser.pass(1)
  expect(runtime.isWaiting.getState()).toBe(true)
  await browser.last.answer(tablePage('b'))
  expect(runtime.isWaiting.getState()).toBe(false)
  browser.links.open('/tables/c')
  await browser.last.answer(tablePage('c'))
  await browser.pass(PROGRESS_BAR_DELAY_MS)
  expect(runtime.isWaiting.getState()).toBe(false)
})

test('going back shows a kept page even while another one is awaited', async () => {
  await open('b')
  browser.links.open('/tables/c')
  const slow = browser.last
  await browser.pass(PROGRESS_BAR_DELAY_MS)
  await browser.goTo(entryOf('a'))
  expect(runtime.isWaiting.getState()).toBe(false)
  await slow.answer(tablePage('c'))
  expect(shownTable()).toBe('a')
})

describe('a link that is pointed at', () => {
  const point = async (name: string, ms = HOVER_PREFETCH_MS) => {
    browser.links.enter(`/tables/${name}`)
    await browser.pass(ms)
  }

  test('is fetched after 60 ms, marked as a prefetch, with the headers of every request', async () => {
    await point('b', HOVER_PREFETCH_MS - 1)
    expect(browser.requests).toHaveLength(0)
    await browser.pass(1)
    expect(sentTo()).toEqual(['/tables/b'])
    expect(Object.fromEntries(browser.last.headers)).toEqual({
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      'x-tablewire-navigate': 'prefetch',
    })
  })

  test('is not fetched if the pointer has left by then', async () => {
    browser.links.enter('/tables/b')
    browser.links.leave()
    await browser.pass(HOVER_PREFETCH_MS)
    expect(browser.requests).toHaveLength(0)
  })

  test('is given up if the pointer leaves before the answer', async () => {
    await point('b')
    browser.links.leave()
    expect(browser.last.init.signal?.aborted).toBe(true)
  })

  test('is fetched at once for a finger', () => {
    browser.links.touch('/tables/b#rows')
    expect(sentTo()).toEqual(['/tables/b'])
  })

  test('is shown at once by a click, which the server is told, and used once', async () => {
    await point('b')
    await browser.last.answer(tablePage('b'))
    browser.links.open('/tables/b')
    await browser.pass(0)
    expect(shownTable()).toBe('b')
    expect(browser.last.headers.get('x-tablewire-navigate')).toBe('shown')
    await browser.last.answer({ shell: shell(3) })
    expect(runtime.component('shell').getState().view).toEqual({ drawn: 3 })
    await browser.goTo(entryOf('a'))
    browser.links.open('/tables/b')
    expect(browser.last.headers.get('x-tablewire-navigate')).toBe('1')
  })

  test('is joined by a click while it is on its way', async () => {
    await point('b')
    browser.links.open('/tables/b')
    browser.links.leave()
    expect(browser.requests).toHaveLength(1)
    expect(browser.last.init.signal?.aborted).toBe(false)
    await browser.last.answer(tablePage('b'))
    expect(shownTable()).toBe('b')
  })

  test('expires', async () => {
    await point('b')
    await browser.last.answer(tablePage('b'))
    await browser.pass(PREFETCH_LIFETIME_MS)
    browser.links.open('/tables/b')
    expect(sentTo()).toEqual(['/tables/b', '/tables/b'])
  })

  test('is fetched anew after an update, which may have changed it', async () => {
    await point('b')
    await browser.last.answer(tablePage('b'))
    void list().call('save')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(answerOf({ snapshot: snapshotOf({ of: 'a' }, { serial: 1 }) }))
    browser.links.open('/tables/b')
    expect(browser.last.headers.get('x-tablewire-navigate')).toBe('1')
  })

  test.each([
    ['over the limit', 429],
    ['that is busy', 503],
    ['that fails', 500],
  ])('by a server %s says nothing, and the click asks for itself', async (_, status) => {
    await point('b')
    await browser.last.answer(refusalOf('BUSY'), { status })
    expect(runtime.failures.getState()).toBe(null)
    await open('b')
    expect(browser.last.headers.get('x-tablewire-navigate')).toBe('1')
    expect(shownTable()).toBe('b')
  })

  test('is not fetched to save data, nor where one is, and few at a time', async () => {
    browser.setSavesData(true)
    await point('b')
    browser.setSavesData(false)
    await point('a')
    expect(browser.requests).toHaveLength(0)
    for (const name of ['b', 'c', 'd', 'e', 'b']) browser.links.touch(`/tables/${name}`)
    expect(sentTo()).toEqual(['/tables/b', '/tables/c', '/tables/d'])
  })
})

describe('a document', () => {
  test('that somebody has stepped back from before anything listened shows where they are', async () => {
    browser = simulateBrowser({ location: '/tables/b', loaded: '/tables/a' })
    runtime = createRuntime(tablePage('a'), browser.environment)
    expect(sentTo()).toEqual(['/tables/b'])
    await browser.last.answer(tablePage('b'))
    expect(shownTable()).toBe('b')
    runtime.arrive()
    expect(runtime.move.getState()).toMatchObject({ kind: 'return', from: '/tables/a' })
  })

  test('that is about to go is left by a link at once, so that no click is lost', async () => {
    await open('b', { assets: { version: 'v2' } })
    expect(browser.done.at(-1)).toEqual({ what: 'load', with: '/tables/b' })
    browser.links.open('/tables/c')
    await browser.pass(0)
    expect(browser.done.at(-1)).toEqual({ what: 'load', with: '/tables/c' })
    expect(sentTo()).toEqual(['/tables/b'])
  })
})

describe('what was typed', () => {
  test('is asked about before the document is left, on kept pages as well', async () => {
    expect(browser.asksToLeave).toBe(false)
    list().set('note', 'typed')
    await open('b')
    expect(browser.asksToLeave).toBe(true)
  })

  test('is not asked about where it is sent by itself', async () => {
    list().set('search', 'typed', { live: true })
    expect(browser.asksToLeave).toBe(false)
    await browser.pass(0)
  })

  test('is not asked about once it is stored', async () => {
    list().set('note', 'typed')
    void list().call('save')
    await browser.pass(BATCH_DELAY_MS)
    await browser.last.answer(
      answerOf({ snapshot: snapshotOf({ of: 'a', note: 'typed' }, { serial: 1 }) }),
    )
    expect(runtime.hasUnsaved()).toBe(false)
  })
})

describe('while something is not saved', () => {
  /** Guards the page; the test answers the questions. */
  function guarded() {
    const answers: ((isLeaving: boolean) => void)[] = []
    let isUnsaved = true
    const stop = runtime.guardLeaving({
      isUnsaved: () => isUnsaved,
      ask: () => new Promise((resolve) => void answers.push(resolve)),
    })
    const answer = async (isLeaving: boolean) => {
      answers.shift()!(isLeaving)
      await browser.pass(0)
    }
    return { answers, answer, stop, save: () => (isUnsaved = false) }
  }

  test('a link asks first: whoever stays stays, and whoever leaves is shown the page', async () => {
    const { answers, answer } = guarded()
    browser.links.open('/tables/b')
    expect([browser.requests.length, answers.length]).toEqual([0, 1])
    await answer(false)
    expect([browser.requests.length, shownTable()]).toEqual([0, 'a'])
    const shown = runtime.visit('/tables/b')
    await answer(true)
    await browser.last.answer(tablePage('b'))
    await shown
    expect(shownTable()).toBe('b')
  })

  test('back asks first, and the address stays that of the page', async () => {
    await open('b')
    const { answers, answer } = guarded()
    await browser.goTo(entryOf('a'))
    expect([shownTable(), browser.environment.location(), answers.length]).toEqual([
      ...['b', '/tables/b', 1],
    ])
    await answer(false)
    expect([shownTable(), browser.environment.location()]).toEqual(['b', '/tables/b'])
    await browser.goTo(entryOf('a'))
    await answer(true)
    expect([shownTable(), browser.environment.location()]).toEqual(['a', '/tables/a'])
    await browser.goTo(entryOf('b'))
    expect([shownTable(), answers.length]).toEqual(['a', 1])
  })

  test('a link to a place on the page does not ask', async () => {
    const { answers } = guarded()
    await browser.back('/tables/a')
    expect(answers).toHaveLength(0)
  })

  test('leaving the document asks, until all is saved or the guard has gone', async () => {
    const { save } = guarded()
    expect(browser.asksToLeave).toBe(true)
    save()
    expect(browser.asksToLeave).toBe(false)
    const { stop } = guarded()
    stop()
    expect(browser.asksToLeave).toBe(false)
    await open('b')
    expect(shownTable()).toBe('b')
  })
})
