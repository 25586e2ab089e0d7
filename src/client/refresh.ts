/** Refreshes components: fetches their views beside updates, without edits and without waiting. */

import { BATCH_DELAY_MS } from '../protocol/constants.ts'
import type { Json } from '../protocol/json.ts'
import type { Patch } from '../protocol/patch.ts'
import {
  type ComponentResponse,
  TAKES_PATCHES,
  UPDATE_LIMITS,
  type UpdateResponse,
} from '../protocol/wire.ts'
import { CallError } from './call-error.ts'
import type { Environment } from './environment.ts'
import { type Failures, reportRefusal } from './failures.ts'
import { itemsAt, type Later, laterOf } from './later.ts'
import type { Store } from './store.ts'
import type { Answer, Transport } from './transport.ts'

export type Refreshes = {
  /**
   * Fetches the component's view, together with all others refreshed within 5 ms (spec §7). Drops the
   * answer if an update of the component began or was answered meanwhile. Resolves to whether the
   * server answered; if not, the next refresh tries again. A page that has expired is not asked again.
   */
  refresh(store: Store): Promise<boolean>
  /** The same for an event, which no person asked for: until it is answered, `drop` makes it void. */
  follow(store: Store): Promise<boolean>
  /**
   * Makes the refresh of an event void, unless a person has asked for it meanwhile; returns whether it
   * did. What it is for has still to be read.
   */
  drop(store: Store): boolean
  /** From now on takes what has changed in a view, of which `apply` makes the view. */
  patchBy(apply: ApplyPatch): void
}

export type RefreshOptions = {
  environment: Environment
  transport: Transport
  failures: Failures
  updateUrl(): string
  /** Called if the snapshot was outdated: fetches the page anew. */
  renew(store: Store): void
}

type ApplyPatch = (before: Json, patch: Patch) => Json

/** A refresh that was asked for; all who ask for it before it is sent share it. */
type Wish = {
  readonly store: Store
  readonly settled: Promise<boolean>
  readonly settle: (isAnswered: boolean) => void
  /** Whether a person has asked, and not only an event. */
  isAsked: boolean
  isVoid: boolean
}

type Sent = { readonly wish: Wish; readonly snapshot: string; readonly version: number }

export function createRefreshes(options: RefreshOptions): Refreshes {
  const { environment, transport, failures } = options
  /** Refreshes that were not sent yet; another refresh of the same store joins them. */
  const unsent = new Map<Store, Wish>()
  const inFlight = new Map<Store, Wish>()
  /** Snapshots that the server has called expired: the person is asked once, not by each poll. */
  const expired = new WeakMap<Store, string>()
  let applyPatch: ApplyPatch | null = null
  let isFlushing = false

  /** One that is in flight may have been read before what the next one is for, so that one waits. */
  const sendable = () => [...unsent.values()].filter(({ store }) => !inFlight.has(store))

  function flushSoon(): void {
    if (isFlushing || sendable().length === 0) return
    isFlushing = true
    environment.later(flush, BATCH_DELAY_MS)
  }

  function flush(): void {
    isFlushing = false
    const batch = sendable().slice(0, UPDATE_LIMITS.components)
    for (const { store } of batch) unsent.delete(store)
    // Since it was asked for, its page may have been left, or have expired.
    for (const { store, settle } of batch) if (!isAskable(store)) settle(false)
    const sent = batch
      .filter(({ store }) => isAskable(store))
      .map((wish): Sent => {
        const { store } = wish
        inFlight.set(store, wish)
        return { wish, snapshot: store.snapshot, version: store.version }
      })
    flushSoon()
    if (sent.length > 0) void send(sent, environment.newKey())
  }

  const isAskable = (store: Store): boolean =>
    !store.isLeft && expired.get(store) !== store.snapshot

  async function send(batch: readonly Sent[], key: string): Promise<void> {
    const components = batch.map(({ snapshot }) => ({ snapshot, updates: {}, calls: [] }))
    let later: readonly Later[] | null = null
    try {
      const marker = applyPatch ? TAKES_PATCHES : undefined
      const url = options.updateUrl()
      later = apply(batch, await transport.update(url, components, key, undefined, marker))
    } catch (error) {
      if (error instanceof CallError) reportRefusal(failures, error)
    }
    for (const { key, places } of later ?? []) void send(itemsAt(batch, places), key)
    const goingOn = new Set(later?.flatMap(({ places }) => places))
    for (const [place, { wish }] of batch.entries())
      if (!goingOn.has(place)) finish(wish, later !== null)
  }

  function finish({ store, settle }: Wish, isAnswered: boolean): void {
    inFlight.delete(store)
    settle(isAnswered)
    flushSoon()
  }

  /**
   * Applies an answer; returns what to ask for again, or `null` where there was none. No person asked
   * for a refresh, so of all failures only an expired page is shown.
   */
  function apply(batch: readonly Sent[], answer: Answer<UpdateResponse>): Later[] | null {
    if (answer.kind !== 'unreachable') failures.clear(['offline'])
    if (answer.kind === 'refused' && answer.status === 419) {
      for (const { wish, snapshot } of batch) expired.set(wish.store, snapshot)
      throw new CallError(answer.error.code, answer.error.message, answer.status)
    }
    if (answer.kind !== 'ok') return null
    const { components } = answer.body
    for (const [place, { wish, snapshot, version }] of batch.entries()) {
      const { store } = wish
      const response = components[place]
      if (response?.effects.later !== undefined || wish.isVoid) continue
      if (response?.effects.outdated) {
        if (version === store.version) options.renew(store)
      } else if (response) {
        // A patch is of the view that the snapshot belongs to.
        const isOwn = version === store.version && snapshot === store.snapshot
        if (isOwn || !response.effects.patch) store.applyRefresh(whole(response, store), version)
      }
    }
    return laterOf(components)
  }

  function whole(response: ComponentResponse, store: Store): ComponentResponse {
    const { patch, ...effects } = response.effects
    return patch && applyPatch
      ? { ...response, effects: { ...effects, view: applyPatch(store.component().view, patch) } }
      : response
  }

  function ask(store: Store, isAsked: boolean): Promise<boolean> {
    if (!isAskable(store)) return Promise.resolve(false)
    const wish = unsent.get(store) ?? newWish(store)
    wish.isAsked ||= isAsked
    wish.isVoid &&= !isAsked
    unsent.set(store, wish)
    flushSoon()
    return wish.settled
  }

  return {
    patchBy: (apply) => void (applyPatch = apply),
    refresh: (store) => ask(store, true),
    follow: (store) => ask(store, false),
    drop(store) {
      const wishes = [inFlight, unsent].flatMap((all) => all.get(store) ?? [])
      const unasked = wishes.filter(({ isAsked }) => !isAsked)
      for (const wish of unasked) wish.isVoid = true
      return unasked.length > 0
    },
  }
}

function newWish(store: Store): Wish {
  const { promise: settled, resolve: settle } = Promise.withResolvers<boolean>()
  return { store, settled, settle, isAsked: false, isVoid: false }
}
