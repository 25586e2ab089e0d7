/** One node of an application: its channels, its webhooks, and what it shares with the others. */

import * as v from 'valibot'
import { readChannel } from './channels.ts'
import type { Bus } from './bus.ts'
import { type BusSeal, busSeal } from './bus-seal.ts'
import { readAs } from './client-message.ts'
import type { Clock } from './clock.ts'
import { Dialogue } from './dialogue.ts'
import { EventCache, type SharedCache } from './event-cache.ts'
import { deliveriesOf, type Trigger } from './http-events.ts'
import { type Delivery, Hub, type Withdrawal } from './hub.ts'
import type { ServerLimits } from './limits.ts'
import { Peers } from './peers.ts'
import { SubscriptionError } from './protocol-error.ts'
import type { Subscription } from './realtime-server.ts'
import { concurrently } from './concurrency.ts'
import type { RealtimeApp } from './signatures.ts'
import type { WebhookEvent } from './webhook-event.ts'
import { type Post, type Webhook, Webhooks } from './webhooks.ts'

export type NodeOptions = {
  readonly app: RealtimeApp
  readonly clock: Clock
  readonly limits: ServerLimits
  /** Not used by any other node, at any time. */
  readonly name: string
  readonly bus: Bus | undefined
  readonly clientEvents: boolean
  readonly unsignedChannels: boolean
  readonly subscriptionCounts: boolean
  readonly webhooks: readonly Webhook[]
  readonly post: Post
  readonly report: (error: unknown) => void
}

type Listener = (delivery: Delivery) => void

export class Node {
  readonly hub: Hub
  readonly dialogue: Dialogue
  readonly #cache: EventCache
  readonly #peers: Peers | undefined
  readonly #webhooks: Webhooks
  readonly #report: (error: unknown) => void
  readonly #listeners = new Map<string, Set<Listener>>()

