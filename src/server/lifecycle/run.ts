/** Runs what was prepared of one component, and answers with its new snapshot and effects. */

import { FINAL_CODES } from '../../protocol/errors.ts'
import type { Dispatch, Effects, HeardEvent } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import type { Context } from '../component/component.ts'
import { decode, decodeState } from '../component/decode.ts'
import { collectEffects } from '../component/effects.ts'
import { answerQueries, runCalls } from './calls.ts'
import { draw, seal, stands } from './draw.ts'
import { allow, type Life, requestOf } from './life.ts'
import type { Prepared } from './prepare.ts'

/** A component's answer. The view is JSON already, `null` where it has not changed. */
export type Answered = {
  readonly snapshot: string
  readonly effects: Omit<Effects, 'view'>
  readonly view: string | null
}

/** An event that another component of the same batch has dispatched. */
export type BatchEvent = Dispatch & Pick<HeardEvent, 'from'>

/** What else there is in the batch. Default: nothing. */
export type Batch = { readonly hasOthers: boolean; readonly events: readonly BatchEvent[] }

const ALONE: Batch = { hasOthers: false, events: [] }

/**
 * Runs what was prepared, and seals the new state. On failure, a component that shares the batch or
 * has written reports its own error; otherwise the whole request fails.
 */
export async function run(life: Life, prepared: Prepared, batch = ALONE): Promise<Answered> {
  const { sink, effects } = collectEffects(prepared.component)
  const context: Context = { ...prepared.context, state: prepared.data, effects: sink }
  try {
    return await runWhole(life, prepared, batch, context, effects)
  } catch (error) {
    const done = prepared.calls.slice(0, effects.returns?.length ?? 0)
    const hasWritten = done.some(({ action }) => action.kind === 'write')
    if (isTemporary(error) || !(batch.hasOthers || hasWritten)) throw error
    if (!(error instanceof AppError)) life.report?.(error)
    const told = error instanceof AppError ? error : new AppError('SERVER_ERROR')
    // What was written stays written, and with it everything that it asked of the browser.
    const kept = hasWritten ? { returns: [], ...effects } : {}
    const errors = { ...effects.errors, '': [told.messageFor(life)] }
    return { snapshot: prepared.request.snapshot, effects: { ...kept, errors }, view: null }
  }
}

/** The client asks again by itself, under the same key, and receives what was done already. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof AppError
    ? error.status === 503 && !FINAL_CODES.includes(error.code)
    : error instanceof Error && error.name === 'AbortError'

async function runWhole(
  life: Life,
  prepared: Prepared,
  batch: Batch,
  context: Context,
  effects: Effects,
): Promise<Answered> {
  const { component, memo, updated, calls, misfits, request } = prepared
  const unchanged = { snapshot: request.snapshot, effects, view: null }
  if (updated.length === 0 && calls.length > 0 && calls.every(isQuery)) {
    effects.returns = await answerQueries(calls, context)
    return unchanged
  }
  // Nothing was done, so there is nothing new to draw.
  if (misfits) return { ...unchanged, effects: { errors: misfits } }
  if (updated.length > 0) await component.updated(context, updated)
  await runCalls(life, prepared, context, effects)
  const heard = await hear(prepared, batch, context)
  if (heard.length > 0) effects.heard = heard
  const hasRun = updated.length + calls.length + heard.length > 0
  if (!hasRun && (await stands(component, context, memo))) return unchanged
  const params = memo.params ?? null
  if (hasRun) Object.assign(context.state, await decodeState(component, params, context.state))
  const { view: before, reads: _, ...kept } = memo
  if (effects.redirect !== undefined)
    return { ...unchanged, snapshot: seal(life, component, context.state, { ...kept, view: '' }) }
  const drawn = hasRun ? await reopened(life, prepared, context) : context
  const { snapshot, view, digest } = await draw(life, component, drawn, kept)
  return { snapshot, effects, view: digest === before ? null : view }
}

/** What ran may have changed what the component stands for, and what the actor may see of it. */
async function reopened(
  life: Life,
  { component, memo }: Prepared,
  context: Context,
): Promise<Context> {
  const request = await requestOf(life, component, memo.params ?? null, memo.path)
  const next = { ...context, ...request }
  await allow(component, next, { kind: 'view' })
  return next
}

const isQuery = ({ action }: Prepared['calls'][number]) => action.kind === 'query'

/** Runs this component's listeners for what others of its batch have dispatched. */
async function hear(
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
