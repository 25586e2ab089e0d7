/** Sends the broadcasts that actions have asked for. */

import { broadcastOf } from '../channel/channel.ts'
import type { AskedBroadcast } from '../component/effects.ts'
import type { RequestScope } from './request-scope.ts'

/** One that cannot be sent is reported: it undoes nothing that was done, and keeps no other from being sent. */
export async function sendBroadcasts(
  { publish, report }: Pick<RequestScope, 'publish' | 'report'>,
  broadcasts: readonly AskedBroadcast[],
): Promise<void> {
  if (!publish) return
  for (const { channel, params, event, detail } of broadcasts)
    try {
      publish(await broadcastOf(channel, params, event, detail))
    } catch (error) {
      report?.(error)
    }
}
