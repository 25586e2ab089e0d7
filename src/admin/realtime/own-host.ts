/** The admin's own realtime server as the host of its events, alone or as one of several nodes. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { createRealtimeServer } from '../../realtime/realtime-server.ts'
import type { RealtimeApp } from '../../realtime/signatures.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { isFromOwnOrigin } from '../../server/http/csrf.ts'
import type { Requester } from '../../server/rate-limit.ts'
import type { Visitor } from '../../server/visitor.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import type { UpgradeRequests } from '../mounts/mounts.ts'
import type { SignIn, Visitors } from '../sign-in/visitors.ts'
import type { ChannelRules } from './channel-rules.ts'
import type { EventHost } from './event-host.ts'
import { openBus } from './open-bus.ts'
import type { BusSetting } from './realtime-settings.ts'
import { repeat } from './repeat.ts'
import { review } from './review.ts'
import type { Earlier } from './round.ts'
import { TABLES } from './table-channel.ts'

export type OwnHostParts = {
  readonly app: RealtimeApp
  readonly bus: BusSetting | undefined
  readonly rules: ChannelRules
  readonly addresses: Addresses
  readonly visitors: Pick<Visitors, 'find'>
  readonly stillSignedIn: SignIn['stillSignedIn']
  /** A copy of the actor for one round of questions. */
  readonly inPassing: (actor: Actor) => Actor
  /** Upgrade requests that wait for an answer. */
  readonly upgrades: UpgradeRequests
  /** Origin where browsers reach the admin, if configured. */
  readonly origin: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: ((line: string, error?: unknown) => void) | undefined
}

/** How often the rights of those who are on a channel are looked at again, ms. */
const REVIEW_MS = 2000

/** Nodes tell each other of writes on it; no rule lets anybody join. */
const WRITES = 'tablewire.writes'

const wroteSchema = v.object({ version: v.nullable(v.string()), isLogged: v.boolean() })

const logSchema = v.object({
  node: v.string(),
  tables: v.union([v.literal('any'), v.array(v.string())]),
  transactions: v.array(v.number()),
})

/** Adds the routes of sockets and of the protocol's HTTP API. */
export async function ownHost(server: FastifyInstance, parts: OwnHostParts): Promise<EventHost> {
  const { app, rules, addresses, visitors, stillSignedIn, inPassing, upgrades, origin, env, log } =
    parts
  /** Who opened each socket; asked again while it is on a channel. */
  const requesters = new WeakMap<IncomingMessage, Requester>()
  const opened = new WeakMap<Requester, Earlier>()
  const report = (error: unknown) => log?.('Live events failed.', error)
  const node = randomUUID()
  const bus = parts.bus && (await openBus(parts.bus, { app, env, log }))
  const sockets = createRealtimeServer({
    app,
    prefix: addresses.prefix,
    // The route below has checked it.
    origins: () => true,
    requesterOf: (request) => requesters.get(request) ?? { ip: '' },
    report,
    // Their rules are asked when a subscription is signed.
    unsignedChannels: false,
    ...(bus && { bus }),
  })

  const refuseStrangers = async (request: FastifyRequest): Promise<Visitor> => {
    const visitor = await visitors.find(request)
    const isOurs = request.headers.origin !== undefined && isFromOwnOrigin(request, origin)
    if (!visitor || !isOurs) throw new AppError('FORBIDDEN')
    return visitor
  }

  server.get(addresses.prefix + PATHS.socket, async (request, reply) => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) throw new AppError('NOT_FOUND')
    const { actor, session } = await refuseStrangers(request)
    const requester = { ip: request.ip, person: actor.id }
    requesters.set(request.raw, requester)
    opened.set(requester, { person: actor.id, lineage: session.lineage, request })
    reply.hijack()
    upgrade(reply.raw, (socket: Duplex, head: Buffer) => sockets.upgrade(request.raw, socket, head))
  })
  await server.register((part) => sockets.routes(part))

  const questions = { rules, stillSignedIn, inPassing, report }
  const stopReviews = repeat(
    () =>
      review({ ...questions, sockets, openedBy: (requester) => opened.get(requester) }).catch(
        report,
      ),
    REVIEW_MS,
  )

  return {
    app,
    address: { host: null, cluster: null, path: addresses.prefix },
    publish: sockets.publish,
    publishHere: sockets.publishHere,
    watched: () => sockets.occupied(TABLES),
    mayUse: sockets.isSocketOf,
    isSocketOf: sockets.isSocketOf,
    joining() {},
    onWrite: (heard) =>
      void sockets.broadcaster.subscribe(WRITES, ({ name, detail, except: socketId }) => {
        if (name !== 'wrote') return
        // A node of another version may say something else.
        const { version = null, isLogged } = v.is(wroteSchema, detail) ? detail : {}
        heard({ isLogged, ...(version !== null && socketId && { by: { socketId, version } }) })
      }),
    wrote: ({ by, isLogged = false }) =>
      void sockets.broadcaster.publish({
        ...{ channel: WRITES, name: 'wrote', detail: { version: by?.version ?? null, isLogged } },
        ...(by && { except: by.socketId }),
      }),
    onLog: (heard) =>
      void sockets.broadcaster.subscribe(WRITES, ({ name, detail }) => {
        if (name === 'log' && v.is(logSchema, detail) && detail.node !== node) heard(detail)
      }),
    log({ tables, transactions }) {
      if (!bus) return
      const [all, numbers] = [tables === 'any' ? tables : [...tables], [...transactions]]
      void sockets.broadcaster.publish({
        ...{ channel: WRITES, name: 'log', detail: { node, tables: all, transactions: numbers } },
      })
    },
    async close() {
      stopReviews()
      await sockets.close()
    },
  }
}
