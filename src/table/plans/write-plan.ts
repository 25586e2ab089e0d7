/** Writes a sealed plan: exactly its rows, or nothing, and never twice. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { WriteResult } from '../../protocol/plan-view.ts'
import { isTyped } from '../../protocol/typed.ts'
import { AppError } from '../../server/app-error.ts'
import { notWhileLooking } from '../../server/not-while-looking.ts'
import type { Change, ChangeOutcome, ChangeProblem } from '../changes/change.ts'
import type { Plan } from '../changes/door.ts'
import { keyOf } from '../changes/judge.ts'
import { problemText } from '../changes/problem-text.ts'
import { formatterFor } from '../format.ts'
import { slicedRows } from '../source/row-digest.ts'
import { CHUNK_KEYS, type SetChange, WRITE_MS } from '../source/write-unit.ts'
import { type Asking, JOB_MS, OUTCOME_MS, TIMEOUT_MS, TOLD_ROWS, TYPED_FROM } from './asking.ts'
import { BULK_JOB, bulkJobInput } from './bulk-job.ts'
import { changeableRows } from './changeable-rows.ts'
import { asConfirmed, compareRows, parted } from './confirmed-rows.ts'
import { changedRows, differenceOf, drawDifference, isDifferent } from './difference.ts'
import { findPlan, type FoundPlan, rowsToWrite } from './find-plan.ts'
import { leftBehind } from './left-rows.ts'
import { isRepeatable, runOwn, takesInput } from './own-action.ts'
import { toldRows } from './told-values.ts'

/**
 * Asked again with the same handle, it answers what became of the plan. `typed`: what was typed to confirm it.
 * Throws `BUSY` while another request writes it, and `OUTCOME_UNKNOWN`.
 */
export async function writePlan(
  asking: Asking,
  handle: string,
  typed: string | null,
): Promise<WriteResult> {
  const { actor, plans, reader } = asking
  const { sealing } = messagesFor(reader.language)
  notWhileLooking(actor)
  const plan = await findPlan(asking, handle)
  if (!plan) return { status: 'gone', text: sealing.gone }
  if (plan.outcome !== null) return outcomeOf(plan)
  const count = rowsToWrite(plan.rows, plan.holds)
  const rows = formatterFor(reader).number(count)
  if (count > TYPED_FROM && !isTyped(typed ?? '', count, rows))
    return { status: 'refused', text: sealing.typeNumber(rows), rows: [] }
  if (plan.state === 'writing') return takeUp(asking, plan, handle)
  const { write: asked } = plan.holds
  if ('own' in asked && !(await takesInput(asking, asked)))
    return { status: 'gone', text: sealing.own.gone }
  const claimedAt = await plans.store.claim(plan.id, { id: actor.id, name: actor.name })
  if (claimedAt === undefined) return writePlan(asking, handle, typed)
  return write(asking, { ...plan, claimedAt })
}

const stored = v.custom<WriteResult>((result) => typeof result === 'object' && result !== null)

/** What the store holds was written by `end` alone. */
const outcomeOf = ({ outcome }: FoundPlan): WriteResult =>
  v.parse(stored, JSON.parse(outcome ?? 'null'))

/** Somebody has begun to write it and has not said what became of it: after `WRITE_MS`, they have most likely died. */
async function takeUp(asking: Asking, plan: FoundPlan, handle: string): Promise<WriteResult> {
  const { plans } = asking
  if ((plan.claimedAt ?? 0) > plans.now() - WRITE_MS) throw new AppError('BUSY', { retryAfter: 2 })
  const { write: asked, runs } = plan.holds
  if (runs === 'job' && plans.jobs) {
    await plans.store.release(plan)
    return writePlan(asking, handle, String(rowsToWrite(plan.rows, plan.holds)))
  }
  if ('own' in asked && !isRepeatable(asking.open, asked.own)) {
    const { uncertain } = messagesFor(asking.reader.language).sealing.own
    return end(asking, plan, { status: 'partly', text: uncertain, rows: [], left: null })
  }
  const entry = 'own' in asked ? undefined : await plans.ledger?.find(plan.id)
  if (entry?.state === 'done')
    return end(asking, plan, doneResult(asking, plan, { entry: plan.id, lacks: entry.lacks }))
  if (entry || (!plans.ledger && !('own' in asked))) throw new AppError('OUTCOME_UNKNOWN')
  // A unit is in the history before it is on disk. Its entry has the plan's id, so that none is written twice.
  await plans.store.release(plan)
  return writePlan(asking, handle, String(rowsToWrite(plan.rows, plan.holds)))
}

