/** What the runtime needs from the browser, so that tests control clock, chance and network. */

import type { RealtimeAddress } from '../protocol/channels.ts'
import type { UrlEffect } from '../protocol/wire.ts'
import { type LinkHandlers, listenToLinks } from './navigation/link-events.ts'
import {
  goToStart,
  type Place,
  readPlace,
  restoreFocus,
  restoreScroll,
} from './navigation/place.ts'
import type { Interaction } from './interaction.ts'
import type { PushSocket, SocketEvents } from './push.ts'

export type Environment = {
  fetch: typeof fetch
  /** Opens a socket. Default: one of the browser's own, whose script is loaded when it is needed. */
  openPush?(address: RealtimeAddress, events: SocketEvents): PushSocket
  /** Calls `changed` when the person begins or stops interacting with the page. Default: watches the document. */
  watchInteraction?(changed: (isInteracting: boolean) => void): Interaction
  /** Calls `changed` when the browser loses its network, and when it has one again. Default: never. */
  watchNetwork?(changed: (isOnline: boolean) => void): void
  /** Runs `task` after `delayMs`; returns a function that cancels it. */
  later(task: () => void, delayMs: number): () => void
  /** A number from 0 to 1, 1 excluded. */
  random(): number
  /** An idempotency key, never used before. */
  newKey(): string
  csrf(): string | null
  setCsrf(token: string): void
  setTitle(title: string): void
  /** Path and query of the page. */
  location(): string
  /** Path and query that the document was loaded with. */
  loadedLocation(): string
  /** The whole address, with its origin. */
  href(): string
  /** The fragment of the address, with its `#`, or an empty text. */
  hash(): string
  /** Adds or replaces a history entry; `entry` identifies it. */
  history(effect: UrlEffect, entry: string): void
  /** The history entry that is shown; `null` before it was identified. */
  entry(): HistoryEntry | null
  /** Identifies the history entry that is shown. */
  setEntry(id: string): void
  /** Loads another document, or this one again. */
  load(href: string): void
  /** Whether `load` was called, so that this document is about to go. */
  isLoading(): boolean
  dispatch(name: string, detail: unknown): void
  download(href: string, name: string): void
  /** Runs `task` when the person goes back or forward; returns its cleanup. */
  onHistory(task: () => void): () => void
  /** Takes the person's last step in the history back; what it returns repeats the step. */
  stepBack(): () => void
  /** Watches all links of the document; returns the cleanup. */
  onLinks(handlers: LinkHandlers): () => void
  /** Before the document is left: asks the person if `isUnsaved` says so; returns the cleanup. */
  onLeave(isUnsaved: () => boolean): () => void
  /** Whether the person wants to save data. */
  savesData(): boolean
  /** What is scrolled and focused. */
  place: PlaceAccess
  /** Whether the tab is in the background. */
  isHidden(): boolean
  /** Whether the browser believes that it has a network. */
  isOnline(): boolean
  /** Tells whether `element` is in the viewport, at once and after each change; returns its cleanup. */
  onInView(element: Element, task: (isInView: boolean) => void): () => void
  /** Runs `task` for each event of that name that a component has sent; returns its cleanup. */
  onEvent(name: string, task: (detail: unknown) => void): () => void
  /** Logs a mistake in a page's own code, for its developer. */
  logError(error: Error): void
  /** Keeps a text across a full load of the page; it can be taken once. */
  savedEdits: { put(text: string): void; take(): string | null }
}

/** A history entry of ours. */
export type HistoryEntry = {
  readonly id: string
  /** Where the person was when the document was left at this entry. */
  readonly place: Place | null
}

export type PlaceAccess = {
  read(): Place
  restoreScroll(place: Place): void
  /** Returns whether the element that had the focus is there. */
  restoreFocus(place: Place): boolean
  /** Shows the start of a page, or what `hash` names. */
  goToStart(hash: string): void
}

/** What we keep in the state of a history entry. */
type EntryState = {
  readonly tablewire?: {
    readonly id: string
    /** Counts the entries, so that the way from one to another is known. */
    readonly at: number
  }
} | null

const SAVED_EDITS_KEY = 'tablewire:saved-edits'

const metaToken = () => document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')

