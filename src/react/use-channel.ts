/** Listens to channels in React: their events, their members, and whether events arrive at all. */

import { useEffect, useMemo, useRef } from 'react'
import type { Presence, PushState } from '../client/channel-handlers.ts'
import { NOBODY, watchPresence } from '../client/channel-members.ts'
import {
  channelName,
  type ChannelOf,
  type ChannelParams,
  type ChannelTypes,
  type TypedChannel,
} from '../protocol/channels.ts'
import type { Json } from '../protocol/json.ts'
import { useRuntime } from './runtime-context.tsx'
import { useStore } from './use-component.ts'

type Params = { readonly [name: string]: string }

/** What to do on each event of a channel, by its name. */
export type ChannelEventHandlers<Channel extends TypedChannel> = {
  readonly [Name in keyof ChannelOf<Channel>['events']]?: (
    detail: ChannelOf<Channel>['events'][Name],
  ) => void
}

export type ChannelOptions = {
  /**
   * Called once the channel was joined, at first and after each lost connection: what happened before
   * was not heard, so whatever follows from events is to be read anew. Default: nothing.
   */
  readonly missed?: () => void
}

/**
 * Runs a handler on each event of a channel while this is mounted. Its types come from the channel's
 * definition, through `import type`. Components whose definition names the channel refresh by
 * themselves.
 *
 * @example
 * useChannel<typeof tallyChannel>('private-tally.{id}', { id }, {
 *   counted: ({ by }) => notify(`Counted by ${by}`),
 * })
 */
export function useChannel<Channel extends TypedChannel>(
  pattern: ChannelOf<Channel>['pattern'],
  params: ChannelParams<ChannelOf<Channel>['pattern']>,
  handlers: ChannelEventHandlers<Channel>,
  options?: ChannelOptions,
): void
// The server has checked each detail by its event's schema.
export function useChannel(
  pattern: string,
  params: Params,
  handlers: { readonly [name: string]: ((detail: Json) => void) | undefined },
  options: ChannelOptions = {},
): void {
  useListening(channelName(pattern, params), (name, detail) => handlers[name]?.(detail), options)
}

/**
 * Runs the handler on each event of that name, as `useChannel` does for several.
 *
 * @example
 * useEvent<typeof tallyChannel>('private-tally.{id}', { id }, 'counted', ({ by }) => setLast(by))
 */
export function useEvent<
  Channel extends TypedChannel,
  Name extends EventName<Channel> = EventName<Channel>,
>(
  pattern: ChannelOf<Channel>['pattern'],
  params: ChannelParams<ChannelOf<Channel>['pattern']>,
  event: Name,
  handler: (detail: ChannelOf<Channel>['events'][Name]) => void,
): void
// The server has checked the detail by the event's schema.
export function useEvent(
  pattern: string,
  params: Params,
  event: string,
  handler: (detail: Json) => void,
): void {
  useListening(channelName(pattern, params), (name, detail) => {
    if (name === event) handler(detail)
  })
}

/** Names of a channel's events. */
export type EventName<Channel extends TypedChannel> = keyof ChannelOf<Channel>['events'] & string

/** A channel whose members know of each other. */
export type PresenceChannel = TypedChannel<
  ChannelTypes & { readonly pattern: `presence-${string}` }
>

/** Who is in a presence channel. */
export type Members<Channel extends TypedChannel> = {
  readonly members: readonly {
    readonly id: string
    readonly info: ChannelOf<Channel>['member']
  }[]
  /** Id of the reader; `null` until the channel was joined. */
  readonly me: string | null
}

/**
 * Who is in a presence channel; the reader is in it while this is mounted. Nobody, while the page is
 * drawn on the server and until the channel was joined. While there is no connection, the last known.
 *
 * @example
 * const { members, me } = usePresence<typeof room>('presence-room.{id}', { id })
 * return <Avatars of={members.filter((member) => member.id !== me)} />
 */
export function usePresence<Channel extends PresenceChannel>(
  pattern: ChannelOf<Channel>['pattern'],
  params: ChannelParams<ChannelOf<Channel>['pattern']>,
): Members<Channel>
// The server has made what each member tells of itself, of the type that its definition has.
export function usePresence(pattern: string, params: Params): Presence {
  const { push } = useRuntime()
  const channel = channelName(pattern, params)
  const watched = useMemo(() => watchPresence(push, channel), [push, channel])
  return useStore({ ...watched, getInitialState: () => NOBODY })
}

/**
 * Whether events arrive: `off` while nothing listens, `unavailable` 10 s after the connection was lost.
 *
 * @example
 * const connection = useConnection()
 * return connection === 'unavailable' ? <mark>Offline</mark> : null
 */
export const useConnection = (): PushState =>
  useStore({ ...useRuntime().push.state, getInitialState: () => 'off' })

/** Listens with the newest handlers, without joining anew when they change. */
function useListening(
  channel: string,
  event: (name: string, detail: Json) => void,
  { missed }: ChannelOptions = {},
): void {
  const { push } = useRuntime()
  const newest = useRef({ event, missed })
  useEffect(() => {
    newest.current = { event, missed }
  })
  useEffect(
    () =>
      push.listen(channel, {
        event: (name, detail) => newest.current.event(name, detail),
        missed: () => newest.current.missed?.(),
      }),
    [push, channel],
  )
}
