/** Channels: when the page joins and leaves them, what it tells of them, and what it refreshes. */

import { beforeEach, describe, expect, test } from 'vitest'
import {
  answerOf,
  componentOf,
  pageOf,
  refusalOf,
  type SentRequest,
  settle,
  simulateBrowser,
  snapshotOf,
} from '../../test/simulated-browser.ts'
import { BATCH_DELAY_MS, DEBOUNCE_MS, UNAVAILABLE_TIMEOUT_MS } from '../protocol/constants.ts'
import type { RealtimeAddress } from '../protocol/channels.ts'
import type { PageComponent, PageData } from '../protocol/page.ts'
import type { ChannelHandlers, Presence } from './channel-handlers.ts'
import { createRuntime } from './create-runtime.ts'
import { watchPresence } from './channel-members.ts'
import type { Runtime } from './runtime.ts'

const realtime: RealtimeAddress = {
  key: 'app-key',
  host: null,
  cluster: null,
  path: '',
  authUrl: '/broadcasting/auth',
  userAuthUrl: '/broadcasting/user-auth',
  noticedBy: 'version',
}
const ORDERS = 'private-table.orders'
const NOTES = 'private-table.notes'
/** Longer than a channel, and than a socket, is kept without listeners. */
const [LEFT_MS, CLOSED_MS] = [1500, 12_000]

const part = (name: string, ...channels: string[]): PageComponent => ({
  ...componentOf({}, { name }),
  ...(channels.length > 0 && { channels }),
})
const livePage = (components: PageComponent[], over: Partial<PageData> = {}): PageData => ({
  ...pageOf(components),
  realtime,
  ...over,
})

let browser: ReturnType<typeof simulateBrowser>
let runtime: Runtime
let answered: Set<SentRequest>

beforeEach(() => {
  browser = simulateBrowser()
  answered = new Set()
})

/** Shows the page, whose script for channels has loaded when this resolves. */
async function show(page: PageData): Promise<void> {
  runtime = createRuntime(page, browser.environment)
  runtime.arrive()
  await loaded()
}

/** What listens is a script of its own. */
async function loaded(): Promise<void> {
  await import('./live-push.ts')
  for (let turn = 0; turn < 5; turn++) await settle()
}

const open = (of: (request: SentRequest) => boolean) =>
  browser.requests.filter((request) => of(request) && !answered.has(request))
const isUpdate = ({ url }: SentRequest) => url === '/tablewire/update'
const updates = () => browser.requests.filter(isUpdate)
const asked = () => browser.requests.filter(({ form }) => form !== null)

/** Lets the page into every channel that it asks for. */
async function letIn(): Promise<void> {
  for (const request of open(({ form }) => form !== null)) {
    answered.add(request)
    await request.answer({ auth: 'signed' })
  }
}

/** Answers every update with what the components were. */
async function answerUpdates(): Promise<void> {
  for (const request of open(isUpdate)) {
    answered.add(request)
    await request.answer(answerOf(...request.body.components))
  }
}

/** Answers the one update under way with a new view of its component. */
async function answerWith(view: { drawn: number }): Promise<void> {
  const [request] = open(isUpdate)
  answered.add(request!)
  const snapshot = snapshotOf({}, { serial: view.drawn })
  await request!.answer(answerOf({ snapshot, effects: { view } }))
}

async function connect(id = '1.1'): Promise<void> {
  browser.socket.accept(id)
  await settle()
  await letIn()
}

/** Connects, and answers what is asked for once the channels were joined. */
async function join(id?: string): Promise<void> {
  await connect(id)
  await browser.pass(DEBOUNCE_MS + 2 * BATCH_DELAY_MS)
  await answerUpdates()
  await browser.pass(DEBOUNCE_MS)
}

/** Notes what a listener is told. */
function listener(): ChannelHandlers & { readonly heard: unknown[] } {
  const heard: unknown[] = []
  return {
    heard,
    event: (name, detail) => void heard.push([name, detail]),
    missed: () => void heard.push('missed'),
    members: (presence) => void heard.push(presence),
  }
}

