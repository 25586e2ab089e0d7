/** Actions of a table's own: who is offered them, their forms, and running them over the rows of a plan. */

import { messagesFor } from '../../messages/messages.ts'
import type { FieldInput } from '../../protocol/form-view.ts'
import type { BulkOffer, WriteResult } from '../../protocol/plan-view.ts'
import { AppError } from '../../server/app-error.ts'
import { DEFAULT_READER } from '../../server/http/locale.ts'
import type { BulkAction, BulkChunk } from '../actions/bulk-action.ts'
import { inputFields, readInput } from '../actions/input-fields.ts'
import type { OpenTable } from '../catalog.ts'
import { own } from '../definition/define-table.ts'
import { formatterFor } from '../format.ts'
import { readOnlyReason } from '../list/read-only.ts'
import type { KeyValues } from '../source/value.ts'
import { type Asking, OWN_MS } from './asking.ts'
import { barredReason } from './changeable-rows.ts'
import { compareRows } from './confirmed-rows.ts'
import type { FoundPlan } from './find-plan.ts'
import type { PlannedWrite } from './plan-content.ts'
import { leftBehind, leftOf, roomFor } from './left-rows.ts'
import { Refusals } from './refusals.ts'
import { toldRows } from './told-values.ts'

const mayRun = (open: OpenTable, { allows }: BulkAction): boolean =>
  allows?.(open.access.actor) ?? readOnlyReason(open, DEFAULT_READER) === null

export const ownOffers = (open: OpenTable): NonNullable<BulkOffer['own']> =>
  Object.entries(open.definition.actions)
    .filter(([, action]) => mayRun(open, action))
    .map(([name, { label, input }]) => ({ name, label, hasForm: input !== undefined }))

/** Throws `NOT_FOUND` for an action that the actor is not offered. */
export function findAction(open: OpenTable, name: string): BulkAction {
  const action = own(open.definition.actions, name)
  if (!action || !mayRun(open, action)) throw new AppError('NOT_FOUND')
  return action
}

export const isRepeatable = (open: OpenTable, name: string): boolean =>
  own(open.definition.actions, name)?.repeatable === true

/** Throws `NOT_FOUND`. */
export function ownForm(open: OpenTable, name: string): FieldInput[] {
  const { input } = findAction(open, name)
  return input ? inputFields(input) : []
}

/**
 * Runs the action over the rows that are as they were confirmed. What it does is its own, so nothing is rolled back:
 * rows that it refuses are told, and after any other failure it is not known what became of the rows that it was given.
 */
export async function runOwn(
  asking: Asking,
  plan: FoundPlan,
  said: (result: WriteResult) => Promise<WriteResult>,
): Promise<WriteResult> {
  const { holds, id, rows } = plan
  const { write } = holds
  if (!('own' in write)) throw new TypeError('The plan runs no action.')
  const action = findAction(asking.open, write.own)
  const read = await inputOf(action, write.texts, asking)
  const running: Running = {
    ...{
      asking,
      plan,
      action,
      input: read,
      refusals: new Refusals(roomFor(asking.open, holds.refused ?? 0)),
      done: 0,
      changed: 0,
    },
    signal: AbortSignal.any([asking.signal, AbortSignal.timeout(OWN_MS)]),
  }
  let [matched, reached] = [0, 0]
  try {
    for await (const chunk of asking.plans.store.chunks(id)) {
      reached += chunk.keys.length
      const compared = await compareRows(asking, chunk, holds)
      const { keys } = compared.same
      matched += keys.length + compared.barred.length
      running.changed += compared.changed.length
      if (compared.barred.length > 0)
        running.refusals.count(barredReason(write, asking.reader), compared.barred.length)
      for (const { key, reason } of leftOf(asking, compared, write))
        running.refusals.keep(key, reason)
      await runOver(running, keys)
      if (running.signal.aborted) break
    }
  } catch (error) {
    const told = await drawOutcome(running, null)
    const { text } = told
    await said({ status: 'partly', text, rows: [], left: 'left' in told ? told.left : null })
    throw error
  }
  return said(await drawOutcome(running, reached === rows ? matched : null))
}

