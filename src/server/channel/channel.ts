/** Channels of live events: who may join one, and which events it carries. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import {
  channelName,
  type ChannelParams,
  isOfPattern,
  type TypedChannel,
} from '../../protocol/channels.ts'
import type { Json } from '../../protocol/json.ts'
import type { Schema, Subject } from '../component/component.ts'
import { decode } from '../component/decode.ts'
import type { Events } from '../component/effects.ts'

/** Who asks to join a channel, and the values of the `{names}` in its pattern. */
export type ChannelSubject<Params = { readonly [name: string]: string }> = Subject<Params>

/** A channel as the runtime sees it, without its types. */
export type AnyChannel = {
  /** Such as `private-orders.{id}`. */
  readonly pattern: string
  readonly events: ReadonlyMap<string, Schema>
  authorize(subject: ChannelSubject): boolean | Promise<boolean>
  member(subject: ChannelSubject): Json | Promise<Json>
  /** What the members of a presence channel are told apart by. Default: the person's id. */
  memberId?(subject: ChannelSubject): string
}

/** A defined channel: the server broadcasts on it, and the browser knows its types. */
export type Channel<
  Pattern extends string = string,
  Sent extends Events = Events,
  Member extends Json = Json,
> = AnyChannel &
  TypedChannel<{ pattern: Pattern; events: Sent; member: Member }> & {
    readonly pattern: Pattern
  }

/** All that a channel needs: whoever joins it is authorized, so there are no public ones. */
type ChannelPattern = `private-${string}` | `presence-${string}`

export type ChannelOptions<Pattern extends string, Sent extends Events, Member extends Json> = {
  /** Who may join. Asked for each subscription, and every two seconds while it stands. */
  authorize(subject: ChannelSubject<ChannelParams<Pattern>>): boolean | Promise<boolean>
  /** Its events, with the schema of each one's detail: hints, never the values of rows. */
  readonly events?: { readonly [Event in keyof Sent]: Schema<Sent[Event]> }
  /** What members of a presence channel tell of each other. Default: the person's name. */
  member?(subject: ChannelSubject<ChannelParams<Pattern>>): Member | Promise<Member>
}

/**
 * Defines a channel. Its pattern begins with `private-` or `presence-`, and may have `{names}`; names
 * that begin with `private-table.`, `private-jobs.`, `private-views.`, `presence-table.`, `presence-awake.` or
 * `presence-record.` are the admin's own.
 *
 * @example
 * export const shelfChannel = defineChannel('private-shelf.{shelf}', {
 *   authorize: ({ actor }) => actor.role !== 'viewer',
 *   events: { counted: v.object({ by: v.string() }) },
 * })
 */
export function defineChannel<
  const Pattern extends ChannelPattern,
  Sent extends Events = {},
  Member extends Json = { name: string },
>(
  pattern: Pattern,
  options: ChannelOptions<Pattern, Sent, Member>,
): Channel<Pattern, Sent, Member> {
  const typed = (subject: ChannelSubject): ChannelSubject<ChannelParams<Pattern>> => {
    const { params } = subject
    if (isOfPattern(pattern, params)) return { ...subject, params }
    throw new TypeError(`The parameters of [${pattern}] are missing.`)
  }
  return {
    pattern,
    events: new Map(Object.entries(options.events ?? {})),
    authorize: (subject) => options.authorize(typed(subject)),
    member: (subject) =>
      options.member ? options.member(typed(subject)) : { name: subject.actor.name },
  }
}

/** What the names of a pattern's channels begin with, such as `private-orders.` of `private-orders.{id}`. */
export const beginningOf = (pattern: string): string => pattern.replace(/\{.*/, '')

/** What is sent to everybody who has joined a channel. */
export type Broadcast = { readonly channel: string; readonly name: string; readonly detail: Json }

/**
 * Makes a broadcast, its detail decoded by the event's schema. Throws `ARGUMENTS_INVALID` for a detail
 * that the schema refuses, and `TypeError` for an event that the channel does not declare.
 */
export async function broadcastOf(
  channel: AnyChannel,
  params: { readonly [name: string]: string },
  event: string,
  detail: Json,
): Promise<Broadcast> {
  const schema: StandardSchemaV1<unknown, Json> | undefined = channel.events.get(event)
  if (!schema)
    throw new TypeError(`The channel [${channel.pattern}] does not declare the event [${event}].`)
  return {
    channel: channelName(channel.pattern, params),
    name: event,
    detail: await decode(schema, detail, 'ARGUMENTS_INVALID', event),
  }
}
