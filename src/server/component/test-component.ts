/** Drives a component in a test: every step of a request, but without HTTP. */

import { randomBytes } from 'node:crypto'
import { type Calls, callsOf, type ComponentTypes } from '../../protocol/component-types.ts'
import { type Json, parseJson } from '../../protocol/json.ts'
import { type ComponentRequest, type Effects, EVENT_METHOD } from '../../protocol/wire.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { Broadcast } from '../channel/channel.ts'
import { DEFAULT_READER } from '../http/locale.ts'
import { KeyRing } from '../keys.ts'
import type { IdempotencyStore } from '../lifecycle/idempotency.ts'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import { memoryIdempotency } from '../lifecycle/memory-idempotency.ts'
import { memoryUploads, type TestFile, uploadTo } from '../upload/memory-uploads.ts'
import { mountComponent } from '../lifecycle/mount.ts'
import { prepare } from '../lifecycle/prepare.ts'
import { sendBroadcasts } from '../lifecycle/broadcasts.ts'
import { run } from '../lifecycle/run.ts'
import type { Component } from './define.ts'
import type { Services } from './services.ts'

export type TestOptions<Params> = {
  /** Who acts; required, as in a request. */
  readonly actor: Actor
  /** Default: `/test`. */
  readonly path?: string
  /** The query of the page's address. Default: none. */
  readonly query?: URLSearchParams
  /** What the application gives to components. Default: nothing. */
  readonly services?: (actor: Actor) => Services
  /** Default: `en-US`. */
  readonly locale?: string
  /** Default: `en`. */
  readonly language?: string
  /** Whether somebody has asked to go on with what took too long. Default: false. */
  readonly isPatient?: boolean
  /** Names the session, as `lineage` of a context. Default: `test`. */
  readonly lineage?: string
} & ([Params] extends [void]
  ? { readonly params?: undefined }
  : { /** What the page gives the component. */ readonly params: Params })

export type ComponentTester<Types extends ComponentTypes = ComponentTypes> = {
  /** State, view and effects as of the last answer. */
  readonly data: Types['state']
  readonly view: Types['view']
  readonly effects: Effects
  /** What the last request has broadcast, with the names of channels as `channelName` returns them. */
  readonly broadcasts: readonly Broadcast[]
  /** The actions: each promise resolves to what the action returned, or rejects. */
  readonly call: Calls<Types>
  /** Calls an action by any name and with any arguments, as a hostile client might. */
  ask(method: string, ...params: Json[]): Promise<Json>
  /** Hands the component an event of another one, as the page would. */
  hear(event: string, detail: Json): Promise<void>
  /** Changes writable properties by dotted path. */
  set(updates: { readonly [path: string]: Json }): Promise<void>
  /** Fetches the view again, as a poll does. */
  refresh(): Promise<void>
  /** Uploads files to a property, as a page would. Rejects if one is not taken. */
  upload(property: string, ...files: TestFile[]): Promise<void>
  /** Mounts the component anew for another actor, who acts from now on. */
  actingAs(actor: Actor): Promise<void>
}

/**
 * Mounts a component and drives it: every call opens and seals a real snapshot.
 *
 * @example
 * const page = await testComponent(tally, { actor, params: { start: 1 } })
 * await page.call.add(2)
 * expect(page.view).toEqual({ count: 3 })
 */
export async function testComponent<Params, Types extends ComponentTypes>(
  component: Component<Params, Types>,
  options: TestOptions<Params>,
): Promise<ComponentTester<Types>> {
  const keys = new KeyRing([randomBytes(32)])
  const writes: IdempotencyStore = memoryIdempotency()
  const uploads = memoryUploads(keys)
  const { path = '/test', query = new URLSearchParams(), services } = options
  // A page gives parameters as plain JSON; the component's own schema checks them.
  const mounted = { component, params: (options.params ?? null) as Json }
  let actor = options.actor
  let broadcasts: Broadcast[] = []
  const scope = (): RequestScope => ({
    keys,
    components: new Map([[component.name, component]]),
    writes,
    running: new Map(),
    uploads,
    binding: { build: 'test', user: actor.id, lineage: options.lineage ?? 'test' },
    actor,
    ...(services && { services }),
    ...(options.isPatient && { isPatient: true }),
    publish: (broadcast) => void broadcasts.push(broadcast),
    locale: options.locale ?? DEFAULT_READER.locale,
    language: options.language ?? DEFAULT_READER.language,
    signal: new AbortController().signal,
  })
  const mount = () => mountComponent(scope(), mounted, { path, query })
  let { snapshot, view } = await mount()
  let effects: Effects = {}

  async function send(asked: Partial<Omit<ComponentRequest, 'snapshot'>>): Promise<void> {
    broadcasts = []
    const key = randomBytes(8).toString('hex')
    const prepared = await prepare(scope(), { updates: {}, calls: [], ...asked, snapshot }, key)
    if ('outdated' in prepared)
      throw new AppError('PAGE_EXPIRED', { detail: ({ request }) => request.outdated })
    const answer = await run(scope(), prepared)
    await sendBroadcasts(scope(), answer.broadcasts ?? [])
    snapshot = answer.snapshot
    effects = answer.effects
    if (answer.view !== null) view = parseJson(answer.view)
  }

  async function ask(method: string, ...params: Json[]): Promise<Json> {
    await send({ calls: [{ method, params }] })
    return effects.returns?.[0] ?? null
  }

  return {
    get data() {
      // The component's schemas made the state that was sealed.
      return (JSON.parse(snapshot) as { data: Types['state'] }).data
    },
    get view() {
      // What the definition's view returned, after JSON.
      return view as Types['view']
    },
    get effects() {
      return effects
    },
    get broadcasts() {
      return broadcasts
    },
    call: callsOf<Types>(ask),
    ask,
    hear: async (event, detail) => void (await ask(`${EVENT_METHOD}${event}`, detail)),
    set: (updates) => send({ updates: { ...updates } }),
    refresh: () => send({}),
    async upload(property, ...files) {
      const { user, lineage } = scope().binding
      for (const file of files) await uploadTo(uploads, { user, lineage }, ask, property, file)
    },
    async actingAs(other) {
      actor = other
      ;({ snapshot, view } = await mount())
      effects = {}
    },
  }
}
