/** Everything that listens to channels, loaded when a page first does. */

import { applyPatch } from '../protocol/patch.ts'
import type { Environment } from './environment.ts'
import { createListening, type Listening, type ListeningOptions } from './listening.ts'
import { type PageRefreshesOptions, refreshOnEvents } from './page-refreshes.ts'
import { openPush } from './push.ts'
import type { Store } from './store.ts'

export type LivePushOptions = Omit<ListeningOptions, 'openPush'> &
  Omit<PageRefreshesOptions, 'listening'> & { readonly environment: Environment }

export type LivePush = Listening & {
  /** The server does not tell a page of what it has written itself. */
  wrote(writer: Store): void
  /** Looks again which channels the components of the page have. */
  follow(): void
}

export function startPush(options: LivePushOptions): LivePush {
  const listening = createListening({
    ...options,
    openPush: options.environment.openPush ?? openPush,
  })
  options.refreshes.patchBy(applyPatch)
  return { ...listening, ...refreshOnEvents({ ...options, listening }) }
}