/** Whether the actor is offered the action yet, and it takes what was entered. */
export async function takesInput(
  asking: Asking,
  { own: name, texts }: Extract<PlannedWrite, { own: string }>,
): Promise<boolean> {
  try {
    await inputOf(findAction(asking.open, name), texts, asking)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** What was entered, checked again: the schema may be another one by now. */
export async function inputOf({ input }: BulkAction, texts: FoundTexts, { reader }: Asking) {
  if (!input) return undefined
  const read = await readInput(input, texts, reader)
  if ('errors' in read) throw new AppError('REQUEST_INVALID')
  return read.input
}

type FoundTexts = { readonly [field: string]: string | null }

type Running = {
  readonly asking: Asking
  readonly plan: FoundPlan
  readonly action: BulkAction
  readonly input: unknown
  readonly refusals: Refusals
  readonly signal: AbortSignal
  done: number
  /** Rows that were left because they hold something else than was shown. */
  changed: number
}

async function runOver(running: Running, keys: readonly KeyValues[]): Promise<void> {
  const { asking, action, input, signal } = running
  const groups = action.per === 'row' ? keys.map((key) => [key]) : keys.length > 0 ? [keys] : []
  for (const group of groups) {
    if (signal.aborted) return
    const reason = await callOwn({ ...asking, signal }, action, { input, keys: group })
    if (reason === null) running.done += group.length
    else for (const one of group) running.refusals.add(one, reason)
  }
}

type GivenRows = {
  readonly input: unknown
  readonly keys: readonly KeyValues[]
  /** Default: nobody is shown how far it is. */
  readonly progress?: BulkChunk<unknown>['progress']
}

/** Runs the action over some rows, or over one; returns why it refuses them, and `null` where it does not. */
export async function callOwn(
  { actor, ownSource: source, signal }: Pick<Asking, 'actor' | 'ownSource' | 'signal'>,
  action: BulkAction,
  { input, keys, progress = () => undefined }: GivenRows,
): Promise<string | null> {
  const [key] = keys
  if (!key) return null
  try {
    await action.run({ actor, input, source, signal, keys, key, progress })
    return null
  } catch (error) {
    if (isRefusal(error)) return error.message
    throw error
  }
}

const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'REFUSED' || error.code === 'FORBIDDEN')

type OwnOutcome = Extract<WriteResult, { status: 'done' | 'partly' | 'refused' }>

/** `matched`: the rows of the plan that were as they were confirmed, `null` where not all were read. */
async function drawOutcome(
  { asking, plan, action, refusals, done, changed, signal }: Running,
  matched: number | null,
): Promise<OwnOutcome> {
  const { reader } = asking
  const { own: words } = messagesFor(reader.language).sealing
  const { number } = formatterFor(reader)
  const amount = (count: number) => ({ count, text: number(count) })
  const told = await toldRows(
    asking,
    refusals.told.map(({ key }) => key),
  )
  const {
    id,
    rows,
    holds: { refused = 0 },
  } = plan
  const isWhole = matched !== null && done + refusals.total === matched && !signal.aborted
  const sentences = [
    words.done(action.label, amount(done)),
    ...(isWhole && rows > matched + changed ? [words.left(amount(rows - matched - changed))] : []),
    ...(isWhole && changed > 0 ? [words.changed(amount(changed))] : []),
    ...refusals.reasons().map(([reason, count]) => words.refused(amount(count), reason)),
    ...(isWhole ? [] : [words.stopped(amount(rows - done - refusals.total))]),
  ]
  const text = sentences.join(' ')
  const isNothing = isWhole && done === 0 && refusals.total > 0
  if (refusals.rows.length > 0 && !isNothing)
    await asking.plans.store.keepLeft(id, 0, refusals.rows)
  const left = leftBehind(
    asking,
    id,
    refused + refusals.total + (matched === null ? 0 : rows - matched),
  )
  if (isWhole && refusals.total === 0)
    return { status: 'done', text, entry: null, rows: done, left }
  const reasons = told.map((row, at) => ({ ...row, reason: refusals.told[at]?.reason ?? '' }))
  return isNothing
    ? { status: 'refused', text, rows: reasons }
    : { status: 'partly', text, rows: reasons, left }
}
