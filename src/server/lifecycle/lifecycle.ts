/** The life of a component: mounted for a page, then opened, changed, called, drawn and sealed. */

import type { Json, JsonObject } from '../../protocol/json.ts'
import type { PageComponent } from '../../protocol/page.ts'
import type { Call, ComponentRequest, Effects, Memo } from '../../protocol/wire.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { allow, type PreparedCall, recall, runCalls } from './calls.ts'
import {
  collectEffects,
  type Component,
  type Context,
  type EffectSink,
} from '../component/component.ts'
import {
  applyUpdates,
  declaredState,
  decode,
  decodeState,
  type Misfits,
} from '../component/decode.ts'
import { digestOf } from '../component/digest.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { KeyRing } from '../keys.ts'
import { type Binding, openSnapshot, sealSnapshot } from './snapshot.ts'

/** Everything a request brings that a component's life depends on. */
export type Life = {
  readonly keys: KeyRing
  readonly components: ReadonlyMap<string, Component>
  readonly writes: IdempotencyStore
  /** Writes under way in this process, by user and key: a retry waits for the same answer. */
  readonly running: Map<string, Promise<string>>
  readonly binding: Binding
  readonly actor: Actor
  readonly locale: string
  readonly language: string
  readonly timeZone?: string | undefined
  readonly signal: AbortSignal
  /** Told of a failure that the answer does not show as one. Default: nobody. */
  readonly report?: (error: unknown) => void
}

/** A component opened, allowed and decoded; nothing of it has run yet. */
export type Prepared = {
  readonly component: Component
  readonly memo: Memo
  readonly data: JsonObject
  readonly updated: readonly string[]
  /** What the schemas say against the updates; then there are neither updates nor calls. */
  readonly misfits: Misfits | null
  readonly calls: readonly PreparedCall[]
  /** Idempotency key of this part, `null` where the request has none. */
  readonly key: string | null
  /** As it came, to know a retry by. */
  readonly request: ComponentRequest
}

/** A request that this build, key or session cannot serve, with what came of its calls before. */
export type Outdated = Effects & { readonly outdated: true }

/** Makes a component for a page. Throws `FORBIDDEN` where the actor may not have it. */
export async function mountComponent<Params>(
  life: Life,
  component: Component<Params>,
  path: string,
  params: Params,
): Promise<PageComponent> {
  const { sink } = collectEffects()
  const bare = { ...contextOf(life, path), effects: sink }
  const erased = component as Component
  const state = await decodeState(erased, await component.mount(bare, params))
  const context = { ...bare, state }
  await allow(erased, context, { kind: 'view' })
  const view = toJson(await component.view(context))
  const memo = {
    id: component.name,
    name: component.name,
    path,
    ...life.binding,
    view: digestOf(view),
  }
  const snapshot = seal(life, erased, state, memo)
  return { id: memo.id, name: memo.name, snapshot, view: JSON.parse(view) as Json }
}

/**
 * Opens a request's part: verify, bind, look up, authorize, decode. Nothing the browser named is
 * looked up before the MAC is right, and nothing has run when this returns or throws.
 */
export async function prepare(
  life: Life,
  request: ComponentRequest,
  key: string | null,
): Promise<Prepared | Outdated> {
  const opened = openSnapshot(life.keys, request.snapshot, life.binding)
  if (opened.kind === 'forged') throw new AppError('PAGE_EXPIRED')
  if (opened.kind === 'outdated') return outdated(life, request, key)
  const { memo, data } = opened.snapshot
  const component = life.components.get(memo.name)
  if (!component) return outdated(life, request, key)
  const updated = Object.keys(request.updates)
  const { sink } = collectEffects()
  const before = { ...contextOf(life, memo.path), state: data, effects: sink }
  await allow(component, before, { kind: updated.length > 0 ? 'update' : 'view' })
  const { data: next, misfits } = await applyUpdates(component, data, request.updates)
  // Updates may lead elsewhere: what they lead to has to be allowed as well.
  const context = { ...before, state: next }
  if (updated.length > 0) await allow(component, context, { kind: 'update' })
  const calls = []
  for (const call of request.calls) calls.push(await prepareCall(component, context, call))
  if (key === null && calls.some(({ action }) => action.write))
    throw new AppError('REQUEST_MALFORMED', { detail: ({ request }) => request.noKey })
  const taken = misfits ? { updated: [], calls: [] } : { updated, calls }
  return { component, memo, data: next, ...taken, misfits, key, request }
}

