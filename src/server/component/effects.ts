/** What an action may ask the browser to do, besides drawing the view. */

import type { Json } from '../../protocol/json.ts'
import type { Effects } from '../../protocol/wire.ts'

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
}

type Dispatching = { readonly name: string; readonly dispatches: ReadonlyMap<string, unknown> }

/** An effect sink, and the effects that it collects. It refuses events that were not declared. */
export function collectEffects({ name: component, dispatches }: Dispatching): {
  sink: EffectSink
  effects: Effects
} {
  const effects: Effects = {}
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
  }
  return { sink, effects }
}
