/** What moving between pages offers to the rest of the client. */

import type { PageData } from '../../protocol/page.ts'
import type { UrlEffect } from '../../protocol/wire.ts'
import type { Observable } from '../observable.ts'
import type { Part } from '../part.ts'
import type { Store } from '../store.ts'
import type { Place } from './place.ts'

/** How the person came to the page that is shown. */
export type Move = {
  /** Changes with each page that is opened, but not while one moves within a page. */
  readonly visit: string
  readonly kind: 'load' | 'open' | 'return'
  /** Path and query of the page before; `null` for the first one. */
  readonly from: string | null
  /** The fragment of the address. */
  readonly hash: string
  /** Where the person was when they left the page that they return to. */
  readonly place: Place | null
}

export type VisitOptions = {
  /** Default: a new history entry, or for the address that is shown the same one. */
  readonly history?: 'push' | 'replace'
}

/** Asked before a page is left while something on it is not saved. */
export type LeavingGuard = {
  /** Whether leaving would lose something now. */
  isUnsaved(): boolean
  /** Asks the person; whether they want to leave. Asked once more, the question before is a no. */
  ask(): Promise<boolean>
}

export type Navigation = {
  readonly page: Pick<Observable<PageData>, 'getState' | 'subscribe'>
  readonly move: Pick<Observable<Move>, 'getState' | 'subscribe'>
  /** Whether a page has been awaited for long enough to show it (spec §2). */
  readonly isWaiting: Pick<Observable<boolean>, 'getState' | 'subscribe'>
  /** The component of that id on the page that is shown. */
  part(id: string): Part | undefined
  /** All stores of the tab: of the page that is shown, and of those that are kept. */
  stores(): Store[]
  /** Stores of the page that is shown, with the shell. */
  shownStores(): Store[]
  isShown(store: Store): boolean
  /** The parts of the page that this store belongs to. */
  neighbours(store: Store): Part[]
  visit(href: string, options?: VisitOptions): Promise<void>
  /** Fetches the page of this store anew, for outdated snapshots. */
  refetch(store: Store): void
  /** Shows an address in the address bar, as an answer of this store asked for. */
  moveTo(effect: UrlEffect, store: Store): void
  /** Scrolls and moves the focus; called when the move has been drawn. */
  arrive(): void
  /** What `useKept` keeps for the page that is shown. */
  kept(): Map<string, unknown>
  /** What is kept for all pages of the tab, as long as one person uses it. */
  readonly inTab: Map<string, unknown>
  /** Drops the pages that are kept, and what is kept for all of them. */
  forget(): void
  /** Saves what is unsent on all pages, to be resumed by the next document of this tab. */
  save(): void
  /** Goes on with what the last document has saved of this page. */
  resume(): void
  /** Asks the guard before the page that is shown is left; returns the cleanup. */
  guardLeaving(guard: LeavingGuard): () => void
  /** Whether something on any page would be lost with the document. */
  hasUnsaved(): boolean
}