/** A deploy may fall between a write and its answer: what is done must not be done again. */
async function outdated(
  life: Life,
  request: ComponentRequest,
  key: string | null,
): Promise<Outdated> {
  const answer = key !== null && request.calls.length > 0 ? await recall(life, key, request) : null
  return { ...answer?.effects, outdated: true }
}

async function prepareCall(
  component: Component,
  context: Context,
  call: Call,
): Promise<PreparedCall> {
  const action = component.actions.get(call.method)
  if (!action) throw new AppError('NOT_FOUND')
  await allow(component, context, { kind: 'call', action: call.method })
  const args = await decode(action.args, call.params, 'ARGUMENTS_INVALID', 'params')
  return { name: call.method, action, args }
}

/** A component's answer. The view is JSON already, `null` where it has not changed. */
export type Answered = {
  readonly snapshot: string
  readonly effects: Omit<Effects, 'view'>
  readonly view: string | null
}

/**
 * Runs what was prepared, and seals the new state. Where it fails on the way, one among `others`, or
 * one that has written something, answers for itself; else the failure is the whole request's.
 */
export async function run(life: Life, prepared: Prepared, others = false): Promise<Answered> {
  const { sink, effects } = collectEffects()
  try {
    return await runWhole(life, prepared, sink, effects)
  } catch (error) {
    const done = prepared.calls.slice(0, effects.returns?.length ?? 0)
    const hasWritten = done.some(({ action }) => action.write)
    if (isPassing(error) || !(others || hasWritten)) throw error
    if (!(error instanceof AppError)) life.report?.(error)
    const told = error instanceof AppError ? error : new AppError('SERVER_ERROR')
    const { returns = [], errors } = effects
    return {
      snapshot: prepared.request.snapshot,
      effects: {
        ...(hasWritten && { returns }),
        errors: { ...errors, '': [told.messageFor(life)] },
      },
      view: null,
    }
  }
}

/** The client asks again by itself, under the same key, and is given what was done already. */
const isPassing = (error: unknown): boolean =>
  error instanceof AppError
    ? error.status === 503 && error.code !== 'OUTCOME_UNKNOWN'
    : error instanceof Error && error.name === 'AbortError'

async function runWhole(
  life: Life,
  prepared: Prepared,
  sink: EffectSink,
  effects: Effects,
): Promise<Answered> {
  const { component, memo, updated, calls, misfits } = prepared
  const context = { ...contextOf(life, memo.path), state: prepared.data, effects: sink }
  if (misfits) effects.errors = misfits
  if (updated.length > 0) await component.updated(context, updated)
  await runCalls(life, prepared, context, effects)
  const hasRun = updated.length + calls.length > 0
  if (hasRun) Object.assign(context.state, await decodeState(component, context.state))
  if (effects.redirect !== undefined)
    return { snapshot: seal(life, component, context.state, memo), effects, view: null }
  if (hasRun) await allow(component, context, { kind: 'view' })
  const view = toJson(await component.view(context))
  const digest = digestOf(view)
  const snapshot = seal(life, component, context.state, { ...memo, view: digest })
  return { snapshot, effects, view: digest === memo.view ? null : view }
}

const seal = (life: Life, component: Component, state: JsonObject, memo: Memo) =>
  sealSnapshot(life.keys, declaredState(component, state), memo)

const contextOf = ({ actor, locale, language, timeZone, signal }: Life, path: string) => ({
  actor,
  locale,
  language,
  timeZone,
  signal,
  path,
})

const toJson = (value: unknown): string => JSON.stringify(value) ?? 'null'
