/** Performs what an answer asks for beyond its own component: events, addresses, downloads, new pages. */

import { type Effects, EVENT_METHOD } from '../protocol/wire.ts'
import type { PagePush } from './create-push.ts'
import type { Environment } from './environment.ts'
import type { SentEvent } from './events.ts'
import type { Navigation } from './navigation/moves.ts'
import type { Sender } from './sender.ts'
import type { Store } from './store.ts'

/** Looked up when something happens, because these parts are made with the reactions. */
export type ReactingParts = {
  readonly environment: Environment
  readonly navigation: Navigation
  readonly sender: Sender
  readonly push: PagePush
}

export type Reactions = ReturnType<typeof createReactions>

export function createReactions(parts: () => ReactingParts) {
  return {
    /** A snapshot is outdated. */
    renew(store: Store): void {
      if (store.isLeft) return
      // An update in flight finds out by itself.
      if (store.isReady) store.outdated()
      if (store.isOutdated) parts().navigation.refetch(store)
    },

    /** Passes an event on to the listeners that have not handled it yet. */
    forward({ name, detail, from, handledOnServer }: SentEvent, sent: Store): void {
      for (const { store, component } of parts().navigation.neighbours(sent)) {
        const isConcerned = store.listens.has(name) && store.id !== from
        if (!isConcerned || handledOnServer.includes(store.id)) continue
        // The page's failures show why it failed.
        component.call(`${EVENT_METHOD}${name}`, detail).catch(() => undefined)
      }
    },

    /** Performs the effects of an answer; those of a page that was left do not move the person. */
    perform(effects: Effects, store: Store): void {
      const { redirect, url, dispatches = [], download, wrote, channels } = effects
      const { environment, navigation, push } = parts()
      const isShown = navigation.isShown(store)
      if (redirect !== undefined && isShown) return environment.load(redirect)
      if (url) navigation.moveTo(url, store)
      if (isShown) for (const { name, detail } of dispatches) environment.dispatch(name, detail)
      if (download) environment.download(download.href, download.name)
      if (wrote) push.wrote(store)
      if (channels) push.follow(store, channels)
    },

    /**
     * Loads a page in full, for another client build or language, to sign in or anew: once no request
     * is in flight, because nobody would learn what it has done. What was not sent goes on there.
     */
    async leave(href: string): Promise<void> {
      const { environment, navigation, sender } = parts()
      const isHere = href === environment.location()
      await sender.idle()
      navigation.save()
      // An answer may have moved the address.
      environment.load(isHere ? environment.location() : href)
    },
  }
}
