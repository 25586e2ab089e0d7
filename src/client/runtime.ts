/** The runtime of one page: its components, its failures, and the page itself. */

import type { PageData } from '../protocol/page.ts'
import type { LiveComponent } from './component.ts'
import type { Push } from './create-push.ts'
import type { Environment } from './environment.ts'
import type { Failure } from './failure.ts'
import type { LeavingGuard, Move, VisitOptions } from './navigation/moves.ts'

export type Runtime = {
  /** The page as last loaded. The same object until a listener is called. */
  getState(): PageData
  subscribe(listener: () => void): () => void
  /** The component of that id. Throws where there is none. */
  component(id: string): LiveComponent
  /** The browser that it runs in. Throws while a page is drawn on the server. */
  readonly environment: Environment
  readonly failures: {
    getState(): Failure | null
    subscribe(listener: () => void): () => void
    /** Hides the failure. Edits and calls keep waiting. */
    dismiss(): void
    /** Retries at once whatever waits. */
    retry(): void
  }
  /** Loads the document anew once no request is in flight; unconfirmed edits are saved and restored. */
  reload(): void
  /** Loads another document, as a plain link does. */
  load(href: string): void
  /** Shows the page of that address in place, fetched as data; if that is impossible, loads it. */
  visit(href: string, options?: VisitOptions): Promise<void>
  /** How the person came to this page. The same object until a listener is called. */
  readonly move: Watched<Move>
  /** Whether a page has been awaited for 150 ms (spec §2). */
  readonly isWaiting: Watched<boolean>
  /**
   * Scrolls, and moves the focus, after a move; then components begin to listen to their channels. Call
   * it when the page has been drawn.
   */
  arrive(): void
  /** The channels of the page, and whether their events arrive. */
  readonly push: Push
  /** What stays with the page that is shown while it is kept for the back button. */
  kept(): Map<string, unknown>
  /** What is kept for all pages of the tab, until it is reloaded or another person signs in. */
  readonly inTab: Map<string, unknown>
  /**
   * Asks the guard before another page is shown, by link, key, `visit`, back or forward, while it
   * says that something is not saved; returns the cleanup. `LeavingGuard` asks in a dialog.
   */
  guardLeaving(guard: LeavingGuard): () => void
  /** Whether edits that are not sent by themselves, or what is guarded, would be lost with the document. */
  hasUnsaved(): boolean
}

type Watched<Value> = {
  getState(): Value
  subscribe(listener: () => void): () => void
}