describe('a page', () => {
  test('opens no socket where nothing listens', async () => {
    await show(livePage([part('list')]))
    await browser.pass(60_000)
    expect(browser.sockets).toEqual([])
    expect(browser.requests).toEqual([])
    expect(runtime.push.state.getState()).toBe('off')
  })

  test('opens none where the server sends no events', async () => {
    await show(pageOf([part('list', ORDERS)]))
    runtime.push.listen(ORDERS, listener())()
    await loaded()
    expect(browser.sockets).toEqual([])
  })

  test('opens one once it was drawn, and joins its channels', async () => {
    runtime = createRuntime(livePage([part('list', ORDERS)]), browser.environment)
    await loaded()
    expect(browser.sockets).toEqual([])
    runtime.arrive()
    await loaded()
    expect(browser.socket.address).toEqual(realtime)
    expect([...browser.socket.wanted]).toEqual([ORDERS])
    expect(runtime.push.state.getState()).toBe('connecting')
    await connect()
    expect(runtime.push.state.getState()).toBe('connected')
    expect([...browser.socket.joined]).toEqual([ORDERS])
  })

  test('tells that events do not arrive, 10 s after the connection was lost (spec §9)', async () => {
    await show(livePage([part('list', ORDERS)]))
    const states: string[] = []
    runtime.push.state.subscribe(() => void states.push(runtime.push.state.getState()))
    await browser.pass(UNAVAILABLE_TIMEOUT_MS - 1)
    expect(states).toEqual([])
    await browser.pass(1)
    expect(states).toEqual(['unavailable'])
    await join()
    browser.socket.lose()
    await browser.pass(UNAVAILABLE_TIMEOUT_MS - 1)
    browser.socket.lose()
    expect(states).toEqual(['unavailable', 'connected', 'connecting'])
    await browser.pass(1)
    browser.socket.lose()
    expect(states.slice(3)).toEqual(['unavailable'])
  })

  test('tells so at once where the browser has no network, and connects when it has one', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    const before = updates().length
    browser.setOnline(false)
    expect(runtime.push.state.getState()).toBe('unavailable')
    await browser.pass(60_000)
    expect([runtime.push.state.getState(), browser.socket.isOpen]).toEqual(['unavailable', false])
    browser.setOnline(true)
    expect(browser.socket.isOpen).toBe(true)
    await connect('2.2')
    expect(runtime.push.state.getState()).toBe('connected')
    // Channels are joined again within a while, by chance.
    await browser.pass(2000)
    await join('2.2')
    // What happened meanwhile was not heard.
    expect(updates()).toHaveLength(before + 1)
  })

  test('tells so at once where the server refuses to connect', async () => {
    await show(livePage([part('list', ORDERS)]))
    browser.socket.lose('unavailable')
    expect(runtime.push.state.getState()).toBe('unavailable')
  })

  test('tries to connect again and again, in pauses that grow, until it is connected', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    browser.socket.lose()
    const pauses: number[] = []
    for (let ms = 0, last = 0; pauses.length < 12; ms += 100) {
      await browser.pass(100)
      if (browser.socket.attempts === pauses.length) continue
      pauses.push(ms - last)
      last = ms
    }
    expect(pauses[0]).toBeLessThan(5000)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(4000)
    expect(pauses.at(-1)).toBeGreaterThan(15_000)
    expect(Math.max(...pauses)).toBeLessThan(35_000)
    await join('2.2')
    const { attempts } = browser.socket
    await browser.pass(600_000)
    expect(browser.socket.attempts).toBe(attempts)
  })
})

describe('a request', () => {
  test('names the socket while it is connected (spec §7)', async () => {
    await show(livePage([part('list', ORDERS)]))
    const socketOf = async () => {
      void runtime.component('list').call('next')
      await browser.pass(BATCH_DELAY_MS)
      const id = browser.last.headers.get('x-socket-id')
      await answerUpdates()
      return id
    }
    expect(await socketOf()).toBe(null)
    await join('12.34')
    expect(await socketOf()).toBe('12.34')
    browser.socket.lose()
    expect(await socketOf()).toBe(null)
    await join('56.78')
    expect(await socketOf()).toBe('56.78')
  })
})

