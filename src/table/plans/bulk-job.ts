/** Writes a sealed plan as a job: step by step, each in a transaction of its own, and never another row. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { Json } from '../../protocol/json.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { BulkAction } from '../actions/bulk-action.ts'
import type { Catalog } from '../catalog.ts'
import { type ChangeOutcome, type ChangeProblem, isOfOthers } from '../changes/change.ts'
import type { ChangeDoor } from '../changes/door.ts'
import { problemText } from '../changes/problem-text.ts'
import { defineJob, type JobContext, type JobKind } from '../jobs/job-kind.ts'
import { type JobRun, type JobStep, JobStopped, JobUncertain } from '../source/job-engine.ts'
import type { EntryStep } from '../source/ledger-entry.ts'
import { type DigestedRows, slicedRows } from '../source/row-digest.ts'
import type { RowSource } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'
import { type Asking, OUTCOME_MS, type PlanServices } from './asking.ts'
import { barredReason } from './changeable-rows.ts'
import { allSame, asConfirmed, compareRows, parted } from './confirmed-rows.ts'
import { rowsToWrite } from './find-plan.ts'
import { because, type LeftRow, leftOf, roomFor } from './left-rows.ts'
import { callOwn, findAction, inputOf } from './own-action.ts'
import { decodeContent, type PlanContent, type PlannedWrite } from './plan-content.ts'
import {
  notWritten,
  type Reached,
  reachedPast,
  reachedWith,
  readReached,
  refusedWith,
  tellReached,
} from './reached.ts'
import { furtherBy, reportedProgress } from './reported-progress.ts'

/** Rows of one step, unless it is told otherwise. */
const STEP_ROWS = 2000
/** How often a step is tried anew because rows left it meanwhile. */
const TRIES = 5
/** Rows that the database refuses are looked for one by one, until there are so many. */
const MOST_SINGLED_OUT = 200

export const BULK_JOB = 'bulk'

export type BulkJobServices = {
  readonly plans: PlanServices
  /** Rows of one step. Default: `STEP_ROWS`. */
  readonly stepRows?: number | undefined
  readonly source: RowSource
  catalog(): Catalog
  readonly door: ChangeDoor
  href(table: string): string
}

const readerSchema = v.object({
  ...{ locale: v.string(), language: v.string(), timeZone: v.optional(v.string()) },
})
const inputSchema = v.object({
  ...{ plan: v.string(), title: v.string(), reader: readerSchema },
  /** How many rows were refused as the plan was sealed. */
  refused: v.optional(v.number(), 0),
})

type Planned = {
  readonly plan: string
  readonly title: string
  readonly refused: number | undefined
  readonly reader: Reader
}

export const bulkJobInput = ({ plan, title, refused = 0, reader }: Planned): Json => {
  const { locale, language, timeZone } = reader
  const told = { locale, language, ...(timeZone !== undefined && { timeZone }) }
  return { plan, title, refused, reader: told }
}

export const createBulkJob = (services: BulkJobServices): JobKind =>
  defineJob({
    name: BULK_JOB,
    label: ({ language }) => messagesFor(language).sealing.job.label,
    title: (input) => v.parse(inputSchema, input).title,
    run: (run, context) => writeByStep(services, run, context),
    result: ({ checkpoint }, reader) => tellReached(readReached(checkpoint), reader),
    left({ input, checkpoint }) {
      const { plan, refused } = v.parse(inputSchema, input)
      return { plan, rows: refused + notWritten(readReached(checkpoint)) }
    },
  })

type Run = Omit<JobRun, 'input'>

type Working = {
  readonly asking: Asking
  readonly run: Run
  /** Id of the plan. */
  readonly plan: string
  readonly holds: PlanContent
  /** How many rows are written. */
  readonly total: number
  /** How many rows were refused, and are kept, as the plan was sealed. */
  readonly refused: number
  at: Reached
  singledOut: number
  /** Whether rows of the last step were others: some of the next are likely to be, too. */
  hasOthers: boolean
}