  constructor({ app, clock, limits, bus, name, ...options }: NodeOptions) {
    const seal = busSeal(app.secret)
    this.#report = options.report
    this.#webhooks = new Webhooks(options.webhooks, { app, clock, post: options.post })
    this.#cache = new EventCache({
      clock,
      channels: limits.cachedChannels,
      shared: bus && sharedCache(bus, seal, clock),
    })
    this.hub = new Hub({
      clock,
      cache: this.#cache,
      subscriptionCounts: options.subscriptionCounts,
      tell: (event) => this.#tell(event),
      changed: (change) => this.#peers?.send({ kind: 'change', change }),
    })
    this.dialogue = new Dialogue({
      ...{ app, clock, limits },
      hub: this.hub,
      clientEvents: options.clientEvents,
      unsignedChannels: options.unsignedChannels,
      publish: (delivery) => this.#send(delivery),
      tell: (event) => this.#webhooks.tell(event),
    })
    this.#peers =
      bus &&
      new Peers({
        ...{ node: name, bus, seal, clock },
        rooms: this.hub.rooms,
        deliver: (delivery) => this.#arrive(delivery),
        withdraw: (withdrawal) => void this.hub.withdraw(withdrawal, withdrawn()),
        terminate: (user) => void this.hub.terminate(user),
        missed: () => this.#cache.clear(),
      })
  }

  /** Publishes one event to some channels. Throws `ApiError` for what breaks a limit. */
  trigger(trigger: Trigger, channels: readonly string[]): void {
    for (const delivery of deliveriesOf(trigger, channels)) this.publish(delivery)
  }

  /** Sends one event to this node's own sockets and listeners. Throws `ApiError` likewise. */
  triggerHere(trigger: Trigger, channels: readonly string[]): void {
    for (const delivery of deliveriesOf(trigger, channels)) this.#take(delivery)
  }

  /** Publishes an event of the application, which cache channels keep. */
  publish(delivery: Delivery): void {
    const { channel, name, data } = delivery
    if (readChannel(channel)?.isCached) this.#cache.publish(channel, { name, data })
    this.#send(delivery)
  }

  /** Hears the application's events on a channel, of all nodes. Returns how to stop. */
  listen(channel: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners)
        this.#listeners.delete(channel)
    }
  }

  revoke(withdrawal: Withdrawal): void {
    if (withdrawal.user === undefined && withdrawal.channel === undefined)
      throw new Error('Name the user, the channel, or both, whose subscriptions end.')
    this.hub.withdraw(withdrawal, withdrawn())
    this.#peers?.sendSurely({ kind: 'withdraw', withdrawal })
  }

  async review(
    isAllowed: (subscription: Subscription) => boolean | Promise<boolean>,
  ): Promise<number> {
    let count = 0
    const subscriptions = [...this.hub.connections.values()].flatMap((connection) =>
      [...connection.channels].map(([channel, member]) => ({ connection, channel, member })),
    )
    await concurrently(subscriptions, async ({ connection, channel, member }) => {
      // It may have left the channel meanwhile.
      if (!connection.channels.has(channel)) return
      const { id: socketId, requester, user } = connection
      const subscription = { channel, socketId, requester, user: (member ?? user)?.id }
      if (await this.#mayStay(isAllowed, subscription)) return
      count += this.hub.withdrawFrom(connection, channel, withdrawn())
    })
    return count
  }

  terminate(user: string): void {
    this.hub.terminate(user)
    this.#peers?.sendSurely({ kind: 'terminate', user })
  }

  stats() {
    return {
      connections: this.hub.connections.size,
      channels: this.hub.rooms.size,
      cached: this.#cache.size,
      nodes: 1 + (this.#peers?.size ?? 0),
      forged: this.#peers?.refused ?? 0,
      unsent: this.#peers?.unsent ?? 0,
      webhooksDropped: this.#webhooks.dropped,
    }
  }

  async close(): Promise<void> {
    this.#webhooks.close()
    await this.#peers?.close()
  }

  /** All nodes see the same events; one of them tells the application. */
  #tell(event: WebhookEvent): void {
    if (event.name === 'cache_miss' || (this.#peers?.isFirst ?? true)) this.#webhooks.tell(event)
  }

  #send(delivery: Delivery): void {
    this.#take(delivery)
    this.#peers?.send({ kind: 'event', event: delivery })
  }

  /** An event that another node has published. */
  #arrive(delivery: Delivery): void {
    const { channel, name, data } = delivery
    if (readChannel(channel)?.isCached && !isClients(delivery))
      this.#cache.keep(channel, { name, data })
    this.#take(delivery)
  }

  #take(delivery: Delivery): void {
    this.hub.deliver(delivery)
    // Listeners hear the application's events, not those that clients send each other.
    if (isClients(delivery)) return
    for (const listener of this.#listeners.get(delivery.channel) ?? [])
      this.#run(listener, delivery)
  }

  /** A rule that fails allows nothing, and keeps nobody else's from being asked. */
  async #mayStay(
    isAllowed: (subscription: Subscription) => boolean | Promise<boolean>,
    subscription: Subscription,
  ): Promise<boolean> {
    try {
      return await isAllowed(subscription)
    } catch (error) {
      this.#report(error)
      return false
    }
  }

  /** A listener that fails keeps nobody else from hearing. */
  #run(listener: Listener, delivery: Delivery): void {
    try {
      listener(delivery)
    } catch (error) {
      this.#report(error)
    }
  }
}

const isClients = ({ name }: Delivery): boolean => name.startsWith('client-')

const withdrawn = () => new SubscriptionError(403, 'The right to the channel was withdrawn.')

const cachedSchema = v.strictTuple([v.string(), v.string(), v.string(), v.number()])

/** The cache of all nodes, whose entries are sealed, since the bus vouches for nothing. */
function sharedCache(bus: Bus, seal: BusSeal, clock: Clock): SharedCache {
  const keyOf = (channel: string) => `cache ${channel}`
  return {
    put(channel, { name, data }, ttlMs) {
      const entry = [channel, name, data, clock.now() + ttlMs]
      bus.put(keyOf(channel), seal.seal('cache', JSON.stringify(entry)), ttlMs)
    },
    async get(channel) {
      const sealed = await bus.get(keyOf(channel))
      const text = sealed === undefined ? undefined : seal.open('cache', sealed)
      const entry = text === undefined ? undefined : readAs(cachedSchema, text)
      if (!entry) return undefined
      const [of, name, data, until] = entry
      return of === channel && until > clock.now() ? { name, data } : undefined
    },
  }
}