describe('joining a channel', () => {
  test('asks the server, as a form with the page’s token (spec §6, §7)', async () => {
    await show(livePage([part('list', ORDERS)]))
    browser.socket.accept('1.1')
    await settle()
    const [{ url, init, headers, form }] = asked() as [SentRequest]
    expect(url).toBe('/broadcasting/auth')
    expect(init.method).toBe('POST')
    expect(form).toEqual({ socket_id: '1.1', channel_name: ORDERS })
    expect(headers.get('x-requested-with')).toBe('XMLHttpRequest')
    expect(headers.get('x-csrf-token')).toBe('token-1')
    expect(headers.get('x-socket-id')).toBe('1.1')
  })

  test('asks without a token on a page that has none', async () => {
    browser.setToken(null)
    await show(livePage([part('list', ORDERS)]))
    browser.socket.accept('1.1')
    await settle()
    expect(asked()[0]?.headers.has('x-csrf-token')).toBe(false)
  })

  test('that is refused is told once, and not asked for again until the page changes', async () => {
    await show(livePage([part('list', ORDERS)]))
    browser.socket.accept('1.1')
    await settle()
    await browser.last.answer(refusalOf('FORBIDDEN'), { status: 403 })
    await browser.pass(600_000)
    browser.socket.lose()
    browser.socket.accept('2.2')
    await browser.pass(60_000)
    expect(asked()).toHaveLength(1)
    expect(browser.done.filter(({ what }) => what === 'error')).toHaveLength(1)
    expect(String(browser.done[0]?.with)).toContain(`[${ORDERS}]`)
    expect(updates()).toEqual([])
    void runtime.visit('/tables/a')
    await settle()
    await browser.last.answer(livePage([part('list', ORDERS)]))
    expect(asked()).toHaveLength(2)
  })

  test.each([401, 419])('is quiet where the session is over (%i)', async (status) => {
    await show(livePage([part('list', ORDERS)]))
    browser.socket.accept('1.1')
    await settle()
    await browser.last.answer(refusalOf('PAGE_EXPIRED'), { status })
    await browser.pass(60_000)
    expect(asked()).toHaveLength(1)
    expect(browser.done).toEqual([])
    expect(runtime.failures.getState()).toBe(null)
  })

  test.each([
    ['no answer', (request: SentRequest) => request.fail()],
    ['busy', (request: SentRequest) => request.answer(refusalOf('BUSY'), { status: 503 })],
  ])('is tried again after a failure that passes: %s', async (_, fail) => {
    await show(livePage([part('list', ORDERS)]))
    browser.socket.accept('1.1')
    await settle()
    await fail(browser.last)
    expect(asked()).toHaveLength(1)
    await browser.pass(500)
    expect(asked()).toHaveLength(2)
    await fail(browser.last)
    await browser.pass(500)
    expect(asked()).toHaveLength(2)
    await browser.pass(500)
    await letIn()
    expect([...browser.socket.joined]).toEqual([ORDERS])
    expect(browser.done).toEqual([])
  })

  test('waits as long as the server asks for', async () => {
    await show(livePage([part('list', ORDERS)]))
    browser.socket.accept('1.1')
    await settle()
    const busy = { status: 429, headers: { 'retry-after': '5' } }
    await browser.last.answer(refusalOf('BUSY'), busy)
    await browser.pass(4999)
    expect(asked()).toHaveLength(1)
    await browser.pass(501)
    expect(asked()).toHaveLength(2)
  })

  test('is given up for a connection that was lost: the next one asks for itself', async () => {
    await show(livePage([part('list', ORDERS)]))
    browser.socket.accept('1.1')
    await settle()
    await browser.last.fail()
    browser.socket.lose()
    browser.socket.accept('2.2')
    await browser.pass(30_000)
    expect(asked().map(({ form }) => form?.socket_id)).toEqual(['1.1', '2.2'])
  })

  test('anew is spread by chance, because all browsers lose a server at once', async () => {
    const delays: number[] = []
    for (const chance of [0, 0.5, 0.99]) {
      browser = simulateBrowser()
      answered = new Set()
      browser.setRandom(() => chance)
      await show(livePage([part('list', ORDERS)]))
      await join()
      browser.socket.lose()
      browser.socket.accept('2.2')
      await settle()
      let delay = 0
      for (; asked().length < 2; delay += 10) await browser.pass(10)
      delays.push(delay)
    }
    expect(delays).toEqual([0, 1000, 1980])
  })

  test('that the server ends counts as refused', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    const before = updates().length
    browser.socket.events.refused(ORDERS)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(60_000)
    expect([...browser.socket.wanted]).toEqual([])
    expect(updates()).toHaveLength(before)
    expect(browser.done.filter(({ what }) => what === 'error')).toHaveLength(1)
  })
})

