/** Fetches pages to be shown in place; a newer request supersedes the one before. */

import { PROGRESS_BAR_DELAY_MS } from '../../protocol/constants.ts'
import type { PageData } from '../../protocol/page.ts'
import type { Environment } from '../environment.ts'
import { createObservable } from '../observable.ts'
import type { Retry } from '../retry.ts'
import type { PageAnswer, Transport } from '../transport.ts'
import { type Prefetches, withoutHash } from './prefetches.ts'
import type { Step } from './shown.ts'

export type PageRequestsOptions = {
  readonly environment: Environment
  readonly transport: Transport
  readonly retry: Retry
  readonly prefetches: Prefetches
  /** Resolves once no request is in flight. */
  idle(): Promise<void>
  /** Loads an address as a document. */
  leave(href: string): void
  /** Loads what draws a page; `undefined` if nothing is missing. */
  prepare(page: PageData): Promise<void> | undefined
}

/** What becomes of a page that was fetched. */
export type FetchedPages = {
  /** Whether the client that is loaded can show the page. */
  isSameClient(page: PageData): boolean
  show(page: PageData, step: Step): void
  /** A page that was fetched ahead, from this address, is shown. */
  shownAhead(href: string): void
  /** Loads the document that shows this page with another client. */
  loadAnew(page: PageData, step: Step): void
}

/** Thrown into a request that a later one has made superfluous. */
const SUPERSEDED = new Error('Another page was asked for meanwhile.')

export function createPageRequests(options: PageRequestsOptions, fetched: FetchedPages) {
  const { environment, transport, retry, prefetches } = options
  const isWaiting = createObservable(false)
  let newest = 0
  /** Requests under way, and those of them that lead to another page. */
  let underWay = 0
  let opening = 0
  let stopWaiting = () => {}
  let abort = new AbortController()

  /** Gives up what is being fetched. */
  function supersede(): number {
    abort.abort()
    abort = new AbortController()
    stopWaiting()
    return ++newest
  }

  function settle(): void {
    stopWaiting()
    isWaiting.setState(false)
  }

  /** Fetches a page and shows it, unless another one is asked for in the meantime. */
  async function go(href: string, step: Step): Promise<void> {
    const own = supersede()
    const isRefetch = step.kind === 'refetch'
    if (!isRefetch) {
      opening++
      stopWaiting = environment.later(() => isWaiting.setState(true), PROGRESS_BAR_DELAY_MS)
    }
    underWay++
    try {
      await fetchAndShow(href, step, () => own === newest)
    } catch (error) {
      if (error !== SUPERSEDED) throw error
    } finally {
      underWay--
      if (!isRefetch) opening--
    }
  }

  async function fetchAndShow(href: string, step: Step, isWanted: () => boolean): Promise<void> {
    const isRefetch = step.kind === 'refetch'
    const { answer, isAhead } = await ask(href, !isRefetch, isWanted)
    if (!isWanted()) return
    // An answer has moved the address, so this page is older than what it would replace.
    if (isRefetch && href !== environment.location()) return go(environment.location(), step)
    if (answer.kind !== 'page') {
      settle()
      return options.leave(href)
    }
    if (!fetched.isSameClient(answer.page)) {
      // Another document would never know what the requests in flight have done.
      await options.idle()
      if (!isWanted()) return
      settle()
      return fetched.loadAnew(answer.page, step)
    }
    const isReady = await isPrepared(answer.page)
    if (!isWanted()) return
    settle()
    if (!isReady) return options.leave(href)
    fetched.show(answer.page, step)
    if (isAhead) fetched.shownAhead(withoutHash(href))
  }

  const isPrepared = (page: PageData): boolean | Promise<boolean> =>
    options.prepare(page)?.then(
      () => true,
      () => false,
    ) ?? true

  /** Takes the page that was fetched ahead, if there is one. */
  async function ask(href: string, findsAway: boolean, isWanted: () => boolean) {
    const { signal } = abort
    const taken = prefetches.take(href)
    const ahead = taken && (await taken)
    if (ahead?.kind === 'page') return { answer: ahead, isAhead: true }
    const question = (): Promise<PageAnswer> => {
      if (!isWanted()) throw SUPERSEDED
      return transport.page(withoutHash(href), { signal, findsAway }).then((answer) => {
        if (!isWanted()) throw SUPERSEDED
        return answer
      })
    }
    return { answer: await retry.ask(question), isAhead: false }
  }

  return {
    /** Whether a page has been awaited for long enough to show it (spec §2). */
    isWaiting,
    isUnderWay: () => underWay > 0,
    isOpening: () => opening > 0,
    go,
    /** Gives up what is being fetched, because a page is shown that needs no request. */
    cancel(): void {
      supersede()
      settle()
    },
  }
}