/** The real browser. */
export const browserEnvironment = (): Environment => ({
  fetch: (...args) => fetch(...args),
  watchNetwork(changed) {
    addEventListener('offline', () => changed(false))
    addEventListener('online', () => changed(true))
  },
  later(task, delayMs) {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
  random: Math.random,
  newKey: () => crypto.randomUUID?.() ?? randomKey(),
  csrf: () => metaToken()?.content ?? null,
  setCsrf: (token) => metaToken()?.setAttribute('content', token),
  setTitle: (title) => void (document.title = title),
  location: () => location.pathname + location.search,
  loadedLocation() {
    const [loaded] = performance.getEntriesByType('navigation')
    const { pathname, search } = loaded ? new URL(loaded.name) : location
    return pathname + search
  },
  href: () => location.href,
  hash: () => location.hash,
  history({ href, mode }, id) {
    if (mode === 'push') history.pushState(stateOf(id, ++at), '', href)
    else history.replaceState(stateOf(id, at), '', href)
  },
  entry() {
    // Nobody else writes the state of our pages.
    const own = ownState()
    return own ? { id: own.id, place: placeOf(own.id) } : null
  },
  setEntry: (id) => history.replaceState(stateOf(id, at), ''),
  load(href) {
    // The person is asked about what they leave, not about what we reload.
    isLoading = true
    if (href === location.pathname + location.search) location.reload()
    else location.assign(href)
  },
  isLoading: () => isLoading,
  dispatch: (name, detail) => void window.dispatchEvent(new CustomEvent(name, { detail })),
  download,
  onHistory(task) {
    at = ownState()?.at ?? 0
    const listener = () => {
      // A link to a place on the page has added an entry without a state.
      const now = ownState()?.at ?? at + 1
      lastStep = now - at
      at = now
      task()
    }
    addEventListener('popstate', listener)
    return () => removeEventListener('popstate', listener)
  },
  stepBack() {
    const step = lastStep
    history.go(-step)
    return () => history.go(step)
  },
  onLinks: listenToLinks,
  onLeave,
  savesData: () => 'connection' in navigator && Object(navigator.connection).saveData === true,
  place: { read: readPlace, restoreScroll, restoreFocus, goToStart },
  isHidden: () => document.hidden,
  isOnline: () => navigator.onLine,
  onInView,
  onEvent(name, task) {
    const listener = (event: Event) => {
      if (event instanceof CustomEvent) task(event.detail)
    }
    addEventListener(name, listener)
    return () => removeEventListener(name, listener)
  },
  logError: (error) => console.error(error),
  savedEdits: {
    put: (text) => sessionStorage.setItem(SAVED_EDITS_KEY, text),
    take() {
      const text = sessionStorage.getItem(SAVED_EDITS_KEY)
      sessionStorage.removeItem(SAVED_EDITS_KEY)
      return text
    },
  },
})

// The host's own code may have put anything else beside it.
const ownState = () => (history.state as EntryState)?.tablewire

const stateOf = (id: string, at: number): EntryState => ({ tablewire: { id, at } })

/** Where the shown entry stands, and how far the person's last step in the history went. */
let [at, lastStep] = [0, 0]

const PLACE_KEY = 'tablewire:place'

/** Where the person was when they left the last document, and at which history entry. */
type LeftPlace = { readonly id: string; readonly place: Place }

function placeOf(id: string): Place | null {
  // Only `onLeave` writes it, in this tab.
  const left = JSON.parse(sessionStorage.getItem(PLACE_KEY) ?? 'null') as LeftPlace | null
  return left?.id === id ? left.place : null
}

let isLoading = false

function onLeave(isUnsaved: () => boolean): () => void {
  const stop = new AbortController()
  const { signal } = stop
  history.scrollRestoration = 'manual'
  const ask = (event: BeforeUnloadEvent) => {
    if (!isLoading && isUnsaved()) event.preventDefault()
  }
  // A state that is replaced while the document is left would be lost.
  const remember = () => {
    const left: LeftPlace = { id: ownState()?.id ?? '', place: readPlace() }
    sessionStorage.setItem(PLACE_KEY, JSON.stringify(left))
  }
  const comeBack = () => void (isLoading = false)
  addEventListener('beforeunload', ask, { signal })
  addEventListener('pagehide', remember, { signal })
  addEventListener('pageshow', comeBack, { signal })
  return () => stop.abort()
}

/** Browsers have no `randomUUID` on pages served without TLS from another machine. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

function onInView(element: Element, task: (isInView: boolean) => void): () => void {
  const observer = new IntersectionObserver((entries) => {
    // The last entry is the newest.
    const newest = entries.at(-1)
    if (newest) task(newest.isIntersecting)
  })
  observer.observe(element)
  return () => observer.disconnect()
}

function download(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
