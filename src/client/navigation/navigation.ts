/** Shows pages in place: fetched for a click, or kept for the back and forward buttons. */

import { PROGRESS_BAR_DELAY_MS } from '../../protocol/constants.ts'
import type { PageData } from '../../protocol/page.ts'
import type { Environment } from '../environment.ts'
import { createObservable } from '../observable.ts'
import type { Retry } from '../retry.ts'
import type { Store } from '../store.ts'
import type { PageAnswer, Transport } from '../transport.ts'
import { createKeptPages, type Entry, hasUnsaved, type Visit } from './kept-pages.ts'
import { createLeaving } from './leaving.ts'
import type { Move, Navigation } from './moves.ts'
import { type Prefetches, withoutHash } from './prefetches.ts'
import { createSavedPages, resumePage, type SavedPage, savedPage } from './saved-pages.ts'
import { componentsOf, createVisits, ownerOf, type VisitsOptions } from './visits.ts'

export type NavigationOptions = Pick<VisitsOptions, 'createPart' | 'request'> & {
  readonly environment: Environment
  readonly transport: Transport
  readonly retry: Retry
  readonly prefetches: Prefetches
  /** Fetches the view of a store anew. */
  refresh(store: Store): void
  /** Resolves once no request is in flight. */
  idle(): Promise<void>
  /** Loads an address as a document. */
  leave(href: string): void
  /** Loads what draws a page; `undefined` if nothing is missing. */
  prepare(page: PageData): Promise<void> | undefined
}

type Asked = {
  readonly kind: 'open' | 'return' | 'refetch'
  readonly history: 'push' | 'replace' | 'none'
  readonly hash: string
}

/** Thrown into a request that a later one has made superfluous. */
const SUPERSEDED = new Error('Another page was asked for meanwhile.')

