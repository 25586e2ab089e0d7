/** Runs a component's calls; a batch that writes has one effect, however often it arrives. */

import { type Json, type JsonObject, parseJson } from '../../protocol/json.ts'
import type { ComponentRequest, Effects } from '../../protocol/wire.ts'
import type { ActionKind, Context, Intent } from '../component/component.ts'
import type { AnyComponent } from '../component/define.ts'
import { digestOf } from '../component/digest.ts'
import { toJsonText } from '../component/to-json.ts'
import type { EffectSink } from '../component/effects.ts'
import { type Answer, keptAnswer } from './kept-answer.ts'
import { isRefusal, once, type ToKeep } from './once.ts'
import { allow, type RequestScope } from './request-scope.ts'
import type { Prepared } from './prepare.ts'

/** A call or event that is allowed, with its arguments decoded. */
export type PreparedCall = {
  readonly intent: Extract<Intent, { kind: 'call' | 'event' }>
  readonly action: {
    readonly kind?: ActionKind
    readonly changesRows?: boolean
    run(context: Context, ...args: readonly unknown[]): unknown
  }
  readonly args: readonly unknown[]
}

/**
 * Runs the calls in order, and puts their results into state and effects. Returns `false`, and runs
 * none, if the client was told before that they will not run.
 */
export async function runCalls(
  scope: RequestScope,
  prepared: Prepared,
  context: Context,
  effects: Effects,
): Promise<boolean> {
  const { component, calls, updated, key, request } = prepared
  if (calls.length === 0) return true
  const work = { component, calls, context, effects, updated: updated.length > 0, done: [] }
  const writes = key !== null && calls.some(({ action }) => action.kind === 'write')
  const answer = writes
    ? await runOnce(scope, key, request, withoutAbort(work))
    : await perform(work)
  if (!answer) return false
  Object.assign(context.state, answer.state)
  Object.assign(effects, answer.effects)
  return true
}

/** The calls to run, and what those that have run returned. */
type Work = {
  readonly component: AnyComponent
  readonly calls: readonly PreparedCall[]
  readonly context: Context
  readonly effects: Effects
  /** Whether the component's `updated` has run before. */
  readonly updated: boolean
  readonly done: Json[]
}

/** A write is not aborted when the client disconnects: its outcome would be unknown. */
const withoutAbort = (work: Work): Work => ({
  ...work,
  context: { ...work.context, signal: new AbortController().signal },
})

async function perform(work: Work): Promise<Answer> {
  const { calls, context, effects, done } = work
  for (const call of calls) {
    const before = hasWritten(work) ? structuredClone(context.state) : null
    try {
      done.push(await runCall(call, work))
    } catch (error) {
      if (before === null || !isRefusal(error)) throw error
      // Earlier calls have written, so their results stand; the answer ends here with the error.
      replace(context.state, before)
      context.effects.error('', error.messageFor(context))
      break
    }
  }
  return { effects: { ...effects, returns: done }, state: context.state }
}

/** Authorizes again if something has run before, since that may have changed what is allowed. */
async function runCall(call: PreparedCall, work: Work): Promise<Json> {
  const { component, context, updated, done } = work
  if (updated || done.length > 0) await allow(component, context, call.intent)
  const given = call.action.kind === 'query' ? queryContext(context) : context
  return returned(component, call.intent, await call.action.run(given, ...call.args))
}

/** Runs queries concurrently. Each works on a copy of the state, which is then dropped. */
export const answerQueries = (
  component: AnyComponent,
  calls: readonly PreparedCall[],
  context: Context,
): Promise<Json[]> =>
  Promise.all(
    calls.map(async ({ action, args, intent }) =>
      returned(component, intent, await action.run(queryContext(context), ...args)),
    ),
  )

/** What an action returned, as it travels. */
function returned({ name }: AnyComponent, intent: PreparedCall['intent'], value: unknown): Json {
  if (value === undefined) return null
  const source =
    intent.kind === 'call' ? `its action [${intent.action}]` : `its listener [${intent.event}]`
  return parseJson(toJsonText(name, source, value))
}

const queryContext = (context: Context): Context => ({
  ...context,
  state: structuredClone(context.state),
  effects: NO_EFFECTS,
})

const refuseEffect = (): never => {
  throw new TypeError('A query only answers. To have an effect, declare a command.')
}

const NO_EFFECTS: EffectSink = {
  error: refuseEffect,
  dispatch: refuseEffect,
  redirect: refuseEffect,
  url: refuseEffect,
  download: refuseEffect,
  broadcast: refuseEffect,
}

const hasWritten = ({ calls, done }: Work): boolean =>
  calls.slice(0, done.length).some(({ action }) => action.kind === 'write')

function replace(state: JsonObject, by: JsonObject): void {
  for (const property of Object.keys(state)) delete state[property]
  Object.assign(state, by)
}

/**
 * Declared writes have one effect, however often their batch arrives: a retry waits for the one in
 * progress, or receives its stored answer.
 */
async function runOnce(
  scope: RequestScope,
  key: string,
  request: ComponentRequest,
  work: Work,
): Promise<Answer | null> {
  return answerIn(await once(scope, { key, digest: requestDigest(request) }, () => toKeep(work)))
}

async function toKeep(work: Work): Promise<ToKeep> {
  const before = structuredClone(work.context.state)
  const answer = await perform(work)
  const kept = keptAnswer({ ...answer, state: changedIn(answer.state, before) })
  return { answer: JSON.stringify(answer), kept }
}

/**
 * The answer stored for an outdated request, which is not run; `null` where there is none. The client
 * then makes the calls under another key, so a copy that is still on its way must not run either.
 */
export async function storedAnswer(
  scope: RequestScope,
  key: string,
  request: ComponentRequest,
): Promise<Answer | null> {
  if (!mayWrite(scope, request)) return null
  const notToRun = { answer: NOT_RUN, kept: NOT_RUN }
  return answerIn(await once(scope, { key, digest: requestDigest(request) }, async () => notToRun))
}

/** Only writes have records. Nothing of the snapshot counts here, not even the component's name. */
const mayWrite = ({ components }: RequestScope, { calls }: ComponentRequest): boolean =>
  calls.some(({ method }) =>
    [...components.values()].some(({ actions }) => actions.get(method)?.kind === 'write'),
  )

/** Stored under a key that will never run. */
const NOT_RUN = 'null'

// Only answers and `NOT_RUN` are stored, and returned by what is under way.
const answerIn = (text: string): Answer | null => JSON.parse(text) as Answer | null

/** Identifies a request: the same key with another request is an error. */
export const requestDigest = (request: ComponentRequest): string =>
  digestOf(JSON.stringify(request))

/** A retry brings the rest of the state again: its request is the same. */
function changedIn(state: JsonObject, before: JsonObject): JsonObject {
  const isChanged = ([property, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[property])
  return Object.fromEntries(Object.entries(state).filter(isChanged))
}
