/** What the runtime needs from the browser, so that tests control clock, chance and network. */

import type { UrlEffect } from '../protocol/wire.ts'

export type Environment = {
  fetch: typeof fetch
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
  history(effect: UrlEffect): void
  /** Loads another document, or this one again. */
  load(href: string): void
  dispatch(name: string, detail: unknown): void
  download(href: string, name: string): void
  /** Runs `task` when the person goes back or forward; returns its cleanup. */
  onHistory(task: () => void): () => void
  /** Keeps a text across a full load of the page; it can be taken once. */
  savedEdits: { put(text: string): void; take(): string | null }
}

const SAVED_EDITS_KEY = 'tablewire:saved-edits'

const metaToken = () => document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')

/** The real browser. */
export const browserEnvironment = (): Environment => ({
  fetch: (...args) => fetch(...args),
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
  history({ href, mode }) {
    if (mode === 'push') history.pushState(null, '', href)
    else history.replaceState(null, '', href)
  },
  load: (href) =>
    href === location.pathname + location.search ? location.reload() : location.assign(href),
  dispatch: (name, detail) => void window.dispatchEvent(new CustomEvent(name, { detail })),
  download,
  onHistory(task) {
    addEventListener('popstate', task)
    return () => removeEventListener('popstate', task)
  },
  savedEdits: {
    put: (text) => sessionStorage.setItem(SAVED_EDITS_KEY, text),
    take() {
      const text = sessionStorage.getItem(SAVED_EDITS_KEY)
      sessionStorage.removeItem(SAVED_EDITS_KEY)
      return text
    },
  },
})

/** Browsers have no `randomUUID` on pages served without TLS from another machine. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

function download(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
