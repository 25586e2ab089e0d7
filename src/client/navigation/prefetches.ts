/** Fetches pages ahead, when a pointer, the focus or a finger is on their links (spec §2, §9). */

import { HOVER_PREFETCH_MS } from '../../protocol/constants.ts'
import type { Environment } from '../environment.ts'
import type { PageAnswer } from '../transport.ts'

/** How long a page that was fetched ahead may be shown, ms. */
export const PREFETCH_LIFETIME_MS = 15_000
/** Most requests in flight at a time, and most pages that wait to be shown. */
const IN_FLIGHT_MAX = 3
const WAITING_MAX = 5

export type Prefetches = {
  /** Fetches the page unless `leave` follows within 60 ms (spec §9). */
  enter(href: string): void
  /** Forgets the link, and gives up its request if that was not answered. */
  leave(): void
  /** Fetches the page at once. */
  start(href: string): void
  /** The page that was fetched, or is being fetched, for a click: once. */
  take(href: string): Promise<PageAnswer> | null
  /** Drops all pages: the data may have changed. */
  clear(): void
}

export type PrefetchOptions = {
  environment: Pick<Environment, 'later' | 'savesData'>
  load(href: string, signal: AbortSignal): Promise<PageAnswer>
  /** The address that is shown. */
  current(): string
}

type Ahead = {
  readonly answer: Promise<PageAnswer>
  readonly abort: AbortController
  isAnswered: boolean
  /** Cancels its expiry. */
  keep(): void
}

export function createPrefetches({ environment, load, current }: PrefetchOptions): Prefetches {
  /** By address without fragment; the oldest comes first. */
  const pages = new Map<string, Ahead>()
  let entered: { readonly href: string; cancel(): void } | null = null

  function drop(href: string): void {
    const page = pages.get(href)
    pages.delete(href)
    page?.keep()
    page?.abort.abort()
  }

  function start(address: string): void {
    const href = withoutHash(address)
    const inFlight = [...pages.values()].filter(({ isAnswered }) => !isAnswered)
    if (pages.has(href) || href === current() || environment.savesData()) return
    if (inFlight.length >= IN_FLIGHT_MAX) return
    const abort = new AbortController()
    const page: Ahead = {
      answer: load(href, abort.signal),
      abort,
      isAnswered: false,
      keep: () => undefined,
    }
    pages.set(href, page)
    void page.answer.then(({ kind }) => {
      page.isAnswered = true
      if (pages.get(href) !== page) return
      // A click asks again by itself, and says what failed.
      if (kind !== 'page') return drop(href)
      page.keep = environment.later(() => drop(href), PREFETCH_LIFETIME_MS)
      const [oldest] = pages.keys()
      if (oldest !== undefined && pages.size > WAITING_MAX) drop(oldest)
    })
  }

  return {
    start,
    enter(href) {
      entered?.cancel()
      entered = { href, cancel: environment.later(() => start(href), HOVER_PREFETCH_MS) }
    },
    leave() {
      if (!entered) return
      entered.cancel()
      const href = withoutHash(entered.href)
      if (pages.get(href)?.isAnswered === false) drop(href)
      entered = null
    },
    take(address) {
      const href = withoutHash(address)
      const page = pages.get(href)
      if (entered && withoutHash(entered.href) === href) entered.cancel()
      if (!page) return null
      pages.delete(href)
      page.keep()
      return page.answer
    },
    clear() {
      for (const href of pages.keys()) drop(href)
    },
  }
}

/** Servers never see fragments. */
export function withoutHash(href: string): string {
  const [address = ''] = href.split('#', 1)
  return address
}
