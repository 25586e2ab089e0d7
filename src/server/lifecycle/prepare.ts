/** Prepares one component's part of an update: verifies, looks up, decodes and authorizes it. */

import type { JsonObject } from '../../protocol/json.ts'
import {
  type Call,
  type ComponentRequest,
  type Effects,
  EVENT_METHOD,
  type Memo,
} from '../../protocol/wire.ts'
import { UPLOAD_CALLS } from '../../protocol/upload.ts'
import { AppError } from '../app-error.ts'
import type { LoadContext, Request } from '../component/component.ts'
import { applyUpdates, decode, fitsDefinition, type ValidationErrors } from '../component/decode.ts'
import type { AnyComponent } from '../component/define.ts'
import { notWhileLooking } from '../not-while-looking.ts'
import { type PreparedCall, storedAnswer } from './calls.ts'
import { allow, type RequestScope, requestOf } from './request-scope.ts'
import { openSnapshot } from './snapshot.ts'

/** A component verified, decoded and authorized; none of its actions has run. */
export type Prepared = {
  readonly component: AnyComponent
  readonly memo: Memo
  /** What every hook of the component is given. */
  readonly context: Request
  readonly data: JsonObject
  /** The state before the updates. */
  readonly before: JsonObject
  readonly updated: readonly string[]
  /** Errors of the updates; if there are any, no update is applied and no call runs. */
  readonly errors: ValidationErrors | null
  readonly calls: readonly PreparedCall[]
  /** Idempotency key of this part, `null` where the request has none. */
  readonly key: string | null
  /** As it was received, to recognize a retry. */
  readonly request: ComponentRequest
}

/** A request that this build, key or session cannot serve, with stored results of its calls. */
export type Outdated = Effects & { readonly outdated: true }

/**
 * Opens a request's part: verify, bind, look up, decode, authorize. Nothing the browser named is
 * looked up before the MAC is right, and nothing has run when this returns or throws.
 */
export async function prepare(
  scope: RequestScope,
  request: ComponentRequest,
  key: string | null,
): Promise<Prepared | Outdated> {
  const opened = openSnapshot(scope.keys, request.snapshot, scope.binding)
  if (opened.kind === 'forged') throw new AppError('PAGE_EXPIRED')
  if (opened.kind === 'outdated') return outdated(scope, request, key)
  const { memo, data: before } = opened.snapshot
  const component = scope.components.get(memo.name)
  if (!component) return outdated(scope, request, key)
  if (
    !isOfThisProcess(scope, memo) &&
    !(await fitsDefinition(component, memo.params ?? null, before))
  )
    return outdated(scope, request, key)
  const updated = Object.keys(request.updates)
  const isRefresh = updated.length + request.calls.length === 0
  const actor = isRefresh && scope.refreshing ? scope.refreshing(scope.actor) : scope.actor
  const { path, params = null } = memo
  const context = await requestOf({ ...scope, actor }, component, params, path, before)
  const { data, errors } =
    updated.length > 0
      ? await applyUpdates(component, memo.params ?? null, before, request.updates)
      : { data: { ...before }, errors: null }
  // Updates may change what the component shows, so authorize the updated state.
  const next = { ...context, state: data }
  if (updated.length > 0) await allow(component, next, { kind: 'update' })
  else if (isRefresh) await allow(component, next, { kind: 'view' })
  const calls = []
  for (const call of request.calls) calls.push(await prepareCall(component, next, call))
  if (key === null && calls.some(({ action }) => action.kind === 'write'))
    throw new AppError('REQUEST_MALFORMED', { detail: ({ request }) => request.noKey })
  const taken = errors ? { updated: [], calls: [] } : { updated, calls }
  return { component, memo, context, data, before, ...taken, errors, key, request }
}

/**
 * This process need not look at its own snapshots again; another one may have run other code under the
 * same client build, by which they do not fit the component as it is defined now.
 */
const isOfThisProcess = ({ binding }: RequestScope, memo: Memo): boolean =>
  binding.process !== undefined && memo.process === binding.process

/** A deploy may come between a write and its answer; the client must not write again. */
export async function outdated(
  scope: RequestScope,
  request: ComponentRequest,
  key: string | null,
): Promise<Outdated> {
  const answer =
    key !== null && request.calls.length > 0 ? await storedAnswer(scope, key, request) : null
  return { ...answer?.effects, outdated: true }
}

const UPLOADS: readonly string[] = Object.values(UPLOAD_CALLS)

const isUpload = (method: string): boolean => UPLOADS.includes(method)

async function prepareCall(
  component: AnyComponent,
  context: LoadContext,
  call: Call,
): Promise<PreparedCall> {
  if (call.method.startsWith(EVENT_METHOD)) return prepareEvent(component, context, call)
  const action = component.actions.get(call.method)
  if (!action) throw new AppError('NOT_FOUND')
  if (action.kind === 'write' || isUpload(call.method)) notWhileLooking(context.actor)
  const intent = { kind: 'call', action: call.method } as const
  await allow(component, context, intent)
  const args = await decode(action.args, call.params, 'ARGUMENTS_INVALID', 'params')
  return { intent, action, args }
}

/** An event of another component that the browser passes on; it is trusted no more than a call. */
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
