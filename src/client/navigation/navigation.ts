/** Moves between pages in place: by links, by the back and forward buttons, and for new snapshots. */

import type { PageData } from '../../protocol/page.ts'
import type { Store } from '../store.ts'
import { hasUnsaved, type Visit } from './kept-pages.ts'
import { createLeaving } from './leaving.ts'
import type { Navigation } from './moves.ts'
import { createPageRequests, type PageRequestsOptions } from './page-requests.ts'
import { withoutHash } from './prefetches.ts'
import { Shown, type ShownOptions, type Step, storesOf } from './shown.ts'

export type NavigationOptions = PageRequestsOptions &
  Omit<ShownOptions, 'left'> & {
    /** Fetches the view of a store anew. */
    refresh(store: Store): void
  }

export function createNavigation(first: PageData, options: NavigationOptions): Navigation {
  const { environment, transport, retry } = options
  const leaving = createLeaving(environment)
  const shown = new Shown(first, { ...options, left: finish })
  const { page, move, pages } = shown
  const requests = createPageRequests(options, {
    isSameClient,
    show: shown.show,
    shownAhead: (href) => void sayShown(href),
    loadAnew,
  })

  function isSameClient({ assets, language }: PageData): boolean {
    const own = page.getState()
    return assets.version === own.assets.version && language === own.language
  }

  /** The page gets a history entry of this document, so that going back from there loads nothing. */
  function loadAnew(next: PageData, step: Step): void {
    shown.save()
    shown.enterUnshown(next, step)
    environment.load(environment.location())
  }

  /** The server counts a page as opened only when somebody sees it. */
  async function sayShown(href: string): Promise<void> {
    const { key } = shown.visit
    const answer = await transport.shown(href)
    if (answer.kind === 'ok' && shown.visit.key === key) shown.visits.adoptShell(answer.body.shell)
  }

  /** The person went back or forward. */
  function onHistory(): void {
    const id = environment.entry()?.id ?? null
    if (id === shown.entry) return
    const isAnchor = id === null && environment.location() === shown.address
    if (!isAnchor && leaving.asksToStep()) return
    shown.notePlace()
    const entry = id === null ? undefined : pages.get(id)
    if (isAnchor) {
      requests.cancel()
      return shown.addAnchor()
    }
    if (id !== null && entry) {
      requests.cancel()
      shown.putBack(id, entry)
      return refresh()
    }
    shown.enter(id)
    const hash = environment.hash()
    void requests.go(environment.location(), { kind: 'return', history: 'none', hash })
  }

  /** After a page is shown as it was left. */
  function refresh(): void {
    const stores = shown.shownStores()
    for (const store of stores) if (!store.isOutdated) options.refresh(store)
    if (stores.some((store) => store.isOutdated)) refetchShown()
  }

  /** Unless a page is already being fetched: it brings new snapshots too. */
  function refetchShown(): void {
    const step = { kind: 'refetch', history: 'none', hash: '' } as const
    if (!requests.isUnderWay()) void requests.go(environment.location(), step)
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
    if (answer.kind !== 'page' || !isSameClient(answer.page) || kept === shown.visit) return
    shown.visits.renew(kept, answer.page, true)
  }

  /** What was under way on a page goes on when the page has been left. */
  function finish(left: Visit): void {
    if (storesOf(left).some((store) => store.isOutdated && store.isWaiting)) void refetchKept(left)
  }

  environment.onHistory(onHistory)

  return {
    page,
    move,
    isWaiting: requests.isWaiting,
    part: (id) => shown.partsOf(shown.visit).find(({ store }) => store.id === id),
    stores: shown.stores,
    shownStores: shown.shownStores,
    isShown: shown.isShown,
    neighbours: (store) => shown.partsOf(shown.isShell(store) ? shown.visit : shown.visitOf(store)),
    async visit(href, { history } = {}) {
      const guard = leaving.guardNow()
      if (guard && !(await guard.ask())) return
      // Another document is loading, so a page that is fetched now would not be seen.
      if (environment.isLoading()) return environment.load(href)
      const isHere = withoutHash(href) === environment.location()
      const mode = history ?? (isHere ? 'replace' : 'push')
      const hash = href.slice(withoutHash(href).length)
      await requests.go(href, { kind: 'open', history: mode, hash })
    },
    refetch(store) {
      if (shown.isShown(store)) return refetchShown()
      const kept = shown.visitOf(store)
      if (kept && store.isWaiting) void refetchKept(kept)
    },
    moveTo(effect, store) {
      if (!shown.isShown(store)) {
        const hidden = shown.visitOf(store)
        if (hidden) hidden.movedTo = effect.href
        // While another page opens, the address already belongs to it.
      } else if (!requests.isOpening()) shown.moveTo(effect, store)
    },
    arrive() {
      const { kind, place, hash } = move.getState()
      const { place: at } = environment
      if (place) at.restoreScroll(place)
      // After a load that nobody asked for, the person goes on where they were.
      if (kind === 'load' && place) {
        // Once what was typed is drawn: a field that is focused goes on showing what it shows.
        if (shown.saved.first) environment.later(() => at.restoreFocus(place), 0)
        return
      }
      if (kind === 'load') return
      if (place) at.restoreFocus(place)
      else at.goToStart(hash)
    },
    kept: () => shown.visit.kept,
    inTab: shown.inTab,
    forget: shown.forget,
    save: shown.save,
    resume() {
      shown.resume(shown.saved.first)
      if (shown.isLeft) onHistory()
    },
    guardLeaving: leaving.guard,
    hasUnsaved: () =>
      shown.saved.hasUnsaved() ||
      [...pages.visits()].some(hasUnsaved) ||
      Boolean(leaving.guardNow()),
  }
}
