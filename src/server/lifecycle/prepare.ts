/** Opens one component's part of an update: verified, looked up, decoded and allowed before it runs. */

import type { JsonObject } from '../../protocol/json.ts'
import {
  type Call,
  type ComponentRequest,
  type Effects,
  EVENT_METHOD,
  type Memo,
  type Snapshot,
} from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import type { LoadContext, Request } from '../component/component.ts'
import { applyUpdates, decode, fitsDefinition, type Misfits } from '../component/decode.ts'
import type { AnyComponent } from '../component/define.ts'
import { type PreparedCall, recall } from './calls.ts'
import { allow, type Life, requestOf } from './life.ts'
import { openSnapshot } from './snapshot.ts'

/** A component opened, allowed and decoded; nothing of it has run yet. */
export type Prepared = {
  readonly component: AnyComponent
  readonly memo: Memo
  /** What the component's hooks are given of this request. */
  readonly context: Request
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

/**
 * Opens a request's part: verify, bind, look up, decode, authorize. Nothing the browser named is
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
  const { memo, data: before } = opened.snapshot
  const component = life.components.get(memo.name)
  if (!component) return outdated(life, request, key)
  if (!(await isCurrent(life, component, opened.snapshot))) return outdated(life, request, key)
  const context = await requestOf(life, component, memo.params ?? null, memo.path)
  const updated = Object.keys(request.updates)
  const { data, misfits } = await applyUpdates(
    component,
    memo.params ?? null,
    before,
    request.updates,
  )
  // Updates may lead elsewhere, so what they lead to has to be allowed.
  const next = { ...context, state: data }
  if (updated.length > 0) await allow(component, next, { kind: 'update' })
  else if (request.calls.length === 0) await allow(component, next, { kind: 'view' })
  const calls = []
  for (const call of request.calls) calls.push(await prepareCall(component, next, call))
  if (key === null && calls.some(({ action }) => action.kind === 'write'))
    throw new AppError('REQUEST_MALFORMED', { detail: ({ request }) => request.noKey })
  const taken = misfits ? { updated: [], calls: [] } : { updated, calls }
  return { component, memo, context, data, ...taken, misfits, key, request }
}

/**
 * Whether the snapshot is one of the component as it is defined now. This process need not look at
 * its own snapshots again; another one may have run other code under the same client build.
 */
async function isCurrent(
  { binding }: Life,
  component: AnyComponent,
  { data, memo }: Pick<Snapshot, 'data' | 'memo'>,
): Promise<boolean> {
  if (binding.process !== undefined && memo.process === binding.process) return true
  return fitsDefinition(component, memo.params ?? null, data)
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
  component: AnyComponent,
  context: LoadContext,
  call: Call,
): Promise<PreparedCall> {
  if (call.method.startsWith(EVENT_METHOD)) return prepareEvent(component, context, call)
  const action = component.actions.get(call.method)
  if (!action) throw new AppError('NOT_FOUND')
  const intent = { kind: 'call', action: call.method } as const
  await allow(component, context, intent)
  const args = await decode(action.args, call.params, 'ARGUMENTS_INVALID', 'params')
  return { intent, action, args }
}

/** An event of another component, which the browser passes on: as little trusted as a call. */
async function prepareEvent(
  component: AnyComponent,
  context: LoadContext,
  { method, params }: Call,
): Promise<PreparedCall> {
  const event = method.slice(EVENT_METHOD.length)
  const listener = component.on.get(event)
  if (!listener) throw new AppError('NOT_FOUND')
  const intent = { kind: 'event', event } as const
  await allow(component, context, intent)
  const detail = await decode(listener.detail, params[0] ?? null, 'ARGUMENTS_INVALID', 'params')
  return { intent, action: listener, args: [detail] }
}
