/** Drives a component in a test, through the whole of its life but without HTTP. */

import { randomBytes } from 'node:crypto'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Effects } from '../../protocol/wire.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { Component } from './component.ts'
import type { IdempotencyStore } from '../lifecycle/idempotency.ts'
import { KeyRing } from '../keys.ts'
import { DEFAULT_READER } from '../http/locale.ts'
import { type Life, mountComponent, prepare, run } from '../lifecycle/lifecycle.ts'
import { memoryIdempotency } from '../lifecycle/memory-idempotency.ts'

export type TestOptions<Params> = {
  /** Who acts; there is no default, as there is none in a request. */
  readonly actor: Actor
  /** Default: `/test`. */
  readonly path?: string
  /** Default: `en-US`. */
  readonly locale?: string
  /** Default: `en`. */
  readonly language?: string
} & ([Params] extends [void]
  ? { readonly params?: undefined }
  : { /** What the component is mounted with. */ readonly params: Params })

export type ComponentTester = {
  /** State, view and effects as of the last answer. */
  readonly data: JsonObject
  readonly view: Json
  readonly effects: Effects
  /** Calls an action and returns what it returned. Throws what the server would refuse with. */
  call(method: string, ...params: Json[]): Promise<Json>
  /** Changes writable properties by dotted path. */
  set(updates: { readonly [path: string]: Json }): Promise<void>
  /** Opens the page anew as somebody else, who acts from now on: snapshots are never shared. */
  actingAs(actor: Actor): Promise<void>
}

/**
 * Mounts a component and drives it: every call opens and seals a real snapshot.
 *
 * @example
 * const tally = await testComponent(Tally, { actor })
 * await tally.call('add', 2)
 * expect(tally.view).toEqual({ count: 2 })
 */
export async function testComponent<Params>(
  component: Component<Params>,
  options: TestOptions<Params>,
): Promise<ComponentTester> {
  const keys = new KeyRing([randomBytes(32)])
  const writes: IdempotencyStore = memoryIdempotency()
  let actor = options.actor
  const life = (): Life => ({
    keys,
    components: new Map([[component.name, component as Component]]),
    writes,
    running: new Map(),
    binding: { build: 'test', user: actor.id, lineage: 'test' },
    actor,
    locale: options.locale ?? DEFAULT_READER.locale,
    language: options.language ?? DEFAULT_READER.language,
    signal: new AbortController().signal,
  })
  const mount = () =>
    mountComponent(life(), component, options.path ?? '/test', options.params as Params)
  let { snapshot, view } = await mount()
  let effects: Effects = {}

  async function update(
    updates: { readonly [path: string]: Json },
    calls: { method: string; params: Json[] }[],
  ) {
    const key = randomBytes(8).toString('hex')
    const prepared = await prepare(life(), { snapshot, updates: { ...updates }, calls }, key)
    if ('outdated' in prepared)
      throw new AppError('PAGE_EXPIRED', { detail: ({ request }) => request.outdated })
    const answer = await run(life(), prepared)
    snapshot = answer.snapshot
    effects = answer.effects
    if (answer.view !== null) view = JSON.parse(answer.view.toString()) as Json
  }

  return {
    get data() {
      return (JSON.parse(snapshot) as { data: JsonObject }).data
    },
    get view() {
      return view
    },
    get effects() {
      return effects
    },
    async call(method, ...params) {
      await update({}, [{ method, params }])
      return effects.returns?.[0] ?? null
    },
    set: (updates) => update(updates, []),
    async actingAs(other) {
      actor = other
      ;({ snapshot, view } = await mount())
      effects = {}
    },
  }
}
