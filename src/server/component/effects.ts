/** What an action may ask the browser to do, besides drawing the view. */

import type { ChannelParams } from '../../protocol/channels.ts'
import type { Json } from '../../protocol/json.ts'
import type { Effects } from '../../protocol/wire.ts'
import type { AnyChannel, Channel } from '../channel/channel.ts'

/** Events by name, each with its detail. */
export type Events = { readonly [event: string]: Json }

export type EffectSink<Sent = Events> = {
  /** Shows a message at a field, or for the whole component where `field` is `''`. */
  error(field: string, message: string): void
  /** Sends an event to the components that listen, on the server and in the browser. */
  dispatch<Event extends keyof Sent & string>(event: Event, detail: Sent[Event]): void
  redirect(href: string): void
  url(href: string, mode?: 'push' | 'replace'): void
  download(href: string, name: string): void
  /**
   * Sends an event to everybody who has joined the channel, except the socket of whoever acts, once
   * the request has succeeded. If the component writes in it, the event is sent once that is done, whatever
   * comes of the rest of the request.
   */
  broadcast<Pattern extends string, Hints extends Events, Event extends keyof Hints & string>(
    channel: Channel<Pattern, Hints>,
    params: ChannelParams<Pattern>,
    event: Event,
    detail: Hints[Event],
  ): void
}

/** A broadcast that an action has asked for. */
export type AskedBroadcast = {
  readonly channel: AnyChannel
  readonly params: { readonly [name: string]: string }
  readonly event: string
  readonly detail: Json
}

type Dispatching = { readonly name: string; readonly dispatches: ReadonlyMap<string, unknown> }

/**
 * An effect sink, and the effects and broadcasts that it collects. It refuses events that were not
 * declared.
 */
export function collectEffects({ name: component, dispatches }: Dispatching): {
  sink: EffectSink
  effects: Effects
  broadcasts: readonly AskedBroadcast[]
} {
  const effects: Effects = {}
  const broadcasts: AskedBroadcast[] = []
  const sink: EffectSink = {
    error(field, message) {
      effects.errors ??= {}
      ;(effects.errors[field] ??= []).push(message)
    },
    dispatch(name, detail) {
      if (!dispatches.has(name))
        throw new TypeError(
          `Component [${component}] dispatches [${name}], which its \`dispatches\` does not declare.`,
        )
      ;(effects.dispatches ??= []).push({ name, detail })
    },
    redirect: (href) => void (effects.redirect = href),
    url: (href, mode = 'push') => void (effects.url = { href, mode }),
    download: (href, name) => void (effects.download = { href, name }),
    broadcast: (channel, params, event, detail) =>
      void broadcasts.push({ channel, params, event, detail }),
  }
  return { sink, effects, broadcasts }
}