async function write(asking: Asking, plan: FoundPlan): Promise<WriteResult> {
  const { plans, reader } = asking
  if (plan.holds.runs === 'job' && plans.jobs) return startJob(asking, plan, plans.jobs)
  if ('own' in plan.holds.write) return runOwn(asking, plan, (result) => end(asking, plan, result))
  // Once it has run, its rows may be written: from then on the plan is not released.
  const result = await run(asking, plan).catch(async (error: unknown): Promise<WriteResult> => {
    if (!(error instanceof AppError) || error.code === 'OUTCOME_UNKNOWN') throw error
    if (error.code === 'FORBIDDEN') {
      const { problems } = messagesFor(reader.language)
      return { status: 'refused', text: problems.forbidden, rows: [] }
    }
    // Whoever held the plan before may have written it after all.
    const entry = await plans.ledger?.find(plan.id)
    if (entry?.state === 'done')
      return doneResult(asking, plan, { entry: plan.id, lacks: entry.lacks })
    if (!entry) await plans.store.release(plan)
    throw error
  })
  return end(asking, plan, result)
}

/**
 * A job that was started already is found by the plan's id. Where other rows match than were sealed, that is told
 * before anything is written.
 */
async function startJob(
  asking: Asking,
  plan: FoundPlan,
  jobs: NonNullable<Asking['plans']['jobs']>,
): Promise<WriteResult> {
  const { actor, plans, reader } = asking
  try {
    const changed = await changedSince(asking, plan)
    if (changed) return await end(asking, plan, changed)
    const { title, refused } = plan.holds
    const input = bulkJobInput({ plan: plan.id, title, refused, reader })
    const request = { kind: BULK_JOB, tables: [plan.table], key: plan.id, input }
    const { id: job } = await jobs.start(actor, request)
    const { job: words, own } = messagesFor(reader.language).sealing
    const { started: text } = 'own' in plan.holds.write ? own.job : words
    const result: WriteResult = { status: 'started', text, job }
    await plans.store.hand(plan.id, JSON.stringify(result), plans.now() + JOB_MS)
    return result
  } catch (error) {
    await plans.store.release(plan)
    throw error
  }
}

/** `undefined` if as many rows match as were sealed: the job leaves those that others have taken the place of. */
async function changedSince(asking: Asking, plan: FoundPlan): Promise<WriteResult | undefined> {
  const { source, open, signal, reader } = asking
  const { where, matching, write: asked } = plan.holds
  const { access } = changeableRows(open, asked)
  const run = { signal, timeoutMs: TIMEOUT_MS, isLong: true }
  if ((await source.count(access, where, run)).count === matching) return undefined
  const { changed: text } = messagesFor(reader.language).sealing
  const difference = await differenceOf(asking, plan)
  return { status: 'changed', text, ...(await drawDifference(asking, difference)) }
}

/** Throws `BUSY` where somebody else holds the plan by now: what they say is what became of it. */
async function end(asking: Asking, plan: FoundPlan, result: WriteResult): Promise<WriteResult> {
  const { store, now } = asking.plans
  const isHeld = await store.end(plan, JSON.stringify(result), now() + OUTCOME_MS)
  if (!isHeld && result.status !== 'gone') throw new AppError('BUSY', { retryAfter: 2 })
  return result
}

async function run(asking: Asking, plan: FoundPlan): Promise<WriteResult> {
  const { actor, door, signal } = asking
  const change = await changeOf(asking, plan)
  if (!change) return { status: 'gone', text: messagesFor(asking.reader.language).sealing.gone }
  const isChanged = !(await areStillSo(asking, plan))
  const changed = isChanged ? await toldChanges(asking, plan) : undefined
  if (changed) return changed
  const options = { signal, timeoutMs: TIMEOUT_MS }
  const proposed = await door.propose(actor, change, plan.id, options)
  const outcome = await door.apply(proposed, options)
  if (outcome.status === 'done') return doneResult(asking, plan, outcome)
  const { problems } = outcome
  const told = problems.some(isOfOthers) ? await toldChanges(asking, plan) : undefined
  return told ?? { status: 'refused', ...(await drawRefusal(asking, proposed, problems)) }
}

/** `undefined` if its rows are those of the plan, and hold what was shown. */
async function toldChanges(asking: Asking, plan: FoundPlan): Promise<WriteResult | undefined> {
  const difference = await differenceOf(asking, plan)
  const differ = await changedRows(asking, plan)
  if (!isDifferent(difference) && differ.count === 0) return undefined
  const { changed, changedValues } = messagesFor(asking.reader.language).sealing
  const text = isDifferent(difference) ? changed : changedValues
  return { status: 'changed', text, ...(await drawDifference(asking, difference, differ)) }
}

