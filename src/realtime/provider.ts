/** Another server of the protocol, hosted or compatible, to which events go over its HTTP API. */

import type { Agent } from 'node:http'
import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type PusherLibrary from 'pusher'
import * as v from 'valibot'
import { propertyOf } from '../server/property-of.ts'
import { deliveriesOf } from './http-events.ts'
import type { Delivery } from './hub.ts'
import { LIMITS } from './limits.ts'
import { loadPackage } from '../server/optional-package.ts'
import type { Publication } from './realtime-server.ts'
import type { RealtimeApp } from './signatures.ts'

/** A cluster of the hosted provider, or the origin of a compatible server. */
export type ProviderPlace = { readonly cluster: string } | { readonly origin: string }

/** What the server is asked to do. */
export type ProviderCall = 'publish' | 'channels' | 'terminate'

export type ProviderOptions = {
  readonly app: RealtimeApp
  readonly place: ProviderPlace
  /** Hears of each interruption once, and of more events than may wait. */
  report(error: Error): void
  /** Hears once that the server, which answers, refuses a kind of call; again only after it has taken one. */
  refused(call: ProviderCall, error: Error): void
  /** The server takes events again; what was published meanwhile is lost. */
  back(): void
  /** Opens connections. Default: Node's own. */
  readonly agent?: Agent
}

export type Provider = {
  /** Sends an event, later and in order, at most once. Throws `ApiError` if it breaks a limit. */
  publish(publication: Publication): void
  /** The channels that somebody is on, of those that begin so; `undefined` if nobody answers. */
  channels(beginning: string): Promise<readonly string[] | undefined>
  /** Closes the connections on which a user has signed in. Returns whether the server has done so. */
  terminate(user: string): Promise<boolean>
  close(): Promise<void>
}

/** Events that wait: when the queue is full, new events are dropped until it has drained. */
const WAITING = 1000
/** How long an answer may take, ms. */
const ANSWER_MS = 5000

const channelsSchema = v.object({
  // PHP servers write an empty object as a list.
  channels: v.union([v.record(v.string(), v.unknown()), v.tuple([])]),
})

/** Loads the library `pusher`, and throws one sentence if it is missing. Connects when first needed. */
export async function openProvider(options: ProviderOptions): Promise<Provider> {
  const { default: Library } = await loadPackage('live events', 'pusher', () => import('pusher'))
  const { useTLS, ...place } = placeOf(options.place)
  const agent = options.agent ?? new (useTLS ? TlsAgent : PlainAgent)({ keepAlive: true })
  const { id: appId, key, secret } = options.app
  const library = new Library({ ...place, appId, key, secret, useTLS, agent, timeout: ANSWER_MS })
  return createProvider(library, agent, options)
}

function createProvider(
  library: PusherLibrary,
  agent: Agent,
  { report, refused, back }: ProviderOptions,
): Provider {
  const waiting: Delivery[] = []
  let sending: Promise<void> | undefined
  /** Kinds of calls that the server has refused last. */
  const refusals = new Set<ProviderCall>()
  let isAway = false
  let isFull = false
  let isClosed = false

  function fail(call: ProviderCall, error: unknown): void {
    const isRefusal = isRefused(error)
    const isKnown = isRefusal ? refusals.has(call) : isAway
    if (isRefusal) refusals.add(call)
    else isAway = true
    if (isKnown || isClosed) return
    if (isRefusal) refused(call, told(error))
    else report(told(error))
  }

  async function attempt<Answer>(
    call: ProviderCall,
    ask: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    try {
      const answer = await ask()
      const hasLost = isAway || (call === 'publish' && refusals.has(call))
      isAway = false
      refusals.delete(call)
      if (hasLost && !isClosed) back()
      return answer
    } catch (error) {
      fail(call, error)
      return undefined
    }
  }

  async function send(): Promise<void> {
    while (waiting.length > 0 && !isClosed) {
      const batch = waiting.splice(0, LIMITS.eventsPerBatch).map(eventOf)
      await attempt('publish', () => library.triggerBatch(batch))
    }
    sending = undefined
    const hasLost = isFull && !isAway && !isClosed
    isFull = false
    if (hasLost) back()
  }

  function overflow(): void {
    if (!isFull && !isAway) report(new Error(`More than ${WAITING} events wait.`))
    isFull = true
  }

  return {
    publish({ channels, name, data, except }) {
      const trigger = { name, data: JSON.stringify(data), socket_id: except }
      const deliveries = deliveriesOf(trigger, channels)
      if (isClosed) return
      if (isFull || waiting.length + deliveries.length > WAITING) return overflow()
      waiting.push(...deliveries)
      sending ??= send()
    },
    channels: (beginning) =>
      attempt('channels', async () => {
        const params = { filter_by_prefix: beginning }
        const answer = await library.get({ path: '/channels', params })
        return Object.keys(v.parse(channelsSchema, await answer.json()).channels)
      }),
    async terminate(user) {
      const path = encodeURIComponent(user)
      const answer = await attempt('terminate', () => library.terminateUserConnections(path))
      return answer !== undefined
    },
    async close() {
      isClosed = true
      await sending
      agent.destroy()
    },
  }
}

function placeOf(place: ProviderPlace) {
  if ('cluster' in place) return { cluster: place.cluster, useTLS: true }
  const { hostname: host, port, protocol } = new URL(place.origin)
  return { host, ...(port !== '' && { port }), useTLS: protocol === 'https:' }
}

const eventOf = ({ channel, name, data, except }: Delivery) => ({
  ...{ channel, name, data },
  ...(except !== undefined && { socket_id: except }),
})

/** Whether the server has answered, and will not do what was asked. */
function isRefused(error: unknown): boolean {
  const status = propertyOf(error, 'status')
  return typeof status === 'number' && status < 500
}

/** Without the address that was asked: it is signed, and whoever reads it could ask again. */
function told(error: unknown): Error {
  const [status, body, cause] = ['status', 'body', 'error'].map((name) => propertyOf(error, name))
  if (typeof status === 'number') return new Error(`${status} ${String(body).slice(0, 200)}`.trim())
  const code = propertyOf(cause, 'code') ?? propertyOf(cause, 'type')
  if (typeof code === 'string') return new Error(code)
  return new Error(error instanceof Error ? error.message.slice(0, 200) : 'unknown')
}
