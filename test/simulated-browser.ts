/** A browser for tests: its clock, its chance and its network do what the test says. */

import type { CallError } from '../src/client/call-error.ts'
import type { Environment } from '../src/client/environment.ts'
import type { LinkHandlers } from '../src/client/navigation/link-events.ts'
import type { Json, JsonObject } from '../src/protocol/json.ts'
import type { PageComponent, PageData } from '../src/protocol/page.ts'
import type { Effects, UpdateRequest, UpdateResponse } from '../src/protocol/wire.ts'
import { type SimulatedSocket, simulateSocket } from './simulated-socket.ts'

/** A request that left the browser and waits for what the test lets happen to it. */
export type SentRequest = {
  readonly url: string
  readonly init: RequestInit
  readonly headers: Headers
  /** The body of an update, parsed. */
  readonly body: UpdateRequest
  /** The fields of a form; `null` for other requests. */
  readonly form: { readonly [field: string]: string } | null
  answer(body: unknown, init?: ResponseInit): Promise<void>
  /** The network fails, before or after the request has arrived. */
  fail(): Promise<void>
}

type Timer = { at: number; task: () => void }

/** `loaded`: the address of the document, if the person has gone back before it ran. */
export function simulateBrowser({
  location = '/tables/a',
  loaded = location,
}: { location?: string; loaded?: string } = {}) {
  const requests: SentRequest[] = []
  const done: { what: string; with: unknown }[] = []
  let timers: Timer[] = []
  let now = 0
  let keys = 0
  let saved: string | null = null
  let token: string | null = 'token-1'
  let scrolled = 0
  let onHistory = () => {}
  let links: LinkHandlers | null = null
  let isUnsaved = () => false
  let isLoading = false
  let savesData = false
  let shownEntry: string | null = null
  /** Entries of the history, so that a test can go back to one. */
  const entries: { href: string; id: string | null }[] = [{ href: location, id: null }]
  let steppedFrom = entries[0]!
  let random = () => 0.5
  let isHidden = false
  let isOnline = true
  const networkChanged: ((isOnline: boolean) => void)[] = []
  let interactionChanged: (isInteracting: boolean) => void = () => undefined
  let isInteracting = false
  const events = new EventTarget()
  const watched = new Map<Element, (isInView: boolean) => void>()
  const sockets: SimulatedSocket[] = []
  const note = (what: string) => (value: unknown) => void done.push({ what, with: value })

  /** The person goes back or forward. */
  function step({ href, id }: (typeof entries)[number]): void {
    steppedFrom = { href: location, id: shownEntry }
    location = href
    shownEntry = id
    onHistory()
  }

  const environment: Environment = {
    fetch: (url, init = {}) =>
      new Promise((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        requests.push({
          url: url as string,
          init,
          headers: new Headers(init.headers),
          body: JSON.parse(typeof init.body === 'string' ? init.body : 'null') as UpdateRequest,
          form: init.body instanceof URLSearchParams ? Object.fromEntries(init.body) : null,
          answer(body, options) {
            const isText = typeof body === 'string'
            const type = isText ? 'text/html' : 'application/json; charset=utf-8'
            const headers = { 'content-type': type, ...options?.headers }
            resolve(new Response(isText ? body : JSON.stringify(body), { ...options, headers }))
            return settle()
          },
          fail() {
            reject(new TypeError('Failed to fetch'))
            return settle()
          },
        })
      }),
    openPush(address, events) {
      const socket = simulateSocket(address, events)
      sockets.push(socket)
      return socket
    },
    watchInteraction(changed) {
      interactionChanged = changed
      // As on a page whose rows have the focus by then.
      if (isInteracting) changed(true)
      return { look: () => undefined, stop: () => undefined }
    },
    later(task, delayMs) {
      const timer = { at: now + delayMs, task }
      timers.push(timer)
      return () => void (timers = timers.filter((other) => other !== timer))
    },
    random: () => random(),
    newKey: () => `key-${++keys}-of-a-batch`,
    csrf: () => token,
    setCsrf: (next) => void (token = next),
    setTitle: note('title'),
    location: () => location.split('#', 1)[0]!,
    loadedLocation: () => loaded.split('#', 1)[0]!,
    href: () => `https://tablewire.test${location}`,
    hash: () => location.slice(location.split('#', 1)[0]!.length),
    history(effect, id) {
      location = effect.href
      shownEntry = id
      if (effect.mode === 'replace') entries.pop()
      entries.push({ href: location, id })
      note('history')(effect)
    },
    entry: () => (shownEntry === null ? null : { id: shownEntry, place: null }),
    setEntry(id) {
      shownEntry = id
      entries.at(-1)!.id = id
    },
    load(href) {
      isLoading = true
      note('load')(href)
    },
    isLoading: () => isLoading,
    dispatch(name, detail) {
      note('dispatch')({ name, detail })
      events.dispatchEvent(new CustomEvent(name, { detail }))
    },
    download: (href, name) => note('download')({ href, name }),
    onHistory(task) {
      onHistory = task
      return () => void (onHistory = () => {})
    },
    stepBack() {
      const [from, to] = [steppedFrom, { href: location, id: shownEntry }]
      step(from)
      return () => step(to)
    },
    onLinks(handlers) {
      links = handlers
      return () => void (links = null)
    },
    onLeave(task) {
      isUnsaved = task
      return () => void (isUnsaved = () => false)
    },
    savesData: () => savesData,
    place: {
      read: () => ({ window: [0, scrolled], regions: [], focus: null }),
      restoreScroll: (place) => note('scroll')(place.window[1]),
      restoreFocus: () => true,
      goToStart: note('start'),
    },
    isHidden: () => isHidden,
    isOnline: () => isOnline,
    watchNetwork: (changed) => void networkChanged.push(changed),
    onInView(element, task) {
      watched.set(element, task)
      return () => void watched.delete(element)
    },
    onEvent(name, task) {
      const listener = (event: Event) => {
        if (event instanceof CustomEvent) task(event.detail)
      }
      events.addEventListener(name, listener)
      return () => events.removeEventListener(name, listener)
    },
    logError: note('error'),
    savedEdits: {
      put: (text) => void (saved = text),
      take() {
        const text = saved
        saved = null
        return text
      },
    },
  }

  return {
    environment,
    requests,
    /** What the runtime made the browser do, in order. */
    done,
    get last(): SentRequest {
      const request = requests.at(-1)
      if (!request) throw new Error('Nothing was sent.')
      return request
    },
    /** The sockets that were opened, the first one first. */
    sockets: sockets as readonly SimulatedSocket[],
    get socket(): SimulatedSocket {
      const socket = sockets.at(-1)
      if (!socket) throw new Error('No socket was opened.')
      return socket
    },
    get timers(): number {
      return timers.length
    },
    setRandom: (next: () => number) => void (random = next),
    setHidden: (next: boolean) => void (isHidden = next),
    setOnline(next: boolean) {
      isOnline = next
      for (const changed of networkChanged) changed(next)
    },
    /** Whether the person interacts with the page. */
    setInteracting(now: boolean) {
      isInteracting = now
      interactionChanged(now)
    },
    /** Scrolls an element into the viewport or out of it. */
    setInView: (element: Element, isInView: boolean) => watched.get(element)?.(isInView),
    /** Whether the person would be asked before leaving. */
    asksBeforeLeaving: () => !isLoading && isUnsaved(),
    setToken: (next: string | null) => void (token = next),
    /** Lets time pass; whatever is due runs, in order. */
    async pass(ms: number): Promise<void> {
      const end = now + ms
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter((other) => other !== next)
        now = next.at
        next.task()
        await settle()
      }
      now = end
      await settle()
    },
    /** The person goes to another address of the history, to an entry that this document did not make. */
    async back(href: string): Promise<void> {
      step({ href, id: null })
      await settle()
    },
    /** Another document begins, in the same tab. */
    begin(href: string): void {
      location = href
      loaded = href
      shownEntry = null
      isLoading = false
    },
    /** The entries that this document made, the first one first. */
    entries: entries as readonly { readonly href: string; readonly id: string | null }[],
    /** The person goes back or forward to one of them. */
    async goTo({ href, id }: { readonly href: string; readonly id: string | null }): Promise<void> {
      step({ href, id })
      await settle()
    },
    /** What the page does about its links. */
    get links(): LinkHandlers {
      if (!links) throw new Error('Nobody watches the links.')
      return links
    },
    /** Whether the browser would ask before the document is left. */
    get asksToLeave(): boolean {
      return isUnsaved()
    },
    setSavesData: (saves: boolean) => void (savesData = saves),
    scrollTo: (top: number) => void (scrolled = top),
  }
}

