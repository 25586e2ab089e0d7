/** The runtime of one page: its components, its failures, and the page itself. */

import type { PageData } from '../protocol/page.ts'
import type { LiveComponent } from './component.ts'
import type { Failure } from './failure.ts'

export type Runtime = {
  /** The page as it was last loaded. Stable until `subscribe` tells otherwise. */
  getState(): PageData
  subscribe(listener: () => void): () => void
  /** The component of that id. Throws where there is none. */
  component(id: string): LiveComponent
  readonly failures: {
    getState(): Failure | null
    subscribe(listener: () => void): () => void
    /** Puts the failure away. What waits stays waiting. */
    dismiss(): void
    /** Tries again at once what waits. */
    retry(): void
  }
  /** Loads the document anew; what was typed is kept and put back. */
  reload(): void
  /** Leaves for another document, as a plain link does. */
  load(href: string): void
  /** Fetches the page of that address in place, as data; a full load where that cannot be. */
  visit(href: string, options?: { history?: 'push' | 'replace' | 'none' }): Promise<void>
}