export function createNavigation(first: PageData, options: NavigationOptions): Navigation {
  const { environment, transport, retry, prefetches } = options
  const page = createObservable(first)
  const visits = createVisits({ ...options, newKey: newId })
  const isWaiting = createObservable(false)
  const leaving = createLeaving(environment)
  let visit: Visit
  /** A step back or forward may have come before anybody listened: `resume` makes up for it. */
  const isLeft = environment.loadedLocation() !== environment.location()
  const reloaded = isLeft ? null : environment.entry()
  /** Id of the history entry that is shown. */
  let current = reloaded?.id ?? newId()
  let address = environment.loadedLocation()
  const saved = createSavedPages(first, { entry: current, location: address }, environment)
  if (!reloaded && !isLeft) environment.setEntry(current)
  visit = visits.open(first, { at: current, href: address })
  const pages = createKeptPages([current, entryOf(visit)], ({ parts }) => {
    for (const { store } of parts.values()) store.leave()
  })
  const move = createObservable<Move>({
    visit: visit.key,
    kind: 'load',
    from: null,
    hash: '',
    place: saved.first?.place ?? reloaded?.place ?? null,
  })

  function newId(): string {
    return environment.newKey()
  }

  let newest = 0
  let underWay = 0
  let opening = 0
  let stopWaiting = () => {}
  let abort = new AbortController()

  const inTab = new Map<string, unknown>()

  function forget(): void {
    pages.clear()
    inTab.clear()
  }

  /** Gives up what is being fetched. */
  function supersede(): number {
    abort.abort()
    abort = new AbortController()
    stopWaiting()
    return ++newest
  }

  /** Fetches a page and shows it, unless another one is asked for in the meantime. */
  async function go(href: string, asked: Asked): Promise<void> {
    const own = supersede()
    const isRefetch = asked.kind === 'refetch'
    if (!isRefetch) {
      opening++
      stopWaiting = environment.later(() => isWaiting.setState(true), PROGRESS_BAR_DELAY_MS)
    }
    underWay++
    try {
      const { answer, isAhead } = await ask(href, !isRefetch, () => own === newest)
      if (own !== newest) return
      // An answer has moved the address, so this page is older than what it would replace.
      if (isRefetch && href !== environment.location())
        return await go(environment.location(), asked)
      if (answer.kind !== 'page') {
        settle()
        return options.leave(href)
      }
      if (!isSameClient(answer.page)) {
        // Another document would never know what the requests in flight have done.
        await options.idle()
        if (own !== newest) return
        settle()
        return loadAnew(answer.page, asked)
      }
      const missing = options.prepare(answer.page)
      const isReady = await (missing === undefined ||
        missing.then(
          () => true,
          () => false,
        ))
      if (own !== newest) return
      settle()
      if (!isReady) return options.leave(href)
      showNew(answer.page, asked)
      if (isAhead) void sayShown(href)
    } catch (error) {
      if (error !== SUPERSEDED) throw error
    } finally {
      underWay--
      if (!isRefetch) opening--
    }
  }

  /**
   * Loads the document that shows this page with another client. It gets a history entry of this
   * document, so that going back from there asks for no document again.
   */
  function loadAnew({ url }: PageData, { history, hash }: Asked): void {
    save()
    if (history !== 'none') {
      current = history === 'push' ? newId() : current
      environment.history({ href: url + hash, mode: history }, current)
    }
    environment.load(environment.location())
  }

  function save(): void {
    const pagesOf = pages.all().map(([id, { visit: own, place }]) => {
      const isShown = own === visit
      const stores = [...(isShown ? shellStores() : []), ...ownStores(own)]
      const at = isShown && id === current ? environment.place.read() : place
      return [id, savedPage(own.at === id ? stores : [], at)] as const
    })
    saved.save({ entry: visit.at, location: address }, Object.fromEntries(pagesOf))
  }

  function settle(): void {
    stopWaiting()
    isWaiting.setState(false)
  }

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

  const isSameClient = ({ assets, language }: PageData): boolean => {
    const shown = page.getState()
    return assets.version === shown.assets.version && language === shown.language
  }

  /** The server counts a page as opened only when somebody sees it. */
  async function sayShown(href: string): Promise<void> {
    const { key } = visit
    const answer = await transport.shown(withoutHash(href))
    if (answer.kind === 'ok' && visit.key === key) visits.adoptShell(answer.body.shell)
  }

  function showNew(next: PageData, { kind, history, hash }: Asked): void {
    const from = address
    const isSameOwner = ownerOf(next) === ownerOf(page.getState())
    const left = visit
    if (kind === 'refetch') visits.renew(visit, next, true)
    else if (kind === 'return' && isSamePath(next)) returnWithin(next)
    else if (history === 'push') pushPage(next, hash)
    else {
      if (history === 'replace')
        environment.history({ href: next.url + hash, mode: 'replace' }, current)
      visit = openShown(next)
      pages.enter(current, entryOf(visit))
    }
    // After a redirect, the address is another one.
    if (history === 'none' && kind === 'return' && next.url !== environment.location())
      environment.history({ href: next.url, mode: 'replace' }, current)
    address = environment.location()
    if (!isSameOwner) forget()
    draw(next)
    if (kind === 'refetch') return
    if (left !== visit) finish(left)
    const before = kind === 'return' ? saved.take(current) : null
    resumeSaved(before)
    const place = kind === 'return' ? (environment.entry()?.place ?? before?.place ?? null) : null
    move.setState({ visit: visit.key, kind, from, hash, place })
  }

  function resumeSaved(before: SavedPage | null): void {
    if (before) for (const store of resumePage(before, shownStores())) options.request(store)
  }

  function pushPage(next: PageData, hash: string): void {
    const here = pages.get(current)
    if (here) here.place = environment.place.read()
    visit.href = address
    current = newId()
    environment.history({ href: next.url + hash, mode: 'push' }, current)
    visit = openShown(next)
    pages.push(current, entryOf(visit))
  }

  /** Back or forward to another state of the page that is shown. */
  function returnWithin(next: PageData): void {
    const other = pages.get(visit.at)
    if (other && visit.at !== current) other.components = componentsOf(visit)
    visits.renew(visit, next, false)
    visit.at = current
    pages.enter(current, entryOf(visit))
  }

  const openShown = (next: PageData): Visit =>
    visits.open(next, { at: current, href: environment.location() })

  const isSamePath = ({ url }: PageData): boolean =>
    pathOf(url) === pathOf(visit.page.url) && visit.page.error === undefined

  function draw(next: PageData): void {
    environment.setCsrf(next.csrf)
    environment.setTitle(next.title)
    page.setState(next)
  }

  /** The person went back or forward. */
  function onHistory(): void {
    const id = environment.entry()?.id ?? null
    if (id === current) return
    const isAnchor = id === null && environment.location() === address
    if (!isAnchor && leaving.asksToStep()) return
    const here = pages.get(current)
    if (here) here.place = environment.place.read()
    visit.href = address
    if (isAnchor) return addAnchor()
    const entry = id === null ? undefined : pages.get(id)
    if (id !== null && entry) return showKept(id, entry)
    current = id ?? newId()
    if (id === null) environment.setEntry(current)
    void go(environment.location(), { kind: 'return', history: 'none', hash: environment.hash() })
  }

  /** A link to a place on this page has made a history entry. */
  function addAnchor(): void {
    supersede()
    settle()
    const here = pages.get(current)
    current = newId()
    environment.setEntry(current)
    if (here) here.components = componentsOf(visit)
    visit.at = current
    pages.push(current, entryOf(visit))
  }

  /** Shows a page as it was left, and refreshes it. */
  function showKept(id: string, entry: Entry): void {
    supersede()
    settle()
    const from = address
    const left = visit
    current = id
    pages.enter(id, entry)
    ;({ visit } = entry)
    if (visit.at !== id) {
      const other = pages.get(visit.at)
      if (other) other.components = componentsOf(visit)
      visits.putBack(visit, entry.components ?? [])
      entry.components = null
      visit.at = id
    }
    if (visit.movedTo !== null) {
      environment.history({ href: visit.movedTo, mode: 'replace' }, current)
      visit.movedTo = null
    }
    if (left !== visit) finish(left)
    address = environment.location()
    const { csrf, preferences } = page.getState()
    draw({ ...visit.page, csrf, preferences })
    const hash = environment.hash()
    move.setState({ visit: visit.key, kind: 'return', from, hash, place: entry.place })
    refresh()
  }

  function refresh(): void {
    const stores = shownStores()
    for (const store of stores) if (!store.isOutdated) options.refresh(store)
    if (stores.some((store) => store.isOutdated)) refetchShown()
  }

  /** Unless a page is already being fetched: it brings new snapshots too. */
  function refetchShown(): void {
    const asked = { kind: 'refetch', history: 'none', hash: '' } as const
    if (underWay === 0) void go(environment.location(), asked)
  }

  const renewing = new Set<Visit>()

  /** Fetches a page that is not shown anew, so that its edits and calls can be sent. */
  async function refetchKept(kept: Visit): Promise<void> {
    if (renewing.has(kept)) return
    renewing.add(kept)
    const href = kept.movedTo ?? kept.href
    const answer = await retry.ask(() => transport.page(href, { as: 'prefetch' }))
    renewing.delete(kept)
    if (href !== (kept.movedTo ?? kept.href)) return refetchKept(kept)
    // Of another build, the person gets the whole page when they come back.
    if (answer.kind !== 'page' || !isSameClient(answer.page) || kept === visit) return
    visits.renew(kept, answer.page, true)
  }

  /** What was under way on a page goes on when the page has been left. */
  function finish(left: Visit): void {
    if (ownStores(left).some((store) => store.isOutdated && store.isWaiting)) void refetchKept(left)
  }

  const ownStores = ({ parts }: Visit) => [...parts.values()].map(({ store }) => store)
  const shellParts = () => [visits.shell()].filter((part) => part !== null)
  const shellStores = () => shellParts().map(({ store }) => store)
  const isShell = (store: Store) => store === visits.shell()?.store
  const stores = () => [...shellStores(), ...[...pages.visits()].flatMap(ownStores)]
  const shownStores = () => [...shellStores(), ...ownStores(visit)]
  const visitOf = (store: Store) =>
    [...pages.visits()].find(({ parts }) => parts.get(store.id)?.store === store)
  const isShown = (store: Store) => isShell(store) || visit.parts.get(store.id)?.store === store

  environment.onHistory(onHistory)

  return {
    page,
    move,
    isWaiting,
    part: (id) => [...shellParts(), ...visit.parts.values()].find(({ store }) => store.id === id),
    stores,
    shownStores,
    isShown,
    neighbours(store) {
      const own = isShell(store) ? visit : visitOf(store)
      return [...shellParts(), ...(own?.parts.values() ?? [])]
    },
    async visit(href, { history } = {}) {
      const guard = leaving.guardNow()
      if (guard && !(await guard.ask())) return
      // What this document would fetch now, nobody would see.
      if (environment.isLoading()) return environment.load(href)
      const isHere = withoutHash(href) === environment.location()
      const mode = history ?? (isHere ? 'replace' : 'push')
      const hash = href.slice(withoutHash(href).length)
      await go(href, { kind: 'open', history: mode, hash })
    },
    refetch(store) {
      if (isShown(store)) return refetchShown()
      const kept = visitOf(store)
      if (kept && store.isWaiting) void refetchKept(kept)
    },
    moveTo(effect, store) {
      if (!isShown(store)) {
        const hidden = visitOf(store)
        if (hidden) hidden.movedTo = effect.href
        return
      }
      // During a visit, the address already belongs to the next page.
      if (opening > 0) return
      if (effect.mode === 'push') {
        const here = pages.get(current)
        if (here) {
          here.place = environment.place.read()
          here.components = componentsOf(visit, store)
        }
        current = newId()
        visit.at = current
        pages.push(current, entryOf(visit))
      }
      environment.history(effect, current)
      address = environment.location()
    },
    arrive() {
      const { kind, place, hash } = move.getState()
      const { place: at } = environment
      if (place) at.restoreScroll(place)
      // After a load that nobody asked for, the person goes on where they were.
      if (kind === 'load' && place) {
        // Once what was typed is drawn: a field that is focused goes on showing what it shows.
        if (saved.first) environment.later(() => at.restoreFocus(place), 0)
        return
      }
      if (kind === 'load') return
      if (place) at.restoreFocus(place)
      else at.goToStart(hash)
    },
    kept: () => visit.kept,
    inTab,
    forget,
    save,
    resume() {
      resumeSaved(saved.first)
      if (isLeft) onHistory()
    },
    guardLeaving: leaving.guard,
    hasUnsaved: () =>
      saved.hasUnsaved() || [...pages.visits()].some(hasUnsaved) || Boolean(leaving.guardNow()),
  }
}

const entryOf = (visit: Visit): Entry => ({ visit, components: null, place: null })

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''