/** Lets everything go on that waits for nothing but its turn. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A snapshot as the browser sees one; `serial` tells one from the next. */
export const snapshotOf = (
  data: JsonObject,
  { name = 'list', path = '/tables/a', serial = 0 } = {},
): string =>
  JSON.stringify({
    data,
    memo: { id: name, name, path, build: 'b', user: 'u', lineage: 'l', view: '' },
    checksum: String(serial),
  })

export const componentOf = (
  data: JsonObject,
  { name = 'list', path = '/tables/a', serial = 0 } = {},
): PageComponent => ({
  id: name,
  name,
  snapshot: snapshotOf(data, { name, path, serial }),
  view: { drawn: serial },
})

export const pageOf = (
  components: PageComponent[],
  { url = '/tables/a', version = 'v1', csrf = 'token-2' } = {},
): PageData => ({
  title: `Page ${url}`,
  url,
  host: 'localhost',
  language: 'en',
  locale: 'en-US',
  direction: 'ltr',
  csrf,
  start: '/',
  updateUrl: '/tablewire/update',
  assets: { version },
  preferences: { theme: 'system', density: 'comfortable', railCollapsed: false },
  shell: null,
  current: null,
  breadcrumbs: [],
  content: { page: 'no-tables', data: null, components: {} },
  components,
})

/** An answer to an update, one entry for each component of the request. */
export const answerOf = (
  ...components: { snapshot: string; effects?: Effects }[]
): UpdateResponse => ({
  components: components.map(({ snapshot, effects = {} }) => ({ snapshot, effects })),
  assets: { version: 'v1' },
})

export const outdated = { snapshot: '', effects: { outdated: true } } as const

/** A refusal in the words of the catalogue. */
export const refusalOf = (code: string, message = code) => ({ error: { code, message } })

/** How a call ends; without a value and a code while it has not. */
export function outcomeOf(call: Promise<Json>) {
  const outcome: { value?: Json; code?: string; status?: number } = {}
  call.then(
    (value) => (outcome.value = value),
    ({ code, status }: CallError) => Object.assign(outcome, { code, status }),
  )
  return outcome
}
