/** Declared writes have one effect, however often they are asked for: what was answered is kept under a key. */

import { AppError } from '../app-error.ts'
import type { RequestScope } from './request-scope.ts'

export type OnceScope = Pick<RequestScope, 'actor' | 'writes' | 'running'>

/** A key of the person's, and a digest of what came with it: with something else it is an error. */
export type OnceKey = { readonly key: string; readonly digest: string }

/** The answer, and what of it is kept for a retry; `null` if nothing was written. */
export type ToKeep = { readonly answer: string; readonly kept: string | null }

/**
 * Writes, or returns what was answered before; copies that arrive meanwhile wait for the same answer.
 * Throws `KEY_REUSED`, and `OUTCOME_UNKNOWN` if a process died on the way.
 */
export async function once(
  scope: OnceScope,
  asked: OnceKey,
  write: () => Promise<ToKeep>,
): Promise<string> {
  const name = JSON.stringify([scope.actor.id, asked.key, asked.digest])
  const underWay = scope.running.get(name) ?? claimAndWrite(scope, asked, write)
  scope.running.set(name, underWay)
  try {
    return await underWay
  } finally {
    // Others that waited may be late: a newer one may have taken the name.
    if (scope.running.get(name) === underWay) scope.running.delete(name)
  }
}

async function claimAndWrite(
  { actor, writes }: OnceScope,
  { key, digest }: OnceKey,
  write: () => Promise<ToKeep>,
): Promise<string> {
  const claim = await writes.claim(actor.id, key, digest)
  if (claim.kind === 'mismatch') throw new AppError('KEY_REUSED')
  if (claim.kind === 'known') {
    // A claim that was never settled means that a process died, so the outcome is unknown.
    if (claim.record.state === 'pending') throw new AppError('OUTCOME_UNKNOWN')
    return claim.record.answer
  }
  const { answer, kept } = await write().catch(async (error: unknown) => {
    // After a refusal nothing was written, so the key may be used again; otherwise the outcome is unknown.
    if (isRefusal(error)) await writes.release(actor.id, key)
    throw error
  })
  if (kept === null) await writes.release(actor.id, key)
  else await settle(() => writes.settle(actor.id, key, kept))
  return answer
}

/** If the record cannot be stored, the outcome counts as unknown, although the write is done. */
async function settle(store: () => Promise<void>): Promise<void> {
  try {
    await store()
  } catch (cause) {
    throw new AppError('OUTCOME_UNKNOWN', { cause })
  }
}

/** Actions throw such an error only before they write (see `ActionKind`). */
export const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.status < 500 || error.code === 'BUSY')