describe('a component', () => {
  test('is refreshed by an event of its channel, and no other one', async () => {
    await show(livePage([part('list', ORDERS), part('notes', NOTES), part('still')]))
    await join()
    const before = updates().length
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 1)
    expect(browser.last.body.components).toEqual([
      { snapshot: snapshotOf({}), updates: {}, calls: [] },
    ])
  })

  test.each([
    ['', false],
    [', also while the person interacts with it', true],
  ])(
    'is refreshed by a write of another one of the page, whose socket is not told of it%s',
    async (_, isInteracting) => {
      await show(livePage([part('list', ORDERS), part('notes', NOTES), part('still')]))
      await join()
      browser.setInteracting(isInteracting)
      const before = updates().length
      runtime.component('list').call('archive').catch(() => undefined) // prettier-ignore
      await browser.pass(BATCH_DELAY_MS)
      const [request] = open(isUpdate)
      answered.add(request!)
      await request!.answer(
        answerOf({ snapshot: snapshotOf({}), effects: { returns: [null], wrote: true } }),
      )
      await browser.pass(2 * BATCH_DELAY_MS)
      expect(updates()).toHaveLength(before + 2)
      expect(browser.last.body.components).toHaveLength(1)
      await answerUpdates()
      await browser.pass(60_000)
      expect(updates()).toHaveLength(before + 2)
    },
  )

  test('that does not yield is refreshed while the person interacts with the page, and others wait', async () => {
    await show(livePage([part('list', ORDERS), { ...part('jobs', NOTES), yields: false }]))
    await join()
    const asked = () => updates().map(({ body }) => body.components)
    const jobs = { snapshot: snapshotOf({}, { name: 'jobs' }), updates: {}, calls: [] }
    // A refresh under way goes on, too.
    browser.socket.send(NOTES, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    browser.setInteracting(true)
    await answerUpdates()
    const before = updates().length
    for (const channel of [ORDERS, NOTES, NOTES]) {
      browser.socket.send(channel, 'changed')
      await browser.pass(DEBOUNCE_MS + 2 * BATCH_DELAY_MS)
      await answerUpdates()
    }
    expect(asked().slice(before)).toEqual([[jobs], [jobs]])
    expect(runtime.push.waits.getState()).toBe(true)
    browser.setInteracting(false)
    await browser.pass(DEBOUNCE_MS + 2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 3)
  })

  test('hears of further channels that an answer names, and goes on to hear of all', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    const ask = async (channels: string[]) => {
      runtime.component('list').call('filter').catch(() => undefined) // prettier-ignore
      await browser.pass(BATCH_DELAY_MS)
      const [request] = open(isUpdate)
      answered.add(request!)
      await request!.answer(
        answerOf({ snapshot: snapshotOf({}), effects: { returns: [null], channels } }),
      )
      await join()
    }
    await ask([ORDERS, NOTES])
    await ask([ORDERS, 'private-table.others'])
    expect([...browser.socket.wanted]).toEqual([ORDERS, NOTES, 'private-table.others'])
    for (const channel of [ORDERS, NOTES]) {
      await answerUpdates()
      const before = updates().length
      browser.socket.send(channel, 'changed')
      await browser.pass(DEBOUNCE_MS + 2 * BATCH_DELAY_MS)
      expect(updates()).toHaveLength(before + 1)
    }
  })

  test('is refreshed once by a burst, and once more by what comes meanwhile', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    const before = updates().length
    for (let event = 0; event < 50; event++) browser.socket.send(ORDERS, 'changed')
    await browser.pass(DEBOUNCE_MS + 2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 1)
    for (let event = 0; event < 50; event++) browser.socket.send(ORDERS, 'changed')
    await browser.pass(10 * DEBOUNCE_MS)
    // The first has not been answered: it may have been read before these events.
    expect(updates()).toHaveLength(before + 1)
    await answerUpdates()
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 2)
    await answerUpdates()
    await browser.pass(60_000)
    expect(updates()).toHaveLength(before + 2)
  })

  test('is refreshed at most four times a second, and after the last event', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    const before = updates().length
    for (let ms = 0; ms < 2000; ms += 10) {
      browser.socket.send(ORDERS, 'changed')
      await browser.pass(10)
      await answerUpdates()
    }
    const during = updates().length - before
    expect(during).toBeGreaterThanOrEqual(7)
    expect(during).toBeLessThanOrEqual(9)
    await browser.pass(DEBOUNCE_MS + BATCH_DELAY_MS)
    expect(updates().length - before).toBe(during + 1)
  })

  test('is refreshed again where no answer came', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    const before = updates().length
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    await browser.last.fail()
    await browser.pass(1000)
    expect(updates()).toHaveLength(before + 2)
    await browser.last.answer(refusalOf('BUSY'), { status: 503 })
    await browser.pass(2000)
    expect(updates()).toHaveLength(before + 3)
    await answerUpdates()
    await browser.pass(60_000)
    expect(updates()).toHaveLength(before + 3)
    expect(runtime.failures.getState()).toBe(null)
  })

  test('is refreshed again where an update was under way, which may have read before', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    void runtime.component('list').call('next')
    await browser.pass(BATCH_DELAY_MS)
    const update = browser.last
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    const refresh = browser.last
    expect(refresh).not.toBe(update)
    await update.answer(answerOf({ snapshot: snapshotOf({}, { serial: 1 }) }))
    // What the event is about: dropped, because it does not know of the update.
    await refresh.answer(answerOf({ snapshot: snapshotOf({}, { serial: 2 }) }))
    answered.add(update).add(refresh)
    await browser.pass(DEBOUNCE_MS + BATCH_DELAY_MS)
    expect(open(isUpdate).map(({ body }) => body.components[0]?.snapshot)).toEqual([
      snapshotOf({}, { serial: 1 }),
    ])
  })

  test('is refreshed once the channel was joined: what happened before was not heard', async () => {
    await show(livePage([part('list', ORDERS), part('notes', NOTES), part('still')]))
    await connect()
    await browser.pass(DEBOUNCE_MS + 2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(1)
    expect(browser.last.body.components).toHaveLength(2)
  })

  test('is refreshed once after the connection was lost', async () => {
    await show(livePage([part('list', ORDERS, NOTES), part('notes', NOTES)]))
    await join()
    const before = updates().length
    browser.socket.lose()
    browser.socket.lose('unavailable')
    await browser.pass(30_000)
    expect(updates()).toHaveLength(before)
    await connect('2.2')
    await browser.pass(2000)
    await letIn()
    await browser.pass(DEBOUNCE_MS + 2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 1)
    expect(browser.last.body.components).toHaveLength(2)
    await answerUpdates()
    await browser.pass(60_000)
    expect(updates()).toHaveLength(before + 1)
  })

  test('does not wait for its next try once the connection is back', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    browser.socket.send(ORDERS, 'changed')
    // Tries that fail, until the pause between them is long.
    for (let tries = 0; tries < 8; tries++) {
      await browser.pass(40_000)
      for (const request of open(isUpdate)) {
        answered.add(request)
        await request.fail()
      }
    }
    browser.socket.lose()
    const before = updates().length
    await connect('2.2')
    await browser.pass(2000)
    await letIn()
    await browser.pass(DEBOUNCE_MS + 2 * BATCH_DELAY_MS)
    expect(updates().length).toBeGreaterThan(before)
  })

  test('that nobody has asked for yet is not read', async () => {
    await show(livePage([{ ...part('list', ORDERS), lazy: true, view: null }]))
    await connect()
    await browser.pass(60_000)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(60_000)
    expect(updates()).toEqual([])
  })
})

