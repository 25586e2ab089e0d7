/** The runtime of one page: its components, its failures, and the page itself. */

import type { PageData } from '../protocol/page.ts'
import type { LiveComponent } from './component.ts'
import type { Failure } from './failure.ts'

export type Runtime = {
  /** The page as last loaded. The same object until a listener is called. */
  getState(): PageData
  subscribe(listener: () => void): () => void
  /** The component of that id. Throws where there is none. */
  component(id: string): LiveComponent
  readonly failures: {
    getState(): Failure | null
    subscribe(listener: () => void): () => void
    /** Hides the failure. Edits and calls keep waiting. */
    dismiss(): void
    /** Retries at once whatever waits. */
    retry(): void
  }
  /** Loads the document anew; unconfirmed edits are saved and restored. */
  reload(): void
  /** Loads another document, as a plain link does. */
  load(href: string): void
  /** Shows the page of that address in place, fetched as data; if that is impossible, loads it. */
  visit(href: string, options?: { history?: 'push' | 'replace' | 'none' }): Promise<void>
}
