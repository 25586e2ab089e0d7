/** Keeps what is shown, as a visit, a history entry and an address, and moves from one to another. */

import type { PageData } from '../../protocol/page.ts'
import type { UrlEffect } from '../../protocol/wire.ts'
import type { Environment } from '../environment.ts'
import { createObservable, type Observable } from '../observable.ts'
import type { Part } from '../part.ts'
import type { Store } from '../store.ts'
import { createKeptPages, type Entry, type KeptPages, type Visit } from './kept-pages.ts'
import type { Move } from './moves.ts'
import {
  createSavedPages,
  resumePage,
  type SavedPage,
  savedPage,
  type SavedPages,
} from './saved-pages.ts'
import { componentsOf, createVisits, ownerOf, type Visits, type VisitsOptions } from './visits.ts'

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

export class Shown {
  readonly page: Observable<PageData>
  readonly move: Observable<Move>
  readonly inTab = new Map<string, unknown>()
  readonly pages: KeptPages
  readonly saved: SavedPages
  readonly visits: Visits
  /** Whether the person has left the page of the document before this script ran. */
  readonly isLeft: boolean
  readonly #environment: Environment
  readonly #options: ShownOptions

  // Others read these three; only this file sets them.
  visit: Visit
  /** Id of the history entry that is shown, and its address. */
  entry: string
  address: string

  constructor(first: PageData, options: ShownOptions) {
    const { environment } = options
    this.#options = options
    this.#environment = environment
    this.page = createObservable(first)
    this.visits = createVisits({ ...options, newKey: () => environment.newKey() })
    // A step back or forward may have come before anybody listened.
    this.isLeft = environment.loadedLocation() !== environment.location()
    const reloaded = this.isLeft ? null : environment.entry()
    this.entry = reloaded?.id ?? environment.newKey()
    this.address = environment.loadedLocation()
    this.saved = createSavedPages(first, { entry: this.entry, location: this.address }, environment)
    if (!reloaded && !this.isLeft) environment.setEntry(this.entry)
    // The page may be at another address than it was asked for by, such as the last one of a list.
    if (first.isElsewhere && !this.isLeft) {
      this.address = first.url
      environment.history({ href: first.url + environment.hash(), mode: 'replace' }, this.entry)
    }
    this.visit = this.visits.open(first, { at: this.entry, href: this.address })
    this.pages = createKeptPages([this.entry, entryOf(this.visit)], (dropped) => {
      for (const store of storesOf(dropped)) store.leave()
    })
    this.move = createObservable<Move>({
      visit: this.visit.key,
      kind: 'load',
      from: null,
      hash: '',
      place: this.saved.first?.place ?? reloaded?.place ?? null,
    })
  }

  /** The parts of a visit, with the shell. */
  partsOf(visit: Visit | undefined): Part[] {
    const shell = this.visits.shell()
    return [...(shell ? [shell] : []), ...(visit?.parts.values() ?? [])]
  }

  stores = (): Store[] => [
    ...this.partsOf(undefined).map(({ store }) => store),
    ...[...this.pages.visits()].flatMap(storesOf),
  ]

  shownStores = (): Store[] => this.partsOf(this.visit).map(({ store }) => store)

  isShell = (store: Store): boolean => store === this.visits.shell()?.store

  isShown = (store: Store): boolean =>
    this.isShell(store) || this.visit.parts.get(store.id)?.store === store

  visitOf = (store: Store): Visit | undefined =>
    [...this.pages.visits()].find(({ parts }) => parts.get(store.id)?.store === store)

  forget = (): void => {
    this.pages.clear()
    this.inTab.clear()
  }

  /** Shows a page that was fetched. */
  show = (next: PageData, step: Step): void => {
    const { kind, hash } = step
    const [from, left] = [this.address, this.visit]
    const isSameOwner = ownerOf(next) === ownerOf(this.page.getState())
    this.#take(next, step)
    this.address = this.#environment.location()
    if (!isSameOwner) this.forget()
    this.#draw(next)
    if (kind === 'refetch') return
    if (left !== this.visit) this.#options.left(left)
    const before = kind === 'return' ? this.saved.take(this.entry) : null
    this.resume(before)
    const place =
      kind === 'return' ? (this.#environment.entry()?.place ?? before?.place ?? null) : null
    this.move.setState({ visit: this.visit.key, kind, from, hash, place })
  }

  /** Makes a visit of a page that was fetched, or renews the one that is shown, and moves in the history. */
  #take(next: PageData, { kind, history, hash }: Step): void {
    const environment = this.#environment
    if (kind === 'refetch') this.visits.renew(this.visit, next, true)
    else if (kind === 'return' && this.#isSamePath(next)) this.#returnWithin(next)
    else if (history === 'push') this.#push(next, hash)
    else {
      if (history === 'replace')
        environment.history({ href: next.url + hash, mode: 'replace' }, this.entry)
      this.visit = this.#open(next)
      this.pages.enter(this.entry, entryOf(this.visit))
    }
    // After a redirect, the address is another one.
    if (history === 'none' && kind === 'return' && next.url !== environment.location())
      environment.history({ href: next.url, mode: 'replace' }, this.entry)
  }

  #push(next: PageData, hash: string): void {
    this.notePlace()
    this.entry = this.#environment.newKey()
    this.#environment.history({ href: next.url + hash, mode: 'push' }, this.entry)
    this.visit = this.#open(next)
    this.pages.push(this.entry, entryOf(this.visit))
  }

