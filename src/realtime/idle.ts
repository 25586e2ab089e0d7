/** Asks silent clients whether they are still there, and closes those that do not answer. */

import { ACTIVITY_TIMEOUT_MS, PONG_TIMEOUT_MS } from '../protocol/constants.ts'
import { type Clock, every } from './clock.ts'
import type { Connection } from './connection.ts'
import { messageFrame } from './frame.ts'
import { CODES, ProtocolError } from './protocol-error.ts'

const LOOK_MS = 1000
const PING = messageFrame({ event: 'pusher:ping', data: '{}' })

/** One timer looks after all, since a timer for each would take memory. Returns how to stop. */
export function watchIdle(clock: Clock, connections: () => Iterable<Connection>): () => void {
  return every(clock, LOOK_MS, () => {
    const now = clock.now()
    for (const connection of connections()) lookAt(connection, now)
  })
}

function lookAt(connection: Connection, now: number): void {
  const { pingedAt, heardAt } = connection
  if (pingedAt > 0 && now - pingedAt >= PONG_TIMEOUT_MS)
    connection.close(new ProtocolError(CODES.noPong, 'The client did not answer a ping.'))
  else if (pingedAt === 0 && now - heardAt >= ACTIVITY_TIMEOUT_MS) {
    connection.pingedAt = now
    connection.send(PING)
  }
}