async function writeByStep(
  services: BulkJobServices,
  run: Run,
  { input, actor, source: ownSource }: JobContext,
): Promise<Json> {
  const { plan: id, refused, reader: found } = v.parse(inputSchema, input)
  const { timeZone, ...rest } = found
  const reader = { ...rest, ...(timeZone !== undefined && { timeZone }) }
  const { plans, catalog, stepRows = STEP_ROWS } = services
  const plan = await plans.store.find(id)
  if (!plan) throw new AppError('NOT_FOUND')
  const holds = decodeContent(plan.content)
  const { write } = holds
  const open = catalog().open(actor, plan.table)
  const asking = { ...services, actor, lineage: '', open, reader, signal: run.signal, ownSource }
  const at = { ...readReached(run.checkpoint), ...('own' in write && { isOwn: true as const }) }
  const working: Working = {
    asking,
    run,
    plan: id,
    holds,
    total: rowsToWrite(plan.rows, holds),
    refused,
    at,
    singledOut: 0,
    hasOthers: false,
  }
  await goOn(working)
  // Kept by a run that died before its step was saved.
  await plans.store.dropLeft(id, working.at.done)
  for await (const rows of stepsFrom(plans.store.chunks(id), working.at.done, stepRows)) {
    run.signal.throwIfAborted()
    await ('own' in write ? runOwnStep(working, write, rows) : writeStep(working, rows))
  }
  // Its keys went while they were read: the rest of its rows is not known.
  if (working.at.done < plan.rows) throw new AppError('NOT_FOUND')
  const held = (await plans.store.find(id)) ?? plan
  await plans.store.end(held, JSON.stringify(endOf(working, run.id)), plans.now() + OUTCOME_MS)
  return null
}

/** What whoever asks with the plan's handle is told. */
const endOf = ({ at, asking: { reader } }: Working, job: string) => ({
  ...{ status: 'started', text: tellReached(at, reader), job },
})

/** The rows from a place on, step by step. */
async function* stepsFrom(
  chunks: AsyncIterable<DigestedRows>,
  done: number,
  size: number,
): AsyncGenerator<DigestedRows> {
  let place = 0
  for await (const rows of chunks) {
    const end = place + rows.keys.length
    for (let from = Math.max(done, place); from < end; from += size)
      yield slicedRows(rows, from - place, from + size - place)
    place = end
  }
}

const stepOf = ({ total }: Working, at: Reached): JobStep => ({
  ...{ checkpoint: at, progress: { done: at.done - at.so, total } },
})

/**
 * Writes those of the rows that are as they were confirmed; the others are counted. What writes them compares them all, so
 * which of them are others is asked only where some were; those that are so already are compared and not written.
 */
async function writeStep(working: Working, rows: DigestedRows): Promise<void> {
  const { asking, run, holds } = working
  const { toWrite, so } = parted(rows)
  for (let tries = 0; ; tries++) {
    const isAsked = tries > 0 || working.hasOthers
    const compared = isAsked ? await compareRows(asking, toWrite, holds) : allSame(toWrite)
    const { same } = compared
    const stillSo = await compareRows(asking, so, holds)
    const reason = barredReason(holds.write, asking.reader)
    const next = reachedWith(reachedPast(working.at, stillSo, reason), compared, reason)
    const left = [stillSo, compared].flatMap((one) => leftOf(asking, one, holds.write))
    working.hasOthers = left.length > 0
    // A run that was taken over would find changed what the other one has written: it stops here.
    if (left.length > 0) await run.save(stepOf(working, working.at))
    await keepLeft(working, left)
    if (same.keys.length === 0) {
      await run.save(stepOf(working, next))
      working.at = next
      return
    }
    const outcome = await run.write(stepOf(working, next), (step) => save(working, same, step))
    if (outcome.status === 'done') {
      working.at = next
      return
    }
    const { problems } = outcome
    if (left.length > 0) await asking.plans.store.dropLeft(working.plan, working.at.done)
    if (problems.some(isOfOthers) && tries < TRIES) continue
    await singleOut(working, rows, problems)
    return
  }
}

function save(
  { asking, holds }: Working,
  rows: DigestedRows,
  step: EntryStep,
): Promise<ChangeOutcome> {
  const { write } = holds
  if ('own' in write) throw new TypeError('An action of the table’s own is no change.')
  const { door, actor, open } = asking
  const sets = [{ ...asConfirmed(holds, rows), ...write }]
  return door.save(actor, { door: 'bulk', tables: [{ table: open.access.table.name, sets }], step })
}

