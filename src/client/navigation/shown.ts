/** Keeps what is shown, as a visit, a history entry and an address, and moves from one to another. */

import type { PageData } from '../../protocol/page.ts'
import type { UrlEffect } from '../../protocol/wire.ts'
import type { Environment } from '../environment.ts'
import { createObservable } from '../observable.ts'
import type { Store } from '../store.ts'
import { createKeptPages, type Entry, type Visit } from './kept-pages.ts'
import type { Move } from './moves.ts'
import { createSavedPages, resumePage, type SavedPage, savedPage } from './saved-pages.ts'
import { componentsOf, createVisits, ownerOf, type VisitsOptions } from './visits.ts'

export type ShownOptions = Pick<VisitsOptions, 'createPart' | 'request'> & {
  readonly environment: Environment
  /** Called with the visit that another one has replaced. */
  left(visit: Visit): void
}

/** How a page that was fetched came to be asked for, and what it does to the history. */
export type Step = {
  readonly kind: 'open' | 'return' | 'refetch'
  readonly history: 'push' | 'replace' | 'none'
  readonly hash: string
}

export function createShown(first: PageData, options: ShownOptions) {
  const { environment } = options
  const newId = () => environment.newKey()
  const page = createObservable(first)
  const visits = createVisits({ ...options, newKey: newId })
  /** A step back or forward may have come before anybody listened. */
  const isLeft = environment.loadedLocation() !== environment.location()
  const reloaded = isLeft ? null : environment.entry()
  /** Id of the history entry that is shown, and its address. */
  let current = reloaded?.id ?? newId()
  let address = environment.loadedLocation()
  const saved = createSavedPages(first, { entry: current, location: address }, environment)
  if (!reloaded && !isLeft) environment.setEntry(current)
  let visit = visits.open(first, { at: current, href: address })
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
  const inTab = new Map<string, unknown>()

  const shellParts = () => [visits.shell()].filter((part) => part !== null)
  const shellStores = () => shellParts().map(({ store }) => store)
  const shownStores = () => [...shellStores(), ...storesOf(visit)]
  const isShell = (store: Store) => store === visits.shell()?.store
  const isShown = (store: Store) => isShell(store) || visit.parts.get(store.id)?.store === store
  const visitOf = (store: Store) =>
    [...pages.visits()].find(({ parts }) => parts.get(store.id)?.store === store)

  function forget(): void {
    pages.clear()
    inTab.clear()
  }

  /** Shows a page that was fetched. */
  function show(next: PageData, { kind, history, hash }: Step): void {
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
    if (left !== visit) options.left(left)
    const before = kind === 'return' ? saved.take(current) : null
    resume(before)
    const place = kind === 'return' ? (environment.entry()?.place ?? before?.place ?? null) : null
    move.setState({ visit: visit.key, kind, from, hash, place })
  }

  function pushPage(next: PageData, hash: string): void {
    notePlace()
    current = newId()
    environment.history({ href: next.url + hash, mode: 'push' }, current)
    visit = openShown(next)
    pages.push(current, entryOf(visit))
  }

  /** Notes where the person is, before the page is left. */
  function notePlace(): Entry | undefined {
    const here = pages.get(current)
    if (here) here.place = environment.place.read()
    visit.href = address
    return here
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

  /** Goes on with what was saved of the page that is shown. */
  function resume(before: SavedPage | null): void {
    if (before) for (const store of resumePage(before, shownStores())) options.request(store)
  }

  return {
    page,
    move,
    inTab,
    pages,
    saved,
    visits,
    /** Whether the person has left the page of the document before this script ran. */
    isLeft,
    visit: () => visit,
    entry: () => current,
    address: () => address,
    shellParts,
    shownStores,
    stores: () => [...shellStores(), ...[...pages.visits()].flatMap(storesOf)],
    isShell,
    isShown,
    visitOf,
    forget,
    show,
    resume,
    notePlace,

    /** The person went to a history entry whose page is not kept: it is fetched next. */
    enter(id: string | null): void {
      current = id ?? newId()
      if (id === null) environment.setEntry(current)
    },

    /** A link to a place on this page has made a history entry. */
    addAnchor(): void {
      const here = pages.get(current)
      current = newId()
      environment.setEntry(current)
      if (here) here.components = componentsOf(visit)
      visit.at = current
      pages.push(current, entryOf(visit))
    },

    /** Shows a page as it was left. */
    putBack(id: string, entry: Entry): void {
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
      if (left !== visit) options.left(left)
      address = environment.location()
      const { csrf, preferences } = page.getState()
      draw({ ...visit.page, csrf, preferences })
      const hash = environment.hash()
      move.setState({ visit: visit.key, kind: 'return', from, hash, place: entry.place })
    },

    /** Shows an address in the address bar; a pushed one leaves the components as `store` found them. */
    moveTo(effect: UrlEffect, store: Store): void {
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

    /** Saves what is unsent on all pages, for the next document of this tab. */
    save(): void {
      const pagesOf = pages.all().map(([id, { visit: own, place }]) => {
        const isOnScreen = own === visit
        const stores = [...(isOnScreen ? shellStores() : []), ...storesOf(own)]
        const at = isOnScreen && id === current ? environment.place.read() : place
        return [id, savedPage(own.at === id ? stores : [], at)] as const
      })
      saved.save({ entry: visit.at, location: address }, Object.fromEntries(pagesOf))
    },

    /** Gives a page that only the next document can show a history entry of this one. */
    enterUnshown({ url }: PageData, { history, hash }: Step): void {
      if (history === 'none') return
      if (history === 'push') current = newId()
      environment.history({ href: url + hash, mode: history }, current)
    },
  }
}

const entryOf = (visit: Visit): Entry => ({ visit, components: null, place: null })

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/** The components of a visit, without the shell. */
export const storesOf = ({ parts }: Visit): Store[] => [...parts.values()].map(({ store }) => store)