  /** Back or forward to another state of the page that is shown. */
  #returnWithin(next: PageData): void {
    const { visit } = this
    if (visit.at !== this.entry) this.#leaveEntry(visit)
    this.visits.renew(visit, next, false)
    visit.at = this.entry
    this.pages.enter(this.entry, entryOf(visit))
  }

  /** The entry whose state the components are in keeps them as they are. */
  #leaveEntry(visit: Visit): void {
    const other = this.pages.get(visit.at)
    if (other) other.components = componentsOf(visit)
  }

  #open(next: PageData): Visit {
    return this.visits.open(next, { at: this.entry, href: this.#environment.location() })
  }

  #isSamePath({ url }: PageData): boolean {
    const { page } = this.visit
    return pathOf(url) === pathOf(page.url) && page.error === undefined
  }

  #draw(next: PageData): void {
    this.#environment.setCsrf(next.csrf)
    this.#environment.setTitle(next.title)
    this.page.setState(next)
  }

  /** Goes on with what was saved of the page that is shown. */
  resume(before: SavedPage | null): void {
    if (before)
      for (const store of resumePage(before, this.shownStores())) this.#options.request(store)
  }

  /** Notes where the person is, before the page is left. */
  notePlace(): void {
    const here = this.pages.get(this.entry)
    if (here) here.place = this.#environment.place.read()
    this.visit.href = this.address
  }

  /** The person went to a history entry whose page is not kept: it is fetched next. */
  enter(id: string | null): void {
    this.entry = id ?? this.#environment.newKey()
    if (id === null) this.#environment.setEntry(this.entry)
  }

  /** A link to a place on this page has made a history entry. */
  addAnchor(): void {
    const here = this.pages.get(this.entry)
    if (here) here.components = componentsOf(this.visit)
    this.enter(null)
    this.#goOnAt(this.entry)
  }

  /** The page that is shown goes on at another history entry. */
  #goOnAt(entry: string): void {
    this.visit.at = entry
    this.pages.push(entry, entryOf(this.visit))
  }

  /** Shows a page as it was left. */
  putBack(id: string, entry: Entry): void {
    const environment = this.#environment
    const [from, left] = [this.address, this.visit]
    this.entry = id
    this.pages.enter(id, entry)
    const visit = (this.visit = entry.visit)
    if (visit.at !== id) {
      this.#leaveEntry(visit)
      this.visits.putBack(visit, entry.components ?? [])
      entry.components = null
      visit.at = id
    }
    if (visit.movedTo !== null) {
      environment.history({ href: visit.movedTo, mode: 'replace' }, id)
      visit.movedTo = null
    }
    if (left !== visit) this.#options.left(left)
    this.address = environment.location()
    const { csrf, preferences } = this.page.getState()
    this.#draw({ ...visit.page, csrf, preferences })
    const hash = environment.hash()
    this.move.setState({ visit: visit.key, kind: 'return', from, hash, place: entry.place })
  }

  /** Shows an address in the address bar; a pushed one leaves the components as `store` found them. */
  moveTo(effect: UrlEffect, store: Store): void {
    const environment = this.#environment
    if (effect.mode === 'push') {
      const here = this.pages.get(this.entry)
      if (here) {
        here.place = environment.place.read()
        here.components = componentsOf(this.visit, store)
      }
      this.entry = environment.newKey()
      this.#goOnAt(this.entry)
    }
    environment.history(effect, this.entry)
    this.address = environment.location()
  }

  /** Saves what is unsent on all pages, for the next document of this tab. */
  save = (): void => {
    const { visit } = this
    const pagesOf = this.pages.all().map(([id, { visit: own, place }]) => {
      const isOnScreen = own === visit
      const stores = isOnScreen ? this.shownStores() : storesOf(own)
      const at = isOnScreen && id === this.entry ? this.#environment.place.read() : place
      return [id, savedPage(own.at === id ? stores : [], at)] as const
    })
    this.saved.save({ entry: visit.at, location: this.address }, Object.fromEntries(pagesOf))
  }

  /** Gives a page that only the next document can show a history entry of this one. */
  enterUnshown({ url }: PageData, { history, hash }: Step): void {
    if (history === 'none') return
    if (history === 'push') this.entry = this.#environment.newKey()
    this.#environment.history({ href: url + hash, mode: history }, this.entry)
  }
}

const entryOf = (visit: Visit): Entry => ({ visit, components: null, place: null })

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/** The components of a visit, without the shell. */
export const storesOf = ({ parts }: Visit): Store[] => [...parts.values()].map(({ store }) => store)