describe('showing another page', () => {
  async function visit(page: PageData): Promise<void> {
    void runtime.visit(page.url)
    await settle()
    await browser.last.answer(page)
    await settle()
  }

  test('keeps the socket and the channels that both listen to, and leaves the others', async () => {
    await show(livePage([part('list', ORDERS, NOTES)]))
    await join()
    await visit(livePage([part('record', ORDERS)], { url: '/tables/b' }))
    await browser.pass(LEFT_MS)
    expect(browser.sockets).toHaveLength(1)
    expect([...browser.socket.wanted]).toEqual([ORDERS])
    expect(asked()).toHaveLength(2)
    await answerUpdates()
    const before = updates().length
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 1)
    expect(browser.last.body.components[0]?.snapshot).toBe(part('record').snapshot)
  })

  test('closes the socket a little later, where that page does not listen', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    await visit(livePage([part('list')], { url: '/tables/b' }))
    await browser.pass(LEFT_MS)
    expect([...browser.socket.wanted]).toEqual([])
    expect(browser.socket.isOpen).toBe(true)
    await browser.pass(CLOSED_MS)
    expect(browser.socket.isOpen).toBe(false)
    expect(runtime.push.state.getState()).toBe('off')
    await visit(livePage([part('list', ORDERS)], { url: '/tables/c' }))
    expect(browser.socket.isOpen).toBe(true)
    expect(browser.sockets).toHaveLength(1)
    await connect('3.3')
    expect([...browser.socket.joined]).toEqual([ORDERS])
  })

  test('to another person gives the socket up, with all that it was let into', async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
    const theirs = part('list', ORDERS)
    theirs.snapshot = theirs.snapshot.replace('"user":"u"', '"user":"v"')
    await visit(livePage([theirs]))
    expect(browser.sockets).toHaveLength(2)
    expect(browser.sockets[0]?.isOpen).toBe(false)
    await connect('2.2')
    expect([...browser.socket.joined]).toEqual([ORDERS])
    expect(asked()).toHaveLength(2)
  })

  test('tries again where the server has refused to connect', async () => {
    await show(livePage([part('list', ORDERS)]))
    browser.socket.lose('unavailable')
    const before = browser.socket.connects
    await visit(livePage([part('list', ORDERS)]))
    expect(browser.socket.connects).toBe(before + 1)
  })
})

