/** Runs one prepared component, and answers with its new snapshot and effects. */

import { FINAL_CODES } from '../../protocol/errors.ts'
import type { Dispatch, Effects, HeardEvent } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import type { Context } from '../component/component.ts'
import { decode, decodeState } from '../component/decode.ts'
import { type AskedBroadcast, collectEffects } from '../component/effects.ts'
import { sendBroadcasts } from './broadcasts.ts'
import { answerQueries, runCalls } from './calls.ts'
import { draw, type Drawn, redraw, seal } from './draw.ts'
import { allow, type RequestScope, requestOf } from './request-scope.ts'
import type { Prepared } from './prepare.ts'

/** A component's answer. The view is JSON already, `null` where it has not changed. */
export type Answered = {
  readonly snapshot: string
  readonly effects: Omit<Effects, 'view'>
  readonly view: string | null
  /** To be sent once the request has succeeded; a retry asks for them anew. Default: none. */
  readonly broadcasts?: readonly AskedBroadcast[]
  /** After a write: the version that the data had before the view was read. */
  readonly shown?: string | undefined
}

/** An event that another component of the same batch has dispatched. */
export type BatchEvent = Dispatch & Pick<HeardEvent, 'from'>

/** The rest of the batch. Default: nothing. */
export type Batch = { readonly hasOthers: boolean; readonly events: readonly BatchEvent[] }

const ALONE: Batch = { hasOthers: false, events: [] }

/**
 * Runs what was prepared, and seals the new state. On failure, a component that shares the batch or
 * has written reports its own error; otherwise the whole request fails.
 */
export async function run(
  scope: RequestScope,
  prepared: Prepared,
  batch = ALONE,
): Promise<Answered> {
  const { sink, effects, broadcasts } = collectEffects(prepared.component)
  const context: Context = { ...prepared.context, state: prepared.data, effects: sink }
  try {
    const answered = await runAndDraw(scope, prepared, batch, context, effects)
    if (prepared.calls.some(isWrite))
      await tellWritten(scope, prepared.calls, broadcasts, answered.shown)
    else if (broadcasts.length > 0) return { ...answered, broadcasts }
    return answered
  } catch (error) {
    const done = prepared.calls.slice(0, effects.returns?.length ?? 0)
    const hasWritten = done.some(isWrite)
    if (hasWritten) await tellWritten(scope, done, broadcasts)
    if (isTemporary(error) || !(batch.hasOthers || hasWritten)) throw error
    if (!(error instanceof AppError)) scope.report?.(error)
    const reported = error instanceof AppError ? error : new AppError('SERVER_ERROR')
    // What was written stays written, and with it everything that it asked of the browser.
    const kept = hasWritten ? { returns: [], ...effects } : {}
    const errors = { ...effects.errors, '': [reported.messageFor(scope)] }
    return { snapshot: prepared.request.snapshot, effects: { ...kept, errors }, view: null }
  }
}

/** Does not wait for the others of the batch: if they fail, the retry does not write again. */
async function tellWritten(
  scope: RequestScope,
  calls: Prepared['calls'],
  broadcasts: readonly AskedBroadcast[],
  shown?: string,
): Promise<void> {
  if (calls.some(changesRows)) scope.wrote?.(shown)
  await sendBroadcasts(scope, broadcasts)
}

/** The client retries such a failure under the same key, and receives the stored results. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof AppError
    ? error.status === 503 && !FINAL_CODES.includes(error.code)
    : error instanceof Error && error.name === 'AbortError'

async function runAndDraw(
  scope: RequestScope,
  prepared: Prepared,
  batch: Batch,
  context: Context,
  effects: Effects,
): Promise<Answered> {
  const { component, memo, updated, calls, errors, request } = prepared
  const unchanged = { snapshot: request.snapshot, effects, view: null }
  if (updated.length === 0 && calls.length > 0 && calls.every(isQuery)) {
    effects.returns = await answerQueries(component, calls, context)
    return unchanged
  }
  // Nothing was done, so there is nothing new to draw.
  if (errors) return { ...unchanged, effects: { errors } }
  if (updated.length > 0) await component.updated(context, updated, prepared.before)
  if (!(await runCalls(scope, prepared, context, effects)))
    return { snapshot: '', effects: { outdated: true }, view: null }
  const shown = calls.some(changesRows) ? await scope.dataVersion?.() : undefined
  // The page's socket may not be told, and its other components may show what was changed.
  if (shown !== undefined) effects.wrote = true
  const heard = batch.events.length > 0 ? await runListeners(prepared, batch, context) : []
  if (heard.length > 0) effects.heard = heard
  const { view: before, ...kept } = memo
  const answer = ({ snapshot, view, digest }: Drawn): Answered => ({
    ...{ snapshot, effects },
    view: digest === before ? null : view,
  })
  if (updated.length + calls.length + heard.length === 0) {
    const redrawn = await redraw(scope, component, context, kept)
    if (!redrawn) return unchanged
    if (redrawn.digest === before) return answer(redrawn)
    const patch = scope.takesPatches && scope.sent?.patch(before, redrawn)
    if (!patch) return answer(redrawn)
    return { snapshot: redrawn.snapshot, effects: { ...effects, patch }, view: null }
  }
  const { reads: _, ...next } = kept
  Object.assign(context.state, await decodeState(component, memo.params ?? null, context.state))
  if (effects.redirect !== undefined)
    return {
      ...{ ...unchanged, shown },
      snapshot: seal(scope, component, context.state, { ...next, view: '' }),
    }
  const current = await reopened(scope, prepared, context)
  const drawn = await draw(scope, component, current, next)
  const channels = moreChannels(prepared, current)
  if (channels) effects.channels = channels
  return { ...answer(drawn), shown }
}

/** All channels, where the state before did not ask for all of them. */
function moreChannels({ component, before }: Prepared, context: Context): string[] | undefined {
  const channels = component.channels(context)
  if (channels.length === 0) return undefined
  const joined = new Set(component.channels({ ...context, state: before }))
  return channels.some((name) => !joined.has(name)) ? [...channels] : undefined
}

/** What ran may have changed what the component stands for, and what the actor may see of it. */
async function reopened(
  scope: RequestScope,
  { component, memo }: Prepared,
  context: Context,
): Promise<Context> {
  const { path, params = null } = memo
  const request = await requestOf(scope, component, params, path, context.state)
  const next = { ...context, ...request }
  await allow(component, next, { kind: 'view' })
  return next
}

const isWrite = ({ action }: Prepared['calls'][number]) => action.kind === 'write'

const changesRows = (call: Prepared['calls'][number]) =>
  isWrite(call) && call.action.changesRows !== false

const isQuery = ({ action }: Prepared['calls'][number]) => action.kind === 'query'

/** Runs this component's listeners for the events that others of its batch dispatched. */
async function runListeners(
  { component }: Prepared,
  { events }: Batch,
  context: Context,
): Promise<HeardEvent[]> {
  const heard: HeardEvent[] = []
  for (const { name, detail, from } of events) {
    const listener = component.on.get(name)
    if (!listener) continue
    await allow(component, context, { kind: 'event', event: name })
    await listener.run(context, await decode(listener.detail, detail, 'ARGUMENTS_INVALID', name))
    heard.push({ from, event: name })
  }
  return heard
}
