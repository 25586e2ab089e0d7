/** All that listens to channels: loaded once a page does. */

import { applyPatch } from '../protocol/patch.ts'
import type { Environment } from './environment.ts'
import { createListening, type Listening, type ListeningOptions } from './listening.ts'
import { type PageRefreshesOptions, refreshOnEvents } from './page-refreshes.ts'
import { openPush } from './push.ts'

export type LivePushOptions = Omit<ListeningOptions, 'openPush'> &
  Omit<PageRefreshesOptions, 'listening'> & { readonly environment: Environment }

export function startPush(options: LivePushOptions): Listening {
  const listening = createListening({
    ...options,
    openPush: options.environment.openPush ?? openPush,
  })
  options.refreshes.patchBy(applyPatch)
  refreshOnEvents({ ...options, listening })
  return listening
}