describe('a listener', () => {
  const listen = async (channel: string, handlers: ChannelHandlers) => {
    const stop = runtime.push.listen(channel, handlers)
    await loaded()
    return stop
  }

  test('hears the events of its channel while it listens', async () => {
    await show(livePage([]))
    const one = listener()
    const stop = await listen(ORDERS, one)
    await join()
    browser.socket.send(ORDERS, 'changed', { key: '1' })
    browser.socket.send(NOTES, 'changed', { key: '2' })
    expect(one.heard).toEqual(['missed', ['changed', { key: '1' }]])
    stop()
    await settle()
    browser.socket.send(ORDERS, 'changed', { key: '3' })
    expect(one.heard).toHaveLength(2)
  })

  test('is told after each gap that it may have missed something', async () => {
    await show(livePage([]))
    const one = listener()
    await listen(ORDERS, one)
    await join()
    browser.socket.lose()
    await connect('2.2')
    await browser.pass(2000)
    await letIn()
    await browser.pass(DEBOUNCE_MS)
    expect(one.heard).toEqual(['missed', 'missed'])
  })

  test('that comes later is told so, too, and the others are not', async () => {
    await show(livePage([]))
    const [one, two] = [listener(), listener()]
    await listen(ORDERS, one)
    await join()
    await listen(ORDERS, two)
    await browser.pass(DEBOUNCE_MS)
    expect([one.heard, two.heard]).toEqual([['missed'], ['missed']])
    expect(asked()).toHaveLength(1)
  })

  test('that is the last one leaves the channel a little later, unless there is another', async () => {
    await show(livePage([]))
    const stopOne = await listen(ORDERS, listener())
    const stopTwo = await listen(ORDERS, listener())
    await join()
    stopOne()
    await browser.pass(LEFT_MS)
    expect([...browser.socket.wanted]).toEqual([ORDERS])
    stopTwo()
    stopTwo()
    await settle()
    const stopThree = await listen(ORDERS, listener())
    await browser.pass(LEFT_MS)
    expect([...browser.socket.wanted]).toEqual([ORDERS])
    stopThree()
    await settle()
    await browser.pass(LEFT_MS)
    expect([...browser.socket.wanted]).toEqual([])
  })

  test('that fails does not keep the others from hearing', async () => {
    await show(livePage([]))
    const one = listener()
    await listen(ORDERS, {
      event: () => {
        throw new Error('a bug')
      },
    })
    await listen(ORDERS, one)
    await join()
    browser.socket.send(ORDERS, 'changed')
    expect(one.heard).toContainEqual(['changed', null])
    expect(browser.done).toEqual([{ what: 'error', with: new Error('a bug') }])
  })

  test('of a presence channel knows its members, also when it comes later', async () => {
    await show(livePage([]))
    const room = 'presence-room.1'
    const ana: Presence = { members: [{ id: 'ana', info: { name: 'Ana' } }], me: 'ana' }
    const seen: Presence[] = []
    const watched = watchPresence(runtime.push, room)
    const stop = watched.subscribe(() => void seen.push(watched.getState()))
    await loaded()
    await join()
    expect(watched.getState()).toEqual({ members: [], me: null })
    browser.socket.events.members(room, ana)
    const both = { ...ana, members: [...ana.members, { id: 'bo', info: null }] }
    browser.socket.events.members(room, both)
    expect(seen).toEqual([ana, both])
    const late = listener()
    await listen(room, late)
    expect(late.heard).toEqual([both])
    stop()
    await settle()
    browser.socket.events.members(room, ana)
    expect(watched.getState()).toBe(both)
  })
})

