/** Makes a component's calls; those that write have one effect however often they arrive. */

import type { Json, JsonObject } from '../protocol/json.ts'
import type { Effects } from '../protocol/wire.ts'
import { AppError } from './app-error.ts'
import type { Action, Context } from './component.ts'
import { ANSWER_BYTES } from './idempotency.ts'
import type { Life, Prepared } from './lifecycle.ts'

/** A call that is allowed, with its arguments decoded. */
export type PreparedCall = {
  readonly action: Action<JsonObject, readonly unknown[]>
  readonly args: readonly unknown[]
}

/** Makes the calls in order, and puts what came of them into state and effects. */
export async function runCalls(
  life: Life,
  { calls, key, digest }: Prepared,
  context: Context,
  effects: Effects,
): Promise<void> {
  if (calls.length === 0) return
  const work = { calls, context, effects, returns: [] }
  const writes = key !== null && calls.some(({ action }) => action.write)
  const answer = writes ? await once(life, key, digest, work) : await perform(work)
  Object.assign(context.state, answer.state)
  effects.returns = answer.returns
  if (answer.errors) effects.errors = answer.errors
}

/** Calls to be made, and what those made so far returned. */
type Work = {
  readonly calls: readonly PreparedCall[]
  readonly context: Context
  readonly effects: Effects
  readonly returns: Json[]
}

/** What calls did that outlives them: their returns, errors, and the state they left. */
type Answer = { returns: Json[]; errors?: { [field: string]: string[] }; state: JsonObject }

async function perform({ calls, context, effects, returns }: Work): Promise<Answer> {
  for (const { action, args } of calls) {
    const returned = await action.run(context, ...args)
    returns.push(JSON.parse(JSON.stringify(returned) ?? 'null') as Json)
  }
  return { returns, ...(effects.errors && { errors: effects.errors }), state: context.state }
}

/**
 * Declared writes have one effect however often their batch arrives: a retry waits for the one
 * under way, or is given what it answered.
 */
async function once(life: Life, key: string, digest: string, work: Work): Promise<Answer> {
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
export async function recall(life: Life, key: string, digest: string): Promise<Answer | null> {
  const known = await claim(life, key, digest)
  if (known !== null) return JSON.parse(known) as Answer
  await life.writes.release(life.actor.id, key)
  return null
}

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
  const answer = await perform(work).catch((error) => giveUp(life, key, work, error))
  await settle(life, key, answer)
  return JSON.stringify(answer)
}

/** A refusal of the catalogue is raised before its action writes; an earlier call may have written. */
async function giveUp(
  life: Life,
  key: string,
  { calls, returns }: Work,
  error: unknown,
): Promise<never> {
  const refused = error instanceof AppError && (error.status < 500 || error.code === 'BUSY')
  if (!refused) throw error
  const hasWritten = calls.slice(0, returns.length).some(({ action }) => action.write)
  if (hasWritten) throw new AppError('OUTCOME_UNKNOWN', { cause: error })
  await life.writes.release(life.actor.id, key)
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

/** As much of an answer as there is room for. */
function record(answer: Answer): string {
  const fits = (text: string) => Buffer.byteLength(text) <= ANSWER_BYTES
  const whole = JSON.stringify(answer)
  if (fits(whole)) return whole
  const stateless = JSON.stringify({ ...answer, state: {} })
  return fits(stateless)
    ? stateless
    : JSON.stringify({ returns: answer.returns.map(() => null), state: {} })
}
