/** Makes a component's calls; those that write have one effect however often they arrive. */

import type { Json, JsonObject } from '../../protocol/json.ts'
import type { ComponentRequest, Effects } from '../../protocol/wire.ts'
import { AppError } from '../app-error.ts'
import type { ActionKind, Context, Intent } from '../component/component.ts'
import type { AnyComponent } from '../component/define.ts'
import { digestOf } from '../component/digest.ts'
import type { EffectSink } from '../component/effects.ts'
import { ANSWER_BYTES } from './idempotency.ts'
import { allow, type Life } from './life.ts'
import type { Prepared } from './prepare.ts'

/** A call or event that is allowed, with its arguments decoded. */
export type PreparedCall = {
  readonly intent: Extract<Intent, { kind: 'call' | 'event' }>
  readonly action: {
    readonly kind?: ActionKind
    run(context: Context, ...args: readonly unknown[]): unknown
  }
  readonly args: readonly unknown[]
}

/** Makes the calls in order, and puts what came of them into state and effects. */
export async function runCalls(
  life: Life,
  prepared: Prepared,
  context: Context,
  effects: Effects,
): Promise<void> {
  const { component, calls, updated, key, request } = prepared
  if (calls.length === 0) return
  const work = { component, calls, context, effects, updated: updated.length > 0, done: [] }
  const writes = key !== null && calls.some(({ action }) => action.kind === 'write')
  const answer = writes ? await once(life, key, request, patient(work)) : await perform(work)
  Object.assign(context.state, answer.state)
  Object.assign(effects, answer.effects)
}

/** Calls to be made, and what those made so far returned. */
type Work = {
  readonly component: AnyComponent
  readonly calls: readonly PreparedCall[]
  readonly context: Context
  readonly effects: Effects
  /** Whether the component's `updated` has run before. */
  readonly updated: boolean
  readonly done: Json[]
}

/** What calls did that outlives them: all effects but the view, and the state they left. */
type Answer = { effects: Effects; state: JsonObject }

/** A write goes on when its person has left: broken off, nobody could say whether it was done. */
const patient = (work: Work): Work => ({
  ...work,
  context: { ...work.context, signal: new AbortController().signal },
})

async function perform(work: Work): Promise<Answer> {
  const { calls, context, effects, done } = work
  for (const call of calls) {
    const before = hasWritten(work) ? JSON.stringify(context.state) : null
    try {
      done.push(await make(call, work))
    } catch (error) {
      if (before === null || !isRefusal(error)) throw error
      // What was written before is known and stays done: the answer ends here, and says so.
      replace(context.state, JSON.parse(before) as JsonObject)
      context.effects.error('', error.messageFor(context))
      break
    }
  }
  return { effects: { ...effects, returns: done }, state: context.state }
}

/** What ran before may have changed what the actor may do, so this is asked again then. */
async function make(call: PreparedCall, work: Work): Promise<Json> {
  const { component, context, updated, done } = work
  if (updated || done.length > 0) await allow(component, context, call.intent)
  const given = call.action.kind === 'query' ? queryContext(context) : context
  return toJson(await call.action.run(given, ...call.args))
}

/** Answers queries side by side. Nothing that they do to their copy of the state is kept. */
export const answerQueries = (calls: readonly PreparedCall[], context: Context): Promise<Json[]> =>
  Promise.all(
    calls.map(async ({ action, args }) => toJson(await action.run(queryContext(context), ...args))),
  )

const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value) ?? 'null') as Json

const queryContext = (context: Context): Context => ({
  ...context,
  state: structuredClone(context.state),
  effects: NO_EFFECTS,
})

const refuseEffect = (): never => {
  throw new TypeError('A query only answers. To ask something of the browser, declare a command.')
}

const NO_EFFECTS: EffectSink = {
  error: refuseEffect,
  dispatch: refuseEffect,
  redirect: refuseEffect,
  url: refuseEffect,
  download: refuseEffect,
}

const hasWritten = ({ calls, done }: Work): boolean =>
  calls.slice(0, done.length).some(({ action }) => action.kind === 'write')

/** A refusal of the catalogue is raised before its action writes. */
const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.status < 500 || error.code === 'BUSY')

function replace(state: JsonObject, by: JsonObject): void {
  for (const property of Object.keys(state)) delete state[property]
  Object.assign(state, by)
}

/**
 * Declared writes have one effect however often their batch arrives: a retry waits for the one
 * under way, or is given what it answered.
 */
async function once(
  life: Life,
  key: string,
  request: ComponentRequest,
  work: Work,
): Promise<Answer> {
  const digest = requestDigest(request)
  const name = JSON.stringify([life.actor.id, key, digest])
  const underWay = life.running.get(name) ?? claimAndPerform(life, key, digest, work)
  life.running.set(name, underWay)
  try {
    return JSON.parse(await underWay) as Answer
  } finally {
    life.running.delete(name)
  }
}

/** What a request that is not run has done already, or `null` where it has done nothing. */
export async function recall(
  life: Life,
  key: string,
  request: ComponentRequest,
): Promise<Answer | null> {
  const known = await claim(life, key, requestDigest(request))
  if (known !== null) return JSON.parse(known) as Answer
  await life.writes.release(life.actor.id, key)
  return null
}

/** What a retry is known by: the same key with another request is a mistake. */
export const requestDigest = (request: ComponentRequest): string =>
  digestOf(JSON.stringify(request))

/** A claim that was never settled means that a process died in between: told, and not repeated. */
async function claim(life: Life, key: string, digest: string): Promise<string | null> {
  const claim = await life.writes.claim(life.actor.id, key, digest)
  if (claim.kind === 'mismatch') throw new AppError('KEY_REUSED')
  if (claim.kind === 'claimed') return null
  if (claim.record.state === 'pending') throw new AppError('OUTCOME_UNKNOWN')
  return claim.record.answer
}

async function claimAndPerform(
  life: Life,
  key: string,
  digest: string,
  work: Work,
): Promise<string> {
  const known = await claim(life, key, digest)
  if (known !== null) return known
  const answer = await perform(work).catch((error) => giveUp(life, key, error))
  await settle(life, key, answer)
  return JSON.stringify(answer)
}

/** After a refusal nothing was written, so the same may be tried again; else nobody knows. */
async function giveUp(life: Life, key: string, error: unknown): Promise<never> {
  if (isRefusal(error)) await life.writes.release(life.actor.id, key)
  throw error
}

/** That it was done counts more than the answer: where this cannot be kept, the person is told. */
async function settle(life: Life, key: string, answer: Answer): Promise<void> {
  try {
    await life.writes.settle(life.actor.id, key, record(answer))
  } catch (cause) {
    throw new AppError('OUTCOME_UNKNOWN', { cause })
  }
}

/** As much of an answer as there is room for; that it was done is the last to go. */
function record({ effects, state }: Answer): string {
  const returns = effects.returns?.map(() => null) ?? []
  const answers: Answer[] = [
    { effects, state },
    { effects, state: {} },
    { effects: { ...effects, returns }, state: {} },
  ]
  const texts = answers.map((answer) => JSON.stringify(answer))
  const fitting = texts.find((text) => Buffer.byteLength(text) <= ANSWER_BYTES)
  return fitting ?? JSON.stringify({ effects: { returns }, state: {} })
}
