/** Runs one prepared component, and answers with its new snapshot and effects. */

import type { Dispatch, Effects, HeardEvent } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import type { Context } from '../component/component.ts'
import { decode, decodeState } from '../component/decode.ts'
import { collectEffects } from '../component/effects.ts'
import { answerQueries, runCalls } from './calls.ts'
import { draw, isUnchanged, seal } from './draw.ts'
import { allow, type RequestScope } from './request-scope.ts'
import type { Prepared } from './prepare.ts'

/** A component's answer. The view is JSON already, `null` where it has not changed. */
export type Answered = {
  readonly snapshot: string
  readonly effects: Omit<Effects, 'view'>
  readonly view: string | null
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
  const { sink, effects } = collectEffects(prepared.component)
  const context: Context = { ...prepared.context, state: prepared.data, effects: sink }
  try {
    return await runAndDraw(scope, prepared, batch, context, effects)
  } catch (error) {
    const done = prepared.calls.slice(0, effects.returns?.length ?? 0)
    const hasWritten = done.some(({ action }) => action.kind === 'write')
    if (isTemporary(error) || !(batch.hasOthers || hasWritten)) throw error
    if (!(error instanceof AppError)) scope.report?.(error)
    const reported = error instanceof AppError ? error : new AppError('SERVER_ERROR')
    const { returns = [], errors } = effects
    return {
      snapshot: prepared.request.snapshot,
      effects: {
        ...(hasWritten && { returns }),
        errors: { ...errors, '': [reported.messageFor(scope)] },
      },
      view: null,
    }
  }
}

/** The client retries such a failure under the same key, and receives the stored results. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof AppError
    ? error.status === 503 && error.code !== 'OUTCOME_UNKNOWN'
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
    effects.returns = await answerQueries(calls, context)
    return unchanged
  }
  if (errors) effects.errors = errors
  if (updated.length > 0) await component.updated(context, updated)
  await runCalls(scope, prepared, context, effects)
  const heard = await runListeners(prepared, batch, context)
  if (heard.length > 0) effects.heard = heard
  const hasRun = updated.length + calls.length + heard.length > 0
  if (hasRun)
    Object.assign(context.state, await decodeState(component, memo.params ?? null, context.state))
  if (effects.redirect !== undefined)
    return { ...unchanged, snapshot: seal(scope, component, context.state, memo) }
  if (hasRun) await allow(component, context, { kind: 'view' })
  else if (await isUnchanged(component, context, memo)) return unchanged
  const { view: before, reads: _, ...kept } = memo
  const { snapshot, view, digest } = await draw(scope, component, context, kept)
  return { snapshot, effects, view: digest === before ? null : view }
}

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