test('a person who interacts before anything listens holds what comes', async () => {
  browser.setInteracting(true)
  await show(livePage([part('list', ORDERS)]))
  await join()
  const before = updates().length
  browser.socket.send(ORDERS, 'changed')
  await browser.pass(10 * DEBOUNCE_MS)
  expect(updates()).toHaveLength(before)
  expect(runtime.push.waits.getState()).toBe(true)
})

test('while the person interacts, a page that has only been drawn tells of no changes; one that was cut off does', async () => {
  await show(livePage([part('list', ORDERS, 'private-table.customers')]))
  const { push } = runtime
  browser.setInteracting(true)
  const before = updates().length
  await join()
  await browser.pass(10 * DEBOUNCE_MS)
  expect(push.waits.getState()).toBe(false)
  browser.socket.lose()
  await connect('2.2')
  await browser.pass(2000)
  await letIn()
  await browser.pass(10 * DEBOUNCE_MS)
  expect(push.waits.getState()).toBe(true)
  expect(updates()).toHaveLength(before)
  browser.setInteracting(false)
  await browser.pass(2 * BATCH_DELAY_MS)
  expect(updates()).toHaveLength(before + 1)
})

describe('while the person interacts with the page', () => {
  beforeEach(async () => {
    await show(livePage([part('list', ORDERS)]))
    await join()
  })

  test('nothing is refreshed, which is told, and what waits follows when they stop', async () => {
    const { push } = runtime
    const before = updates().length
    browser.setInteracting(true)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(10 * DEBOUNCE_MS)
    expect(updates()).toHaveLength(before)
    expect(push.waits.getState()).toBe(true)
    browser.setInteracting(false)
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 1)
    expect(push.waits.getState()).toBe(false)
  })

  test('what follows when they stop is not shown if they begin again', async () => {
    const { push } = runtime
    browser.setInteracting(true)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(10 * DEBOUNCE_MS)
    browser.setInteracting(false)
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(open(isUpdate)).toHaveLength(1)
    browser.setInteracting(true)
    await answerWith({ drawn: 1 })
    await browser.pass(10 * DEBOUNCE_MS)
    expect(runtime.component('list').getState().view).not.toEqual({ drawn: 1 })
    expect(push.waits.getState()).toBe(true)
  })

  test('what is under way when they begin is not shown, and follows when they stop', async () => {
    const { push } = runtime
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    const before = updates().length
    browser.setInteracting(true)
    await answerWith({ drawn: 1 })
    await browser.pass(10 * DEBOUNCE_MS)
    expect(runtime.component('list').getState().view).not.toEqual({ drawn: 1 })
    expect(push.waits.getState()).toBe(true)
    browser.setInteracting(false)
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 1)
  })

  test('so is what follows an answer that took longer than the pause between two', async () => {
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    const [slow] = open(isUpdate)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * DEBOUNCE_MS)
    expect(open(isUpdate)).toEqual([slow])
    await answerUpdates()
    await browser.pass(2 * BATCH_DELAY_MS)
    browser.setInteracting(true)
    await answerWith({ drawn: 2 })
    await browser.pass(10 * DEBOUNCE_MS)
    expect(runtime.component('list').getState().view).not.toEqual({ drawn: 2 })
    expect(runtime.push.waits.getState()).toBe(true)
    expect(open(isUpdate)).toEqual([])
  })

  test('what the person asked for is shown, though an event wanted the same', async () => {
    const list = runtime.component('list')
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(BATCH_DELAY_MS)
    const refreshed = list.refresh()
    await browser.pass(BATCH_DELAY_MS)
    browser.setInteracting(true)
    expect(open(isUpdate)).toHaveLength(1)
    await answerWith({ drawn: 1 })
    expect(await refreshed).toBe(true)
    expect(list.getState().view).toEqual({ drawn: 1 })
  })

  test('what the person asks for after an event follows what is under way, and is shown', async () => {
    const list = runtime.component('list')
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    void list.refresh()
    browser.setInteracting(true)
    await answerWith({ drawn: 1 })
    expect(list.getState().view).not.toEqual({ drawn: 1 })
    await browser.pass(2 * BATCH_DELAY_MS)
    await answerWith({ drawn: 2 })
    expect(list.getState().view).toEqual({ drawn: 2 })
  })

  test('nothing follows an answer that was awaited when they began', async () => {
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * BATCH_DELAY_MS)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(2 * DEBOUNCE_MS)
    browser.setInteracting(true)
    await answerUpdates()
    await browser.pass(10 * DEBOUNCE_MS)
    expect(open(isUpdate)).toEqual([])
    browser.setInteracting(false)
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(open(isUpdate)).toHaveLength(1)
  })

  test('the person may have what waits at once; what comes after it waits again', async () => {
    const { push } = runtime
    const before = updates().length
    browser.setInteracting(true)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(DEBOUNCE_MS)
    push.catchUp()
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 1)
    await answerUpdates()
    await browser.pass(2 * DEBOUNCE_MS)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(10 * DEBOUNCE_MS)
    expect(updates()).toHaveLength(before + 1)
    expect(push.waits.getState()).toBe(true)
  })

  test('a pause holds everything until it ends', async () => {
    const { push } = runtime
    const before = updates().length
    push.isPaused.setState(true)
    browser.socket.send(ORDERS, 'changed')
    await browser.pass(10 * DEBOUNCE_MS)
    expect(updates()).toHaveLength(before)
    push.isPaused.setState(false)
    await browser.pass(2 * BATCH_DELAY_MS)
    expect(updates()).toHaveLength(before + 1)
  })
})
