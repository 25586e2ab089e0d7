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

type Sent = {
  readonly store: Store
  readonly snapshot: string
  readonly version: number
  readonly done: Done
}

type Done = (isAnswered: boolean) => void

export function createRefreshes(options: RefreshOptions): Refreshes {
  const { environment, transport, failures } = options
  /** Refreshes that were not sent yet; another refresh of the same store joins them. */
  const unsent = new Map<Store, Promise<boolean>>()
  const inFlight = new Map<Store, Promise<boolean>>()
  /** Refreshes that follow the one in flight, which may have been read before what they are for. */
  const following = new Map<Store, Promise<boolean>>()
  /** Snapshots that the server has called expired: the person is asked once, not by each poll. */
  const expired = new WeakMap<Store, string>()
  let applyPatch: ApplyPatch | null = null
  let waiting: { store: Store; done: Done }[] = []

  function flush(): void {
    const batch = waiting.splice(0, UPDATE_LIMITS.components)
    if (waiting.length > 0) environment.later(flush, 0)
    for (const { store } of batch) {
      const sent = unsent.get(store)
      unsent.delete(store)
      if (sent) inFlight.set(store, sent)
    }
    const sent = batch.map(({ store, done }) => {
      const { snapshot, version } = store
      return { store, snapshot, version, done }
    })
    void send(sent, environment.newKey())
  }

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
    for (const [place, { done }] of batch.entries()) if (!goingOn.has(place)) done(later !== null)
  }

  /**
   * Applies an answer; returns what to ask for again, or `null` where there was none. No person asked
   * for a refresh, so of all failures only an expired page is shown.
   */
  function apply(batch: readonly Sent[], answer: Answer<UpdateResponse>): Later[] | null {
    if (answer.kind === 'refused' && answer.status === 419) {
      for (const { store, snapshot } of batch) expired.set(store, snapshot)
      throw new CallError(answer.error.code, answer.error.message, answer.status)
    }
    if (answer.kind !== 'ok') return null
    const { components } = answer.body
    for (const [place, { store, snapshot, version }] of batch.entries()) {
      const response = components[place]
      if (response?.effects.later !== undefined) continue
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

  function whole(response: ComponentResponse, { component }: Store): ComponentResponse {
    const { patch, ...effects } = response.effects
    return patch && applyPatch
      ? { ...response, effects: { ...effects, view: applyPatch(component.view, patch) } }
      : response
  }

  function enqueue(store: Store): Promise<boolean> {
    if (store.isLeft || expired.get(store) === store.snapshot) return Promise.resolve(false)
    if (waiting.length === 0) environment.later(flush, BATCH_DELAY_MS)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    waiting.push({ store, done: resolve })
    const settled = promise.finally(() => inFlight.delete(store))
    unsent.set(store, settled)
    return settled
  }

  function follow(store: Store, sent: Promise<boolean>): Promise<boolean> {
    const next = sent.then(() => {
      following.delete(store)
      return enqueue(store)
    })
    following.set(store, next)
    return next
  }

  return {
    patchBy: (apply) => void (applyPatch = apply),
    refresh(store) {
      const joined = unsent.get(store) ?? following.get(store)
      if (joined) return joined
      const sent = inFlight.get(store)
      return sent ? follow(store, sent) : enqueue(store)
    },
  }
}
