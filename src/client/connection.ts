/** The tab's socket: opens when something listens, and closes soon after nothing does. */

import { UNAVAILABLE_TIMEOUT_MS } from '../protocol/constants.ts'
import type { PageData } from '../protocol/page.ts'
import { retryDelay } from './backoff.ts'
import type { PushState } from './channel-handlers.ts'
import type { Environment } from './environment.ts'
import type { Observable } from './observable.ts'
import type { openPush, PushSocket, SocketEvents, SocketState } from './push.ts'

/** A socket that nobody needs is closed after this time: the next page may need it, ms. */
const LINGER_MS = 10_000
/**
 * An attempt to connect is given up for another after this time, ms, and a pause that grows. Left to
 * itself, the library waits for 15, 30 and 60 s after attempts that fail at once, as they do while a
 * server restarts.
 */
const ATTEMPT_MS = 4000
/** All browsers lose a server that restarts at once: they join channels again within this time, ms. */
const SPREAD_MS = 2000

export type ConnectionOptions = {
  readonly environment: Pick<Environment, 'later' | 'random' | 'watchNetwork'>
  readonly openPush: typeof openPush
  readonly state: Observable<PushState>
  readonly events: Omit<SocketEvents, 'changed'>
  page(): PageData
  /** There is no connection any more, so events are lost. */
  lost(): void
}

export type Connection = {
  /** Id of the connection; `null` while there is none. */
  id(): string | null
  /** How long to wait before asking to join channels: nothing at first, by chance after a loss, ms. */
  delay(): number
  /** The socket, open or not; `null` where there was none, or it was given up. */
  socket(): PushSocket | null
  /** Opens the socket, or has it try again. `null` on a page whose server sends no events. */
  open(): PushSocket | null
  /** Closes the socket, unless it is opened again within a while. */
  close(): void
  /** Gives the socket up at once, with all that it was let into. */
  drop(): void
}

const nothing = () => {}

export function createConnection({
  environment,
  openPush,
  state,
  events,
  page,
  lost,
}: ConnectionOptions): Connection {
  let socket: PushSocket | null = null
  let isOpen = false
  let connections = 0
  let delay = 0
  let keep = nothing
  let stopTrying = nothing

  function changed(now: SocketState): void {
    if (now === 'connected') {
      stopTrying()
      state.setState(now)
      if (connections++ > 0) spread()
      return
    }
    if (state.getState() === 'connected') tryFor()
    // A further attempt is no news.
    if (state.getState() !== 'unavailable') state.setState(now)
    lost()
  }

  /** Connects, and says that the server is unavailable if that takes longer than 10 s (spec §9). */
  function tryFor(): void {
    const giveUp = environment.later(() => state.setState('unavailable'), UNAVAILABLE_TIMEOUT_MS)
    let stopAttempt = nothing
    const attempt = (count: number) => {
      const again = () => {
        socket?.again()
        attempt(count + 1)
      }
      const pause = retryDelay(count, null, environment.random())
      stopAttempt = environment.later(again, ATTEMPT_MS + pause)
    }
    attempt(0)
    stopTrying = () => {
      giveUp()
      stopAttempt()
    }
  }

  function spread(): void {
    delay = environment.random() * SPREAD_MS
    environment.later(() => void (delay = 0), delay)
  }

  const own: SocketEvents = {
    ...events,
    // A socket says that it was closed, too.
    changed: (now) => {
      if (isOpen) changed(now)
    },
  }

  function end(): void {
    stopTrying()
    isOpen = false
    connections = 0
    delay = 0
    state.setState('off')
    socket?.disconnect()
    lost()
  }

  // Left to itself, the library would take up to 40 s to find out that nothing arrives.
  environment.watchNetwork?.((isOnline) => {
    if (isOpen && isOnline) socket?.connect()
    else if (isOpen) socket?.disconnect()
  })

  return {
    id: () => (isOpen ? (socket?.id() ?? null) : null),
    delay: () => delay,
    socket: () => socket,
    open() {
      keep()
      keep = nothing
      const { realtime } = page()
      if (!realtime) return null
      if (!isOpen) {
        isOpen = true
        state.setState('connecting')
        tryFor()
      }
      if (socket) socket.connect()
      else socket = openPush(realtime, own)
      return socket
    },
    close() {
      keep()
      keep = environment.later(end, LINGER_MS)
    },
    drop() {
      keep()
      end()
      socket = null
    },
  }
}