/** Halves the step until the rows that are refused stand alone; the others are written. */
async function singleOut(
  working: Working,
  rows: DigestedRows,
  problems: readonly ChangeProblem[],
): Promise<void> {
  const { asking, run, holds } = working
  const { keys } = rows
  const [first] = problems
  if (keys.length > 1 && working.singledOut < MOST_SINGLED_OUT) {
    const half = Math.ceil(keys.length / 2)
    await writeStep(working, slicedRows(rows, 0, half))
    await writeStep(working, slicedRows(rows, half))
    return
  }
  const reason = first ? problemText(first, asking.open.definition, asking.reader) : ''
  const { toWrite, so } = parted(rows)
  const stillSo = await compareRows(asking, so, holds)
  const at = reachedPast(working.at, stillSo, barredReason(holds.write, asking.reader))
  const refused = refusedWith(at, reason, toWrite.keys.length)
  const next: Reached = { ...at, done: at.done + toWrite.keys.length, refused }
  await keepLeft(working, [
    ...leftOf(asking, stillSo, holds.write),
    ...because(toWrite.keys, reason),
  ])
  await run.save(stepOf(working, next))
  working.at = next
  working.singledOut += keys.length
}

/** Kept before the step is saved, so that none of them is missed. */
async function keepLeft(
  { asking: { open, plans }, plan, refused, at }: Working,
  rows: readonly LeftRow[],
): Promise<void> {
  const some = rows.slice(0, roomFor(open, refused + notWritten(at)))
  if (some.length > 0) await plans.store.keepLeft(plan, at.done, some)
}

/** An action that an earlier run has begun and not ended is repeated only where that is allowed. */
async function goOn(working: Working): Promise<void> {
  const { asking, holds, at } = working
  const { write } = holds
  if (!('own' in write) || at.given === undefined) return
  if (!findAction(asking.open, write.own).repeatable)
    throw new JobUncertain(tellReached(at, asking.reader))
  const { given: _, ...rest } = at
  working.at = rest
}

async function runOwnStep(
  working: Working,
  write: Extract<PlannedWrite, { own: string }>,
  rows: DigestedRows,
): Promise<void> {
  const { asking, run, holds } = working
  const action = findAction(asking.open, write.own)
  const input = await inputOf(action, write.texts, asking)
  const size = action.per === 'row' ? 1 : Infinity
  for (let from = 0; from < rows.keys.length; from += size) {
    const compared = await compareRows(asking, slicedRows(rows, from, from + size), holds)
    const { keys } = compared.same
    const reason = keys.length > 0 ? await giveOwn(working, action, { input, keys }) : null
    const refused = reason === null ? [] : because(keys, reason)
    await keepLeft(working, [...leftOf(asking, compared, write), ...refused])
    const reached = reachedWith(working.at, compared, barredReason(write, asking.reader))
    const { written } = working.at
    const next =
      reason === null
        ? reached
        : { ...reached, written, refused: refusedWith(reached, reason, keys.length) }
    await run.save(stepOf(working, next))
    working.at = next
  }
}

/**
 * Saved before it begins, so that it is never given them twice; and meanwhile as far as it says that it is. Where the
 * job is paused, the action comes back from these rows first: else nobody would know what became of them.
 */
async function giveOwn(
  working: Working,
  action: BulkAction,
  given: { readonly input: unknown; readonly keys: readonly KeyValues[] },
): Promise<string | null> {
  const { asking, run, at } = working
  const rows = given.keys.length
  const step = stepOf(working, { ...at, given: rows })
  await run.save(step).catch(async (error: unknown) => {
    // The job was stopped before the action began.
    if (error instanceof JobStopped) await run.save(stepOf(working, at))
    throw error
  })
  const { report, end } = reportedProgress({
    ...{ rows, now: () => asking.plans.now() },
    save: (done) => run.save(furtherBy(step, done)),
  })
  try {
    return await callOwn({ ...asking, signal: run.ending }, action, {
      ...{ ...given, progress: report },
    })
  } finally {
    await end()
  }
}
