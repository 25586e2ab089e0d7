/** Checks again and again whether people whose sockets are on channels may still be there. */

import type { RealtimeServer } from '../../realtime/realtime-server.ts'
import type { Requester } from '../../server/rate-limit.ts'
import { type Earlier, newRound, type RoundParts } from './round.ts'

export type ReviewParts = RoundParts & {
  readonly sockets: Pick<RealtimeServer, 'review'>
  /** The request that opened the socket. */
  openedBy(requester: Requester): Earlier | undefined
}

/** Ends the subscriptions of those who are signed out, and those that their rule no longer allows. */
export async function review({ sockets, openedBy, ...parts }: ReviewParts): Promise<void> {
  const round = newRound(parts)
  await sockets.review(async ({ channel, requester }) => {
    const earlier = openedBy(requester)
    return earlier !== undefined && round.mayStay(earlier, channel)
  })
}