/**
 * Whether the rows that were so already still are. Nothing is written in them, so that whoever changes one after this was
 * asked changes it as if after the plan.
 */
export async function areStillSo(asking: Asking, { id, holds }: FoundPlan): Promise<boolean> {
  if (!holds.so) return true
  for await (const chunk of asking.plans.store.chunks(id)) {
    const { so } = parted(chunk)
    const { same } = await compareRows(asking, so, holds)
    if (same.keys.length < so.keys.length) return false
  }
  return true
}

/** Rows have come, gone or changed since the plan was sealed. */
const isOfOthers = ({ kind }: ChangeProblem): boolean => kind === 'missing' || kind === 'conflict'

/**
 * The sets of all chunks, without rows that are so already: each row must still match and hold what was shown, and in all as many match as when it was
 * sealed. `undefined` where chunks have gone.
 */
export async function changeOf(
  { plans, open }: Asking,
  plan: FoundPlan,
): Promise<Change | undefined> {
  const { write, matching } = plan.holds
  if ('own' in write) throw new TypeError('An action of the table’s own is no change.')
  const sets: SetChange[] = []
  let rows = 0
  for await (const chunk of plans.store.chunks(plan.id)) {
    rows += chunk.keys.length
    const { toWrite } = parted(chunk)
    for (let from = 0; from < toWrite.keys.length; from += CHUNK_KEYS) {
      const { expect, ...some } = asConfirmed(
        plan.holds,
        slicedRows(toWrite, from, from + CHUNK_KEYS),
      )
      const inAll = sets.length === 0 ? { inAll: matching } : {}
      sets.push({ ...some, expect: { ...expect, ...inAll }, ...write })
    }
  }
  if (rows !== plan.rows) return undefined
  return { door: 'bulk', tables: [{ table: open.access.table.name, sets }] }
}

function doneResult(
  asking: Asking,
  plan: FoundPlan,
  outcome: Pick<Extract<ChangeOutcome, { status: 'done' }>, 'entry' | 'lacks'>,
): WriteResult {
  const { reader } = asking
  const { form, sealing } = messagesFor(reader.language)
  const { ask, refused = 0, only } = plan.holds
  const count = rowsToWrite(plan.rows, plan.holds)
  const rows = { count, text: formatterFor(reader).number(count) }
  const doing = ask === 'own' ? 'edit' : ask
  const ofOne = {
    edit: form.saved,
    delete: form.deleted,
    mark: form.marking.marked,
    restore: form.marking.restored,
  }
  const text = only === undefined ? sealing.done[doing](rows) : ofOne[doing](only)
  // Undo is not offered for what it could not bring back.
  const isWhole = !outcome.lacks?.some(({ columns }) => columns.length === 0)
  return {
    status: 'done',
    text,
    entry: isWhole ? outcome.entry : null,
    rows: count,
    left: leftBehind(asking, plan.id, refused),
  }
}

/** Why nothing was written, with the rows that it is about, where that is known. */
export async function drawRefusal(
  asking: Asking,
  { parts }: Plan,
  problems: readonly ChangeProblem[],
): Promise<Pick<Extract<WriteResult, { status: 'refused' }>, 'text' | 'rows'>> {
  const { open, reader } = asking
  const { sealing } = messagesFor(reader.language)
  const texts = problems.map((problem) => problemText(problem, open.definition, reader))
  const rowsOf = parts.find(({ part }) => part.rows)?.part.rows ?? []
  const about = problems.flatMap(({ place }, at) => {
    const row = place.of === 'rows' ? rowsOf[place.at] : undefined
    return row && !('insert' in row) ? [{ key: keyOf(row), reason: texts[at] ?? '' }] : []
  })
  const told = about.slice(0, TOLD_ROWS)
  const rows = await toldRows(
    asking,
    told.map(({ key }) => key),
  )
  return {
    text: [sealing.notWritten, ...new Set(texts)].slice(0, 6).join(' '),
    rows: rows.map((row, at) => ({ ...row, reason: told[at]?.reason ?? '' })),
  }
}

/** Forgets a plan that nobody has begun to write. */
export async function dropPlan(asking: Asking, handle: string): Promise<void> {
  const plan = await findPlan(asking, handle)
  if (plan?.state === 'sealed') await asking.plans.store.forget(plan.id)
}
