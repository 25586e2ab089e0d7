/** Live events of an admin: what carries them, who may join what, and tables that tell of changes. */

import type { FastifyInstance } from 'fastify'
import type { RealtimeAddress } from '../../protocol/channels.ts'
import type { Actor } from '../../server/actor.ts'
import type { AnyChannel, Broadcast } from '../../server/channel/channel.ts'
import type { Services } from '../../server/component/services.ts'
import type { Guard } from '../../server/http/guarded-routes.ts'
import { readForms } from '../../server/http/http.ts'
import type { OwnSocket } from '../../server/http/scope-of.ts'
import { later } from '../../server/timer.ts'
import { policyReads } from '../accounts/roles.ts'
import type { Foundation } from '../compose/foundation.ts'
import type { UpgradeRequests } from '../mounts/mounts.ts'
import type { SignIn, Visitors } from '../sign-in/visitors.ts'
import { addBroadcastingRoutes } from './broadcasting-routes.ts'
import { createChannelRules } from './channel-rules.ts'
import { watchChanges } from './change-watch.ts'
import { ownHost } from './own-host.ts'
import { providerHost } from './provider-host.ts'
import { loadRealtimeApp } from './realtime-app.ts'
import {
  concernedBy,
  createAnyTableChannel,
  createTableChannel,
  tellChanged,
} from './table-channel.ts'

export type Realtime = {
  /** Where browsers open their sockets. */
  address(): RealtimeAddress
  /** Sends an event; the socket of that id does not receive it, if it is the person's own. */
  publish(broadcast: Broadcast, except?: OwnSocket): void
  /** Says to the pages of this node that tables are shown in another way. */
  redrawn(): void
  /**
   * Says that rows were written here; the socket need not hear of it while the data have that version.
   * `isLogged`: whether the log of the source has what was written.
   */
  wrote(isLogged: boolean, by?: OwnSocket & { readonly shown: string }): void
}

export type RealtimeParts = {
  readonly visitors: Pick<Visitors, 'find'>
  readonly guard: Guard
  readonly stillSignedIn: SignIn['stillSignedIn']
  readonly services: (actor: Actor) => Services
  /** Channels besides those of the tables. */
  readonly channels: readonly AnyChannel[]
  /** Upgrade requests that wait for an answer. */
  readonly upgrades: UpgradeRequests
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: ((line: string, error?: unknown) => void) | undefined
}

/** Adds the routes of joining, and those of the host. */
export async function addRealtime(
  server: FastifyInstance,
  { addresses, dataFolder, live, policy, source, now, realtime }: Foundation,
  { visitors, guard, stillSignedIn, services, channels, upgrades, env, log }: RealtimeParts,
): Promise<Realtime> {
  const rules = createChannelRules(
    [createTableChannel(live.current), createAnyTableChannel(live.current), ...channels],
    services,
  )
  const inPassing = (actor: Actor) => live.current().inPassing(actor)
  const host = realtime.provider
    ? await providerHost(realtime.provider, { rules, stillSignedIn, inPassing, now, log })
    : await ownHost(server, {
        ...{ rules, addresses, visitors, stillSignedIn, inPassing, upgrades, env, log },
        app: await loadRealtimeApp(dataFolder, env),
        bus: realtime.bus,
        origin: guard.origin,
      })
  const { app } = host
  await server.register(async (part) => {
    await readForms(part)
    addBroadcastingRoutes(part, {
      ...{ app, rules, addresses, guard, now },
      mayUse: host.mayUse,
      joining(join) {
        host.joining(join)
        watch.begin()
      },
    })
  })

  const watch = watchChanges({
    source,
    watched: host.watched,
    concernedBy(tables) {
      const reads = policyReads(policy)
      const isKnown = reads && !tables.some((table) => reads.includes(table))
      return isKnown ? concernedBy(tables, live.current()) : () => true
    },
    changed: (names, except) => tellChanged(host.publishHere, names, except),
    later,
    report: (error) => log?.('Live events failed.', error),
  })
  host.onWrite(watch.written)
  host.onLog((write) => source.writes?.add(write))
  source.writes?.onWrite(host.log)
  const notices = source.notices?.(watch.noticed)
  server.addHook('preClose', async () => {
    watch.close()
    await notices?.stop()
    await host.close()
  })

  const { noticedBy = 'asking' } = source
  return {
    address: () => ({
      key: app.key,
      ...host.address,
      noticedBy: notices?.isOn() ? 'triggers' : noticedBy,
      authUrl: addresses.channelAuth,
      userAuthUrl: addresses.userAuth,
    }),
    publish({ channel, name, detail }, except) {
      const isOwn = except && host.isSocketOf(except.socketId, except.person)
      host.publish({
        ...{ channels: [channel], name, data: detail },
        ...(isOwn && { except: except.socketId }),
      })
    },
    redrawn: () => watch.written(),
    wrote(isLogged, by) {
      const isOwn = by && host.isSocketOf(by.socketId, by.person)
      host.wrote({
        isLogged,
        ...(isOwn && { by: { socketId: by.socketId, version: by.shown } }),
      })
    },
  }
}
